"""Floors at the prevalences given: published figures, channels drawn at random, and what the advisor proposes."""

import csv
import math
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest

from benchmarks import least_errors as programme
from benchmarks.floors import PREVALENCES, Truths, least_square
from privacy.plan import Brief, ExpectedItem, best_designs, yes_no
from privacy.plan.floors import Floors, LeastErrors, floors, least_errors
from tests.cases import every

GAMMAS = (2.72, 5, 9, 19, 40)


def singles(given: Brief) -> float:
    """The floor of unbiased single answers."""
    least = floors(given).unbiased
    assert least is not None
    return least.singles


def brief(count: int, *shares: float, gamma: Fraction | int = 19, respondents: int = 10_000, length: int = 1) -> Brief:
    """Items of these shares of yes, in turn."""
    items = [ExpectedItem(f"q{n}", expected=(1 - p, p)) for n, p in zip(range(count), shares * count, strict=False)]
    return Brief(tuple(items), respondents, Fraction(gamma), length)


@pytest.mark.parametrize(
    ("share", "unbiased", "biased"),
    [(0.02, 0.0048, 0.0028), (0.05, 0.0054, 0.0034), (0.1, 0.0061, 0.0043), (0.3, 0.0078, 0.0068)],
)
def test_published_floors_of_four_items(share: float, unbiased: float, biased: float) -> None:
    """γ = 19 and 10 000 respondents; a share of .95 is that of .05, asked the other way round."""
    found = [floors(brief(4, own)) for own in (share, 1 - share)]

    assert {(one.unbiased and round(one.unbiased.singles, 4), round(one.biased or 0, 4)) for one in found} == {
        (unbiased, biased)
    }


@pytest.mark.parametrize("items", [1, 2, *(pytest.param(items, marks=pytest.mark.long) for items in (3, 4))])
def test_the_table_is_what_the_programme_finds(items: int) -> None:
    """Of each number of items some entries, without a bias and with one."""
    truths = Truths(items)
    for bias, share in product((0, 0.1), (0.02, 0.3)):
        found = math.sqrt(least_square(truths, 19, share, bias, truths.cuts())[0])
        given = brief(items, share, respondents=1)
        stored = floors(given).biased if bias else singles(given)
        assert stored == pytest.approx(found, abs=1e-4 + 5e-4 * found)


def test_a_coin_over_one_item_reaches_the_floor() -> None:
    """It keeps (γ − 1)/(γ + 1) of answers; its error is exact, and the table is rounded down."""
    for gamma, share in product((5, 9, 19), (0.01, 0.1, 0.5)):
        keep = (gamma - 1) / (gamma + 1)
        chance = keep * share + (1 - keep) / 2
        exact = math.sqrt(chance * (1 - chance)) / keep
        assert singles(brief(1, share, gamma=gamma, respondents=1)) == pytest.approx(exact, rel=3e-4, abs=1e-4)


@pytest.mark.parametrize("seed", every(7, range(40)))
def test_no_channel_errs_by_less(seed: int) -> None:
    """Channels of three items drawn at random, with the best unbiased estimates and with these drawn to the share."""
    random = np.random.default_rng(seed)
    shares = random.uniform(0.01, 0.5, 3) if seed % 3 == 0 else np.full(3, random.choice(PREVALENCES))
    truths = np.array(list(product((0, 1), repeat=3)))
    chance = np.where(truths, shares, 1 - shares).prod(axis=1)
    levels = random.uniform(0, 1, (12, 8)) if seed % 2 else random.integers(0, 2, (40, 8)).astype(float)
    channel = np.exp(levels * random.uniform(0.2, 3))
    channel *= 0.95 / channel.sum(axis=0).max()
    channel = np.vstack([channel, 1 - channel.sum(axis=0)])
    gamma = Fraction(float((channel.max(axis=1) / channel.min(axis=1)).max()) * (1 + 1e-9))
    seen = channel @ chance
    estimates = (channel / seen[:, np.newaxis]) @ np.linalg.inv(channel.T @ (channel / seen[:, np.newaxis])) @ truths

    found = floors(brief(3, *shares, gamma=gamma, respondents=1))

    assert found.unbiased is not None
    assert np.allclose(channel.T @ estimates, truths)
    assert (seen @ (estimates - shares) ** 2).mean() >= found.unbiased.singles**2
    if found.biased is None:
        assert len({*shares}) > 1 or gamma > max(GAMMAS)
        return
    drawn = estimates + 0.05 / (1 - shares) * (shares - estimates)
    assert np.allclose(chance @ abs(channel.T @ drawn - truths), shares / 10)
    assert (seen @ (drawn - shares) ** 2).mean() >= found.biased**2


