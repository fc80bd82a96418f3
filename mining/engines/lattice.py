"""Level-wise Apriori in which every itemset is kept by its own reconstructed support, and the lattice that it finds.

One threshold on what was observed would let the noise in: disguised records hold far more itemsets than true ones.
Under noise a subset may be estimated a little below the threshold that its superset reaches, so the search goes on
from every itemset within one standard error of it and reports those that reach it themselves.

Here it is chosen how itemsets are estimated: from cells of records, by available cases, or in closed form.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import comb, inf

import numpy as np

from mining.engines.cell_estimates import CellEstimates, cell_sub_patterns, cell_supports
from mining.engines.estimates import (
    LEVEL,
    Counted,
    CountedItemsets,
    Counter,
    Supports,
    available_cases,
    available_supports,
    indexes_without_literal,
    sub_patterns,
    supports,
)
from mining.engines.reasons import MiningError
from mining.engines.request import COUNTING, MiningRequest, Progress, silent
from mining.engines.table_counter import TableCounter
from privacy.choices import COMPLETE
from privacy.design import Design
from privacy.design.patterns import Pattern
from privacy.estimate.available import SubPatterns
from privacy.estimate.selection import low_of_reported
from privacy.estimate.weights import DIRECT, DISGUISED
from privacy.estimate.wrong_chances import WrongChances, has_wrong_chances

AT_ONCE = 8192  # candidates weighed together: their tables stay small
MOST_COUNTED = 20_000_000  # candidates of one level; what is beyond would not fit the memory of their places
MOST_JOINT = 2_500  # itemsets with figures after selection: of more, longer ones are mostly noise
MOST_PAIRS = 20_000  # that have them however many longer ones there are


@dataclass(frozen=True)
class Level(CountedItemsets):
    """Itemsets with their estimates.

    An itemset stays in the search (and in these arrays) while its support may reach the threshold within one standard
    error; it is `accepted`, that is reported, when its own estimate reaches it.
    """

    supports: Supports
    accepted: np.ndarray


@dataclass
class Lattice(Counted):
    """All levels of one search; level L is `levels[L − 1]`."""

    levels: list[Level] = field(default_factory=list)
    candidates: list[int] = field(default_factory=list)  # counted, per level
    unidentified: int = 0  # patterns that the disguise makes impossible to estimate
    unasked: int = 0  # patterns that nobody in one group was asked completely; the estimator needs both groups
    too_few: int = 0  # patterns that may be frequent, asked of too few respondents to report
    drawn: CellEstimates | None = None  # how respondents were drawn, where figures are those of a population
    dropped: list[CountedItemsets] = field(default_factory=list)  # as far as they are needed for `shrinkable`
    left_out: int = 0  # direct respondents whose group is too small to report

    @cached_property
    def singles(self) -> np.ndarray:
        """The tables of all literals, (literals, 2, 2): for each group how many were asked and how many match."""
        counts, count = self.counter.singles(), len(self.literals)
        asked = np.tile(self.sizes[:, None], (1, count))
        if self.literals.design.sampled:
            asked = counts[:, count + self.literals.column]
        kind = np.int32 if self.sizes.sum() < 2**31 else np.int64  # narrow ones are faster
        at_least = np.stack([asked, counts[:, :count]], axis=-1).astype(kind)
        return np.ascontiguousarray(np.moveaxis(at_least, 0, 1))

    @property
    def itemset_count(self) -> int:
        """The number of estimated itemsets of two literals or more that are kept."""
        return sum(len(each.items) for each in [*self.levels[1:], *self.dropped])

    @property
    def shrinkable(self) -> int:
        """The length of the longest itemsets that have figures after selection: 0 where none has them."""
        if isinstance(self.counter, TableCounter):  # no table says how itemsets vary together
            return 0
        if self.itemset_count <= MOST_JOINT:
            return len(self.levels)
        return 2 if self.drawn is None and self.candidates[1] <= MOST_PAIRS else 0


def whole_supports(lattice: Lattice, itemsets: CountedItemsets, estimator: str) -> Supports:
    """The figures of whole itemsets, without what wrong chances may do to them; NaN where the disguise leaves none."""
    if lattice.drawn is not None:
        return cell_supports(lattice.drawn, itemsets, estimator)
    if lattice.available and itemsets.items.shape[1] > 1:  # of a single literal all cases are complete
        return available_supports(lattice, itemsets, estimator)
    return supports(lattice.literals, itemsets, estimator, lattice.sizes)


def parts_of(lattice: Lattice, itemsets: CountedItemsets, estimator: str) -> SubPatterns:
    """Every sub-pattern of these itemsets, with how far a disguise or wrong chances may move each."""
    if lattice.drawn is not None:
        made = cell_sub_patterns(lattice.drawn, itemsets.items, estimator)
    elif lattice.available:
        cases = available_cases(lattice, itemsets, estimator)  # the combined estimator weighs the groups for each again
        made = SubPatterns(cases.support, cases.covariances)
    else:
        made = sub_patterns(lattice.literals, itemsets, estimator, lattice.sizes)
    if not has_wrong_chances(lattice.literals.design):
        return made
    reach = _reach_of_chances(lattice, itemsets.items, made.support, estimator)
    return replace(made, reach=reach if made.reach is None else made.reach + reach)


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


Join = Callable[[Level, np.ndarray], Iterable[tuple[float, np.ndarray, np.ndarray]]]
"""The candidates made of the itemsets of a level, as `candidates` yields them."""

_ENTRIES = 1 << 18  # of the tables of available cases held at once


def search(
    counter: Counter,
    wanted: MiningRequest,
    progress: Progress = silent,
    drawn: CellEstimates | None = None,
    join: Join = candidates,
) -> Lattice:
    """Every itemset up to the wanted length whose reconstructed support reaches the threshold."""
    literals = counter.literals
    if len(literals) ** wanted.max_length >= 2**63:
        raise MiningError("literals", literals=len(literals), length=wanted.max_length)
    omitted = _direct_to_leave_out(literals.design, counter.sizes, wanted.least, wanted.max_length)
    if omitted:
        counter = counter.without_direct()
        drawn = drawn and drawn.without_direct(counter)
    lattice = Lattice(
        counter,
        available=wanted.cases != COMPLETE and literals.design.sampled,
        drawn=drawn,
        left_out=omitted,
    )
    lattice.candidates.append(len(literals))
    alone = CountedItemsets(np.arange(len(literals))[:, None], lattice.singles, len(literals))
    lattice.levels.append(estimate_candidates(lattice, wanted, alone))
    for length in range(2, wanted.max_length + 1):
        below = lattice.levels[-1]
        if not len(below):
            break
        weighed: list[Level] = []
        counted = 0
        for share, items, drops in join(below, literals.column):
            if len(items):
                weighed.append(estimate_candidates(lattice, wanted, count(counter, below, items, drops)))
                counted += len(items)
                refuse_too_many(lattice, wanted, weighed)
            progress(COUNTING, length, counted, share)
        if not weighed:
            break
        lattice.candidates.append(counted)
        lattice.levels.append(_join_levels(weighed))
    return lattice


def _direct_to_leave_out(design: Design, sizes: np.ndarray, least: int, longest: int) -> int:
    """How many direct respondents to leave out: all, if too few (`least`) are expected to be asked some itemset.

    Direct answers are the truth. Support, observed share and error of an itemset are equations in the counts of the two
    groups, and a person who has the figures can solve them; so no answer of a small direct group may enter any of them.
    0 if `least` is 1, as for somebody who holds the records, and 0 if nobody answered disguised.
    """
    direct = int(sizes[DIRECT])
    too_few = least > 1 and sizes[DISGUISED] and direct * rarest(design, longest) < least
    return direct if too_few else 0


def rarest(design: Design, longest: int) -> float:
    """The smallest share of respondents expected to be asked all of an itemset of up to so many items."""
    shares = [1.0] + [inf] * longest  # by the number of items in the blocks so far
    for block in design.blocks:
        size, ask = len(block.items), block.items_per_person
        own = [comb(size - items, ask - items) / comb(size, ask) for items in range(min(ask, longest) + 1)]
        shares = [
            min(shares[items - here] * own[here] for here in range(min(items, len(own) - 1) + 1))
            for items in range(longest + 1)
        ]
    return min(shares)


def count(counter: Counter, below: Level, items: np.ndarray, drops: np.ndarray) -> CountedItemsets:
    """Count candidates; `drops` is where their subsets without literal j are in the level below."""
    if counter.literals.design.sampled:
        bounds = np.flatnonzero(np.r_[True, drops[1:, -1] != drops[:-1, -1], True])
        counts = counter.count_mixed(items[bounds[:-1], :-1], bounds, items[:, -1])
        return CountedItemsets(items, np.ascontiguousarray(np.moveaxis(counts, 0, 1)), below.base)
    first, second = drops[:, -1], drops[:, -2]
    alone = below.at_least[:, :, -1].T
    # Of a and b records that match one of two itemsets, c match both, and a + b − 2c match only one of them.
    both = (alone[:, first] + alone[:, second] - counter.differences(below.items, first, second)) >> 1
    return CountedItemsets(items, join_tables(below, drops, both), below.base)


def estimate_candidates(lattice: Lattice, wanted: MiningRequest, counted: CountedItemsets) -> Level:
    """Return the candidates that stay in the search, with their estimates."""
    kept = []
    length = counted.items.shape[1]
    available = lattice.available and length > 1  # of a single literal all cases are complete
    step = max(_ENTRIES >> 2 * length, 1) if available else AT_ONCE
    for start in range(0, len(counted), step):
        some = counted.select(slice(start, start + step))
        estimate = whole_supports(lattice, some, wanted.estimator)
        direct = some.at_least[:, DIRECT, 0]
        enough = (estimate.n >= max(wanted.least, 1)) & ((direct == 0) | (direct >= wanted.least))
        _note_lost(lattice, some.at_least[np.isnan(estimate.support) & enough], wanted.estimator)
        allowed = np.where(np.isnan(estimate.se), 0, estimate.se) + estimate.slack
        near = estimate.support + allowed >= wanted.min_support
        lattice.too_few += int(np.count_nonzero(near & ~enough))
        _note_dropped(lattice, some.select(~near & enough & ~np.isnan(estimate.support)))
        rows = np.flatnonzero(near & enough)
        some, estimate = some.select(rows), Supports(*(values[rows] for values in vars(estimate).values()))
        estimate = over_chances(lattice, some, estimate, wanted.estimator)
        low = low_of_reported(estimate.support, estimate.low, estimate.se, wanted.min_support)
        accepted = estimate.support >= wanted.min_support - estimate.slack
        kept.append(Level(some.items, some.at_least, some.base, replace(estimate, low=low), accepted))
    return _join_levels(kept)


def _note_dropped(lattice: Lattice, rare: CountedItemsets) -> None:
    """Keep counted itemsets that are too rare: they count in the mean of their length, to which each is shrunk."""
    length, most = rare.items.shape[1], MOST_PAIRS if rare.items.shape[1] == 2 else MOST_JOINT
    if length > 1 and len(rare) and sum(map(len, lattice.dropped)) <= most:
        lattice.dropped.append(rare)


def _note_lost(lattice: Lattice, at_least: np.ndarray, estimator: str) -> None:
    """Count the itemsets that have no estimate, by reason: not asked of a whole group, or lost in the disguise."""
    unasked = (at_least[:, :, 0] == 0) & (lattice.sizes > 0)  # by group
    count = int(unasked.any(axis=1).sum()) if estimator == "stratified" else 0
    lattice.unasked += count
    lattice.unidentified += len(at_least) - count


def _join_levels(parts: list[Level]) -> Level:
    columns = [[getattr(part.supports, name) for part in parts] for name in vars(parts[0].supports)]
    others = ("items", "at_least", "accepted")
    joined = {name: np.concatenate([getattr(part, name) for part in parts]) for name in others}
    return Level(**joined, base=parts[0].base, supports=Supports(*map(np.concatenate, columns)))


def refuse_too_many(lattice: Lattice, wanted: MiningRequest, weighed: list[Level]) -> None:
    reported = sum(int(level.accepted.sum()) for level in [*lattice.levels, *weighed])
    if reported > wanted.most_itemsets:
        raise MiningError("itemsets", most=wanted.most_itemsets, support=wanted.min_support)
