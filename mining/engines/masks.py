"""Counts of sub-patterns. A table of a pattern of length L has 2^L entries; bit j of an index stands for literal j.

Counts of *at least* (the literals of the index match, the others may) become counts of *exactly* (the others do not)
by inclusion and exclusion, in integers.
"""

from functools import cache

import numpy as np


def exactly(at_least: np.ndarray) -> np.ndarray:
    """Cell counts from sub-pattern counts, along the last axis."""
    return _excluded(at_least.copy(), at_least.ndim - 1)


def side_by_side(at_least: np.ndarray) -> np.ndarray:
    """Cell counts (groups, cells, patterns) of tables (patterns, groups, sub-patterns): sums over cells are fast."""
    return _excluded(np.moveaxis(at_least, 0, -1).astype(float, order="C"), 1)


def _excluded(counts: np.ndarray, axis: int) -> np.ndarray:
    """In place, the sub-patterns along this axis of a whole array made cells."""
    before, after = counts.shape[:axis], counts.shape[axis + 1 :]
    for bit in range(counts.shape[axis].bit_length() - 1):
        without, with_it = np.moveaxis(counts.reshape(*before, -1, 2, 1 << bit, *after), axis + 1, 0)
        without -= with_it
    return counts


@cache
def inherited(length: int, bit: int) -> tuple[np.ndarray, np.ndarray]:
    """The indexes whose lowest missing literal is `bit`, and the same ones once that literal is struck."""
    below = (1 << bit) - 1
    here = np.array([index for index in range(2**length) if not index >> bit & 1 and index & below == below])
    return here, (here & below) | (here >> (bit + 1) << bit)


@cache
def within(length: int, mask: int) -> np.ndarray:
    """For every index of the whole pattern, the index of what it says about the literals in `mask`."""
    inside = [bit for bit in range(length) if mask >> bit & 1]
    whole = np.arange(2**length)
    return sum(((whole >> bit & 1) << place for place, bit in enumerate(inside)), np.zeros(2**length, dtype=np.int64))
