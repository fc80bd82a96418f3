"""What a search asks of the counter.

Every answer is a sum over the records. So a counter may hold all of them (`bits.BitCounter`), or ask workers that hold
some each, and add up what they answer (`cluster.ClusterCounter`).
"""

from collections.abc import Sequence
from typing import Protocol

import numpy as np

from mining.engines.literals import Literals
from privacy.errors import InputError
from privacy.estimate.joint import View


class KilledError(InputError):
    """A worker was killed: the same records counted again may come to their end."""


class Counter(Protocol):
    """Counts of records, always of the disguised group (0) and of the direct group (1)."""

    @property
    def literals(self) -> Literals:
        """What can be counted; itemsets are rows of places in it, ascending."""

    @property
    def sizes(self) -> np.ndarray:
        """The records of each group, (2,)."""

    def without_direct(self) -> "Counter":
        """Return a counter without the records of the direct group."""

    def singles(self) -> np.ndarray:
        """How many records match each literal; in a sampled design, then, how many were asked each item: (2, lines)."""

    def differences(self, itemsets: np.ndarray, first: np.ndarray, second: np.ndarray) -> np.ndarray:
        """How many records match one of two itemsets and not the other: (2, pairs).

        The pairs are places in `itemsets` (F, L), which are in lexicographic order; two itemsets of a pair differ in
        their last literal only, and `first` is ascending. Everybody was asked every item.
        """

    def count_mixed(self, prefixes: np.ndarray, bounds: np.ndarray, tails: np.ndarray) -> np.ndarray:
        """How many records match at least some literals of prefixes[i] with each of tails[bounds[i]:bounds[i+1]].

        Counted among those asked all of them: (2, tails, 2^L). Bit j of the last index says that literal j must match;
        where it is 0, literal j may match or not.
        """

    def uneven(self, sets: np.ndarray) -> np.ndarray:
        """How many records match an odd number of literals that one of two sets has and the other has not: (2, S, S).

        Sets are rows (S, L) of places, filled up with −1. Everybody was asked every item.
        """

    def parities(self, sets: np.ndarray) -> np.ndarray:
        """How many records of each group were asked all literals of each set, and match an odd number: (2, 2, sets).

        Sets are rows as those of `uneven`, none is empty, and the design is sampled.
        """

    def cells(self, itemsets: np.ndarray) -> np.ndarray:
        """How many records are in each cell of some itemsets (F, L), as `privacy.estimate.cells` numbers them.

        One row: of each itemset the cells of the disguised group, then those of the direct group.
        """

    def views(self, columns: Sequence[int]) -> dict[View, np.ndarray]:
        """The records in every cell of the table of these items, as `privacy.estimate.joint.view_counts` has it."""
