"""The people of whom the rows of a table are a sample: how many they are, perhaps who, and what each row stands for.

A reader who does not know that a person is in the table has to find them among all of these people. So each figure of
a sample is about how many people F fit a class that f rows are in.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from privacy.arrays import Bools, Floats, Ints
from privacy.errors import EntryError, to_translate
from privacy.release.attributes import Quasi
from privacy.release.classes import number_classes

LEVEL = 0.95  # of every interval and bound
TABLE = to_translate("table")  # what found a figure: everybody is in a table


@dataclass(frozen=True)
class SampleFigure:
    """A figure, what found it, and the interval that holds the true one in 95 % of samples, where one is known."""

    value: float
    by: str
    low: float | None = None
    high: float | None = None


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
