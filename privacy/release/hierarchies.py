"""Generalisation hierarchies: for every value of an attribute the ever coarser labels that may stand in its place.

After Samarati (2001): the labels of a level are a domain, each level generalises the one below it, and the last one has
a single label. The labels form a tree, so that each has one parent. Level 0 is the value itself.
"""

import csv
import math
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from itertools import pairwise
from math import ceil
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from privacy.arrays import Ints
from privacy.design.rationals import fraction, parse_number
from privacy.design.reading import quote
from privacy.errors import EntryError, InputError
from privacy.files import read_text
from privacy.records.csv_rows import csv_rows, what_is_wrong
from privacy.release.classes import code_values, is_missing
from privacy.release.reasons import ReleaseError

ROOT = "*"
MISSING = ""  # of a value that nobody gave: it stays one until the root


@dataclass(frozen=True, eq=False)
class Hierarchy:
    """The labels of each level, and for every value which of them stands in its place.

    `labels[0]` are the values; `places[level][value]` is the place of the value's label in `labels[level]`.
    """

    labels: tuple[tuple[str, ...], ...]
    places: tuple[Ints, ...]
    source: str

    @property
    def height(self) -> int:
        return len(self.labels) - 1

    @cached_property
    def codes(self) -> Mapping[str, int]:
        return {value: place for place, value in enumerate(self.labels[0])}

    def encode(self, column: Sequence[str] | NDArray[Any], name: str) -> Ints:
        """Return the places of the values of a column.

        Raises `InputError` where a value does not stand in the hierarchy; the sentence names it and where it is
        missing.
        """
        places, values = code_values(column)
        missing = next((value for value in values if value not in self.codes), None)
        if missing is not None:
            raise ReleaseError("missing", at=self.source, value=quote(missing), column=quote(name))
        return np.array([self.codes[value] for value in values], np.int64)[places]


def by_rows(rows: Iterable[Sequence[str]], source: str) -> Hierarchy:
    """Build a hierarchy from a row per value: the value, its label on level 1, and so on.

    Refusals name their `source`: a row of another length, a value that stands twice, a label with two parents, no
    single root.

    >>> sizes = by_rows([["s", "small", "*"], ["m", "small", "*"], ["xl", "large", "*"]], "sizes")
    >>> sizes.height, sizes.labels[1]
    (2, ('small', 'large'))
    """
    table = [tuple(row) for row in rows]
    if not table:
        raise EntryError("the hierarchy has no rows.", at=source)
    for row in table:
        if not all(isinstance(label, str) for label in row):
            raise InputError(f"{source}: the row {quote(list(row))} holds a cell that is not text.")
        if len(row) != len(table[0]):
            raise EntryError(
                "the row of {value} has {own} levels, and the first row has {first}.",
                at=source, value=quote(row[0] if row else ""), own=len(row), first=len(table[0]),
            )  # fmt: skip
    if len(table[0]) < 2:
        raise EntryError("the hierarchy has no level above its values; it needs at least the root.", at=source)
    labels, places = [], []
    for level, column in enumerate(zip(*table, strict=True)):
        numbers: dict[str, int] = {}
        places.append(np.array([numbers.setdefault(label, len(numbers)) for label in column], np.int64))
        labels.append(tuple(numbers))
        if level == 0 and len(numbers) < len(table):
            twice = Counter(column).most_common(1)[0][0]
            raise EntryError("the value {value} appears twice.", at=source, value=quote(twice))
    for level, (below, above) in enumerate(pairwise(places)):
        first = np.unique(below, return_index=True)[1]  # the first value under each label
        astray = above != above[first][below]
        if astray.any():
            value = int(astray.argmax())
            label = quote(labels[level][below[value]])
            one, other = (quote(labels[level + 1][above[row]]) for row in (first[below[value]], value))
            raise EntryError(
                "{label} of level {level} is under both {one} and {other}; a label must have one parent.",
                at=source, label=label, level=level, one=one, other=other,
            )  # fmt: skip
    if len(labels[-1]) > 1:
        raise EntryError(
            "the last level has {one} and {other}; it needs a single root, such as {root}.",
            at=source, one=quote(labels[-1][0]), other=quote(labels[-1][1]), root=ROOT,
        )  # fmt: skip
    return Hierarchy(tuple(labels), tuple(places), source)


