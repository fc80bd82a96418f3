"""The disguise of a place: by random words in a fixed order."""

import numpy as np

from privacy.design.blocks.place.design import PlaceBlock
from privacy.design.draws import Take, draw_below


def disguise(block: PlaceBlock, truth: np.ndarray, here: np.ndarray, take: Take) -> np.ndarray:
    """Take one word for the coin, two for the cell of the square and one for the cell of all zones, used or not."""
    del here  # a place is asked everybody
    mechanism, count = block.mechanism, len(truth)
    x, y = np.divmod(truth[:, 0].astype(np.int64), mechanism.rows)
    near = take(count) < np.array([*mechanism.keeps, mechanism.keep])[mechanism.zone_numbers(x, y)]
    across, up = (draw_below(mechanism.side, count, take).astype(np.int64) for _ in range(2))
    anywhere = draw_below(mechanism.draw_size, count, take).astype(np.int64)
    close, far = mechanism.near_cells(x, y, across, up), mechanism.far(anywhere)
    x, y = (np.where(near, one, other) for one, other in zip(close, far, strict=True))
    return (x * mechanism.rows + y)[:, np.newaxis].astype(truth.dtype)
