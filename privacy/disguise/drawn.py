"""Draw the asked items from bytes the respondent cannot choose and the site can verify.

By invitation the seed is the ASCII text “candor asked <version> <signature>”, with the signature of the token. The
words are those of SHA-256(seed, counter), the counter in two bytes: eight words of 32 bits each, the highest byte
first. The browser draws the same (`surveys/client/invitation.js`).
"""

from hashlib import sha256

import numpy as np

from privacy.design import Design
from privacy.design.draws import Take
from privacy.disguise.table import draw_asked


def words_of(seed: bytes) -> Take:
    """A source of the random words that these bytes determine."""
    words = np.zeros(0, np.uint32)
    counter = 0

    def take(count: int) -> np.ndarray:
        nonlocal words, counter
        while len(words) < count:
            block = sha256(seed + counter.to_bytes(2)).digest()
            words = np.concatenate([words, np.frombuffer(block, ">u4").astype(np.uint32)])
            counter += 1
        taken, words = words[:count], words[count:]
        return taken

    return take


def draw_questions(design: Design, seed: bytes) -> list[bool]:
    """Draw for each item whether it is asked.

    The same bytes draw the same items.

    >>> items = [{"id": name, "theta": 0.5} for name in "abcd"]
    >>> design = Design.parse({"blocks": [{"keep": 0.5, "items": items, "ask": 2}]})
    >>> sum(draw_questions(design, b"a signature"))
    2
    """
    asked: list[bool] = draw_asked(design, 1, words_of(seed))[0].tolist()
    return asked
