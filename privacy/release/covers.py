"""What a class of records is published as by local recoding, and what that costs: the information loss penalty.

A number becomes the range of the class, a category the closest common ancestor in its hierarchy. The penalty of a
record is Σ w·(range / whole range) over numbers and Σ w·(values under the ancestor / all values) over categories
(Xu and others 2006; Zhu, Zhao and Wang 2010, section 3.2), with weights that sum to 1 and are counted once; as the
paper prints it, w stands in the penalty of an attribute and again in the sum over attributes: `twice`. A single value
costs nothing, and only values that occur in the table count.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from privacy.arrays import Floats, Ints
from privacy.release.attributes import Measured, Quasi
from privacy.release.classes import number_classes

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
        """The penalty of all records together."""
        return float(self.penalty @ self.size)


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
