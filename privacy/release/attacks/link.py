"""Linking: a table with names is compared with a release, row by row, by the columns of both.

A row fits a person where their labels in every common column may stand for the same value. Three attacks of Sweeney
(2002) are this one question: linking a list of names; two releases of the same people, where the labels of both are
generalised (complementary release); and unsorted matching, where only the row at the same place is asked.
"""

import re
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np

from privacy.arrays import Bools, Ints
from privacy.design import arguments
from privacy.design.rationals import parse_number
from privacy.design.reading import quote
from privacy.errors import InputError, InputWarning
from privacy.output import count_of
from privacy.release.attacks import Attack
from privacy.release.classes import Columns, code_values, encode, is_missing, is_suppressed, texts_of
from privacy.release.hierarchies import ABOVE, BELOW, MISSING, ROOT, propose_levels
from privacy.release.methods import METHODS
from privacy.release.specs import ColumnSpec, Spec, parse_spec, read_spec
from privacy.result import DataFrame, Result, TextColumns, data_frame

UNKNOWN = (ROOT, MISSING)  # labels that fit every other
SWAPPED = "Are the two tables swapped?"
COLUMNS = ("person", "rows", "people", "certainty", "row")  # of the table that is printed, and the keys of its JSON
_RANGE = re.compile(r"\[(.+), (.+)([\])])")
_END = re.compile(f"({BELOW}|{ABOVE})(.+)")


@dataclass(frozen=True, repr=False, eq=False)
class Link(Result):
    """Which rows of a release fit the people of a table with names; `candor.link` makes it.

    Places of rows and people are counted from 1.
    """

    on: tuple[str, ...]
    names: tuple[str, ...]
    size: int  # rows of the release
    rows: Ints  # for each person how many of them fit
    people: Ints  # how many people fit the one of these rows that fewest fit; 0 where none fits
    row: Ints  # the row, where just one fits; else 0
    revealed: dict[str, list[str | None]]  # by further column: the value that all rows of a person share, if they do
    in_order: float | None = None  # how many rows would fit at their place in any other order, where it was asked

    @property
    def attack(self) -> Attack:
        """The number of people tried, and of those with exactly one matching row."""
        return Attack("linking" if self.in_order is None else "unsorted matching", len(self.rows), self.counted["one"])

    @property
    def counted(self) -> dict[str, int]:
        """The numbers of people who fit one row, one row that nobody else fits, several rows, and none."""
        single, none = self.rows == 1, int((self.rows == 0).sum())
        one, alone = int(single.sum()), int((self.people[single] == 1).sum())
        return {"one": one, "alone": alone, "several": len(self.rows) - one - none, "none": none}

    def contents(self) -> Iterator[str | TextColumns]:
        people, fit = "1 person" if len(self.names) == 1 else f"{len(self.names)} people", self.counted
        yield f"{people} and {count_of(self.size, 'row')}, compared by {', '.join(self.on)}"
        if self.in_order is None:
            yield f"{fit['one']} fit one row, {fit['several']} several, {fit['none']} none."
            yield f"{fit['alone']} fit one row that nobody else of them fits."
            yield "Certainty: of somebody who knows the person to be in the release, and looks at one person at a time."
        else:
            yield f"{fit['one']} fit the row at their place; in a random order {self.in_order:.6g} would."
            yield "Certainty: if both tables are in one order."
        for name, values in self.revealed.items():
            yield f"{name}: revealed for {sum(value is not None for value in values)}"
        yield ""
        yield TextColumns([*COLUMNS, *self.revealed], self.surest())

    def surest(self) -> list[list[Any]]:
        """Return one line per matched person, surest first."""
        places = sorted(np.flatnonzero(self.rows).tolist(), key=lambda one: (self.rows[one], self.people[one]))
        return [self._line(place) for place in places]

    def _line(self, place: int) -> list[Any]:
        """What is printed of the person at this place: the name, the columns of COLUMNS, and revealed values."""
        rows = int(self.rows[place])
        figures = [rows, int(self.people[place]), 1 / rows if rows else 0.0, int(self.row[place]) or None]
        return [self.names[place], *figures, *(values[place] for values in self.revealed.values())]

    def to_frame(self) -> DataFrame:
        """Return a row per person, in their order."""
        lines = [self._line(place) for place in range(len(self.names))]
        return data_frame(lines, [*COLUMNS, *self.revealed])

    def to_json(self) -> dict[str, Any]:
        """Return the JSON of `candor link`."""
        document: dict[str, Any] = {"on": list(self.on), "rows": self.size, "attack": self.attack.to_json()}
        if self.in_order is not None:
            document["in_random_order"] = self.in_order
        lines = map(self._line, range(len(self.names)))
        document["people"] = [
            dict(zip(COLUMNS, line, strict=False))
            | {"told": dict(zip(self.revealed, line[len(COLUMNS) :], strict=True))}
            for line in lines
        ]
        return document


