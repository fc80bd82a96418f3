"""Quasi-identifiers, what others may know: a category with its hierarchy, or a number; and what covers a class.

Each says which of the two it is (`number`, `category`), what a class is published as (`labels`), and how much of the
attribute each sensitive value takes up (`spread`).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import fsum
from typing import ClassVar

import numpy as np

from privacy.arrays import Floats, Ints
from privacy.release.classes import number_classes
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


MOST_NODES = 256  # of hierarchies that are looked up together: the square of it stays in the processor's memory


@dataclass(frozen=True, eq=False)
class _Tree:
    """The nodes of one hierarchy, or of several side by side: the ancestor of any two, and its weighted penalty."""

    ancestor: Ints
    penalty: Floats

    def combine(self, other: "_Tree") -> "_Tree":
        """Combine two trees: its nodes are pairs of nodes, and their penalties add up."""
        own, more = len(self.ancestor), len(other.ancestor)
        shape = (own * more, own * more)
        pairs = self.ancestor[:, None, :, None] * more + other.ancestor[None, :, None, :]
        costs = self.penalty[:, None, :, None] + other.penalty[None, :, None, :]
        return _Tree(pairs.reshape(shape), costs.reshape(shape))


@dataclass(eq=False)
class Covers:
    """Classes: the range of each number, the node of each tree, how many records, and the penalty of one of them."""

    low: list[Floats]
    high: list[Floats]
    nodes: list[Ints]
    size: Ints
    penalty: Floats

    def __len__(self) -> int:
        return len(self.size)

    def select(self, places: Ints) -> "Covers":
        return Covers(
            [low[places] for low in self.low],
            [high[places] for high in self.high],
            [nodes[places] for nodes in self.nodes],
            self.size[places],
            self.penalty[places],
        )

    def put(self, places: Ints, others: "Covers") -> None:
        """Replace the classes at these places by others."""
        for own, new in ((self.low, others.low), (self.high, others.high), (self.nodes, others.nodes)):
            for array, entries in zip(own, new, strict=True):
                array[places] = entries
        self.size[places], self.penalty[places] = others.size, others.penalty

    @property
    def total(self) -> float:
        """The penalty of all records together: the same on every processor, so that equal ways stay equal."""
        return fsum((self.penalty * self.size).tolist())


@dataclass(frozen=True, eq=False)
class Space:
    """A table's quasi-identifiers, with what it costs to publish records alike.

    `twice`: each weight counts twice in the cost.
    """

    attributes: Sequence[Quasi | Measured]
    twice: bool = False

    @cached_property
    def weights(self) -> Floats:
        """The weights of the attributes, which sum to 1."""
        given = np.array([attribute.weight for attribute in self.attributes], float)
        return given / given.sum()

    @property
    def factors(self) -> list[float]:
        """What each attribute counts in the cost."""
        return (self.weights**2 if self.twice else self.weights).tolist()

    @cached_property
    def _numbers(self) -> list[tuple[Measured, float]]:
        """The attributes that are numbers, each with what it counts in the cost."""
        weighed = zip(self.attributes, self.factors, strict=True)
        return [(number, weight) for attribute, weight in weighed if (number := attribute.number)]

    @cached_property
    def _categories(self) -> list[tuple[Quasi, float]]:
        """The attributes that are categories, each with what it counts in the cost."""
        weighed = zip(self.attributes, self.factors, strict=True)
        return [(category, weight) for attribute, weight in weighed if (category := attribute.category)]

    @cached_property
    def _scales(self) -> list[float]:
        """For each number the penalty of one unit."""
        return [weight / number.width if number.width else 0.0 for number, weight in self._numbers]

    @cached_property
    def _trees(self) -> tuple[list[_Tree], list[Ints]]:
        """Trees of a few hierarchies each, and the node of every record in them."""
        trees: list[_Tree] = []
        codes: list[Ints] = []
        for category, weight in self._categories:
            tree = _tree(category, weight)
            if trees and len(trees[-1].ancestor) * len(tree.ancestor) <= MOST_NODES:
                codes[-1] = codes[-1] * len(tree.ancestor) + category.codes
                trees[-1] = trees[-1].combine(tree)
            else:
                trees.append(tree)
                codes.append(category.codes)
        return trees, codes

    def singles(self, records: Ints) -> Covers:
        """Each of these records as a class of its own."""
        values = [number.values[records].astype(np.float64) for number, _ in self._numbers]
        nodes = [codes[records] for codes in self._trees[1]]
        size = np.ones(len(records), np.int64)
        return Covers(values, [value.copy() for value in values], nodes, size, np.zeros(len(records)))

    def tuples(self, records: Ints) -> tuple[Covers, Ints]:
        """The classes of records that are alike in all attributes, and the class of each record."""
        singles = self.singles(records)
        member = number_classes([*singles.low, *singles.nodes])
        first = np.unique(member, return_index=True)[1]
        classes = singles.select(first)
        classes.size = np.bincount(member)
        return classes, member

    def covers(self, member: Ints) -> Covers:
        """The classes of all records; `member` is the class that each record is in."""
        order = np.argsort(member, kind="stable")
        return self.covers_of(order, np.flatnonzero(np.diff(member[order], prepend=-1)))

    def covers_of(self, records: Ints, starts: Ints) -> Covers:
        """The classes of runs of records; `starts` says where each run begins. A record may stand in several."""
        singles = self.singles(records)
        covers = Covers(
            [np.minimum.reduceat(low, starts) for low in singles.low],
            [np.maximum.reduceat(high, starts) for high in singles.high],
            [_common_ancestors(tree, nodes, starts) for tree, nodes in zip(self._trees[0], singles.nodes, strict=True)],
            np.diff(starts, append=len(records)),
            np.zeros(len(starts)),
        )
        covers.penalty = self._cost(covers)
        return covers

    def penalty(self, member: Ints) -> float:
        """The penalty of all records together, published class by class."""
        return self.covers(member).total

    def costs_of_joining(self, covers: Covers, place: int) -> Floats:
        """The penalty of a record if the class at `place` were joined with each other class: an entry for each."""
        trees = self._trees[0]
        cost = np.zeros(len(covers))
        for scale, low, high in zip(self._scales, covers.low, covers.high, strict=True):
            cost += (np.maximum(high, high[place]) - np.minimum(low, low[place])) * scale
        for tree, nodes in zip(trees, covers.nodes, strict=True):
            cost += tree.penalty[nodes[place]][nodes]
        return cost

    def rise(self, covers: Covers, place: int) -> Floats:
        """How much the penalty of both would grow if the class at `place` joined each other one: an entry for each."""
        cost = self.costs_of_joining(covers, place)
        return (cost - covers.penalty) * covers.size + (cost - covers.penalty[place]) * covers.size[place]

    def join(self, covers: Covers, into: Ints, other: Ints) -> None:
        """Join classes pair by pair: `into` covers both, `other` is left as it was."""
        for low, high in zip(covers.low, covers.high, strict=True):
            low[into] = np.minimum(low[into], low[other])
            high[into] = np.maximum(high[into], high[other])
        for tree, nodes in zip(self._trees[0], covers.nodes, strict=True):
            nodes[into] = tree.ancestor[nodes[into], nodes[other]]
        covers.size[into] += covers.size[other]
        covers.penalty[into] = self._cost(covers.select(into))

    def _cost(self, covers: Covers) -> Floats:
        """The penalty of one record of each class."""
        cost = np.zeros(len(covers))
        for scale, low, high in zip(self._scales, covers.low, covers.high, strict=True):
            cost += (high - low) * scale
        for tree, nodes in zip(self._trees[0], covers.nodes, strict=True):
            cost += tree.penalty[nodes, nodes]
        return cost

    def label_columns(self, member: Ints) -> list[list[str]]:
        """The column of every attribute as it is published: ranges, and labels of ancestors."""
        order = np.argsort(member, kind="stable")
        starts = np.flatnonzero(np.diff(member[order], prepend=-1))
        columns = []
        for attribute in self.attributes:
            labels = attribute.labels(order, starts)
            columns.append([labels[place] for place in member.tolist()])
        return columns


def _common_ancestors(tree: _Tree, nodes: Ints, starts: Ints) -> Ints:
    """The closest common ancestor of each run of nodes; `starts` says where each run begins."""
    lengths = np.diff(starts, append=len(nodes))
    while (lengths > 1).any():
        place = np.arange(len(nodes)) - np.repeat(np.cumsum(lengths) - lengths, lengths)
        second = np.flatnonzero(place % 2)
        nodes = nodes.copy()
        nodes[second - 1] = tree.ancestor[nodes[second - 1], nodes[second]]
        nodes = nodes[place % 2 == 0]
        lengths = (lengths + 1) // 2
    return nodes


def _tree(attribute: Quasi, weight: float) -> _Tree:
    """The nodes of a hierarchy level by level, the values first."""
    hierarchy = attribute.hierarchy
    starts = np.cumsum([0, *map(len, hierarchy.labels)])
    count = int(starts[-1])
    # the node that stands over each node on each level; below its own level a node stands for itself
    over = np.tile(np.arange(count), (len(hierarchy.labels), 1))
    for level, places in enumerate(hierarchy.places):
        for own, below in enumerate(hierarchy.places[: level + 1]):
            over[level, starts[own] + below] = starts[level] + places
    costs = np.concatenate(attribute.penalties) * weight
    ancestor = np.full((count, count), count - 1, np.int64)
    for nodes in over[::-1]:
        alike = nodes[:, None] == nodes[None, :]
        ancestor[alike] = np.broadcast_to(nodes[:, None], alike.shape)[alike]
    return _Tree(ancestor, costs[ancestor])
