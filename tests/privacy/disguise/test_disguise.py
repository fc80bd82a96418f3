"""Disguise of whole tables."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from privacy.design import Design
from privacy.disguise import disguise, draw_asked
from privacy.disguise.table import system_words, words_from_seed
from privacy.errors import InputError
from tests.cases import every
from tests.codes import NOT_ASKED
from tests.privacy.channels import DESIGNS, agreement, inputs
from tests.privacy.disguise.words import given_words


def paper(items: int, direct: bool = True) -> Design:
    names = [f"i{j}" for j in range(items)]
    return Design.parse({"model": "improved-grouped", "p": 0.3, "theta": 0.6, "items": names, "direct": direct})


def sampled(size: int, ask: int, **block: Any) -> Design:
    items = [{"id": f"i{j}", "theta": 0.6} for j in range(size)]
    return Design.parse({"blocks": [{"keep": 0.3, "items": items, "ask": ask}]})


def truth(rows: int, items: int, seed: int = 1) -> np.ndarray:
    return (np.random.default_rng(seed).random((rows, items)) < 0.3).astype(np.uint8)


def test_the_direct_group_stays_as_it_is() -> None:
    """Rows of those who answer directly keep their answers, the others do not."""
    answers, direct = truth(10_000, 5), np.arange(10_000) % 4 == 0

    records = disguise(paper(5), answers, direct, words_from_seed(1))

    assert (records.codes[direct] == answers[direct]).all()
    assert (records.codes[~direct] != answers[~direct]).any(axis=1).mean() > 0.5
    assert (records.direct == direct).all()


def test_answers_are_left_alone() -> None:
    """The table of truths is only read."""
    answers = truth(100, 3)
    before = answers.copy()

    disguise(paper(3), answers)

    assert (answers == before).all()


def test_yes_and_no_may_be_true_and_false() -> None:
    """A table of booleans is disguised as one of 0 and 1."""
    answers = truth(1_000, 3)

    codes = [disguise(paper(3), table, take=words_from_seed(1)).codes for table in (answers, answers == 1)]

    assert (codes[0] == codes[1]).all()


def test_a_sampled_block_asks_as_many_items_as_it_says() -> None:
    """From complete answers the asked set is drawn: `ask` items in every row, each as often as the others."""
    design = sampled(10, 4)

    codes = disguise(design, truth(50_000, 10), take=words_from_seed(1)).codes

    here = codes != NOT_ASKED
    assert (here.sum(axis=1) == 4).all()
    assert abs(here.mean(axis=0) - 0.4).max() < 5 * (0.4 * 0.6 / 50_000) ** 0.5


def test_answers_given_as_asked_keep_their_asked_set() -> None:
    """Where respondents were already asked only some items, those are the items of the record."""
    design = sampled(10, 4)
    answers = truth(1_000, 10)
    answers[~draw_asked(design, 1_000, words_from_seed(1))] = NOT_ASKED

    codes = disguise(design, answers, take=words_from_seed(2)).codes

    assert ((codes == NOT_ASKED) == (answers == NOT_ASKED)).all()


def test_the_direct_group_is_asked_the_same_number() -> None:
    """In a sampled design direct rows too hold only the asked items, undisguised."""
    design = Design.parse(sampled(10, 4).to_json() | {"direct": True})
    answers = truth(1_000, 10)

    codes = disguise(design, answers, np.ones(1_000, bool), words_from_seed(1)).codes

    here = codes != NOT_ASKED
    assert (here.sum(axis=1) == 4).all()
    assert (codes[here] == answers[here]).all()


def test_the_grouped_model_answers_all_yes_or_all_no() -> None:
    """The 2010 predecessor replaces a record by one common answer; θ of the replaced are all yes."""
    design = Design.parse({"model": "grouped", "p": 0.3, "theta": 0.6, "items": ["a", "b", "c"]})
    answers = np.tile(np.array([1, 0, 1], np.uint8), (100_000, 1))

    codes = disguise(design, answers, take=words_from_seed(1)).codes

    shares = [(codes == row).all(axis=1).mean() for row in ([1, 0, 1], [1, 1, 1], [0, 0, 0])]
    assert shares == pytest.approx([0.3, 0.42, 0.28], abs=0.008)  # five standard errors


@pytest.mark.parametrize("rows", [0, 1])
def test_tables_of_no_row_and_one_row_work(rows: int) -> None:
    """A table may be as small as it likes."""
    assert disguise(paper(3), truth(rows, 3)).codes.shape == (rows, 3)


@pytest.mark.parametrize(
    ("answers", "said"),
    [
        (np.array([[0, 1, 2]]), r"row 0, column 'i2': 2 is not the index of one of its 2 options"),
        (np.array([[0, -1, 0]]), r"row 0, column 'i1': -1 is not the index"),
        (np.array([[0, 1, 100]], np.int8), r"row 0, column 'i2': 100 is not the index"),
        (np.array([[0, 1]]), r"int64 of shape \(1, 2\) is not a table of option indexes for the 3 items"),
        (np.array([0, 1, 1]), r"int64 of shape \(3,\) is not a table"),
        (np.array([[0.0, 1.0, 1.0]]), r"float64 of shape \(1, 3\) is not a table"),
        (np.array([[0, 1, 0], [0, NOT_ASKED, 1]]), r"row 1 answers 2 of the 3 items from 'i0' to 'i2'"),
    ],
)
def test_answers_that_do_not_fit_are_refused(answers: np.ndarray, said: str) -> None:
    """A table of another width, of fractions or with impossible codes is refused with its place."""
    with pytest.raises(InputError, match=said):
        disguise(paper(3), answers)


def test_a_direct_group_that_the_design_does_not_offer_is_refused() -> None:
    """Where nobody may answer directly, nobody does."""
    with pytest.raises(InputError, match="row 1 is in the direct group, but this design allows no direct answers"):
        disguise(paper(3, direct=False), truth(2, 3), np.array([False, True]))


# The disguise, counted from outside: its records come as often as the design declares.


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


# The shared vectors: the same words give the same record in Python, under Node and in the browser.


VECTORS = json.loads((Path(__file__).parents[2] / "vectors" / "disguise.json").read_text())


def ids(vector: dict[str, Any]) -> str:
    return vector["promise"]


@pytest.mark.parametrize("vector", VECTORS["asked"], ids=ids)
def test_python_asks_what_the_vector_says(vector: dict[str, Any]) -> None:
    """The asked set follows from the words by hand, and takes all of them."""
    take = given_words(np.array(vector["words"], np.uint32))

    asked = draw_asked(Design.parse(vector["design"]), 1, take)

    assert asked.tolist() == [vector["asked"]]
    with pytest.raises(ValueError, match="words were given"):
        take(1)


@pytest.mark.parametrize("vector", every(4, VECTORS["disguise"]), ids=ids)
def test_python_sends_what_the_vector_says(vector: dict[str, Any]) -> None:
    """The record follows from the words by hand, and takes all of them."""
    take = given_words(np.array(vector["words"], np.uint32))
    answers = np.array([[NOT_ASKED if answer is None else answer for answer in vector["answers"]]], np.uint8)

    records = disguise(Design.parse(vector["design"]), answers, take=take)

    assert [None if code == NOT_ASKED else code for code in records.codes[0].tolist()] == vector["record"]
    with pytest.raises(ValueError, match="words were given"):
        take(1)


# Sources of random words.


def test_a_seed_repeats_its_words_on_every_machine() -> None:
    """The words of seed 1 are fixed for good, so that a study can be repeated years later."""
    assert words_from_seed(1)(5).tolist() == [2032329983, 2198257139, 3243419750, 4082210491, 149690573]


def test_a_seed_goes_on_where_it_stopped() -> None:
    """A second call brings new words."""
    take = words_from_seed(1)

    assert take(4).tolist() != take(4).tolist()


@pytest.mark.parametrize("source", [system_words(), words_from_seed(1)])
@pytest.mark.parametrize("count", [0, 1, 2, 1001])
def test_a_source_gives_as_many_words_as_asked(source, count: int) -> None:
    """Words come as 32-bit whole numbers, any number of them."""
    words = source(count)

    assert (words.shape, words.dtype) == ((count,), np.dtype(np.uint32))


def test_words_use_all_their_bits() -> None:
    """Each of the 32 bits is set in half of 10^5 words of the operating system, within five standard errors."""
    words = system_words()(100_000)

    shares = [np.mean(words >> bit & 1) for bit in range(32)]

    assert max(abs(share - 0.5) for share in shares) < 5 * 0.5 / 100_000**0.5
