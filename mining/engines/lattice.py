"""The itemsets of a search, level by level, with the counts from which everything else is computed."""

from dataclasses import dataclass, field

import numpy as np

from mining.engines.counter import Counter
from mining.engines.drawn import CellEstimates
from mining.engines.estimates import Supports
from mining.engines.literals import Literals
from mining.engines.masks import indexes_without_literal


@dataclass(frozen=True)
class Counts:
    """Itemsets of one length in lexicographic order, with what was counted of them."""

    items: np.ndarray  # (F, L) literals, ascending
    keys: np.ndarray  # (F,) ascending
    at_least: np.ndarray  # (F, 2, 2^L) counts of sub-patterns among those asked all of the itemset, per group

    def __len__(self) -> int:
        return len(self.items)


@dataclass(frozen=True)
class Level(Counts):
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

    counter: Counter  # of the records that were not left out
    singles: np.ndarray  # tables of all literals (m, 2, 2), frequent or not
    levels: list[Level] = field(default_factory=list)
    candidates: list[int] = field(default_factory=list)  # counted, per level
    unidentified: int = 0  # patterns that the disguise makes impossible to estimate
    unasked: int = 0  # patterns that nobody in one group was asked completely; the estimator needs both groups
    too_few: int = 0  # patterns that may be frequent, asked of too few respondents to report
    available: bool = False  # whether what is asked of some only is estimated from everyone who was asked a part of it
    least_squares: bool = False  # whether these parts are weighed by what they tell of each other, too
    drawn: CellEstimates | None = None  # how respondents were drawn, where figures are those of a population
    dropped: list[Counts] = field(default_factory=list)  # in a search that counts no more than MOST_JOINT itemsets
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


def keys(items: np.ndarray, base: int) -> np.ndarray:
    """One integer per itemset, in lexicographic order."""
    key = np.zeros(len(items), dtype=np.int64)
    for column in items.T:
        key = key * base + column
    return key


def find(level: Counts, wanted: np.ndarray) -> np.ndarray:
    """The places of itemsets, given by key, in a level; −1 for those it does not hold."""
    if not len(level):
        return np.full(len(wanted), -1)
    places = np.minimum(np.searchsorted(level.keys, wanted), len(level) - 1)
    return np.where(level.keys[places] == wanted, places, -1)


def assemble(below: Level, drops: np.ndarray, counts: np.ndarray) -> np.ndarray:
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