def test_floors_rise_with_prevalence_and_fall_with_gamma() -> None:
    """Without a bias up to a half, in the table and between its entries: else an entry would prove nothing beyond."""
    shares = sorted({*PREVALENCES, 0.013, 0.033, 0.28, 0.499})
    for items, gamma in product((1, 2, 3, 4), GAMMAS):
        found = [singles(brief(items, share, gamma=Fraction(str(gamma)))) for share in shares]
        assert found == sorted(found)
    for items, share in product((1, 2, 3, 4), PREVALENCES):
        made = [floors(brief(items, share, gamma=Fraction(str(gamma)))) for gamma in GAMMAS[::-1]]
        for own in ([one.unbiased.singles if one.unbiased else 0 for one in made], [one.biased or 0 for one in made]):
            assert own == sorted(own)
            assert min(own) > 0


def test_between_entries_the_nearest_that_holds_is_taken() -> None:
    """The next rarer prevalence, the next larger γ, fewer items; and with a bias its own prevalence alone."""
    assert floors(brief(4, 0.055, gamma=11)) == Floors(floors(brief(4, 0.05)).unbiased, None)
    assert floors(brief(3, 0.05, 0.3, 0.9)) == Floors(floors(brief(3, 0.05)).unbiased, None)
    assert floors(brief(11, 0.05)) == floors(brief(10, 0.05))
    assert floors(brief(10, 0.05)).biased == floors(brief(4, 0.05)).biased
    assert floors(brief(4, 0.05, gamma=41)) == Floors()


def test_many_items_have_the_floor_of_what_one_record_tells() -> None:
    """Fifty items of .05 and a rarer one: √(p(1 − p)·m·4γ)/(γ − 1), which is more than what the table has."""
    found = floors(brief(50, *[0.3] * 49, 0.2))
    spread = 49 * math.sqrt(0.3 * 0.7) + 0.4

    assert found.unbiased is not None
    assert found.unbiased.singles == pytest.approx(spread / math.sqrt(50) * math.sqrt(76) / 18 / 100, rel=1e-5)


@pytest.mark.parametrize(
    ("count", "share", "gamma"),
    [
        (4, 0.05, 19),
        *(pytest.param(*own, marks=pytest.mark.long) for own in ((2, 0.02, 19), (10, 0.05, 9), (4, 0.3, 2))),
    ],
)
def test_no_design_of_the_advisor_errs_by_less(count: int, share: float, gamma: int) -> None:
    """Unbiased ones above the one floor, those with a bias above the other."""
    advice = best_designs(brief(count, share, gamma=gamma))
    for choice in (*advice.winners, *advice.choices):
        assert advice.floors.unbiased is not None
        least = advice.floors.biased if choice.biased else advice.floors.unbiased.singles
        assert least is not None
        assert advice.error(choice, 1) >= least * (1 - 1e-6)


def test_the_advisor_says_them_beside_its_design() -> None:
    """Those of single answers and of pairs, and how many people are needed for what the design gives."""
    advice = best_designs(brief(4, 0.05, length=2))
    errors, least = advice.recommended.errors.expected, advice.floors.unbiased

    assert least == LeastErrors(10_000, None, 0.005367, 0.004239, 0.007362)
    assert advice.to_json()["floors"] == {"unbiased": 0.005367, "pairs": 0.004239, "most": None, "biased": 0.003355}
    assert (
        f"For single answers it errs by {errors[0]:.4g} and for pairs by {errors[1]:.4g}. At these prevalences no "
        "unbiased method that promises this can do better than 0.005367 and 0.004239.\n"
    ) in str(advice)
    assert f"{least.sentence(*errors)}\n" in str(advice)


