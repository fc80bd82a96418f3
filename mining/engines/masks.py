"""Sub-patterns as masks: in tables of 2^L entries bit j of an index stands for literal j of a pattern of length L."""

from functools import cache

import numpy as np


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
    return sum(((whole >> bit & 1) << place for place, bit in enumerate(inside)), np.zeros(2**length, dtype=np.int64))
