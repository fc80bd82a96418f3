"""The disguise of a patterned block: by random words in a fixed order."""

import numpy as np

from privacy.design.blocks.patterned.design import PatternedBlock
from privacy.design.draws import Take, draw, lay_out


def disguise(block: PatternedBlock, truth: np.ndarray, here: np.ndarray, take: Take) -> np.ndarray:
    """Disguise rows of answers: one word draws the set of places that is turned over."""
    turned = draw(block.table, take(len(truth)))
    places = block.by_order.places(here)[here].reshape(len(truth), block.items_per_person)
    return truth ^ lay_out((turned[:, np.newaxis] >> places & 1).astype(truth.dtype).ravel(), here)