def test_beside_a_design_with_a_bias_its_own_floors_are_shown() -> None:
    """With a bias of a tenth, and unbiased for those whom the list does not bias."""
    advice = best_designs(brief(10, 0.05, length=1))
    biased, least = advice.recommended.biased, advice.floors.unbiased

    assert biased is not None
    assert least is not None
    assert (biased.most, least.most) == (3, 3)
    assert "with a bias of up to a tenth of the share that promises this can do better than 0.003355" in str(advice)
    assert "no unbiased method" not in str(advice)
    assert f"{least.sentence(advice.recommended.errors.expected[0])}" in str(advice)


def test_the_fewest_people_have_the_error_that_is_asked_for() -> None:
    """So many people have these errors at least, and one less has more."""
    few = least_errors(10, 0.05, 19, 2, 10_000, most=3)
    assert few is not None
    assert (few.most, few.singles, few.pairs) == (3, 0.006166, 0.005227)

    for errors in ((0.01, 1.0), (1.0, 0.01), (0.007, 0.008)):
        people = few.fewest(*errors)
        just, fewer = (least_errors(10, 0.05, 19, 2, count, most=3) for count in (people, people - 2))
        assert just
        assert fewer
        within = [
            [
                one.singles <= errors[0] * 1.001,
                (one.pairs or 1) <= errors[1] * 1.001,
                (one.both or 1) <= math.hypot(*errors) * 1.001,
            ]
            for one in (just, fewer)
        ]
        assert all(within[0])
        assert just.fewest(*errors) <= people + 1


@pytest.mark.parametrize(
    "changed",
    [
        {"questions": yes_no(3)},
        {"questions": yes_no(3, 0.0)},
        {"direct_share": 0.1},
        {"questions": tuple(ExpectedItem(one, ("0", "1", "secret"), (0.9, 0.05, 0.05)) for one in "abc")},
        {
            "promise": "one_sided",
            "questions": tuple(
                ExpectedItem(one.id, one.options, one.expected, (("harmless", "0"),)) for one in yes_no(3, 0.1)
            ),
        },
    ],
    ids=["no prevalence", "nobody", "direct answers", "options", "a weaker promise"],
)
def test_where_no_floor_is_known_there_is_none(changed: dict[str, Any]) -> None:
    """Where no prevalence is guessed, and where others than yes/no items under the whole γ are asked."""
    given: dict[str, Any] = {
        "questions": yes_no(3, 0.1),
        "respondents": 1000,
        "gamma": Fraction(19),
        "length": 1,
    } | changed

    assert floors(Brief(**given)) == Floors(None, None)


def test_an_advice_without_floors_says_nothing_of_them() -> None:
    """Neither in the text nor as JSON."""
    advice = best_designs(Brief(yes_no(2), 1000, Fraction(19), 1))

    assert "floors" not in advice.to_json()
    assert "At these prevalences" not in str(advice)


@pytest.mark.parametrize(
    ("count", "most", "errors"),
    [
        (6, 2, (0.4962, 0.3192, 0.7105)),
        pytest.param(10, 3, (0.6167, 0.5621, 1.0658), marks=pytest.mark.long),  # published by thresholds: .616 and .575
    ],
)
def test_symmetric_records_reach_what_was_worked_out_elsewhere(
    count: int, most: int, errors: tuple[float, float, float]
) -> None:
    """All of them, by other code: of single answers, of pairs and of both. Others have no higher floor."""
    pytest.importorskip("clarabel")
    for length, error in zip(programme.LENGTHS, errors, strict=True):
        found = math.sqrt(programme.least_square(count, 0.05, 19, most, length, symmetric=True))
        assert found == pytest.approx(error, abs=1e-4)
        assert math.sqrt(programme.least_square(count, 0.05, 19, most, length)) <= found


@pytest.mark.parametrize(
    ("count", "gamma", "share", "most"),
    every(3, [(4, 19, 0.05, 4), (10, 19, 0.1, 4), (15, 19, 0.05, 3), (10, 9, 0.05, 3)]),
)
def test_the_table_is_what_a_fresh_solution_finds(count: int, gamma: float, share: float, most: int) -> None:
    """Where the solver is there; within what is left of a search."""
    pytest.importorskip("clarabel")
    with programme.FILE.open(newline="") as file:
        stored = {tuple(row[:4]): [*map(float, row[4:])] for row in [*csv.reader(file)][1:]}

    made = programme.row(count, gamma, share, most)

    assert [*map(float, made[4:])] == pytest.approx(stored[tuple(made[:4])], rel=2e-3)
