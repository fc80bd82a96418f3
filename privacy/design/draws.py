"""Draws by random words: every decision of a disguise compares a word of 32 bits with numerators over 2^32.

A draw is the first option whose cumulated numerators exceed the word. A choice of k out of n passes over the n in
order and takes each with probability (still to take) / (still to pass), by one word each, drawn again if it would
favour a remainder (selection sampling: Fan, Muller and Rezucha 1962; Knuth, The Art of Computer Programming 3.4.2,
algorithm S): exactly uniform over the sets, and as many words whatever k is.
"""

from collections.abc import Callable, Sequence
from itertools import accumulate
from math import comb

import numpy as np

from privacy.design.rationals import ONE

Take = Callable[[int], np.ndarray]
"""A source of random words: the next n of them, as a uint32 array."""


def draw(shares: Sequence[int], words: np.ndarray) -> np.ndarray:
    """Turn each word into a place, drawn by its share."""
    return np.searchsorted(_bounds(shares), words, side="right")


def draw_options(noise: Sequence[Sequence[int]], words: np.ndarray) -> np.ndarray:
    """Turn a word per row and item into an option drawn from the item's noise."""
    # A draw between two options is one comparison, made for all items at once; further options look up their place.
    drawn = (words >= np.array([shares[0] for shares in noise], np.uint64)).astype(np.uint8)
    for column, shares in enumerate(noise):
        if len(shares) > 2:
            drawn[:, column] = draw(shares, words[:, column])
    return drawn


def choose(count: np.ndarray, size: int, take: Take) -> np.ndarray:
    """Choose, for each row, `count` out of `size` places, every set as likely: a boolean array.

    `count` has a number for each row.

    >>> from privacy.disguise.table import system_words
    >>> choose(np.array([2, 1]), 4, system_words()).sum(axis=1).tolist()
    [2, 1]
    """
    chosen = np.empty((len(count), size), bool)
    left = count.copy()
    for index in range(size):
        chosen[:, index] = draw_below(size - index, len(count), take) < left
        left -= chosen[:, index]
    return chosen


def share_asked(items: int, ask: int, size: int) -> float:
    """The share of respondents who are asked all of `size` given items, if each is asked `ask` of this many.

    >>> share_asked(4, 2, 2)  # one of six pairs
    0.16666666666666666
    """
    return comb(items - size, ask - size) / comb(items, ask)


def lay_out(values: np.ndarray, here: np.ndarray) -> np.ndarray:
    """Put the values of each row at the places of the asked items; the others get zero."""
    if len(values) == here.size:
        return values.reshape(here.shape)
    table = np.zeros(here.shape, values.dtype)
    table[here] = values
    return table


def _bounds(shares: Sequence[int]) -> np.ndarray:
    """Cumulated numerators as words, without those that reach ONE: no word is that large."""
    return np.array([bound for bound in accumulate(shares) if bound < ONE], np.uint32)


def draw_below(bound: int, count: int, take: Take) -> np.ndarray:
    """Draw whole numbers below `bound`; a word that would favour the small ones is drawn again."""
    limit = ONE - ONE % bound
    words = take(count)
    uneven = words >= limit
    while uneven.any():
        words = words.copy()
        words[uneven] = take(int(uneven.sum()))
        uneven = words >= limit
    return words % np.uint32(bound)
