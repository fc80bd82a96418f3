"""Quasi-identifiers, what others may know: a category with its hierarchy, or a number.

Each says which of the two it is (`number`, `category`), what a class is published as (`labels`), and how much of the
attribute each sensitive value takes up (`spread`).
"""

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np

from privacy.arrays import Floats, Ints
from privacy.release.hierarchies import Hierarchy


@dataclass(frozen=True, eq=False)
class Measured:
    """A quasi-identifier whose values are numbers, and its weight in the penalty."""

    name: str
    values: Floats
    weight: float = 1.0

    category: ClassVar[None] = None

    @property
    def number(self) -> "Measured":
        """This attribute, as it is a number; a category has None."""
        return self

    @cached_property
    def width(self) -> float:
        """From the smallest value to the largest."""
        return float(np.ptp(self.values))

    def labels(self, order: Ints, starts: Ints) -> list[str]:
        """The label of each class: its range. `order` puts records class by class; `starts` says where each begins."""
        values = self.values[order]
        low, high = np.minimum.reduceat(values, starts), np.maximum.reduceat(values, starts)
        return [
            _number_text(one) if one == other else f"[{_number_text(one)}, {_number_text(other)}]"
            for one, other in zip(low.tolist(), high.tolist(), strict=True)
        ]

    @property
    def line(self) -> Floats:
        """A sort key that puts similar records next to each other."""
        return self.values

    def part(self, records: Ints) -> float:
        """The share of the range that some records take up."""
        return float(np.ptp(self.values[records])) / self.width if self.width else 0.0

    def spread(self, secret: Ints) -> Floats:
        """The share of the range that the records with each sensitive value take up; records of −1 have none."""
        count = int(secret.max()) + 1
        own = secret >= 0
        low, high = np.full(count, np.inf), np.full(count, -np.inf)
        np.minimum.at(low, secret[own], self.values[own])
        np.maximum.at(high, secret[own], self.values[own])
        return np.maximum(high - low, 0) / self.width if self.width else np.zeros(count)


def _number_text(number: float) -> str:
    """The shortest text that reads as this number."""
    return repr(number).removesuffix(".0")


@dataclass(frozen=True, eq=False)
class Quasi:
    """A quasi-identifier: its hierarchy, the value of every record as a place in it, and its weight in the penalty."""

    name: str
    hierarchy: Hierarchy
    codes: Ints
    weight: float = 1.0
    least: int = 0  # the levels that full-domain may put it on
    greatest: int | None = None

    number: ClassVar[None] = None

    @property
    def category(self) -> "Quasi":
        """This attribute, as it is a category; a number has None."""
        return self

    @property
    def top(self) -> int:
        """The greatest level that it may be on."""
        return self.hierarchy.height if self.greatest is None else self.greatest

    @cached_property
    def levels(self) -> tuple[Ints, ...]:
        """The number of each record's label, level by level."""
        return tuple(places[self.codes] for places in self.hierarchy.places)

    @cached_property
    def penalties(self) -> tuple[Floats, ...]:
        """The normalised certainty penalty of every label (Xu and others 2006), by the values that occur.

        A label costs the share of the values that occur which it stands for; a value itself costs nothing.
        """
        seen = np.zeros(len(self.hierarchy.labels[0]), bool)
        seen[self.codes] = True
        shares = [np.zeros(len(seen))]
        for places, labels in zip(self.hierarchy.places[1:], self.hierarchy.labels[1:], strict=True):
            shares.append(np.bincount(places, weights=seen, minlength=len(labels)) / seen.sum())
        return tuple(shares)

    @cached_property
    def mean_penalties(self) -> tuple[float, ...]:
        """For each level the mean penalty of a record."""
        return tuple(float(own[level].mean()) for own, level in zip(self.penalties, self.levels, strict=True))

    @cached_property
    def entropies(self) -> tuple[float, ...]:
        """For each level Σ over records of log₂ of how many share the label, divided by how many share the value."""
        values = np.bincount(self.codes)[self.codes]
        return tuple(float(np.log2(np.bincount(codes)[codes] / values).sum()) for codes in self.levels)

    def labels(self, order: Ints, starts: Ints) -> list[str]:
        """The label of each class: the closest common ancestor; `order` and `starts` as in `Measured.labels`."""
        labels: list[str] = [""] * len(starts)
        open_classes = np.ones(len(starts), bool)
        for level, names in zip(self.levels, self.hierarchy.labels, strict=True):
            codes = level[order]
            low, high = np.minimum.reduceat(codes, starts), np.maximum.reduceat(codes, starts)
            for place in np.flatnonzero(open_classes & (low == high)).tolist():
                labels[place] = names[low[place]]
            open_classes &= low != high
        return labels

    @cached_property
    def line(self) -> Floats:
        """A sort key that puts similar records next to each other: values of the same label are neighbours."""
        order = np.lexsort(self.hierarchy.places)
        places = np.empty(len(order))
        places[order] = np.arange(len(order))
        return np.asarray(places[self.codes])

    def part(self, records: Ints) -> float:
        """How many different values these records have, less one, as a share of all values of the hierarchy."""
        own = np.count_nonzero(np.bincount(self.codes[records]))
        return (own - 1) / len(self.hierarchy.labels[0])

    def spread(self, secret: Ints) -> Floats:
        """The share of the values that occur which the records with each sensitive value take up; −1 is none."""
        values, own = int(self.codes.max()) + 1, secret >= 0
        pairs = np.unique(secret[own] * values + self.codes[own])
        return np.bincount(pairs // values, minlength=int(secret.max()) + 1) / len(np.unique(self.codes))
