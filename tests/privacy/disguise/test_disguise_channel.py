"""The disguise, counted from outside: its records come as often as the design declares."""

import numpy as np
import pytest

from privacy.design import Design
from privacy.disguise import disguise
from privacy.disguise.table import system_words, words_from_seed
from tests.cases import every
from tests.privacy.channels import DESIGNS, agreement, inputs

SEED = 20100607
DRAWS = 20_000


def count(design: Design, truth: tuple[int, ...], take, draws: int) -> dict[tuple[int, ...], int]:
    codes = disguise(design, np.tile(np.array(truth, np.uint8), (draws, 1)), take=take).codes
    keys, counts = np.unique(codes.astype(np.int64) @ 256 ** np.arange(codes.shape[1]), return_counts=True)
    records = (tuple(int(key).to_bytes(codes.shape[1], "little")) for key in keys)
    return dict(zip(records, counts.tolist(), strict=True))


@pytest.mark.parametrize("draws", [DRAWS, pytest.param(50 * DRAWS, marks=pytest.mark.long)])
@pytest.mark.parametrize("name", every(4, DESIGNS))
def test_records_come_as_often_as_declared(name: str, draws: int) -> None:
    """20 000 records per input of the block, or 10^6, agree with the declared matrix, χ² at 10^-6, seed 20100607."""
    design = DESIGNS[name]
    take = words_from_seed(SEED)

    worst = min(agreement(design.blocks[0], truth, count(design, truth, take, draws)) for truth in inputs(design))

    assert worst > 1e-6


def test_records_of_the_live_source_come_as_often_as_declared() -> None:
    """With the operating system's randomness, which no seed repeats, the bound is one false alarm in 10^9."""
    design = DESIGNS["a coin block of three"]

    p = agreement(design.blocks[0], (1, 0, 1), count(design, (1, 0, 1), system_words(), DRAWS))

    assert p > 1e-9


def test_a_wrong_channel_is_noticed() -> None:
    """The test has teeth: a keep that is off by .01 fails it."""
    off = Design.parse({"blocks": [{"keep": 0.31, "items": [{"id": "a", "theta": 0.6}]}]})
    right = Design.parse({"blocks": [{"keep": 0.3, "items": [{"id": "a", "theta": 0.6}]}]})

    assert agreement(right.blocks[0], (1,), count(off, (1,), words_from_seed(SEED), 50 * DRAWS)) < 1e-6
