"""What a plan says of an interval is what the report prints: the longer side, in half of all surveys or more."""

import numpy as np
import pytest

import candor
from privacy.plan.printed import foresee_reach, longer_side
from tests.cases import first
from tests.privacy.plan.printed import SETTINGS, printed_sides

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
    chance = 4.5 * 1.2533 * sides.std(ddof=1) / SURVEYS**0.5  # the standard error of a median
    assert promised == pytest.approx(np.median(sides), abs=0.1 * np.median(sides) + chance)
