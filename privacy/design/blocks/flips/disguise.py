"""The disguise of a flip block: by random words in a fixed order."""

import numpy as np

from privacy.design.blocks.flips.design import FlipBlock
from privacy.design.draws import Take, choose, draw, spread


def disguise(block: FlipBlock, truth: np.ndarray, here: np.ndarray, take: Take) -> np.ndarray:
    """One word for the number d of answers to turn over; then a choice of d out of the asked items."""
    turned = choose(draw(block.flips, take(len(truth))), block.asked, take)
    return truth ^ spread(turned.ravel(), here)
