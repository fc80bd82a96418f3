"""Supports of itemsets, and of all their parts with the covariances that rules need, from counts of sub-patterns.

Sub-patterns are masks: in tables of 2^L entries bit j of an index stands for literal j of an itemset of length L.
`at_least` is (F, 2, 2^L): records of the disguised and of the direct group that match the literals of each mask, among
those who were asked all L. The figures of an itemset are those of `privacy.estimate.estimators`, so that every
surface of the product prints the same ones.

Itemsets have one *structure* if their literals share units in the same way; a unit is a block, or one item of a block
that disguises each item by itself. All itemsets of one structure are computed together. In a sampled design by
available cases the sub-patterns of an itemset stand in the levels below it, each with its counts among everyone who was
asked it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property, partial, reduce
from itertools import combinations

import numpy as np

from mining.engines.bits import BitCounter
from mining.engines.literals import Literals
from mining.engines.table_counter import TableCounter
from privacy.design.channels import PatternChannel, replacing
from privacy.estimate.available import AvailableCases, SubPatterns, sub_patterns_of
from privacy.estimate.estimators import estimate
from privacy.estimate.weights import DIRECT, Channel, shares_of_direct, states_from_supports

Counter = BitCounter | TableCounter
LEVEL = 0.95  # of intervals
SLACK = 1e-9  # times max|w|: how far floating point may miss a threshold


@dataclass(frozen=True)
class CountedItemsets:
    """Itemsets in any order; in lexicographic order where others are to be found among them."""

    items: np.ndarray  # (F, L) literals, ascending
    at_least: np.ndarray  # (F, 2, 2^L) counts of sub-patterns among those asked all of the itemset, per group
    base: int  # the number of literals

    def __len__(self) -> int:
        return len(self.items)

    @cached_property
    def keys(self) -> np.ndarray:
        return keys(self.items, self.base)

    def select(self, rows: np.ndarray | slice) -> "CountedItemsets":
        return CountedItemsets(self.items[rows], self.at_least[rows], self.base)

    def find(self, items: np.ndarray) -> np.ndarray:
        """The places of other itemsets among these; −1 for those that are not here."""
        wanted = keys(items, self.base)
        if not len(self):
            return np.full(len(wanted), -1)
        places = np.minimum(np.searchsorted(self.keys, wanted), len(self) - 1)
        return np.where(self.keys[places] == wanted, places, -1)


def keys(items: np.ndarray, base: int) -> np.ndarray:
    """One integer per itemset, in lexicographic order; `base` is the number of literals."""
    key = np.zeros(len(items), dtype=np.int64)
    for column in items.T:
        key = key * base + column
    return key


@cache
def indexes_without_literal(length: int, bit: int) -> tuple[np.ndarray, np.ndarray]:
    """The indexes whose lowest missing literal is `bit`, and the indexes that remain when that literal is struck."""
    below = (1 << bit) - 1
    here = np.array([index for index in range(2**length) if not index >> bit & 1 and index & below == below])
    return here, (here & below) | (here >> (bit + 1) << bit)


@cache
def positions_within(length: int, mask: int) -> np.ndarray:
    """For every index of the whole pattern, the index of its part within the literals in `mask`."""
    inside = [bit for bit in range(length) if mask >> bit & 1]
    whole = np.arange(2**length)
    return sum(((whole >> bit & 1) << index for index, bit in enumerate(inside)), np.zeros(2**length, dtype=np.int64))


@dataclass(frozen=True)
class Shape:
    """Itemsets (`rows`) of one structure. `atoms` are masks of literals, `states` maps cells of literals to atoms'."""

    rows: np.ndarray | slice
    channel: Channel
    atoms: tuple[int, ...]

    @property
    def conjunctions(self) -> np.ndarray:
        """For each set of atoms, as a number whose highest bit is the first atom, the mask of their literals."""
        masks = np.zeros(1, dtype=np.int64)
        for atom in self.atoms:
            masks = (masks[:, None] | np.array([0, atom])).ravel()
        return masks

    def states(self, length: int) -> np.ndarray:
        """For each cell of the literals, the number of the cell of the atoms that it lies in."""
        cells = np.arange(2**length)
        state = np.zeros(2**length, dtype=np.int64)
        for atom in self.atoms:
            state = state << 1 | ((cells & atom) == atom)
        return state


def shapes(literals: Literals, itemsets: np.ndarray) -> Iterator[Shape]:
    """The structures among itemsets (F, L), each with its channel."""
    for leaders, rows in _structures(literals, itemsets):
        parts: list[PatternChannel] = []
        atoms: list[int] = []
        for leader in sorted(set(leaders)):
            members = [index for index, other in enumerate(leaders) if other == leader]
            part = _part(literals, itemsets[rows][:, members])
            parts.append(part)
            alone = [1 << member for member in members]
            atoms += [sum(alone)] if part.one_atom else alone
        yield Shape(rows, Channel(tuple(parts)), tuple(atoms))