def link(
    people: DataFrame | Columns,
    release: DataFrame | Columns,
    spec: "Spec | Mapping[str, Any] | str | Path | None" = None,
    *,
    on: Sequence[str] | None = None,
    name: str | None = None,
    in_order: bool = False,
) -> Link:
    """Link people of a table that has their names with rows of a release.

    Parameters
    ----------
    people : DataFrame, or mapping of str to texts
        A row per person: a name, and what is known of the person. What is missing, or ``*``, is not known.
    release : DataFrame, or mapping of str to texts
        The released table. Ranges, ``0213*`` and ``*`` are understood; other labels are compared as they are.
    spec : mapping or path, optional
        The spec by which the release was made: its hierarchies say which values a label stands for.
    on : str or sequence of str, optional
        The columns to compare, in one text between commas or one by one; all that both tables have if nothing is said.
    name : str, optional
        The column of the names: the first one that only `people` has if nothing is said, else places.
    in_order : bool
        Whether row for row both tables are about the same people: each person is compared with the row at their place.

    Raises
    ------
    InputError
        Where a column is missing or the tables have none in common.

    Examples
    --------
    >>> import candor, pandas as pd
    >>> people = pd.DataFrame({"name": ["Ada", "Bob", "Cy"], "age": [21, 34, 36]})
    >>> release = pd.DataFrame({"age": ["[20, 30)", "[30, 40]", "[30, 40]"], "disease": ["flu", "cold", "ulcer"]})
    >>> candor.link(people, release).to_frame()
      person  rows  people  certainty  row disease
    0    Ada     1       1        1.0  1.0     flu
    1    Bob     2       2        0.5  NaN    None
    2     Cy     2       2        0.5  NaN    None
    """
    people, release = texts_of(people, "people"), texts_of(release, "release")
    if spec is not None and not isinstance(spec, Spec):
        spec = parse_spec(spec) if isinstance(spec, Mapping) else read_spec(arguments.path(spec, "spec"))
    on = None if on is None else arguments.names(on, "on")
    name = None if name is None else arguments.text(name, "name")
    in_order = arguments.flag(in_order, "in_order")
    common = _columns_to_compare(people, release, on, name)
    if spec and METHODS[spec.method].means and (numbers := set(common) & set(spec.columns_with_role("quasi"))):
        raise InputError(f"on: {quote(min(numbers))} holds means of groups, which fit nobody's value.")
    count, size = len(people[common[0]]), len(release[common[0]])
    if not count or not size:
        raise InputError("A table to link has no rows.")
    if in_order and count != size:
        raise InputError(f"in_order: {count} people and {size} rows are not in one order.")
    named = name or next((one for one in people if one not in release), None)
    names = tuple(people[named]) if named is not None else tuple(str(place) for place in range(1, count + 1))
    ours, theirs = (_Distinct.from_columns([table[one] for one in common]) for table in (people, release))
    general = [name for name, labels in zip(common, ours.labels, strict=True) if any(map(_is_general, labels))]
    if general and not in_order and not any(one in UNKNOWN or _is_general(one) for one in chain(*theirs.labels)):
        said = f"people: {quote(general[0])} has generalised labels, and the release has none. {SWAPPED}"
        warnings.warn(said, InputWarning, stacklevel=2)
    compared = zip(common, ours.labels, theirs.labels, strict=True)
    fits = [fitting(own, other, spec.columns.get(column) if spec else None) for column, own, other in compared]

    def rows_for(codes: Sequence[int]) -> Ints:
        own = zip(fits, codes, theirs.codes.T, strict=True)
        return np.flatnonzero(np.logical_and.reduce([fit[code, labels] for fit, code, labels in own]))

    found = [rows_for(codes) for codes in ours.codes.tolist()]
    sizes, alike = np.bincount(theirs.member), np.bincount(ours.member)
    rows = np.array([sizes[classes].sum() for classes in found])[ours.member]
    disguised = spec.channels if spec else {}  # what such a row says is not what is true of the person
    further = {column: values for column, values in release.items() if column not in {*common, *disguised}}
    if in_order:
        pairs = zip(fits, ours.codes[ours.member].T, theirs.codes[theirs.member].T, strict=True)
        own = np.logical_and.reduce([fit[left, right] for fit, left, right in pairs])
        revealed = {
            column: [value if is_own else None for value, is_own in zip(values, own.tolist(), strict=True)]
            for column, values in further.items()
        }
        place, one = np.where(own, np.arange(1, count + 1), 0), own.astype(np.int64)
        return Link(tuple(common), names, size, one, one, place, revealed, float(rows.sum() / size))
    rivals = np.zeros(len(sizes), np.int64)
    for classes, many in zip(found, alike.tolist(), strict=True):
        rivals[classes] += many
    first = np.unique(theirs.member, return_index=True)[1] + 1
    fewest = np.array([rivals[classes].min() if len(classes) else 0 for classes in found])[ours.member]
    row = np.where(rows == 1, np.array([first[classes[0]] if len(classes) else 0 for classes in found])[ours.member], 0)
    revealed = {column: _common_values(values, theirs.member, found, ours.member) for column, values in further.items()}
    return Link(tuple(common), names, size, rows, fewest, row, revealed)


