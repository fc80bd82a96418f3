"""When a plain question errs less than an own draw, and how many people a comparison of both needs."""

from fractions import Fraction

import pytest

from benchmarks.validation_people import PLAIN, people_for_false_positives, people_per_arm, variance_of_one
from privacy.plan.own_draw import hiding_that_pays

# By γ and share: with 300, 1 000 and 5 000 people.
HIDING = {
    (3, "1/20"): (None, 0.5570796819551397, 0.24678044844016928),
    (3, "1/5"): (0.2554846796481768, 0.13850888551976445, 0.061544163287671386),
    (5, "1/20"): (0.6773763426570136, 0.3628540137334639, 0.15994030536285145),
    (5, "1/5"): (0.16673848979116293, 0.08994682261618414, 0.03983362294937632),
}
# People in each arm for differences of .05 and .1: own against device, own against plain.
ARMS = {
    (3, "1/20"): (7139, 1785, 4784, 1196),
    (3, "1/5"): (7315, 1829, 4960, 1240),
    (5, "1/20"): (3148, 787, 2167, 542),
    (5, "1/5"): (3634, 909, 2653, 663),
}


def symmetric(gamma: int) -> tuple[float, float]:
    return gamma / (gamma + 1), 1 / (gamma + 1)


@pytest.mark.parametrize("cell", HIDING)
def test_a_plain_question_is_better_until_this_share_hides(cell: tuple[int, str]) -> None:
    """The published table; None where an own draw never errs less."""
    chances, share = symmetric(cell[0]), float(Fraction(cell[1]))

    found = [hiding_that_pays(chances, share, n) for n in (300, 1000, 5000)]

    assert found == pytest.approx(HIDING[cell], abs=1e-9)


@pytest.mark.parametrize("cell", ARMS)
def test_arms_need_so_many_people(cell: tuple[int, str]) -> None:
    """Whole people are rounded up where the table rounds."""
    chances, share = symmetric(cell[0]), float(Fraction(cell[1]))
    own, device, plain = (
        variance_of_one(one, share, corrected=here) for one, here in ((chances, True), (chances, False), (PLAIN, False))
    )

    found = [people_per_arm(apart, own, other) for other in (device, plain) for apart in (0.05, 0.1)]

    assert found == pytest.approx(ARMS[cell], abs=1)


def test_a_never_true_question_finds_false_positives() -> None:
    """2 399 (609) people at γ 3 and 1 025 (266) at γ 5 for .05 (.1)."""
    found = [people_for_false_positives(symmetric(gamma), share) for gamma in (3, 5) for share in (0.05, 0.1)]

    assert found == pytest.approx([2399, 609, 1025, 266], abs=1)
