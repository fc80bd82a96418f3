"""The people of whom the rows of a table are a sample: how many they are, perhaps who, and what each row stands for.

A reader who does not know that a person is in the table has to find them among all of these people. So each figure of
a sample is about how many people F fit a class that f rows are in.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from privacy.arrays import Bools, Floats, Ints
from privacy.design.rationals import parse_number
from privacy.design.reading import mapping, number, only_keys, quote, text
from privacy.errors import EntryError, InputError, to_translate
from privacy.release.attributes import Quasi
from privacy.release.classes import Columns, number_classes, read_table

LEVEL = 0.95  # of every bound
TABLE = to_translate("table")  # what found a figure: everybody is in a table


@dataclass(frozen=True)
class SampleFigure:
    """A figure, and what found it; the ends of an interval are keys of its JSON, and nothing here knows them."""

    value: float
    by: str
    low: None = None
    high: None = None


@dataclass(frozen=True, eq=False)
class Everybody:
    """`people` are everybody's quasi-identifiers, in codes of the same hierarchies, where a table has them.

    `counts`: how many people each of their rows is, where that is not one. `weights`: how many people each row of the
    table stands for.
    """

    size: float
    weights: Floats | None = None
    people: Sequence[Quasi] | None = None
    counts: Ints | None = None

    def __post_init__(self) -> None:
        if self.weights is not None and not (self.weights >= 1).all():
            raise EntryError(
                "a row stands for {least} people; every weight is 1 or more.",
                at="population.weight", least=f"{self.weights.min():g}",
            )  # fmt: skip

    def on_levels(self, quasis: Sequence[Quasi], node: Sequence[int], kept: Bools) -> "SampleClasses":
        """The classes of a table whose attributes are on the levels of a node; rows that are not `kept` are one.

        A table of everybody has the last attributes: what it does not have, nobody can look for.
        """
        own = [np.where(kept, quasi.levels[level], -1) for quasi, level in zip(quasis, node, strict=True)]
        if self.people is None:
            return SampleClasses(self, own)
        own, node = own[-len(self.people) :], node[-len(self.people) :]
        theirs = [quasi.levels[level] for quasi, level in zip(self.people, node, strict=True)]
        known = number_classes([np.concatenate(both) for both in zip(own, theirs, strict=True)])
        ours, others = known[: len(kept)], known[len(kept) :]
        among = np.bincount(others, self.counts, int(known.max()) + 1).astype(np.int64)
        elsewhere = int(among.sum()) - int(among[np.unique(ours[kept])].sum())  # people who fit no class with labels
        people = np.where(kept, among[ours], elsewhere)
        return SampleClasses(self, own, people, elsewhere if kept.all() else 0)


@dataclass(frozen=True, eq=False)
class SampleClasses:
    """The classes of a table, seen from the everybody.

    `columns` are the labels of each row as codes, `fitting` how many people fit each row, where a table says so, and
    `others` how many people fit no row; None where people may fit several classes.
    """

    everybody: Everybody
    columns: Sequence[Ints]
    fitting: Ints | None = None
    others: int | None = None

    def __post_init__(self) -> None:
        if self.fitting is not None and (self.fitting < self.sizes[self.member]).any():
            raise EntryError(
                "fewer people fit a class than the table has rows in it; it must hold everybody.", at="population.table"
            )

    @cached_property
    def member(self) -> Ints:
        return number_classes(self.columns)

    @cached_property
    def sizes(self) -> Ints:
        """How many rows each class has: f."""
        return np.bincount(self.member)

    @property
    def rows(self) -> int:
        return len(self.member)

    @property
    def share(self) -> float:
        """How many of the people are in the table: the sampling fraction."""
        return self.rows / self.everybody.size

    @cached_property
    def people(self) -> Ints | None:
        """How many people fit each class: F, where a table says so."""
        return None if self.fitting is None else self.fitting[np.unique(self.member, return_index=True)[1]]

    @property
    def people_who_fit(self) -> Ints:
        """The same, where a table surely says so."""
        assert self.people is not None
        return self.people

    @cached_property
    def chances(self) -> Floats:
        """The chance p with which each class's people were drawn: its rows, over how many people these stand for."""
        weights = self.everybody.weights
        if weights is None:
            return np.full(len(self.sizes), self.share)
        return np.asarray(self.sizes / np.bincount(self.member, weights=weights))


