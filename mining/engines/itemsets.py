"""Itemsets of one length, with what was counted of them.

Sub-patterns are masks: in tables of 2^L entries bit j of an index stands for literal j of an itemset of length L.
"""

from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np


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
