"""The disguise of a one-sided block: by random words in a fixed order."""

import numpy as np

from privacy.design.blocks.one_sided.design import OneSidedBlock
from privacy.design.draws import Take, lay_out


def disguise(block: OneSidedBlock, truth: np.ndarray, here: np.ndarray, take: Take) -> np.ndarray:
    """One word for every asked item, whatever its answer: below g, a harmless answer is turned."""
    words = lay_out(take(len(truth) * block.items_per_person), here)
    return np.where(here & (words < block.turned), block.others(truth.dtype), truth)
