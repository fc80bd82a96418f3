"""The itemsets of a search, level by level, with the counts from which everything else is computed."""

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from mining.engines.bits import BitCounter
from mining.engines.cell_estimates import CellEstimates
from mining.engines.estimates import Supports
from mining.engines.itemsets import CountedItemsets
from mining.engines.literals import Literals
from mining.engines.masks import indexes_without_literal
from mining.engines.reasons import MiningError

AT_ONCE = 8192  # candidates weighed together: their tables stay small
MOST_COUNTED = 20_000_000  # candidates of one level; what is beyond would not fit the memory of their places


@dataclass(frozen=True)
class Level(CountedItemsets):
    """Itemsets with their estimates.

    An itemset stays in the search (and in these arrays) while its support may reach the threshold within one standard
    error; it is `accepted`, that is reported, when its own estimate reaches it.
    """

    supports: Supports
    accepted: np.ndarray


MOST_JOINT = 2_500  # itemsets with a joint covariance: it has as many rows and columns, and 50 MB


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
        for place in range(length - 1):
            drops[:, place] = level.find(np.delete(items, place, axis=1))
            there = drops[:, place] >= 0
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
