"""The classes of records at any node of the lattice, rolled up from node to node.

Records that are alike at a node are alike at every node above it. So the classes of a node come from those of a node
below it, of which there are far fewer than records.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import prod

import numpy as np

from privacy.arrays import Floats, Ints
from privacy.release.classes import DENSE, SPARSE, compact, count_in_classes, count_keys
from privacy.release.lattice import Node, raise_level


@dataclass(frozen=True, eq=False)
class NodeClasses:
    """The classes of a node, by entries: records that are alike in class and sensitive values are one.

    `member` is the class of each entry, numbered from 0, `value` the number of its sensitive values, and `count` how
    many records it has. Entries come class by class.
    """

    member: Ints
    value: Ints
    count: Ints

    @cached_property
    def sizes(self) -> Ints:
        return count_in_classes(self.member, self.count)


class Levels:
    """The classes of a table at every node.

    The attributes are split into two halves. For every combination of levels of one half, records that are alike in it
    and in all values of the other are counted once, and the classes of a node come from the shorter of its two halves.
    """

    def __init__(self, codes: Sequence[Sequence[Ints]], sensitive: Sequence[Ints] = ()) -> None:
        """Take for every attribute, for every level, the code of every record; and the codes of sensitive values."""
        self.heights = tuple(len(levels) - 1 for levels in codes)
        split = _place_to_split([height + 1 for height in self.heights])
        self._halves = [_Half(codes, range(split)), _Half(codes, range(split, len(codes)))]
        self._sensitive = sensitive

    def sizes(self, node: Node) -> Ints:
        """Return the sizes of the classes at a node, in no order that means anything."""
        keys, bound, entries = self._tuples.keys(node)
        if bound > DENSE + SPARSE * len(keys):
            keys, bound = compact(keys, bound)
        sizes = np.bincount(keys, entries.count, bound)
        return sizes[sizes > 0].astype(np.int64)

    def classes(self, node: Node) -> NodeClasses:
        """Return the classes at a node, and the sensitive values in them."""
        keys, bound, entries = self._entries.keys(node)
        values = self._values[1]
        if few := bound * values <= 2 * len(keys):
            numbers, classes = keys, bound
        else:
            numbers, classes = compact(keys, bound)
        pairs, count = count_keys(numbers * values + entries.value, classes * values, entries.count)
        member = pairs // values  # faster than divmod
        value = pairs - member * values
        if few:  # numbers without gaps, which are in order
            member = np.cumsum(np.concatenate([[False], member[1:] != member[:-1]]))
        return NodeClasses(member, value, count)

    def members(self, node: Node) -> Ints:
        """Return for every record the number of its class, from 0."""
        (left, count), (right, others) = (half.tuples(node) for half in self._halves)
        one, other = self._halves
        return compact(left[one.records] * others + right[other.records], count * others)[0]

    def forget(self) -> None:
        """Drop what was rolled up; it takes much memory in a large table, and is made again where it is asked for."""
        for name in ("_tuples", "_entries"):
            self.__dict__.pop(name, None)

    def secrets(self, own: NodeClasses, codes: Sequence[Ints]) -> list[Ints]:
        """The sensitive values of entries; `codes` are those of all records."""
        return [column[self._first][own.value] for column in codes]

    @cached_property
    def _values(self) -> tuple[Ints, int]:
        """The number of the sensitive values of each record, and how many there are."""
        return number_values(self._sensitive, len(self._halves[0].records))

    @cached_property
    def _first(self) -> Ints:
        """A record with each of the sensitive values."""
        return one_of_each(*self._values)

    @cached_property
    def _tuples(self) -> "_RolledUp":
        return _RolledUp(self._halves, np.zeros_like(self._halves[0].records), 1)

    @cached_property
    def _entries(self) -> "_RolledUp":
        return _RolledUp(self._halves, *self._values) if self._sensitive else self._tuples


@dataclass(frozen=True, eq=False)
class _Entries:
    """Records that are alike: the number of their class in either half, of their values, and how many they are."""

    halves: tuple[Ints, Ints]
    value: Ints
    count: Floats


class _RolledUp:
    """The records that are alike, on every combination of levels of either half."""

    def __init__(self, halves: Sequence["_Half"], values: Ints, different: int) -> None:
        """Take the number of the sensitive values of every record, and how many numbers there are."""
        self._halves, self._different = halves, different
        one, other = halves
        every = _Entries((one.records, other.records), values, np.ones(len(values)))
        self._sizes = one.size, other.size
        everything = self._merge(every, self._sizes)
        self._known = [{half.lowest: everything} for half in halves]

    def keys(self, node: Node) -> tuple[Ints, int, _Entries]:
        """Some entries, a number for each that is the same within a class of the node, and the bound of the numbers."""
        one, other = self._on_levels(node, 0), self._on_levels(node, 1)
        own, entries = (0, one) if len(one.count) <= len(other.count) else (1, other)
        numbers = list(entries.halves)
        numbers[1 - own] = self._halves[1 - own].tuples(node)[0][numbers[1 - own]]
        count, others = (half.tuples(node)[1] for half in self._halves)
        return numbers[0] * others + numbers[1], count * others, entries

    def _on_levels(self, node: Node, own: int) -> _Entries:
        """The entries that are alike at a node on one half, and on all values of the other.

        They come from those of a node one level lower on one attribute of this half.
        """
        half = self._halves[own]
        if (levels := half.levels(node)) not in self._known[own]:
            below, (numbers, count) = half.lower(node), half.tuples(node)
            entries, (before, many) = self._on_levels(below, own), half.tuples(below)
            raised = np.empty(many, np.int64)
            raised[before] = numbers
            parts, sizes = list(entries.halves), list(self._sizes)
            parts[own], sizes[own] = raised[parts[own]], count
            self._known[own][levels] = self._merge(replace(entries, halves=(parts[0], parts[1])), sizes)
        return self._known[own][levels]

    def _merge(self, entries: _Entries, sizes: Sequence[int]) -> _Entries:
        """Count entries that are alike once; `sizes` are the bounds of the numbers in either half."""
        (left, right), (count, others) = entries.halves, sizes
        keys, bound = left * others + right, count * others
        if bound * self._different > 1 << 62:  # the next product would overflow
            keys, bound = compact(keys, bound)
        numbers, different = compact(keys * self._different + entries.value, bound * self._different)
        first = one_of_each(numbers, different)
        counts = np.bincount(numbers, entries.count, different).astype(np.float64, copy=False)
        return _Entries((left[first], right[first]), entries.value[first], counts)


class _Half:
    """Some attributes: their different tuples, which of them each record has, and how tuples fall together."""

    def __init__(self, codes: Sequence[Sequence[Ints]], places: range) -> None:
        self._places = slice(places.start, places.stop)
        every = [codes[place][0] for place in places] or [np.zeros(len(codes[0][0]), np.int64)]
        self.records, self.size = _tuples(every)
        first = one_of_each(self.records, self.size)
        self._codes = [[level[first] for level in codes[place]] for place in places]
        self._known: dict[Node, tuple[Ints, int]] = {}

    @property
    def lowest(self) -> Node:
        return (0,) * len(self._codes)

    def levels(self, node: Node) -> Node:
        """The levels of these attributes at a node."""
        return node[self._places]

    def lower(self, node: Node) -> Node:
        """The node one level lower on the first of these attributes that is not on its lowest."""
        axis = next(place for place in range(len(node))[self._places] if node[place])
        return raise_level(node, axis, -1)

    def tuples(self, node: Node) -> tuple[Ints, int]:
        """The number of the class of every tuple at a node, and how many there are."""
        levels = self.levels(node)
        if levels not in self._known:
            columns = [codes[level] for codes, level in zip(self._codes, levels, strict=True)]
            self._known[levels] = _tuples(columns or [np.zeros(self.size, np.int64)])
        return self._known[levels]


def number_values(sensitive: Sequence[Ints], records: int) -> tuple[Ints, int]:
    """Number the different sensitive values of so many records, in their order; return how many there are, too.

    >>> number_values([np.array([0, 1, 0]), np.array([-1, 2, -1])], 3)
    (array([0, 1, 0]), 2)
    """
    if not sensitive:
        return np.zeros(records, np.int64), 1
    return _tuples([secret - min(int(secret.min()), 0) for secret in sensitive])


def one_of_each(numbers: Ints, count: int) -> Ints:
    """A place of each number."""
    places = np.empty(count, np.int64)
    places[numbers] = np.arange(len(numbers))
    return places


def _tuples(columns: Sequence[Ints]) -> tuple[Ints, int]:
    """Number the different tuples of some columns without gaps; return each record's number, and how many there are."""
    numbers, count = columns[0], int(columns[0].max()) + 1
    for column in columns[1:]:
        others = int(column.max()) + 1
        numbers, count = compact(numbers * others + column, count * others)
    return compact(numbers, count)


def _place_to_split(counts: Sequence[int]) -> int:
    """Where to split so that both halves have about as many combinations."""
    return min(range(len(counts) + 1), key=lambda place: prod(counts[:place]) + prod(counts[place:]))
