"""The shares of the words of a one-of block, from the numbers of records that show each.

One record shows one word, so counts are multinomial, and everything follows from them. With the share λ of the records
that show a word, (λ − base)/added estimates E[a·own]: the share of people of whom it is true, less what people above
the cap lose. A loss word of length l measures the loss L of all words of this length together. It is given back to them
in proportion to what they kept:

    π̂_y = raw_y·f,   f = 1 + L/Σ raw over words of this length, between 1 and 2.5

The sum of a length is right for every population; a single word is where people above the cap have the words of this
length in proportion to all people. So the variance of an estimate is that of the counts, by the delta method with λ at
least `base`, and the square of half of what was given back. Other people can lose more of a word: intervals reach as
far (`privacy.reconstruct.words_sent`).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from privacy.arrays import Floats, row_keys
from privacy.design.blocks.one_of.design import OneOfBlock
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
    """How many records show each word, then each loss word, then nothing; others, as of direct people, do not count."""
    known = row_keys(block.records)
    order = np.argsort(known)
    found = order[np.searchsorted(known[order], row_keys(codes)).clip(max=len(order) - 1)]
    same = (block.records.astype(codes.dtype)[found] == codes).all(axis=1)
    return np.bincount(found[same], minlength=len(order))


def weigh_words(block: OneOfBlock, counts: NDArray[Any]) -> tuple[Floats, Floats]:
    """Of each word (rows): how many records name it, another word, each loss word and none; and what each adds to it.

    The mean of these weights is the share of people of whom the word is true, less what is lost above the cap.

    >>> from privacy.design import Design
    >>> words = [{"word": item, "base": 0.125, "own": 0.375} for item in "ab"]
    >>> (block,) = Design.parse({"blocks": [{"one-of": 0.5, "items": [*"ab"], "words": words}]}).blocks
    >>> [one.tolist() for one in weigh_words(block, np.array([250, 90, 660]))]
    [[[250.0, 90.0, 660.0], [90.0, 250.0, 660.0]], [[3.5, -0.5, -0.5], [3.5, -0.5, -0.5]]]
    """
    names, common = len(block.bases) - len(block.losses), block.in_common
    own, named, bases = block.naming(counts), counts[:names].sum(), np.array(block.bases) / ONE
    rest = np.broadcast_to(counts[names:], (len(own), len(counts) - names))
    sizes = np.column_stack([own, named - own, rest]).astype(float)
    base = block.naming(bases) - common * bases[:names].sum()
    weights = np.tile(-base[:, np.newaxis], sizes.shape[1])
    weights[:, :2] -= common
    weights[:, 0] += 1
    return sizes, weights / _rises_by(block)[:, np.newaxis]


def estimate_words(block: OneOfBlock, counts: NDArray[Any], together: Sequence[Sequence[int]] = ()) -> WordShares:
    """The shares of all words from the counts of `count_words`; after them those of words `together`, by their places.

    Such words are of one length and exclude each other, as the answers to one question do; no group names them.
    """
    total = counts.sum()
    sizes, weights = weigh_words(block, counts / total)
    raw = (sizes * weights).sum(axis=1)
    bases, known = np.array([*block.bases, 0]) / ONE, _rises_by(block)
    likely = np.maximum(counts / total, bases)  # a word that no record shows has an error, too
    more = np.maximum(block.naming(bases) - sizes[:, 0], 0)
    sizes[:, 0], sizes[:, 1] = sizes[:, 0] + more, sizes[:, 1] - more
    variance = (sizes * weights**2).sum(axis=1) - (sizes * weights).sum(axis=1) ** 2
    squares, sums = likely[: len(raw)] / known**2, likely[: len(raw)] / known
    sets = [np.isin(np.arange(len(raw)), places) for places in together]

    def with_sets(values: Floats) -> Floats:
        """The values of the words, and what those in each set come to."""
        return np.append(values, [values[inside].sum() for inside in sets])

    variance = np.append(variance, with_sets(squares)[len(raw) :] - with_sets(sums)[len(raw) :] ** 2)
    lengths = np.array([len(word.parts) for word in block.words])
    lengths = np.append(lengths, [lengths[inside][0] for inside in sets])
    raw, share = with_sets(raw), with_sets(raw)
    for number, loss in enumerate(block.losses, start=len(bases) - 1 - len(block.losses)):
        own = np.flatnonzero(lengths == loss.length)
        alone = own[own < len(known)]
        kept, unit = raw[alone].sum(), block.least_effect(loss) / ONE
        if not (len(alone) and kept > 0):
            continue
        lost = (counts[number] / total - bases[number]) / unit
        factor = min(max(1 + lost / kept, 1.0), MOST_FACTOR)
        share[own] *= factor
        # What a record of the loss word adds to each share, and one of another word; nothing at the ends of the factor.
        by_loss = raw[own] / kept / unit * (1 < factor < MOST_FACTOR)
        by_others = -by_loss * unit * (factor - 1)
        mean = factor * with_sets(sums)[own] + by_others * sums[alone].sum() + by_loss * likely[number]
        variance[own] = (
            (factor + 2 * by_others) * factor * with_sets(squares)[own]
            + by_others**2 * squares[alone].sum()
            + by_loss**2 * likely[number]
            - mean**2
        )
    given_back = share - raw
    return WordShares(share, np.sqrt(variance.clip(min=0) / total + (UNSURE * given_back) ** 2), given_back)


def _rises_by(block: OneOfBlock) -> Floats:
    """d of each word: by how much its share raises the chance that a record names it."""
    return np.array([block.line_of(word)[1] for word in block.words])