def _columns_to_compare(people: Columns, release: Columns, on: Sequence[str] | None, name: str | None) -> list[str]:
    """The columns to compare: those of `on`, or all that both tables have; refused where there is none."""
    if name is not None and name not in people:
        question = f" {SWAPPED}" if name in release else ""
        raise InputError(f"name: the table of people has no column {quote(name)}.{question}")
    common = list(dict.fromkeys(on)) if on is not None else [one for one in people if one in release and one != name]
    for column in common:
        if column not in people or column not in release:
            raise InputError(f"on: the column {quote(column)} is not in both tables.")
    if not common:
        raise InputError("on: the two tables have no column in common.")
    return common


@dataclass(frozen=True)
class _Distinct:
    """Rows that are alike, once each: the labels of each column, their places in these, and which one each row is."""

    labels: list[list[str]]
    codes: Ints
    member: Ints

    @classmethod
    def from_columns(cls, columns: Sequence[Sequence[str]]) -> "_Distinct":
        coded_columns, labels = zip(*map(code_values, columns), strict=True)
        codes, member = np.unique(np.stack(coded_columns, axis=1), axis=0, return_inverse=True)
        return cls(list(labels), codes, member.ravel())


def _common_values(values: Sequence[str], member: Ints, found: Sequence[Ints], of_person: Ints) -> list[str | None]:
    """Return, for each person, the value that all their rows share that have one; None if rows differ or none has."""
    known = list(dict.fromkeys(value for value in values if not is_missing(value)))
    codes = encode(values, known)
    order = np.argsort(member, kind="stable")
    starts = np.flatnonzero(np.diff(member[order], prepend=-1))
    low = np.minimum.reduceat(np.where(codes < 0, len(known), codes)[order], starts)
    high = np.maximum.reduceat(codes[order], starts)
    revealed = [
        known[low[classes].min()] if len(classes) and low[classes].min() == high[classes].max() else None
        for classes in found
    ]
    return [revealed[place] for place in of_person.tolist()]


