"""Level-wise Apriori in which every itemset is kept by its own reconstructed support.

One threshold on what was observed would let the noise in: disguised records hold far more itemsets than true ones.
Under noise a subset may be estimated a little below the threshold that its superset reaches, so the search goes on
from every itemset within one standard error of it and reports those that reach it themselves.
"""

from collections.abc import Callable, Iterable
from dataclasses import replace
from math import comb, inf

import numpy as np

from mining.engines.bits import BitCounter
from mining.engines.cell_estimates import CellEstimates
from mining.engines.estimates import Supports
from mining.engines.itemsets import CountedItemsets
from mining.engines.lattice import (
    AT_ONCE,
    MOST_JOINT,
    Lattice,
    Level,
    candidates,
    join_tables,
    over_chances,
    whole_supports,
)
from mining.engines.reasons import MiningError
from mining.engines.request import COUNTING, MiningRequest, Progress, silent
from privacy.choices import COMPLETE
from privacy.design import Design
from privacy.estimate.bit_columns import DIRECT, DISGUISED
from privacy.estimate.selection import low_of_reported

Join = Callable[[Level, np.ndarray], Iterable[tuple[float, np.ndarray, np.ndarray]]]
"""The candidates made of the itemsets of a level, as `mining.engines.lattice.candidates` yields them."""

_ENTRIES = 1 << 18  # of the tables of available cases held at once


def search(
    counter: BitCounter,
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
        singles(counter),
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


def count(counter: BitCounter, below: Level, items: np.ndarray, drops: np.ndarray) -> CountedItemsets:
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
    if rare.items.shape[1] > 1 and len(rare) and sum(map(len, lattice.dropped)) <= MOST_JOINT:
        lattice.dropped.append(rare)


def _note_lost(lattice: Lattice, at_least: np.ndarray, estimator: str) -> None:
    """Count the itemsets that have no estimate, by reason: not asked of a whole group, or lost in the disguise."""
    unasked = (at_least[:, :, 0] == 0) & (lattice.sizes > 0)  # by group
    count = int(unasked.any(axis=1).sum()) if estimator == "stratified" else 0
    lattice.unasked += count
    lattice.unidentified += len(at_least) - count


def singles(counter: BitCounter) -> np.ndarray:
    """The tables of all literals, (literals, 2, 2): for each group how many were asked and how many match."""
    counts, literals = counter.singles(), counter.literals
    count = len(literals)
    sampled = literals.design.sampled
    asked = counts[:, count + literals.column] if sampled else np.tile(counter.sizes[:, None], (1, count))
    at_least = np.stack([asked, counts[:, :count]], axis=-1).astype(np.int32)
    return np.ascontiguousarray(np.moveaxis(at_least, 0, 1))


def _join_levels(parts: list[Level]) -> Level:
    columns = [[getattr(part.supports, name) for part in parts] for name in vars(parts[0].supports)]
    others = ("items", "at_least", "accepted")
    joined = {name: np.concatenate([getattr(part, name) for part in parts]) for name in others}
    return Level(**joined, base=parts[0].base, supports=Supports(*map(np.concatenate, columns)))


def refuse_too_many(lattice: Lattice, wanted: MiningRequest, weighed: list[Level]) -> None:
    reported = sum(int(level.accepted.sum()) for level in [*lattice.levels, *weighed])
    if reported > wanted.most_itemsets:
        raise MiningError("itemsets", most=wanted.most_itemsets, support=wanted.min_support)
