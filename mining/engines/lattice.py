"""The itemsets of a search, level by level, with the counts from which everything else is computed.

Here it is chosen how itemsets are estimated: from cells of records, by available cases, or in closed form.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import numpy as np

from mining.engines.bits import BitCounter
from mining.engines.cell_estimates import CellEstimates, cell_sub_patterns, cell_supports
from mining.engines.estimates import (
    LEVEL,
    Supports,
    available_sub_patterns,
    available_supports,
    sub_patterns,
    supports,
)
from mining.engines.itemsets import CountedItemsets, indexes_without_literal, keys
from mining.engines.literals import Literals
from mining.engines.reasons import MiningError
from privacy.design.patterns import Pattern
from privacy.estimate.bit_columns import DISGUISED
from privacy.estimate.many import KnownSubPatterns, SubPatterns
from privacy.estimate.wrong_chances import WrongChances, has_wrong_chances

AT_ONCE = 8192  # candidates weighed together: their tables stay small
MOST_COUNTED = 20_000_000  # candidates of one level; what is beyond would not fit the memory of their places
MOST_JOINT = 2_500  # itemsets with a joint covariance: it has as many rows and columns, and 50 MB
Parts = SubPatterns | KnownSubPatterns


@dataclass(frozen=True)
class Level(CountedItemsets):
    """Itemsets with their estimates.

    An itemset stays in the search (and in these arrays) while its support may reach the threshold within one standard
    error; it is `accepted`, that is reported, when its own estimate reaches it.
    """

    supports: Supports
    accepted: np.ndarray


@dataclass
class Lattice:
    """All levels of one search; level L is `levels[L − 1]`."""

    counter: BitCounter  # of the records that were not left out
    singles: np.ndarray  # tables of all literals (m, 2, 2), frequent or not
    levels: list[Level] = field(default_factory=list)
    candidates: list[int] = field(default_factory=list)  # counted, per level
    unidentified: int = 0  # patterns that the disguise makes impossible to estimate
    unasked: int = 0  # patterns that nobody in one group was asked completely; the estimator needs both groups
    too_few: int = 0  # patterns that may be frequent, asked of too few respondents to report
    available: bool = False  # whether what is asked of some only is estimated from everyone who was asked a part of it
    drawn: CellEstimates | None = None  # how respondents were drawn, where figures are those of a population
    dropped: list[CountedItemsets] = field(default_factory=list)  # where no more than MOST_JOINT itemsets are counted
    left_out: int = 0  # direct respondents whose group is too small to report

    @property
    def literals(self) -> Literals:
        return self.counter.literals

    @property
    def itemset_count(self) -> int:
        """The number of estimated itemsets of two literals or more that are kept."""
        return sum(len(each.items) for each in [*self.levels[1:], *self.dropped])

    @property
    def sizes(self) -> np.ndarray:
        return self.counter.sizes


def whole_supports(lattice: Lattice, itemsets: CountedItemsets, estimator: str) -> Supports:
    """The figures of whole itemsets, without what wrong chances may do to them; NaN where the disguise leaves none."""
    if lattice.drawn is not None:
        return cell_supports(lattice.drawn, itemsets, estimator)
    if lattice.available and itemsets.items.shape[1] > 1:  # of a single literal all cases are complete
        return available_supports(lattice, itemsets, estimator)
    return supports(lattice.literals, itemsets, estimator, lattice.sizes)


def parts_of(lattice: Lattice, itemsets: CountedItemsets, estimator: str) -> Parts:
    """Every sub-pattern of these itemsets, with how far a disguise or wrong chances may move each."""
    made: Parts
    if lattice.drawn is not None:
        made = cell_sub_patterns(lattice.drawn, itemsets.items, estimator)
    elif lattice.available:
        made = available_sub_patterns(lattice, itemsets, estimator)
    else:
        made = sub_patterns(lattice.literals, itemsets, estimator, lattice.sizes)
    if not has_wrong_chances(lattice.literals.design):
        return made
    reach = _reach_of_chances(lattice, itemsets.items, made.support, estimator)
    return made.with_reach(reach if made.reach is None else made.reach + reach)


def over_chances(lattice: Lattice, itemsets: CountedItemsets, made: Supports, estimator: str) -> Supports:
    """The supports with intervals over all chances that people's own draws may have."""
    if not has_wrong_chances(lattice.literals.design) or not len(itemsets):
        return made
    return _widen(lattice, itemsets.items, made, parts_of(lattice, itemsets, estimator).support, estimator)


def _reach_of_chances(lattice: Lattice, itemsets: np.ndarray, support: np.ndarray, estimator: str) -> np.ndarray:
    """How far each sub-pattern of each itemset may lie above and below its estimate: (2, 2^L, F)."""
    part = _part_of_disguised(lattice, estimator)
    made = np.zeros((2, *support.shape))
    for row, itemset in enumerate(itemsets):
        for mask in range(1, len(support)):
            value = support[mask, row]
            if np.isfinite(value):
                chances = _chances_of(lattice, itemset, mask, support[:, row])
                low, high = chances.widen(value, (value, value), LEVEL, part)
                made[:, mask, row] = high - value, value - low
    return made