def sub_weights(literals: Literals, itemsets: np.ndarray, k: np.ndarray | None = None) -> np.ndarray:
    """The weights of every sub-pattern over the cells of the whole, (2^L masks, 2^L cells, F); mask 0 weighs 1.

    With the share of direct answers `k` (F,) the pooled ones. Not a number where the disguise leaves nothing of the
    sub-pattern.

    >>> from mining.engines.literals import literals_of
    >>> from privacy.design import Design
    >>> design = Design.parse({"model": "warner", "theta": 0.75, "items": ["drugs", "cheating"]})
    >>> sub_weights(literals_of(design), np.array([[0, 1]])).shape
    (4, 4, 1)
    """
    count, length = itemsets.shape
    tables = np.ones((2**length, 2**length, count))
    for size in range(1, length + 1):  # those of one length together, however few the itemsets are
        masks, inside, within_them = _sub_patterns(length, size)
        patterns = itemsets.T[inside].swapaxes(0, 1).reshape(size, -1).T
        share = None if k is None else np.tile(k, len(masks))
        weights = np.empty((2**size, len(patterns)))
        for shape in shapes(literals, patterns):
            with np.errstate(invalid="ignore"):
                here = shape.channel.weights(0.0 if share is None else share[shape.rows])
            weights[:, shape.rows] = np.where(np.isfinite(here), here, np.nan).T[shape.states(size)]
        tables[masks] = weights.reshape(2**size, len(masks), count)[within_them, np.arange(len(masks))[:, None]]
    return tables


