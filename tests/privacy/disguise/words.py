"""Random words that a test chooses."""

import numpy as np

from privacy.design.draws import Take


def given_words(words: np.ndarray) -> Take:
    """Exactly these words, in order, for comparing two implementations; asking for more than there are is an error."""
    position = 0

    def take(count: int) -> np.ndarray:
        nonlocal position
        taken = words[position : position + count]
        if len(taken) < count:
            raise ValueError(f"{len(words)} words were given, and word {len(words)} is asked for.")
        position += count
        return taken

    return take
