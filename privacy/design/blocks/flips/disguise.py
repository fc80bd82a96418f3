"""The disguise of a flip block: by random words in a fixed order."""

import numpy as np

from privacy.design.blocks.flips.design import FlipBlock
from privacy.design.draws import Take, choose, draw, lay_out


def disguise(block: FlipBlock, truth: np.ndarray, here: np.ndarray, take: Take) -> np.ndarray:
    """Disguise rows of answers: one word draws how many are turned over, then so many of the asked items are chosen."""
    turned = choose(draw(block.flips, take(len(truth))), block.items_per_person, take)
    return truth ^ lay_out(turned.ravel(), here)
