"""The disguise of a one-of block: by one random word for each respondent."""

import numpy as np

from privacy.design.blocks.one_of.design import OneOfBlock
from privacy.design.blocks.one_of.sent_words import CHANCES_AT_ONCE
from privacy.design.draws import Take


def disguise(block: OneOfBlock, truth: np.ndarray, here: np.ndarray, take: Take) -> np.ndarray:
    """Send for each row a word of the list or nothing, as one random number falls among the chances, added up."""
    del here  # all items are asked
    drawn = take(len(truth)).astype(np.int64)
    sent = np.empty(len(truth), np.intp)
    step = max(1, CHANCES_AT_ONCE // len(block.records))
    for start in range(0, len(truth), step):
        part = slice(start, start + step)
        bounds = block.numerators(truth[part]).cumsum(axis=1)
        sent[part] = (bounds <= drawn[part, np.newaxis]).sum(axis=1)
    return block.records[sent].astype(truth.dtype)
