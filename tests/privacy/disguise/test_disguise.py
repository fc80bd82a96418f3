"""Disguise of whole tables."""

from typing import Any

import numpy as np
import pytest

from privacy.design import Design
from privacy.disguise import disguise, draw_asked
from privacy.disguise.table import words_from_seed
from privacy.errors import InputError
from tests.codes import NOT_ASKED


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


def test_a_seed_repeats_the_records() -> None:
    """The same seed gives the same records, another seed others; tables beyond one group of rows too."""
    answers = truth(30_000, 50)

    first, again, other = (disguise(paper(50), answers, take=words_from_seed(seed)).codes for seed in (1, 1, 2))

    assert (first == again).all()
    assert (first != other).any()


def test_without_a_seed_no_two_disguises_are_alike() -> None:
    """The default randomness is the operating system's."""
    answers = truth(1_000, 10)

    assert (disguise(paper(10), answers).codes != disguise(paper(10), answers).codes).any()


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


def test_a_row_with_the_wrong_number_of_asked_items_is_refused() -> None:
    """A table is either complete, or answers in every row as many items as are asked; a mixture is refused."""
    answers = np.array([[0, 1, 1], [0, 1, NOT_ASKED]], np.uint8)

    with pytest.raises(InputError, match="row 0 answers every item and row 1 only as many as this design asks"):
        disguise(sampled(3, 2), answers)


def test_a_direct_group_that_the_design_does_not_offer_is_refused() -> None:
    """Where nobody may answer directly, nobody does."""
    with pytest.raises(InputError, match="row 1 is in the direct group, but this design allows no direct answers"):
        disguise(paper(3, direct=False), truth(2, 3), np.array([False, True]))


def test_a_direct_group_of_another_length_is_refused() -> None:
    """The group is marked for every row."""
    with pytest.raises(InputError, match="the direct group is marked for 3 rows, and there are 2"):
        disguise(paper(3), truth(2, 3), np.zeros(3, bool))