def fitting(ours: Sequence[str], theirs: Sequence[str], column: ColumnSpec | None = None) -> Bools:
    """Say of each pair of labels whether both may stand for one value.

    >>> fitting(["31", "[35, 50)", "*"], ["[20, 31)", "[30, 40]"]).tolist()
    [[False, True], [False, True], [True, True]]
    """
    may_be = _same_value_test(ours, column)
    fits = [
        [own == other or own in UNKNOWN or other in UNKNOWN or may_be(own, other) for other in theirs] for own in ours
    ]
    return np.array(fits, bool)


def people_who_fit(
    release: Sequence[Sequence[str]],
    people: Sequence[Sequence[str]],
    columns: Sequence[ColumnSpec | None],
    counts: Ints | None = None,
) -> tuple[Ints, int | None]:
    """Count for each row how many people fit it, and how many fit none; None where somebody fits two classes.

    The columns of both are in one order; each row of `people` is as many as `counts` says. Those who fit no class are
    among the suppressed rows, where there are any.

    >>> fitting_rows, others = people_who_fit([["[30, 40)", "[30, 40)", "*"]], [["31", "38", "52"]], [None])
    >>> fitting_rows.tolist(), others
    ([2, 2, 1], 0)
    """
    rows, known = _Distinct.from_columns(release), _Distinct.from_columns(people)
    fits = [fitting(*both) for both in zip(rows.labels, known.labels, columns, strict=True)]
    alike, hidden = np.bincount(known.member, counts).astype(np.int64), is_suppressed(release)
    covered, count = np.zeros(len(alike), np.int64), np.zeros(len(rows.codes), np.int64)
    for place in np.unique(rows.member[~hidden]).tolist():
        own = [fit[code, them] for fit, code, them in zip(fits, rows.codes[place], known.codes.T, strict=True)]
        found = np.logical_and.reduce(own)
        covered += found
        count[place] = alike[found].sum()
    left = int(alike[covered == 0].sum())
    count[rows.member[hidden]] = left
    return count[rows.member], None if (covered > 1).any() else 0 if hidden.any() else left


def _same_value_test(ours: Sequence[str], column: ColumnSpec | None) -> Callable[[str, str], bool]:
    """Return a function that says whether two different labels may mean one value, by the spec or as numbers."""
    shape = (column.shape or propose_levels(ours)) if column is not None else {}
    if column is not None and "hierarchy" in column.shape:
        tree = column.hierarchy(ours)
        values: dict[str, set[int]] = {}
        for labels, places in zip(tree.labels, tree.places, strict=True):
            for value, place in enumerate(places.tolist()):
                values.setdefault(labels[place], set()).add(value)
        return lambda one, other: not values.get(one, set()).isdisjoint(values.get(other, set()))
    if "truncate" in shape:
        return lambda one, other: one.startswith(other) or other.startswith(one)
    numbers = lru_cache(maxsize=None)(_range)
    return lambda one, other: _begins(one, other) or _begins(other, one) or _overlap(numbers(one), numbers(other))


def _begins(label: str, other: str) -> bool:
    """Say whether a shortened label such as 0213* is the beginning of the other one."""
    return label.endswith(ROOT) and other.rstrip(ROOT).startswith(label.rstrip(ROOT))


def _is_general(label: str) -> bool:
    """Whether the label is of several values: a range, or cut short."""
    return bool(_RANGE.fullmatch(label) or _END.fullmatch(label)) or (label.endswith(ROOT) and label not in UNKNOWN)


def _range(label: str) -> tuple[Decimal, Decimal, bool] | None:
    """The lower and upper end of a range, and whether it holds the upper one; None for text. A number is both ends."""
    if end := _END.fullmatch(label):
        at = parse_number(end[2])
        infinite = Decimal("Infinity")
        return None if at is None else (-infinite, at, True) if end[1] == BELOW else (at, infinite, True)
    ends = _RANGE.fullmatch(label)
    low, high = map(parse_number, ends.group(1, 2) if ends else (label, label))
    return None if low is None or high is None else (low, high, ends is None or ends[3] == "]")


def _overlap(one: tuple[Decimal, Decimal, bool] | None, other: tuple[Decimal, Decimal, bool] | None) -> bool:
    if one is None or other is None:
        return False
    (low, high, closed), (lower, upper, shut) = one, other
    return (low < upper or (shut and low == upper)) and (lower < high or (closed and lower == high))