def read_hierarchy(path: str | Path) -> Hierarchy:
    """Read a hierarchy from a CSV file without a header: ``value;level1;…``, as ARX writes it.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = Path(folder, "towns.csv").write_text("Ulm;south;*\\nBonn;west;*\\n")
    ...     read_hierarchy(f"{folder}/towns.csv").height
    2
    """
    return by_text(read_text(path), str(path))


def by_text(text: str, source: str) -> Hierarchy:
    """Build a hierarchy from the text of a CSV file as `read_hierarchy` reads it.

    >>> by_text("Ulm;south;*\\nBonn;west;*", "towns").labels[1]
    ('south', 'west')
    """
    try:
        rows = list(csv_rows(text, ";"))
    except csv.Error as error:
        raise InputError(f"{source}: this is not CSV, {what_is_wrong(error)}.") from error
    return by_rows([row for row in rows if row], source)


def by_tree(tree: Mapping[str, Any], source: str) -> Hierarchy:
    """Build a hierarchy from a tree: a label with the labels under it, down to lists of values.

    A branch that is shorter than another repeats its lowest label.
    """
    if len(tree) != 1:
        raise InputError(f"{source}: a tree must have one root; this one has {len(tree)}.")
    paths = list(_paths(tree, (), source))
    longest = max(map(len, paths))
    return by_rows([[path[-1], *[path[-2]] * (longest - len(path)), *path[-2::-1]] for path in paths], source)


def _paths(tree: Any, above: tuple[str, ...], source: str) -> Iterable[tuple[str, ...]]:
    """Yield for each value the labels from the root down to it."""
    if isinstance(tree, Mapping):
        for label, below in tree.items():
            yield from _paths(below, (*above, label), source)
    elif isinstance(tree, list | tuple):
        for value in tree:
            if not isinstance(value, str):
                raise InputError(f"{source}: {quote(value)} is not a value; a tree ends in lists of texts.")
            yield (*above, value)
    else:
        raise InputError(f"{source}: {quote(tree)} is neither a branch nor a list of values.")


def by_truncation(values: Iterable[str], lengths: Sequence[int], source: str) -> Hierarchy:
    """Build a hierarchy that keeps fewer leading characters on each level, for post codes and dates; 0 gives ``*``.

    A level that would change no value is left out.

    >>> by_truncation(["02138", "02141"], [4, 3], "zip").labels
    (('02138', '02141'), ('0213', '0214'), ('021',), ('*',))
    """
    if not all(isinstance(length, int) and not isinstance(length, bool) and length >= 0 for length in lengths):
        raise InputError(f"{source}: {quote(list(lengths))} is not a list of how many characters each level keeps.")
    for one, other in pairwise(lengths):
        if other >= one:
            raise EntryError("{other} characters after {one} are not fewer.", at=source, other=other, one=one)
    different = list(dict.fromkeys(values))
    longest = max(map(len, different), default=0)
    kept = [length for length in lengths if 0 < length < longest]
    return by_rows([[value, *(value[:length] for length in kept), ROOT] for value in different], source)


def by_ranges(values: Iterable[str], breaks: Sequence[Sequence[float | Decimal]], source: str) -> Hierarchy:
    """Build a hierarchy of ranges for numbers: each level has its break points, among those of the level below.

    Values are numbers as they are written; one that is missing is a label of its own up to the root. A range holds its
    lower end and not its upper one; the last range of a level holds both. Labels are ``[20, 40)`` and, of the last
    range, ``[40, 80]``.
    """
    if not breaks:
        raise InputError(f"{source}: ranges need at least one level of break points.")
    levels = [_read_break_points(points, source) for points in breaks]
    for one, other in pairwise(levels):
        known = set(one)
        stray = [point for point in other if point not in known]
        if stray:
            raise EntryError("{point} is not a break point of the level below.", at=source, point=number_text(stray[0]))
        if (other[0], other[-1]) != (one[0], one[-1]):
            raise EntryError(
                "every level must go from {low} to {high}.",
                at=source,
                low=number_text(one[0]),
                high=number_text(one[-1]),
            )
    different = list(dict.fromkeys(values))
    given = [(read_number(value, source), value) for value in different if value != MISSING]
    low, high = levels[0][0], levels[0][-1]
    for number, value in given:
        if not low <= number <= high:
            raise EntryError(
                "the value {value} is outside {low} to {high}.",
                at=source, value=quote(value), low=number_text(low), high=number_text(high),
            )  # fmt: skip
    missing = len(given) < len(different)
    root = [ROOT] if len(levels[-1]) > 2 or missing else []
    rows = [
        [value, *(_range_label(points, number) for points in levels), *root]
        for number, value in sorted(given, key=lambda one: one[0])
    ]
    if missing:
        rows.append([MISSING, *[MISSING] * len(levels), ROOT])
    return by_rows(rows, source)


