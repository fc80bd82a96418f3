"""What is known of the people of whom a table's rows are a sample, as people write it: the member `population`."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from privacy.arrays import Floats, Ints
from privacy.design.rationals import parse_number
from privacy.design.reading import mapping, number, only_keys, quote, text
from privacy.errors import EntryError, InputError
from privacy.release.attributes import Quasi
from privacy.release.everybody import Everybody
from privacy.release.tables import read_table

Columns = Mapping[str, Sequence[str]]
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
