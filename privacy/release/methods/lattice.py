"""The lattice of full-domain generalisations, and the classes of records at any of its nodes.

A node is a tuple of levels, its distance vector (Samarati 2001). Where a model can only be gained by generalising
further, a node that holds settles all nodes above it and one that fails all below it (predictive tagging; Kohlmayer
and others 2012), so that only nodes near the border are tried. Records that are alike at a node are alike at every node
above it. So the classes of a node come from those of a node below it, of which there are far fewer than records.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import prod

import numpy as np

from privacy.arrays import Bools, Floats, Ints
from privacy.release.classes import DENSE, SPARSE, compact, count_in_classes, count_keys
from privacy.release.reasons import Progress, nobody

Node = tuple[int, ...]
_UNKNOWN, _FAILS, _HOLDS = 0, 1, 2


MODEL, LEAST, WHOLE = "the model", "what it demands at least", "the model without suppression"
"""What a step of a search asks of a node."""


@dataclass(frozen=True)
class SearchStep:
    """A node that a search looked at, what it asked of it, and whether it holds."""

    node: Node
    holds: bool
    asked: str = MODEL


@dataclass(frozen=True)
class GeneralisationLattice:
    """Which nodes hold, and the `path` of the search: the nodes that were looked at, one after the other.

    The others follow from them.
    """

    holding: Bools
    path: tuple[SearchStep, ...]

    @property
    def heights(self) -> Node:
        return tuple(length - 1 for length in self.holding.shape)

    @cached_property
    def minimal(self) -> tuple[Node, ...]:
        """The nodes that hold while no node below them does: the k-minimal generalisations."""
        return tuple(tuple(map(int, node)) for node in np.argwhere(self.holding & ~_any_below(self.holding)))

    def nodes(self) -> Iterator[Node]:
        for node in np.argwhere(self.holding):
            yield tuple(map(int, node))


def _any_below(holding: Bools) -> Bools:
    """For each node whether some other node holds that is on no attribute higher."""
    within = holding.copy()  # some node that is nowhere higher holds, this one included
    for axis in range(holding.ndim):
        within = np.logical_or.accumulate(within, axis=axis)
    below = np.zeros_like(holding)
    for axis in range(holding.ndim):
        up = tuple(slice(1, None) if place == axis else slice(None) for place in range(holding.ndim))
        down = tuple(slice(None, -1) if place == axis else slice(None) for place in range(holding.ndim))
        below[up] |= within[down]
    return below


def find_all_nodes(
    possible: GeneralisationLattice,
    sure: GeneralisationLattice,
    ask: Callable[[Node], tuple[bool, bool]],
    progress: Progress = nobody,
) -> GeneralisationLattice:
    """Find all nodes that hold, also where a node holds and one above it does not.

    Only nodes are asked that hold in `possible`, where all that hold must, and not in `sure`, where all surely hold.
    They come from above: `ask` says of a node whether it holds, and whether one below it may.

    >>> possible = search((1, 2), lambda node: sum(node) >= 1)
    >>> sure = search((1, 2), lambda node: sum(node) >= 3)
    >>> find_all_nodes(possible, sure, lambda node: (node == (0, 1), node != (1, 0))).minimal
    ((0, 1),)
    """
    holding, open_ = sure.holding.copy(), possible.holding & ~sure.holding
    between = np.argwhere(open_)
    path = [*possible.path, *sure.path]
    for place, levels in enumerate(between[np.argsort(-between.sum(axis=1), kind="stable")].tolist()):
        progress(place / len(between))
        if not open_[node := tuple(levels)]:
            continue
        holding[node], may_below = ask(node)
        path.append(SearchStep(node, bool(holding[node]), MODEL if may_below else LEAST))
        if not may_below:
            open_[tuple(slice(None, level + 1) for level in node)] = False
    return GeneralisationLattice(holding, tuple(path))


def search(
    heights: Node,
    holds: Callable[[Node], bool],
    progress: Progress = nobody,
    asked: str = MODEL,
    within: GeneralisationLattice | None = None,
) -> GeneralisationLattice:
    """Find all nodes that hold, where all nodes above one that holds do, too: few nodes are tried.

    Nodes are looked for `within` those that hold in another lattice; its path comes first.

    >>> found = search((1, 2), lambda node: sum(node) >= 2)
    >>> found.minimal
    ((0, 2), (1, 1))
    >>> [(step.node, step.holds) for step in found.path]
    [((1, 1), True), ((1, 0), False), ((0, 2), True), ((0, 1), False)]
    """
    shape = tuple(height + 1 for height in heights)
    state = np.zeros(shape, np.int8) if within is None else np.where(within.holding, _UNKNOWN, _FAILS).astype(np.int8)
    steps = state.strides  # from a place to that one level higher on each attribute
    known = state.reshape(-1).data  # reads of single places are faster
    path = list(within.path) if within else []
    levels = np.indices(shape).reshape(len(shape), -1)
    for place in np.argsort(levels.sum(axis=0), kind="stable").tolist():
        if known[place] != _UNKNOWN:
            continue
        progress(float((state != _UNKNOWN).mean()))
        way = list(_way_up(tuple(levels[:, place].tolist()), place, heights, known, steps))
        low, high = 0, len(way)
        while low < high:  # the first node of the way that holds
            middle = (low + high) // 2
            node = way[middle]
            path.append(SearchStep(node, bool(holds(node)), asked))
            if path[-1].holds:
                state[tuple(slice(level, None) for level in node)] = _HOLDS
                high = middle
            else:
                state[tuple(slice(None, level + 1) for level in node)] = _FAILS
                low = middle + 1
    holding = state == _HOLDS
    return GeneralisationLattice(holding if within is None else holding & within.holding, tuple(path))


def _way_up(node: Node, place: int, heights: Node, known: memoryview, steps: Node) -> Iterator[Node]:
    """A way from a node upwards through nodes that are not settled yet, the attributes rising side by side.

    Ways that rise so cross the border where few nodes settle many.
    """
    while True:
        yield node
        ways = [
            (level / height, axis)
            for axis, (level, height, step) in enumerate(zip(node, heights, steps, strict=True))
            if level < height and known[place + step] == _UNKNOWN
        ]
        if not ways:
            return
        _, axis = min(ways)
        node, place = raise_level(node, axis), place + steps[axis]


def raise_level(node: Node, axis: int, by: int = 1) -> Node:
    """The node one level higher on one attribute, or `by` so many.

    >>> raise_level((0, 2), 0)
    (1, 2)
    """
    return (*node[:axis], node[axis] + by, *node[axis + 1 :])


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
        counts = [height + 1 for height in self.heights]
        # both halves have about as many combinations
        split = min(range(len(counts) + 1), key=lambda place: prod(counts[:place]) + prod(counts[place:]))
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