LONGEST = 12  # digits of a number of people
_COUNTS = {"count", "counts", "n", "number", "freq", "frequency", "people", "persons", "population", "人数"}


@dataclass(frozen=True, eq=False)
class Known:
    """How many people there are, or a table of everybody; and the column of weights.

    `counts` says how many people each row of the table is, where it has each combination once.
    """

    size: float | None = None
    people: Columns | None = None
    counts: Ints | None = None
    weight: str = ""

    def values(self, name: str) -> list[str]:
        """The values of a column in the table of everybody; none without one."""
        if self.people is None:
            return []
        if name not in self.people:
            raise InputError(f"population.table: it has no column {quote(name)}, which is a quasi-identifier.")
        return list(self.people[name])

    def everybody(self, table: Columns, quasis: Sequence[Quasi]) -> Everybody:
        """All people of whom a table is a sample; its quasi-identifiers are in codes of hierarchies that cover them.

        >>> Known(size=50).everybody({"age": ["31", "38"]}, []).size
        50
        """
        if (
            self.people
            and self.counts is None
            and (counted := column_of_counts(self.people, {one.name for one in quasis}))
        ):
            raise EntryError(
                "the table has a column {name}: name it with count in a spec if it says how many people a row is; else "
                "take it out.",
                at="population.table", name=quote(counted),
            )  # fmt: skip
        rows = len(next(iter(table.values())))
        weights = _weights(_column(table, self.weight, "weight")) if self.weight else None
        size = self.size or 0.0
        if self.people is not None:
            size = float(len(next(iter(self.people.values()))) if self.counts is None else self.counts.sum())
        elif self.size is None and weights is not None:
            size = float(weights.sum())
        if size < rows:
            raise EntryError(
                "{size} people are fewer than the {rows} rows of the table.",
                at="population", size=f"{size:g}", rows=rows,
            )  # fmt: skip
        people = [replace(one, codes=one.hierarchy.encode(self.values(one.name), one.name)) for one in quasis]
        return Everybody(size, weights, people if self.people else None, self.counts)


def read_population(entry: Any, folder: Path) -> Known | None:
    """Read the member `population` of a spec.

    >>> read_population({"size": 80000}, Path()).size
    80000.0
    """
    named = mapping(entry, "population")
    if not named:
        return None
    only_keys(named, ("size", "table", "count", "weight"), "population")
    if len(named.keys() & {"size", "table"}) == 2:
        raise EntryError("size and table are both given; give one of them.", at="population")
    if not named.keys() & {"size", "table", "weight"}:
        raise EntryError("give at least one of size, table and weight.", at="population")
    size = float(number(named, "size", "population")) if "size" in named else None
    if size is not None and not size >= 1:
        raise EntryError("{size} people are fewer than one.", at="population.size", size=f"{size:g}")
    people, counts = None, None
    if "table" in named:
        given = named["table"]
        read = read_table(folder / given) if isinstance(given, str) else mapping(given, "population.table")
        people = {name: list(map(str, column)) for name, column in read.items()}
    if "count" in named:
        if people is None:
            raise EntryError("count names a column of the table, and there is none.", at="population.count")
        counts = _counts(_column(people, text(named, "count", "population"), "count"))
    return Known(size, people, counts, text(named, "weight", "population") if "weight" in named else "")


def column_of_counts(names: Iterable[str], others: Collection[str]) -> str | None:
    """The column that seems to say how many people a row is, besides `others`; None if none does.

    >>> column_of_counts(["town", "Count"], ["town"])
    'Count'
    """
    return next((name for name in names if name not in others and name.strip().casefold() in _COUNTS), None)


def _column(table: Columns, name: str, what: str) -> Sequence[str]:
    if name not in table:
        raise InputError(f"population.{what}: the table has no column {quote(name)}.")
    return table[name]


def _counts(column: Sequence[str]) -> Ints:
    for value in column:
        if not (value.isascii() and value.isdecimal() and len(value) <= LONGEST):
            raise InputError(f"population.count: {quote(value)} is not a whole number of people from 0.")
    return np.array([int(value) for value in column], np.int64)


def _weights(column: Sequence[str]) -> Floats:
    numbers = [parse_number(str(one)) for one in column]
    for value, read in zip(column, numbers, strict=True):
        if read is None or not read > 0:
            raise InputError(f"population.weight: {quote(value)} is not a number above 0.")
    return np.array(numbers, np.float64)
