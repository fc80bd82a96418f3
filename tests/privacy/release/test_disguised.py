"""Disguised answers in a release are judged by what they show."""

from math import comb

import numpy as np
import pytest

from privacy.design import Design
from privacy.disguise import disguise
from privacy.disguise.table import words_from_seed
from privacy.errors import InputError
from privacy.records import Records
from privacy.release import judge_disguised
from privacy.release.classes import tally
from privacy.release.measures import measure

DESIGN = Design.parse({"direct": True, "blocks": [{"keep": 0.5, "items": [{"id": "drugs", "theta": 0.5}]}]})


def sent(truth: np.ndarray, direct: np.ndarray, seed: int) -> Records:
    return disguise(DESIGN, truth.astype(np.uint8).reshape(-1, 1), direct, words_from_seed(seed))


def test_a_large_class_with_both_answers_is_shown_diverse_and_a_small_one_is_not() -> None:
    """2 000 people of whom a third did it are distinguished from chance; five are not, although both records occur."""
    truth = np.array([0, 0, 1] * 667 + [0, 1, 0, 1, 0])
    records = sent(truth, np.zeros(len(truth), bool), 1)

    judged = judge_disguised(records, "drugs", np.repeat([0, 1], [2001, 5]))

    assert [(one.size, one.shown) for one in judged.classes] == [(2001, 2), (5, 0)]
    assert (sum(one.shown >= 2 for one in judged.classes), judged.gamma) == (1, 3)
    assert judged.classes[0].shares[1] == pytest.approx(1 / 3, abs=4.5 * 2 * 0.5 / np.sqrt(2001))


def test_the_direct_group_is_judged_as_it_stands() -> None:
    """Its measures are those of its own answers, class by class."""
    truth, direct = np.array([0, 1, 0, 0, 1, 1]), np.array([1, 1, 1, 1, 0, 0], bool)
    member = np.array([0, 0, 1, 1, 0, 1])

    judged = judge_disguised(sent(truth, direct, 3), "drugs", member)

    assert judged.direct == measure(tally(np.array([0, 0, 1, 1]), np.array([0, 1, 0, 0])))
    assert [one.size for one in judged.classes] == [1, 1]


def test_suppressed_records_are_a_class() -> None:
    """A reader sees that they are alike, as those of every other class are; direct ones are measured as one, too."""
    direct = np.repeat([True, False], [4, 6])
    records, suppressed = sent(np.array([0, 1] * 5), direct, 1), np.array([-1, -1, 0, 0, -1, -1, -1, 0, 0, 0])

    judged = judge_disguised(records, "drugs", suppressed)

    assert [one.size for one in judged.classes] == [3, 3]
    assert judged == judge_disguised(records, "drugs", suppressed + 1)
    assert judged.direct == measure(tally(np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1])))
    assert list(judged.to_json()) == ["item", "values", "level", "gamma", "classes", "direct"]


@pytest.mark.parametrize(
    ("item", "member", "sentence"),
    [
        ("other", [0, 0], "item: the design has no item 'other' with options."),
        ("drugs", [0], "member: 1 classes are given for 2 records."),
    ],
)
def test_what_does_not_fit_is_refused(item: str, member: list[int], sentence: str) -> None:
    """One sentence names it."""
    with pytest.raises(InputError) as refused:
        judge_disguised(sent(np.array([0, 1]), np.zeros(2, bool), 1), item, np.array(member))

    assert str(refused.value) == sentence


@pytest.mark.parametrize("size", [5, 8, 10, 13, 30])
def test_a_class_of_one_true_answer_is_seldom_shown_to_have_two(size: int) -> None:
    """Also where disguise is mild (Warner, θ = .99): exactly, by the chance of all that can be seen."""
    design = Design.parse({"model": "warner", "theta": 0.99, "items": ["drugs"]})
    wrong = 0.0
    for turned in range(size + 1):
        codes = np.array([[1]] * turned + [[0]] * (size - turned), np.uint8)
        (one,) = judge_disguised(Records(design, codes, np.zeros(size, bool)), "drugs", np.zeros(size, int)).classes
        wrong += (one.shown >= 2) * comb(size, turned) * 0.01**turned * 0.99 ** (size - turned)
    assert wrong <= 0.05
