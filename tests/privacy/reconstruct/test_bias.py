"""How far figures of a list with a cap may lie from the truth is said, and is no less than they do."""

import numpy as np
import pytest

import candor
from privacy.design import ONE
from privacy.records import Records

NAMES = [f"q{number}" for number in range(10)]
LIST = candor.models.one_of(NAMES, gamma=19, cap=2, longest=2, direct=False)
(BLOCK,) = LIST.blocks


def people() -> np.ndarray:
    """Of 20 000 people 5 % say yes to everything, and are far above the cap."""
    chance = np.random.default_rng(1)
    return ((chance.random((20_000, 10)) < 0.02) | (chance.random((20_000, 1)) < 0.05)).astype(np.uint8)


def survey(count: int, sent: np.ndarray, chance: np.random.Generator) -> Records:
    codes = np.repeat(BLOCK.records, chance.multinomial(count, sent), axis=0).astype(np.uint8)
    return Records(LIST, codes, np.zeros(count, bool))


@pytest.fixture(scope="module")
def sent() -> np.ndarray:
    named = BLOCK.numerators(people()).mean(axis=0) / ONE
    return np.append(named, 1 - named.sum())


def test_a_bias_is_seldom_more_than_is_printed(sent: np.ndarray) -> None:
    """In one of forty surveys of 1 000 people at most, as the end of an interval has it, within three errors of 40."""
    word, chance = BLOCK.words[0], np.random.default_rng(2)
    true = people()[:, 0].mean() - (sent[0] - word.base / ONE) / (word.added / ONE)

    printed = [
        candor.reconstruct(survey(1_000, sent, chance), ["q0"], feasible=False).patterns[0].bias for _ in range(40)
    ]

    assert true > 0.01
    assert sum(bias is None or bias < true for bias in printed) / 40 < 0.025 + 3 * (0.025 * 0.975 / 40) ** 0.5
