"""The lattice of full-domain generalisations: every attribute on one level, from all values to a single label.

A node is a tuple of levels, its distance vector (Samarati 2001). Where a model can only be gained by generalising
further, a node that holds settles all nodes above it and one that fails all below it (predictive tagging; Kohlmayer
and others 2012), so that only nodes near the border are tried.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from privacy.arrays import Bools
from privacy.release.progress import Progress, nobody

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