@cache
def _sub_patterns(length: int, size: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The masks of that many literals, which literals these are, and what each cell of the whole says of them."""
    places = list(combinations(range(length), size))
    masks = [sum(1 << place for place in inside) for inside in places]
    return np.array(masks), np.array(places), np.array([positions_within(length, mask) for mask in masks])


def _structures(literals: Literals, itemsets: np.ndarray) -> list[tuple[tuple[int, ...], np.ndarray | slice]]:
    """The structures among the itemsets, each with its rows: for each literal the place of the first one in its unit.

    A unit whose block weighs patterns in its own way makes a structure of its own.
    """
    count, length = itemsets.shape
    if len(literals.unit_block) == 1:
        return [((0,) * length, slice(None))]
    units = literals.unit[itemsets]
    leaders = np.argmax(units[:, :, None] == units[:, None, :], axis=1)
    special = np.array([literals.design.blocks[block].patterns.of_many is not None for block in literals.unit_block])
    base = length + len(special)
    signature = np.zeros(count, dtype=np.int64)
    for j in range(length):
        signature = signature * base + np.where(special[units[:, j]], length + units[:, j], leaders[:, j])
    _, first, inverse = np.unique(signature, return_index=True, return_inverse=True)
    order = np.argsort(inverse, kind="stable")
    cuts = np.searchsorted(inverse[order], np.arange(len(first) + 1))
    pieces = zip(first, cuts[:-1], cuts[1:], strict=True)
    return [(tuple(leaders[row].tolist()), order[start:stop]) for row, start, stop in pieces]


def _part(literals: Literals, here: np.ndarray) -> PatternChannel:
    """The channel of these literals (F, L), all of which are in one unit."""
    of_many = literals.design.blocks[literals.unit_block[literals.unit[here[0, 0]]]].patterns.of_many
    if of_many is not None:
        return of_many(literals.positive[here])
    return replacing.CoinOfPatterns.from_noise(literals.keep[here[:, 0]], np.multiply.reduce(literals.chance[here.T]))


@dataclass(frozen=True)
class Supports:
    """Arrays over itemsets: those of `privacy.estimate.estimators.Estimates` in their order, and the slack.

    `low` of what a search reports is the end that holds after selection.
    `bias`: how far the support may lie from the truth because of the disguise, chance included; NaN where it has none.
    """

    n: np.ndarray
    observed: np.ndarray
    support: np.ndarray
    se: np.ndarray
    se_respondents: np.ndarray
    low: np.ndarray
    high: np.ndarray
    slack: np.ndarray
    bias: np.ndarray


def supports(literals: Literals, itemsets: CountedItemsets, estimator: str, sizes: np.ndarray) -> Supports:
    """The figures of whole itemsets; NaN where the disguise leaves no information."""
    columns = np.full((9, len(itemsets)), np.nan)
    for shape in shapes(literals, itemsets.items):
        counts = np.moveaxis(_side_by_side(itemsets.at_least[shape.rows][:, :, shape.conjunctions]), -1, 0)
        with np.errstate(divide="ignore", invalid="ignore"):
            estimates = estimate(counts, sizes, shape.channel, estimator)
            k = np.einsum("fs->f", counts[:, DIRECT]) / estimates.asked if estimator == "pooled" else 0.0
            steepest = reduce(np.maximum, np.abs(shape.channel.weights(k)).T)  # far faster than a maximum over few
            # Where the disguise leaves nothing the weights have no end; what is estimated comes from direct answers.
            slack = SLACK * np.where(np.isfinite(steepest), np.maximum(steepest, 1), 1)
        columns[:-1, shape.rows] = *vars(estimates).values(), slack
    columns[2, ~np.isfinite(columns[2])] = np.nan
    return Supports(*columns)


def sub_patterns(literals: Literals, itemsets: CountedItemsets, estimator: str, sizes: np.ndarray) -> SubPatterns:
    """Every sub-pattern of every itemset of one length, estimated from the records asked all of the itemset."""
    shares = shares_of_direct_answers(literals, itemsets).T if estimator == "combined" else None
    weighing = partial(sub_weights, literals, itemsets.items)
    return sub_patterns_of(
        _side_by_side(itemsets.at_least), weighing, estimator, np.asarray(sizes, dtype=float), shares
    )


def shares_of_direct_answers(literals: Literals, itemsets: CountedItemsets) -> np.ndarray:
    """The combined estimator's weight of a direct answer, by the cell it fell into, and of any other: (F, 2^L + 1).

    >>> from mining.engines.literals import literals_of
    >>> from privacy.design import Design
    >>> design = Design.parse({"model": "warner", "theta": 0.75, "items": ["drugs"]})
    >>> itemsets = CountedItemsets(np.array([[0]]), np.array([[[100, 40], [100, 30]]]), 1)
    >>> shares_of_direct_answers(literals_of(design), itemsets).round(2).tolist()
    [[0.82, 0.82, 0.82]]
    """
    table = np.empty((len(itemsets), itemsets.at_least.shape[2] + 1))
    for shape in shapes(literals, itemsets.items):
        counts = states_from_supports(itemsets.at_least[shape.rows][:, :, shape.conjunctions])
        shares = shares_of_direct(counts, shape.channel)
        table[shape.rows] = np.c_[shares[:, shape.states(itemsets.items.shape[1])], shares[:, -1]]
    return table


@dataclass
class Counted:
    """Levels of itemsets that were counted: every part of an itemset stands in the level of its length."""

    counter: Counter  # of the records that were not left out
    levels: Sequence[CountedItemsets] = field(default_factory=list)
    available: bool = False  # whether what is asked of some only is estimated from everyone who was asked a part of it

    @property
    def literals(self) -> Literals:
        return self.counter.literals

    @property
    def sizes(self) -> np.ndarray:
        return self.counter.sizes


def available_supports(counted: Counted, itemsets: CountedItemsets, estimator: str) -> Supports:
    """The figures of whole itemsets of two literals or more; NaN where the disguise leaves no information."""
    cases = available_cases(counted, itemsets, estimator)
    estimates = cases.estimates(itemsets.at_least[:, :, -1].T.astype(float), counted.sizes.astype(float), LEVEL)
    slack = SLACK * np.maximum(cases.steepest, 1)
    columns = np.stack([*vars(estimates).values(), slack, np.full(len(itemsets), np.nan)])
    columns[2, ~np.isfinite(columns[2])] = np.nan
    return Supports(*columns)


def available_cases(counted: Counted, itemsets: CountedItemsets, estimator: str) -> AvailableCases:
    """All sub-patterns of itemsets, from their counts and those of the levels below."""
    literals, states = counted.literals, _states(counted, itemsets)
    shares = None
    if estimator == "combined":
        table = shares_of_direct_answers(literals, itemsets).T
        shares = table[:-1], table[-1]
    weighing = partial(sub_weights, literals, itemsets.items)
    centres = literals.centre[itemsets.items.T] * counted.available  # of 0 each comes from those asked all of it
    return AvailableCases(states, counted.sizes, weighing, centres, estimator, shares)


def _states(counted: Counted, itemsets: CountedItemsets) -> np.ndarray:
    """How many of those asked each part of an itemset are in each of its cells: (groups, 2^L parts, 2^L cells, F)."""
    count, length = itemsets.items.shape
    states = np.zeros((2, 2**length, 2**length, count))
    states[:, 0, 0] = counted.sizes[:, None]
    for mask in range(1, 2**length):
        inside = [bit for bit in range(length) if mask >> bit & 1]
        table = itemsets.at_least
        if len(inside) < length:
            level = counted.levels[len(inside) - 1]
            table = level.at_least[level.find(itemsets.items[:, inside])]
        cells = np.zeros(1, dtype=np.int64)
        for bit in reversed(inside):
            cells = (cells[:, None] | np.array([0, 1 << bit])).ravel()
        states[:, mask, cells] = states_from_supports(np.moveaxis(table, 0, -1), 1, float)
    return states


def _side_by_side(at_least: np.ndarray) -> np.ndarray:
    """Counts of cells (groups, cells, itemsets) from those of sub-patterns (itemsets, groups, masks).

    Sums over few cells are fast where itemsets run along the last axis.
    """
    return states_from_supports(np.moveaxis(at_least, 0, -1), 1, float)
