"""What own draws cost, errors of entry and several modes: against closed forms worked out elsewhere, and simulation."""

from fractions import Fraction

import numpy as np
import pytest

from benchmarks.validation_people import PLAIN, people_for_false_positives, people_per_arm, variance_of_one
from privacy.compliance.following import plain_is_as_good, try_following
from privacy.compliance.power import hiding_that_pays
from privacy.estimate.linearised import LinearisedFigure
from privacy.estimate.sampling import Sampling
from tests.cases import first

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


@pytest.mark.parametrize(("surveys", "least"), first(1, [(800, 0.55), (4000, 0.62)]))
def test_a_test_of_following_is_as_rare_as_it_says_where_all_follow(surveys: int, least: float) -> None:
    """Of 4 000 surveys of 1 000 people p is below .05 in .05; where a tenth press at random in .62 to .95."""
    random = np.random.default_rng(5)
    rare = []
    for careless in (0.0, 0.1):
        chances = [(1 - careless) * one + careless / 2 for one in (0.25, 0.75)]
        seen = random.binomial(1000, chances, (surveys, 2))
        found = 0
        for counts in seen:
            anchors = []
            for count, chance in zip(counts.tolist(), (0.25, 0.75), strict=True):
                records = np.repeat([1.0, 0.0], [count, 1000 - count])
                share = count / 1000
                anchors.append((LinearisedFigure("", 1000, share, (records - share) / 1000), (chance, chance)))
            p = try_following(anchors, None, 0.0, Sampling.simple(1000), 0.95).p
            assert p is not None
            found += p < 0.05
        rare.append(found / surveys)

    assert abs(rare[0] - 0.05) < 4.5 * (0.05 * 0.95 / surveys) ** 0.5
    assert least < rare[1] < 0.95


def test_a_plain_question_is_judged_by_twice_the_variance() -> None:
    """At the edge it is as good, beyond it is not."""
    assert plain_is_as_good(0.25, 0.125, 0.25 - 0.125 * 2**0.5 + 1e-9)
    assert not plain_is_as_good(0.25, 0.125, 0.25 - 0.125 * 2**0.5 - 1e-9)
