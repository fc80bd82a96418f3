"""Records packed into bits."""

import numpy as np
import pytest
from hypothesis import given, strategies as st

from privacy.design import Design
from privacy.disguise import disguise
from privacy.disguise.table import words_from_seed
from privacy.errors import InputError
from privacy.records import Records
from privacy.records.packing import pack, pack_one, row_bytes, unpack
from tests.codes import NOT_ASKED


def uniform(name: str, options: int) -> dict:
    return {"id": name, "options": [f"o{j}" for j in range(options)], "noise": [1 / options] * options}


MIXED = Design.parse({"direct": True, "blocks": [{"keep": 0.3, "items": [uniform("a", 2), uniform("b", 5)]}]})


def test_the_layout_is_fixed() -> None:
    """The direct flag, then each code in as few bits as its options need, then zeros: part of the format."""
    records = Records(MIXED, np.array([[1, 4], [0, 3]], np.uint8), np.array([True, False]))

    assert pack(records).tolist() == [[0b1_1_100_000], [0b0_0_011_000]]


def test_not_asked_is_one_more_value() -> None:
    """In a sampled block a field also says that its item was not asked: after the last option."""
    design = Design.parse({"blocks": [{"keep": 0.3, "ask": 1, "items": [uniform("a", 2), uniform("b", 3)]}]})
    records = Records(design, np.array([[NOT_ASKED, 2], [1, NOT_ASKED]], np.uint8), np.zeros(2, bool))

    assert pack(records).tolist() == [[0b0_10_10_000], [0b0_01_11_000]]


@given(
    sizes=st.lists(st.integers(2, 254), min_size=1, max_size=12),
    ask=st.integers(1, 12),
    rows=st.integers(0, 20),
    seed=st.integers(0, 2**32),
)
def test_packing_loses_nothing(sizes: list[int], ask: int, rows: int, seed: int) -> None:
    """Any records of any design come back as they were, in as many bytes as promised; one alone packs as among many."""
    items = [uniform(f"i{j}", size) for j, size in enumerate(sizes)]
    design = Design.parse({"direct": True, "blocks": [{"keep": 0.3, "items": items, "ask": min(ask, len(items))}]})
    rng = np.random.default_rng(seed)
    answers = rng.integers(0, sizes, (rows, len(sizes)))
    records = disguise(design, answers, rng.random(rows) < 0.5, words_from_seed(seed))

    packed = pack(records)
    back = unpack(design, packed)

    assert packed.shape == (rows, row_bytes(design))
    assert (back.codes == records.codes).all()
    assert (back.direct == records.direct).all()
    alone = [pack_one(design, row, direct) for row, direct in zip(records.codes.tolist(), records.direct, strict=True)]
    assert alone == [row.tobytes() for row in packed]


@pytest.mark.parametrize(
    ("packed", "said"),
    [
        ([[0b0_1_101_000]], "row 0 has 5 for 'b', too much"),
        ([[0b0_1_100_001]], "end in bits that belong to no item"),
        ([[0, 0]], r"uint8 and shape \(1, 2\) do not fit this design, whose records take 1 bytes"),
    ],
)
def test_bytes_that_are_no_records_are_refused(packed: list[list[int]], said: str) -> None:
    """A damaged part is noticed instead of being counted."""
    with pytest.raises(InputError, match=said):
        unpack(MIXED, np.array(packed, np.uint8))


def test_records_that_do_not_fit_are_never_packed() -> None:
    """A code without meaning is refused, not squeezed into its bits."""
    records = Records(MIXED, np.array([[1, 5]], np.uint8), np.zeros(1, bool))

    with pytest.raises(InputError, match="row 0, column 'b': 5 is not the index of one of its 5 options"):
        pack(records)
