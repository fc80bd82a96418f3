"""Disguise of whole tables: what the respondent's browser does to one record, done to many at once.

Both count the same words in the same order (`browser/disguise.js` for one record, this module for one row): first
those that choose which items of a sampled block are asked, before anything is answered; then those of the blocks, in
order, each as its kind says. Every word is drawn whatever an earlier one decided.
"""

import os
from hashlib import sha256

import numpy as np

from privacy.design import Design
from privacy.design.draws import Take, choose
from privacy.records import Records, check_answers, check_codes, check_direct

CELLS_AT_ONCE = 2**20  # what bounds the memory: rows go through in groups of about so many answers


def disguise(
    design: Design,
    answers: np.ndarray,
    direct: np.ndarray | None = None,
    take: Take | None = None,
    *,
    source: str = "the table",
) -> Records:
    """Disguise a table of true answers, the rows of the direct group excepted.

    `answers` are codes, a row for each respondent and a column for each item. In the sampled blocks they are either
    complete, and which items are asked is drawn here, or `design.not_asked` wherever a respondent was not asked.
    `direct` says who chose to answer undisguised; nobody where it is missing. `take` is the source of random words;
    without it the randomness is the operating system's, the only one fit for people. `source` is named where the
    answers are refused.

    >>> from privacy.disguise.table import words_from_seed
    >>> design = Design.parse({"model": "warner", "theta": 0.7, "items": ["drugs"]})
    >>> disguise(design, np.array([[1], [0], [1], [1]]), take=words_from_seed(7)).codes.ravel().tolist()
    [1, 1, 1, 0]
    """
    answers = np.asarray(answers)
    if answers.dtype == bool:
        answers = answers.astype(np.uint8)
    rows = len(answers)
    direct = np.zeros(rows, bool) if direct is None else np.asarray(direct, bool)
    complete = check_codes(design, answers, may_be_complete=True, source=source)
    check_direct(design, direct, rows, source=source)
    check_answers(design, answers, source=source)
    take = take or system_words()
    codes = np.empty(answers.shape, design.code_type)
    step = max(1, CELLS_AT_ONCE // len(design.items))
    for start in range(0, rows, step):
        truth = answers[start : start + step].astype(design.code_type)
        if complete and design.sampled:
            truth[~draw_asked(design, len(truth), take)] = design.not_asked
        record = codes[start : start + step]
        here = truth != design.not_asked
        for first, block in zip(design.first_columns, design.blocks, strict=True):
            columns = slice(first, first + len(block.items))
            record[:, columns] = block.disguise(truth[:, columns], here[:, columns], take)
        honest = direct[start : start + step]
        record[honest] = truth[honest]
    return Records(design, codes, direct, named=True)


def draw_asked(design: Design, rows: int, take: Take | None = None) -> np.ndarray:
    """Draw which items each respondent is asked.

    A row for each respondent and a column for each item. Without `take` the words are the operating system's.
    """
    take = take or system_words()
    mask = np.ones((rows, len(design.items)), bool)
    for first, block in zip(design.first_columns, design.blocks, strict=True):
        size = len(block.items)
        if block.items_per_person < size:
            mask[:, first : first + size] = choose(np.full(rows, block.items_per_person), size, take)
    return mask


def words_of(seed: bytes) -> Take:
    """A source of the random words of SHA-256(seed, counter), the counter in two bytes, the highest byte first.

    Eight words of 32 bits each. The browser draws the same (`surveys/client/invitation.js`).
    """
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
    """Draw for each item whether it is asked, from bytes the respondent cannot choose and the site can verify.

    By invitation the seed is the ASCII text “candor asked <version> <signature>”, with the signature of the token.

    >>> items = [{"id": name, "theta": 0.5} for name in "abcd"]
    >>> design = Design.parse({"blocks": [{"keep": 0.5, "items": items, "ask": 2}]})
    >>> sum(draw_questions(design, b"a signature"))
    2
    """
    asked: list[bool] = draw_asked(design, 1, words_of(seed))[0].tolist()
    return asked


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