def _read_break_points(points: Any, source: str) -> list[Decimal]:
    if not isinstance(points, Sequence) or isinstance(points, str) or len(points) < 2:
        raise EntryError("{points} is not a list of at least two break points.", at=source, points=quote(points))
    numbers = [read_number(point, source) for point in points]
    for one, other in pairwise(numbers):
        if other <= one:
            raise EntryError(
                "the break point {other} after {one} does not rise.",
                at=source, other=number_text(other), one=number_text(one),
            )  # fmt: skip
    return numbers


def read_number(value: Any, source: str) -> Decimal:
    number = parse_number(str(value))
    if number is None or isinstance(value, bool):
        raise EntryError("{value} is not a number.", at=source, value=quote(value))
    return number


def _range_label(points: Sequence[Decimal], number: Decimal) -> str:
    place = min(bisect_right(points, number), len(points) - 1) - 1
    closing = "]" if place == len(points) - 2 else ")"
    return f"[{number_text(points[place])}, {number_text(points[place + 1])}{closing}"


def number_text(number: Decimal) -> str:
    return f"{number.normalize():f}"


def propose_levels(values: Iterable[str]) -> dict[str, Any]:
    """Propose how a column becomes coarser: ranges of numbers, truncated dates and codes, else the value or nothing.

    Missing values are left out of account. The proposal is written as in a spec, for people to look at before its use:
    only they know which values belong together.

    >>> propose_levels(["1999-02-03", "2001-12-24"])
    {'truncate': [7, 4, 0]}
    >>> propose_levels(["red", "green", ""])
    {'hierarchy': [['', '*'], ['green', '*'], ['red', '*']]}
    >>> propose_levels(["5", "17", "40"])
    {'ranges': [[5, 10, 15, 20, 25, 30, 35, 40, 45], [5, 15, 25, 35, 45], [5, 25, 45], [5, 45]]}
    """
    different = sorted(set(values))
    given = [value for value in different if value != MISSING]
    lengths = set(map(len, given))
    if lengths == {10} and all(value[4] == value[7] == "-" and value.replace("-", "").isdigit() for value in given):
        return {"truncate": [7, 4, 0]}
    if len(lengths) == 1 and min(lengths) >= 4 and all(map(str.isdigit, given)):
        return {"truncate": [*range(min(lengths) - 1, 0, -1), 0]}
    try:
        numbers = [read_number(value, "") for value in given]
    except InputError:
        numbers = []
    if numbers:
        ends = _doubling(min(numbers), max(numbers))
        return {"ranges": [[int(end) if end == int(end) else float(end) for end in level] for level in ends]}
    return {"hierarchy": [[value, ROOT] for value in different]}


def _doubling(low: Decimal, high: Decimal) -> list[list[Decimal]]:
    """Break points of about eight ranges of a round width, then of twice that width, up to one range."""
    wanted = (high - low) / 8 or Decimal(1)
    power = Decimal(10) ** wanted.adjusted()
    width = next(step * power for step in (1, 2, 5, 10) if step * power >= wanted)
    first = math.floor(low / width)
    count = 1
    while (first + count) * width < high:
        count *= 2
    ends = [width * (first + place) for place in range(count + 1)]
    return [ends[:: 1 << level] for level in range(count.bit_length())]


