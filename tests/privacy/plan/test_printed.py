"""What a plan says of an interval is what the report prints: the longer side, in half of all surveys or more."""

import math

import numpy as np
import pytest

import candor
from privacy.plan.forecast import foresee_reach, longer_side, longer_sides, pair_side
from tests.cases import first
from tests.privacy.plan.printed import SETTINGS, VERY_RARE, list_of, printed_sides, printed_sides_of_list

SURVEYS = 24


@pytest.mark.parametrize(("questions", "people", "gamma", "share", "length"), first(3, SETTINGS))
def test_half_of_all_surveys_print_the_longer_side_that_was_foreseen(
    questions: int, people: int, gamma: int, share: float, length: int
) -> None:
    """The median is within 10 % of the promise, beyond what chance does to it."""
    design = candor.advise(questions, people, gamma, length=length, prevalence=share).design
    shares = {item.id: (1 - share, share) for item in design.items}

    promised = np.mean(
        [
            longer_side(share, foresee_reach(block, place, 1, tuple(shares[one.id] for one in block.items), people))
            for block in design.blocks
            for place in range(len(block.items))
        ]
    )

    sides = printed_sides(design, share, people, SURVEYS, seed=821)
    assert promised == _near_median(sides)


def test_half_of_all_surveys_print_the_longer_side_of_a_pair_that_was_foreseen() -> None:
    """With a list of words, by the same measure; of other blocks nothing is foreseen."""
    items, share, people = 6, 0.1, 2_000
    design = candor.models.one_of([*"abcdef"], gamma=19, cap=2, longest=2, direct=False)
    shares, wanted = ((1 - share, share),) * items, [(1,)] * items

    promised = pair_side(design.blocks[0], shares, wanted, people)

    assert promised == _near_median(printed_sides(design, share, people, SURVEYS, seed=822, length=2))
    coin = candor.models.warner([*"abcdef"], theta=0.75).blocks[0]
    assert pair_side(coin, shares, wanted, people) == math.inf


@pytest.mark.parametrize(("questions", "people", "gamma", "share", "length", "family"), first(1, VERY_RARE))
def test_lists_of_very_rare_answers_print_what_was_foreseen(
    questions: int, people: int, gamma: str, share: float, length: int, family: str
) -> None:
    """The median of 400 surveys is within 5 %, beyond what chance does to it; many figures are at 0 in all of them."""
    design = list_of(questions, people, gamma, share, length, family)

    promised = np.mean(
        [
            side
            for side, _ in longer_sides(design.blocks[0], ((1 - share, share),) * questions, [(1,)] * questions, people)
        ]
    )

    sides = printed_sides_of_list(design, share, people, 400, seed=823)
    chance = 4.5 * 1.2533 * sides.std(ddof=1) / len(sides) ** 0.5
    assert promised == pytest.approx(np.median(sides), abs=0.05 * np.median(sides) + chance)


def _near_median(sides: np.ndarray) -> object:
    chance = 4.5 * 1.2533 * sides.std(ddof=1) / SURVEYS**0.5  # the standard error of a median
    return pytest.approx(np.median(sides), abs=0.1 * np.median(sides) + chance)
