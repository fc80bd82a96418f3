"""The disguise of a grouped block; a browser never has one."""

import numpy as np

from privacy.design.blocks.grouped.design import GroupedBlock
from privacy.design.draws import Take
from privacy.design.rationals import ONE


def disguise(block: GroupedBlock, truth: np.ndarray, here: np.ndarray, take: Take) -> np.ndarray:
    """One word for the coin, one for the common answer."""
    kept = take(len(truth)) < block.keep
    common = take(len(truth)) >= ONE - block.theta
    return np.where(kept[:, np.newaxis] | ~here, truth, common[:, np.newaxis])
