"""The shares of the words of a one-of block, from the numbers of records that show each.

One record shows one word, so counts are multinomial, and everything follows from them. With the share λ of the records
that show a word, (λ − base)/added estimates E[a·own]: the share of people of whom it is true, less what people above
the cap lose. A loss word of length l measures the loss L of all words of this length together. It is given back to them
in proportion to what they kept:

    π̂_y = raw_y·f,   f = 1 + L/Σ raw over words of this length, between 1 and 2.5

The sum of a length is right for every population; a single word is where people above the cap have the words of this
length in proportion to all people. So the variance of an estimate is that of the counts, by the delta method with λ at
least `base`, and the square of half of what was given back.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from privacy.arrays import Floats, row_keys
from privacy.design.blocks.one_of.design import OneOfBlock
from privacy.design.blocks.one_of.group_of import GroupOfBlock
from privacy.design.rationals import ONE

MOST_FACTOR = 2.5
UNSURE = 0.5  # of what is given back


@dataclass(frozen=True)
class WordShares:
    """For each word of a block: the share of people of whom it is true, its error, and what it has of the loss."""

    share: Floats
    error: Floats
    given_back: Floats


def count_words(block: OneOfBlock, codes: NDArray[np.unsignedinteger]) -> NDArray[np.intp]:
    """How many records show each word, then each loss word, then nothing; others, as of direct people, do not count.

    >>> from fractions import Fraction
    >>> from privacy.design import Item
    >>> from privacy.design.blocks.one_of.lists import list_block, words_up_to
    >>> items = [Item("a"), Item("b")]
    >>> block = list_block(items, [0, 0], Fraction(3), Fraction(2), words_up_to(items, [0, 0], 1), [Fraction(1)])
    >>> count_words(block, np.array([[0, 1], [0, 0], [0, 1]], np.uint8)).tolist()
    [0, 2, 1]
    """
    known = row_keys(block.records)
    order = np.argsort(known)
    found = order[np.searchsorted(known[order], row_keys(codes)).clip(max=len(order) - 1)]
    same = (block.records.astype(codes.dtype)[found] == codes).all(axis=1)
    return np.bincount(found[same], minlength=len(order))


def estimate_words(block: OneOfBlock, counts: NDArray[np.integer]) -> WordShares:
    """The shares of all words from the counts of `count_words`.

    >>> from privacy.design import Design
    >>> words = [{"word": item, "base": 0.05, "own": 0.45} for item in "ab"]
    >>> (block,) = Design.parse({"blocks": [{"one-of": 0.8, "items": [*"ab"], "words": words}]}).blocks
    >>> estimate_words(block, np.array([250, 90, 660])).share.round(3).tolist()
    [0.5, 0.1]
    """
    total = int(counts.sum())
    seen = counts / total
    if isinstance(block, GroupOfBlock):
        return _estimate_by_groups(block, seen, total)
    words, lengths = len(block.words), np.array([len(word.parts) for word in block.words])
    added = block.added / ONE
    raw = (seen[:words] - np.array([word.base for word in block.words]) / ONE) / added
    share, given_back = raw.copy(), np.zeros(words)
    slopes = np.zeros((words, len(counts)))  # of each share by the shares of records
    slopes[np.arange(words), np.arange(words)] = 1 / added
    for number, loss in enumerate(block.losses):
        own = np.flatnonzero(lengths == loss.length)
        kept, unit = raw[own].sum(), block.measured(loss) / ONE
        lost = (seen[words + number] - loss.base / ONE) / unit
        factor = 1 + lost / kept if kept > 0 else 1.0
        share[own] = raw[own] * np.clip(factor, 1, MOST_FACTOR)
        given_back[own] = share[own] - raw[own]
        slopes[own, own] *= np.clip(factor, 1, MOST_FACTOR)
        if 1 < factor < MOST_FACTOR:
            slopes[np.ix_(own, own)] -= np.outer(raw[own] * lost / kept**2, 1 / added[own])
            slopes[own, words + number] = raw[own] / kept / unit
    bases = [word.base for word in block.words] + [loss.base for loss in block.losses]
    likely = np.maximum(seen, np.array([*bases, 0]) / ONE)  # a word that no record shows has an error, too
    variance = (slopes**2 @ likely - (slopes @ likely) ** 2) / total
    return WordShares(share, np.sqrt(variance.clip(min=0) + (UNSURE * given_back) ** 2), given_back)


def _estimate_by_groups(block: GroupOfBlock, seen: Floats, total: int) -> WordShares:
    """By the records that name a group of each word, less what all groups have in common."""
    base, known = block.words[0].base / ONE, block.known / block.seeds / ONE
    own = seen[block.groups_of_words].sum(axis=1)
    named = seen[: block.count].sum()
    less = 1 / block.seeds
    share = (own - named * less - base) / known
    likely = np.maximum(own, block.seeds * base)
    squares = (1 - less - base) ** 2 * likely + (less + base) ** 2 * (named - own) + base**2 * (1 - named)
    variance = (squares / known**2 - share**2) / total
    return WordShares(share, np.sqrt(variance.clip(min=0)), np.zeros(len(share)))