def _widen(lattice: Lattice, itemsets: np.ndarray, supports: Supports, parts: np.ndarray, estimator: str) -> Supports:
    """The supports with intervals over all chances; `parts` are the supports of all sub-patterns."""
    part = _part_of_disguised(lattice, estimator)
    low, high = supports.low.copy(), supports.high.copy()
    for row, itemset in enumerate(itemsets):
        chances = _chances_of(lattice, itemset, len(parts) - 1, parts[:, row])
        own = float(low[row]), float(high[row])
        if np.isfinite(own).all():
            low[row], high[row] = chances.widen(float(parts[-1, row]), own, LEVEL, part)
    return replace(supports, low=low, high=high)


def _chances_of(lattice: Lattice, itemset: np.ndarray, mask: int, supports: np.ndarray) -> WrongChances:
    literals = lattice.literals
    own = [place for bit, place in enumerate(itemset.tolist()) if mask >> bit & 1]

    def share_of(rest: Pattern, _block: int) -> float:
        inside = sum(
            1 << bit for bit, at in enumerate(itemset) if mask >> bit & 1 and literals.column[at] in rest.columns
        )
        return float(supports[inside])

    return WrongChances.from_pattern(literals.design, literals.pattern(np.array(own)), share_of)


def _part_of_disguised(lattice: Lattice, estimator: str) -> float:
    """How much of a figure disguised records are: by the pooled and the combined estimator at most all."""
    return float(lattice.sizes[DISGUISED] / lattice.sizes.sum()) if estimator == "stratified" else 1.0


def count_joins(level: Level) -> np.ndarray:
    """With how many later itemsets each is joined; refused where that is more than may be counted."""
    count, length = level.items.shape
    same = (level.items[1:, :-1] == level.items[:-1, :-1]).all(axis=1)
    group = np.r_[0, np.cumsum(~same)]
    partners = np.asarray(np.searchsorted(group, group, side="right") - np.arange(count) - 1)
    if partners.sum() > MOST_COUNTED:
        raise MiningError("candidates", length=length + 1, candidates=int(partners.sum()), most=MOST_COUNTED)
    return partners


def candidates(level: Level, column: np.ndarray) -> Iterator[tuple[float, np.ndarray, np.ndarray]]:
    """Joins of itemsets that differ in their last literal, every subset of which is in the level, some at a time.

    Yields the share of the level done, the candidates (C, L+1), and where their subsets without literal j are (C, L+1).
    """
    count, length = level.items.shape
    partners = count_joins(level)
    through = np.r_[0, np.cumsum(partners)]
    start = 0
    while start < count:
        stop = max(int(np.searchsorted(through, through[start] + AT_ONCE, side="right")) - 1, start + 1)
        parents = np.repeat(np.arange(start, stop), partners[start:stop])
        before = np.repeat(through[start:stop] - through[start], partners[start:stop])
        tails = parents + 1 + np.arange(len(parents)) - before
        apart = column[level.items[parents, -1]] != column[level.items[tails, -1]]
        parents, tails = parents[apart], tails[apart]
        items = np.concatenate([level.items[parents], level.items[tails, -1:]], axis=1)
        drops = np.empty(items.shape, dtype=np.int64)
        drops[:, -1], drops[:, -2] = parents, tails
        for index in range(length - 1):
            drops[:, index] = level.find(np.delete(items, index, axis=1))
            there = drops[:, index] >= 0
            items, drops = items[there], drops[there]
        yield through[stop] / max(through[-1], 1), items, drops
        start = stop


def join_tables(below: Level, drops: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """Tables of itemsets from the tables of their subsets (`drops` (F, L): the place without literal j) and own counts.

    Every sub-pattern that lacks literal j stands in the table of the subset without j.
    """
    count, length = drops.shape
    table = np.empty((count, 2, 2**length), dtype=below.at_least.dtype)
    for bit in range(length):
        here, there = indexes_without_literal(length, bit)
        table[:, :, here] = below.at_least[drops[:, bit]][:, :, there]
    table[:, :, -1] = counts.T
    return table


@dataclass(frozen=True)
class Counted:
    """Levels as those of a lattice: every part of an itemset stands in the level of its length."""

    counter: BitCounter
    levels: list[CountedItemsets]
    available: bool  # whether supports come from available cases

    @property
    def literals(self) -> Literals:
        return self.counter.literals

    @property
    def sizes(self) -> np.ndarray:
        return self.counter.sizes


def itemset_counts(lattice: Lattice) -> Counted:
    """Return all counted itemsets, without the copies that differ only in negations."""
    levels = []
    parts = [*lattice.levels, *lattice.dropped]
    for length in sorted({part.items.shape[1] for part in parts if len(part)}):
        here = [part for part in parts if part.items.shape[1] == length]
        items = np.concatenate([part.items for part in here])
        levels.append(_positive(lattice.literals, items, np.concatenate([part.at_least for part in here])))
    return Counted(lattice.counter, levels, lattice.available)


def _positive(literals: Literals, items: np.ndarray, at_least: np.ndarray) -> CountedItemsets:
    """The same itemsets with positive literals alone, each once, and the counts that follow for them."""
    negated, at_least = ~literals.positive[items], at_least.copy()
    for bit in range(items.shape[1]):
        rows = np.flatnonzero(negated[:, bit])
        table = at_least[rows].reshape(len(rows), 2, at_least.shape[2] >> bit + 1, 2, 1 << bit)
        table[:, :, :, 1] = table[:, :, :, 0] - table[:, :, :, 1]
        at_least[rows] = table.reshape(len(rows), *at_least.shape[1:])
    items = literals.yes[items]
    first = np.unique(keys(items, len(literals)), return_index=True)[1]
    return CountedItemsets(items[first], at_least[first], len(literals))
