"""Sources of 32-bit random words. Everything random in a disguise is such a word compared with a numerator over 2^32.

A source is a function `take(n)` that returns the next n words as a uint32 array.
"""

import os

import numpy as np

from privacy.design.draws import Take


def system_words() -> Take:
    """Words from the operating system's generator: the only source fit to protect a person."""

    def take(count: int) -> np.ndarray:
        return np.frombuffer(os.urandom(4 * count), np.uint32)

    return take


def words_from_seed(seed: int) -> Take:
    """Words that the seed repeats on every machine and with every version of numpy: for study, never for people.

    numpy promises the raw stream of PCG64 for good, and does not promise that of its distributions.

    >>> words_from_seed(7)(2).tolist() == words_from_seed(7)(2).tolist()
    True
    """
    raw = np.random.PCG64(seed).random_raw

    def take(count: int) -> np.ndarray:
        return raw((count + 1) // 2).astype("<u8").view("<u4")[:count].astype(np.uint32, copy=False)

    return take
