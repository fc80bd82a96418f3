"""The disguise of a coin block: by random words in a fixed order."""

import numpy as np

from privacy.design.blocks.coin.design import CoinBlock, noise_of
from privacy.design.draws import Take, draw_options, lay_out


def disguise(block: CoinBlock, truth: np.ndarray, here: np.ndarray, take: Take) -> np.ndarray:
    """Disguise rows of answers: one word for the coin, or with `each` for each asked item, then one for its noise."""
    words = len(truth) * block.items_per_person
    coins = lay_out(take(words), here) if block.each else take(len(truth))[:, np.newaxis]
    noise = draw_options([noise_of(item) for item in block.items], lay_out(take(words), here))
    return np.where((coins < block.keep) | ~here, truth, noise)
