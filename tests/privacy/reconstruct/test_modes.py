"""Two modes, and what was entered wrongly of one: against enumeration, and simulated."""

import math

import numpy as np
import pytest

from privacy.design import Design
from privacy.own_draw.typed import EntryErrors
from privacy.reconstruct.group_difference import comparable
from privacy.reconstruct.modes import compare_each, compare_modes, interval_of_error
from privacy.records.records import Records

DIE = [{"of": ["6"], "says": "fact"}, {"of": ["1", "2", "3", "4", "5"], "says": "not"}]
DESIGN = Design.parse(
    {
        "blocks": [
            {
                "by": "person",
                "draw": {"way": "crosswise", "source": "die", "outcomes": DIE},
                "items": [{"id": "copied"}],
            }
        ]
    }
)
U, V = 5 / 6, 1 / 6


def test_the_error_of_entry_is_the_root_of_how_often_two_entries_differ() -> None:
    """Two independent entries with the error e differ with the chance 2e(1 − e)."""
    for error in (0.0, 0.01, 0.04, 0.2):
        differing = 2 * error * (1 - error)
        assert EntryErrors(10**6, round(differing * 10**6)).error == pytest.approx(error, abs=1e-6)


def test_nothing_wrong_among_few_has_an_upper_end() -> None:
    """Wilson's end of 0 of 100 is z²/(100 + z²), and half of it, nearly, is the error."""
    end = 1.959964**2 / (100 + 1.959964**2)

    assert interval_of_error(EntryErrors(100, 0)) == (0.0, pytest.approx((1 - math.sqrt(1 - 2 * end)) / 2, abs=1e-6))


def test_paper_is_corrected_and_modes_are_strata() -> None:
    """By hand, for counts of ones that are given: 300 of 1 000 by web, 200 of 500 on paper, 10 of 500 differ."""
    codes = np.array([[1]] * 300 + [[0]] * 700 + [[1]] * 200 + [[0]] * 300, np.uint8)
    in_second = np.arange(1500) >= 1000
    (found,) = compare_modes(Records(DESIGN, codes, np.zeros(1500, bool)), in_second, EntryErrors(500, 10), least=100)

    error = (1 - math.sqrt(1 - 2 * 10 / 500)) / 2
    web, paper = (0.3 - V) / (U - V), ((0.4 - error) / (1 - 2 * error) - V) / (U - V)
    assert found.first == pytest.approx(paper)
    assert found.second == pytest.approx(web)
    assert found.share == pytest.approx(web * 2 / 3 + paper / 3)
    assert found.difference == pytest.approx(paper - web) == pytest.approx(sum(found.ci) / 2)


def test_a_difference_reaches_over_the_wrong_chances_of_both_modes() -> None:
    """A die is off by .005, so shares of .2 and .35 by .005(1 − 2π)/(2/3): .0045 and .00225; p is that of the rest."""
    codes = np.array([[1]] * 300 + [[0]] * 700 + [[1]] * 200 + [[0]] * 300, np.uint8)
    (found,) = compare_modes(Records(DESIGN, codes, np.zeros(1500, bool)), np.arange(1500) >= 1000, None, least=100)

    assert (found.ci[1] - found.ci[0]) / 2 == pytest.approx(1.959964 * found.se + 0.00675)
    assert found.p == pytest.approx(math.erfc((0.15 - 0.00675) / found.se / math.sqrt(2)))


def test_too_few_of_a_mode_are_not_compared() -> None:
    """Nothing is said of them."""
    records = Records(DESIGN, np.zeros((150, 1), np.uint8), np.zeros(150, bool))

    assert compare_modes(records, np.arange(150) < 60, None, least=100) == ()


@pytest.mark.parametrize("surveys", [150, pytest.param(4000, marks=pytest.mark.long)])
def test_intervals_hold_the_difference_although_answers_are_entered_wrongly(surveys: int) -> None:
    """Seed 5; 600 by web of whom .1 did it, 400 on paper of whom .2 did, and 3 in 100 answers are entered wrongly.

    A twentieth of 95 % intervals may miss; 4.5 standard errors of the simulation are allowed.
    """
    chance, held, squares, variances = np.random.default_rng(5), 0, [], []
    for _ in range(surveys):
        truth = np.concatenate([chance.random(600) < 0.1, chance.random(400) < 0.2])
        pressed = np.where(chance.random(1000) < U, truth, ~truth)
        on_paper = np.arange(1000) >= 600
        entered = pressed ^ (on_paper & (chance.random(1000) < 0.03))
        differing = int((chance.random(300) < 2 * 0.03 * 0.97).sum())
        records = Records(DESIGN, entered[:, None].astype(np.uint8), np.zeros(1000, bool))
        (found,) = compare_modes(records, on_paper, EntryErrors(300, differing), least=100)
        held += found.ci[0] <= 0.1 <= found.ci[1]
        squares.append((found.share - 0.14) ** 2)
        variances.append(found.share_se**2)

    assert held / surveys >= 0.95 - 4.5 * math.sqrt(0.95 * 0.05 / surveys)
    assert np.mean(squares) <= np.mean(variances) * (1 + 4.5 * math.sqrt(2 / surveys))


def test_pooling_is_by_inverse_variance_where_it_is_asked_for() -> None:
    """Between both shares, nearer to the mode that knows more."""
    codes = np.array([[1]] * 300 + [[0]] * 700 + [[1]] * 200 + [[0]] * 300, np.uint8)
    records, in_second = Records(DESIGN, codes, np.zeros(1500, bool)), np.arange(1500) >= 1000
    (strata,) = compare_modes(records, in_second, None, least=100)
    (pooled,) = compare_modes(records, in_second, None, least=100, pooled=True)
    worth = 1000 / (0.3 * 0.7), 500 / (0.4 * 0.6)

    assert pooled.share == pytest.approx((0.2 * worth[0] + 0.35 * worth[1]) / sum(worth), abs=1e-4)
    assert (strata.share, pooled.share_se < strata.share_se) == (pytest.approx(0.25), True)


def test_modes_are_joined_as_strata_and_pooled_only_if_alike() -> None:
    """Errors of 20 000 simulated surveys whose modes differ: those of strata are right, pooling misses the share."""
    random = np.random.default_rng(84)
    surveys, people, true = 20_000, 1000, np.array([[0.1], [0.3]])
    web = random.binomial(people, 0.6, surveys)
    sizes = np.stack([web, people - web]).astype(float)
    shares = random.binomial(sizes.astype(int), true) / sizes
    modes = list(zip(shares, shares * (1 - shares) / sizes, strict=True))
    patterns = comparable(DESIGN) * surveys

    strata, pooled = (compare_each(DESIGN, patterns, modes[0], modes[1], by) for by in ((sizes[0], sizes[1]), None))

    found, se = np.array([[one.share, one.share_se] for one in strata]).T
    assert abs(found.mean() - 0.18) < 4.5 * found.std() / surveys**0.5
    assert np.sqrt((se**2).mean()) == pytest.approx(found.std(), rel=4.5 / (2 * surveys) ** 0.5)
    assert np.mean([one.share for one in pooled]) < 0.15
