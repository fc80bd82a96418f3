"""Disguise of whole tables: what the respondent's browser does to one record, done to many at once.

Both count the same words in the same order (`browser/disguise.js` for one record, this module for one row):

    which items of a sampled block are asked    a choice of `ask` out of its items, before anything is answered
    coin block     one word for the coin, or with `each` one per asked item; then one noise word per asked item
    flip block     one word for the number d of answers to turn over; then a choice of d out of the asked items
    grouped block  one word for the coin, one for the common answer (for study; a browser never has one)

A coin keeps where its word is below `keep`. A draw is the first option whose cumulated numerators exceed the word. A
choice of k out of n passes over the n in order and takes each with probability (still to take) / (still to pass), by
one word each, drawn again if it would favour a remainder (selection sampling: Fan, Muller and Rezucha 1962; Knuth, The
Art of Computer Programming 3.4.2, algorithm S): exactly uniform over the sets, and as many words whatever k is. Every
word is drawn whatever the coin says.
"""

from collections.abc import Sequence
from itertools import accumulate

import numpy as np

from privacy.design import NOT_ASKED, ONE, Block, CoinBlock, Design, FlipBlock, GroupedBlock, Item, asked
from privacy.disguise.random_words import Take, system_words
from privacy.records import Records, check_codes, check_direct

CELLS_AT_ONCE = 2**20  # what bounds the memory: rows go through in groups of about so many answers


def disguise(
    design: Design, answers: np.ndarray, direct: np.ndarray | None = None, take: Take | None = None
) -> Records:
    """Disguise a table of true answers, the rows of the direct group excepted.

    `answers` holds option indexes, a row per respondent. In the sampled blocks it is either complete, and which items
    are asked is drawn here, or holds NOT_ASKED wherever a respondent was not asked. `direct` marks the rows of those
    who chose to answer undisguised. Without `take` the randomness is the operating system's.
    """
    answers = np.asarray(answers)
    if answers.dtype == bool:
        answers = answers.astype(np.uint8)
    rows = len(answers)
    direct = np.zeros(rows, bool) if direct is None else np.asarray(direct, bool)
    complete = check_codes(design, answers, may_be_complete=True)
    check_direct(design, direct, rows)
    take = take or system_words()
    codes = np.empty(answers.shape, np.uint8)
    step = max(1, CELLS_AT_ONCE // len(design.items))
    for start in range(0, rows, step):
        truth = answers[start : start + step].astype(np.uint8)
        if complete and design.sampled:
            truth[~draw_asked(design, len(truth), take)] = NOT_ASKED
        record = codes[start : start + step]
        for first, block in zip(design.first_columns, design.blocks, strict=True):
            columns = slice(first, first + len(block.items))
            record[:, columns] = _disguise_block(block, truth[:, columns], take)
        honest = direct[start : start + step]
        record[honest] = truth[honest]
    return Records(design, codes, direct)


def draw_asked(design: Design, rows: int, take: Take | None = None) -> np.ndarray:
    """Draw which items each respondent is asked: a boolean array, a row per respondent, a column per item."""
    take = take or system_words()
    mask = np.ones((rows, len(design.items)), bool)
    for first, block in zip(design.first_columns, design.blocks, strict=True):
        size = len(block.items)
        if asked(block) < size:
            mask[:, first : first + size] = _choose(np.full(rows, asked(block)), size, take)
    return mask


def _disguise_block(block: Block, truth: np.ndarray, take: Take) -> np.ndarray:
    if isinstance(block, CoinBlock):
        return _coin(block, truth, take)
    if isinstance(block, FlipBlock):
        return _flip(block, truth, take)
    return _grouped(block, truth, take)


def _coin(block: CoinBlock, truth: np.ndarray, take: Take) -> np.ndarray:
    rows, size, here = len(truth), asked(block), truth != NOT_ASKED
    coins = _spread(take(rows * size), here) if block.each else take(rows)[:, np.newaxis]
    noise = _draw(block.items, _spread(take(rows * size), here))
    return np.where((coins < block.keep) | ~here, truth, noise)


def _flip(block: FlipBlock, truth: np.ndarray, take: Take) -> np.ndarray:
    count = np.searchsorted(_bounds(block.flips), take(len(truth)), side="right")
    turned = _choose(count, asked(block), take)
    return truth ^ _spread(turned.ravel(), truth != NOT_ASKED)


def _grouped(block: GroupedBlock, truth: np.ndarray, take: Take) -> np.ndarray:
    kept = take(len(truth)) < block.keep
    common = take(len(truth)) >= ONE - block.theta
    return np.where(kept[:, np.newaxis], truth, common[:, np.newaxis]).astype(np.uint8)


def _draw(items: Sequence[Item], words: np.ndarray) -> np.ndarray:
    """Turn a word per row and item into an option drawn from the item's noise."""
    noise = [item.noise or () for item in items]
    # A draw between two options is one comparison, made for all items at once; further options look up their place.
    drawn = (words >= np.array([shares[0] for shares in noise], np.uint64)).astype(np.uint8)
    for column, shares in enumerate(noise):
        if len(shares) > 2:
            drawn[:, column] = np.searchsorted(_bounds(shares), words[:, column], side="right")
    return drawn


def _bounds(shares: Sequence[int]) -> np.ndarray:
    """Cumulated numerators as words; those that reach ONE are left out, no word being as large."""
    return np.array([bound for bound in accumulate(shares) if bound < ONE], np.uint32)


def _choose(count: np.ndarray, size: int, take: Take) -> np.ndarray:
    """Choose, for each row, `count` out of `size` places, every set as likely: a boolean array."""
    chosen = np.empty((len(count), size), bool)
    left = count.copy()
    for place in range(size):
        chosen[:, place] = _below(size - place, len(count), take) < left
        left -= chosen[:, place]
    return chosen


def _below(bound: int, count: int, take: Take) -> np.ndarray:
    """Draw whole numbers below `bound`; a word that would favour the small ones is drawn again."""
    limit = ONE - ONE % bound
    words = take(count)
    uneven = words >= limit
    while uneven.any():
        words = words.copy()
        words[uneven] = take(int(uneven.sum()))
        uneven = words >= limit
    return words % np.uint32(bound)


def _spread(values: np.ndarray, here: np.ndarray) -> np.ndarray:
    """Lay values, row by row, on the places of the asked items; the others get zero."""
    if len(values) == here.size:
        return values.reshape(here.shape)
    table = np.zeros(here.shape, values.dtype)
    table[here] = values
    return table
