"""The disguise of a number: by random words in a fixed order."""

import numpy as np

from privacy.design.blocks.number.design import NumberBlock
from privacy.design.draws import Take, draw_below
from privacy.design.rationals import ONE


def disguise(block: NumberBlock, truth: np.ndarray, here: np.ndarray, take: Take) -> np.ndarray:
    """Disguise numbers; takes words for the coin of a mix, for the noise, and for the mix's number among all."""
    del here  # a number is asked everybody
    steps = truth[:, 0].astype(np.int64) - block.first
    kept = take(len(steps)) < block.mix if block.mix < ONE else np.ones(len(steps), dtype=bool)
    codes = block.fold(block.noise.disguise(steps, take))
    if block.mix < ONE:
        codes = np.where(kept, codes, draw_below(block.size, len(steps), take))
    return codes[:, np.newaxis].astype(truth.dtype)