BELOW, ABOVE = "≤ ", "≥ "  # that begin the labels of the ends
Ends = tuple[Decimal | None, Decimal | None]


def by_ends(values: Sequence[str], levels: Sequence[Any], source: str) -> Hierarchy:
    """Build the hierarchy of a column; `values` are those of all rows, whose shares count.

    A level is a share, such as 0.05, or the greatest value of the lower end and the least one of the upper end; one of
    these may be null. The last level is the root. Missing values are a label of their own up to there.

    >>> tree = by_ends(["7", "20", "31", "45", "88"], [[10, 80], [20, 45]], "age")
    >>> tree.labels[1], tree.labels[2]
    (('≤ 10', '20', '31', '45', '≥ 80'), ('≤ 20', '31', '≥ 45'))
    >>> by_ends(["1", "2", "3", "4", "5", "6"], [0.2], "age").labels[1]
    ('≤ 2', '3', '4', '≥ 5')
    """
    numbers = {
        value: (read_number(value, source), count) for value, count in Counter(values).items() if value != MISSING
    }
    rows = sorted(number for number, count in numbers.values() for _ in range(count))
    ends = [_read_ends(level, rows, source) for level in levels]
    for one, other in pairwise([(None, None), *ends]):
        _require_wider(one, other, source)
    in_order = sorted((number, value) for value, (number, _) in numbers.items())
    table = [[value, *(_label(value, number, own) for own in ends), ROOT] for number, value in in_order]
    if len(rows) < len(values):
        table.append([MISSING, *[MISSING] * len(ends), ROOT])
    return by_rows(table, source)


def _read_ends(level: Any, rows: Sequence[Decimal], source: str) -> Ends:
    if isinstance(level, Sequence) and not isinstance(level, str):
        if len(level) != 2 or level == [None, None]:
            raise EntryError("{level} is not where the lower and the upper end begin.", at=source, level=quote(level))
        low, high = (None if one is None else read_number(one, source) for one in level)
    else:
        share = read_number(level, source)
        if not 0 < share < Decimal("0.5"):
            raise EntryError("{level} is not a share of rows between 0 and 0.5.", at=source, level=quote(level))
        if not rows:
            return None, None
        count = ceil(fraction(share) * len(rows))
        low, high = rows[count - 1], rows[-count]
    if low is not None and high is not None and low >= high:
        raise EntryError(
            "the ends of {level} meet, at {low} and {high}.",
            at=source, level=quote(level), low=number_text(low), high=number_text(high),
        )  # fmt: skip
    return low, high


def _require_wider(one: Ends, other: Ends, source: str) -> None:
    """Refuse a level whose ends do not hold those of the level below, so that a label would have two parents."""
    for before, after, up in ((one[0], other[0], True), (one[1], other[1], False)):
        if before is not None and (after is None or (after < before if up else after > before)):
            raise EntryError(
                "an end that begins at {before} must hold it on the next level, too.",
                at=source,
                before=number_text(before),
            )


def _label(value: str, number: Decimal, ends: Ends) -> str:
    low, high = ends
    if low is not None and number <= low:
        return BELOW + number_text(low)
    if high is not None and number >= high:
        return ABOVE + number_text(high)
    return value


def in_order(column: Sequence[Any], name: str, tree: Hierarchy | None = None) -> Sequence[Any]:
    """List the different values of a sensitive attribute in their order, without what is missing.

    That of the tree, if there is one; else numbers by their size, then everything else by the alphabet.

    >>> in_order(["10", "none", "9", "", "10"], "visits")
    ['9', '10', 'none']
    """
    different = {value for value in set(column) if not is_missing(value)}
    if tree is not None:
        tree.encode(sorted(different), name)  # says which value is missing
        return tree.labels[0]
    return sorted(different, key=sort_key)


def sort_key(value: Any) -> tuple[bool, float, str]:
    """Numbers by their size, then everything else by the alphabet.

    >>> sorted(["10", "none", "9"], key=sort_key)
    ['9', '10', 'none']
    """
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = math.nan
    return math.isnan(number), 0.0 if math.isnan(number) else number, str(value)
