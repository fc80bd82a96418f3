"""Undisguised outcomes of a disguised predictor: what each family recovers, and what it takes for granted."""

from contextlib import suppress
from itertools import product
from typing import Any

import numpy as np
import pytest
from scipy.special import expit

from benchmarks.coverage_regress import OUTCOMES, with_outcome
from privacy.errors import InputError
from privacy.estimate.intervals import standard_errors
from privacy.regress import Regression, Respondents, regression_of
from tests.privacy.regress.people import disguised
from tests.refusals import refusal_of

COIN = {"keep": 0.6, "items": [{"id": "drugs", "theta": 0.5}, {"id": "other", "theta": 0.5}]}
N = 20_000


def people_of(name: str, n: int, seed: int, block: Any = COIN, **more: np.ndarray) -> tuple[Respondents, np.ndarray]:
    """Respondents with an outcome `y` that drugs and z move, and its true coefficients."""
    random = np.random.default_rng(seed)
    _, truth, draw = OUTCOMES[name]
    z = random.integers(-1, 2, n).astype(float)
    drugs = random.random(n) < expit(-0.2 + 0.5 * z)
    y = draw(np.array(truth) @ [np.ones(n), drugs, z], drugs, random)
    columns = {"y": y, "z": z, "drank": drugs.astype(float), **more}
    return disguised(block, {"drugs": drugs, "other": random.random(n) < 0.3}, columns, seed), np.array(truth)


@pytest.mark.parametrize("name", OUTCOMES)
def test_the_effect_of_a_disguised_answer_is_recovered_whatever_the_outcome_is(name: str) -> None:
    """By least squares on a scale, counts, unequal spread, exponential, normal and 0 or 1; and by the likelihood of
    ordered values: within 4.5 standard errors."""
    people, truth = people_of(name, N, 3)

    fit = regression_of(people, "y", ["drugs", "z"], OUTCOMES[name][0])

    far = [abs(one.estimate - true) / one.se for one, true in zip(fit.coefficients, truth, strict=True)]
    assert max(far) < 4.5


def test_a_normal_regression_says_what_it_takes_for_granted() -> None:
    """Of a scale it tells another slope, which is why; of undisguised predictors it does not matter."""
    people, truth = people_of("scale", N, 3)

    normal = regression_of(people, "y", ["drugs", "z"], "normal")

    assert abs(normal.coefficients[1].estimate - truth[1]) / normal.coefficients[1].se > 4.5
    assert normal.notes == (
        "This takes the outcome for normal, with one spread for everybody, given the predictors. Where that is wrong, "
        "the coefficient of a disguised predictor may be far off, and its error does not show it. The family linear "
        "does not assume it.",
    )
    assert regression_of(people, "y", ["drank", "z"], "normal").notes == ()


CASES = [(name, effect) for name, effect in product(OUTCOMES, (True, False))]


@pytest.mark.long
@pytest.mark.parametrize(("name", "effect"), CASES)
def test_intervals_of_three_hundred_people_hold_the_truth(name: str, effect: bool) -> None:
    """In 400 surveys: 95 % to 4.5 standard errors of that count, and a bias of at most a third of an error to 4.5."""
    held, bias, refused = with_outcome(name, effect, 300, 400)

    assert refused == 0
    assert held.min() > 0.95 - 4.5 * np.sqrt(0.95 * 0.05 / 400)
    assert np.abs(bias).max() < 1 / 3 + 4.5 / np.sqrt(400)


def rare_predictor(n: int, share: float, seed: int) -> Respondents:
    """People of whom a rare disguised answer (Warner, .85) moves a normal outcome by 1.5."""
    random = np.random.default_rng(seed)
    drugs = random.random(n) < share
    y = 1.0 + 1.5 * drugs + random.normal(size=n)
    return disguised({"keep": 0.7, "items": [{"id": "drugs", "theta": 0.5}]}, {"drugs": drugs}, {"y": y}, seed)


def test_an_interval_ends_where_a_test_of_the_slope_rejects() -> None:
    """Covariance less slope times spread, both unbiased, is Student's t from 0 at both ends; p and interval agree."""
    people = rare_predictor(2_000, 0.08, 3)
    weights, y = (people.codes["drugs"] - 0.15) / 0.7, people.columns["y"]

    def statistic(slope: float) -> float:
        residual = y - y.mean() - slope * (1 - weights.mean())
        parts = weights * residual - weights.mean() * (y - slope * weights)  # of cov(w, y) − slope·w̄(1 − w̄)
        return float(np.mean(weights * residual) / (parts.std() / np.sqrt(1_999)))

    slope = regression_of(people, "y", ["drugs"], "linear").coefficients[1]
    reach = standard_errors(0.95, 1_998.0)

    assert [statistic(end) for end in slope.ci] == pytest.approx([reach, -reach], rel=1e-6)
    assert statistic(slope.estimate) == pytest.approx(0, abs=1e-6)
    at_p = regression_of(people, "y", ["drugs"], "linear", level=1 - slope.p).coefficients[1]
    assert min(map(abs, at_p.ci)) == pytest.approx(0, abs=1e-6)


def test_nothing_is_said_of_a_slope_where_the_records_fit_any() -> None:
    """No figure, error or p, and an interval without ends; the intercept has its own, and a sentence says why."""
    found = regression_of(rare_predictor(400, 0.03, 1), "y", ["drugs"], "linear")
    intercept, slope = found.coefficients

    assert np.isnan([slope.estimate, slope.se, slope.p]).all()
    assert slope.ci == (-np.inf, np.inf)
    assert np.isfinite([*intercept.ci, intercept.p]).all()
    assert "Nothing can be said about drugs: " in str(found)


@pytest.mark.long
def test_intervals_of_a_rare_predictor_hold_the_truth() -> None:
    """In 1 000 surveys of 400 people, 5 % of whom are carriers: those with ends hold it in 95 %, to 4.5 errors."""
    slopes = []
    for seed in range(1_000):
        with suppress(InputError):  # the recovered spread is not positive
            slopes.append(regression_of(rare_predictor(400, 0.05, seed), "y", ["drugs"], "linear").coefficients[1])
    ends = np.array([slope.ci for slope in slopes if np.isfinite(slope.ci[0])])

    held = (ends[:, 0] <= 1.5) & (ends[:, 1] >= 1.5)
    assert len(ends) > 300
    assert held.mean() > 0.95 - 4.5 * np.sqrt(0.95 * 0.05 / len(ends))


def test_a_disguised_item_with_ordered_options_is_an_ordinal_outcome() -> None:
    """Its options in their order: within 4.5 standard errors of what undisguised answers say."""
    random = np.random.default_rng(8)
    options = ["never", "once", "often", "daily"]
    block = {"keep": 0.7, "items": [{"id": "drinks", "options": options, "noise": [0.25] * 4}]}
    z = random.normal(size=5_000)
    chosen = (0.3 + 0.8 * z + random.logistic(size=5_000) > np.arange(3.0)[:, np.newaxis]).sum(axis=0)
    people = disguised(block, {"drinks": chosen}, {"z": z, "given": chosen.astype(float)}, 8)

    fit = regression_of(people, "drinks", ["z"], "ordinal")
    beyond = fit.parameters

    assert [one.name for one in beyond] == ["more than once", "more than often"]
    for one, true in zip((*fit.coefficients, *beyond), (0.3, 0.8, -0.7, -1.7), strict=True):
        assert abs(one.estimate - true) < 4.5 * one.se
    plain = disguised(block | {"keep": 1}, {"drinks": chosen}, {"z": z, "given": chosen.astype(float)}, 8)
    hidden, given = (regression_of(plain, outcome, ["z"], "ordinal") for outcome in ("drinks", "given"))
    assert [one.estimate for one in hidden.coefficients] == pytest.approx([one.estimate for one in given.coefficients])


def test_two_ordered_values_are_a_logistic_regression() -> None:
    """The same coefficients, errors and likelihood."""
    people, _ = people_of("zero or one", 2_000, 4)

    ordinal, logistic = (regression_of(people, "y", ["drugs", "z"], family) for family in ("ordinal", "logistic"))

    assert (ordinal.coefficients, ordinal.loglik) == (logistic.coefficients, logistic.loglik)


REFUSED = {
    ("normal", "other"): "outcome: 'other' is disguised, and a normal regression explains an undisguised number; take "
    "linear or logistic.",
    ("ordinal", "id"): "outcome: 'id' holds 300 different values; an ordinal regression takes at most 20. Join some of "
    "them, or take linear.",
}


@pytest.mark.parametrize(("family", "outcome"), REFUSED)
def test_an_outcome_that_a_family_cannot_explain_is_refused_with_the_reason(family: str, outcome: str) -> None:
    people, _ = people_of("scale", 300, 5, id=np.arange(300.0))

    assert refusal_of(lambda: regression_of(people, outcome, ["drugs"], family)) == REFUSED[family, outcome]


# How many times as likely an outcome is where a literal holds.


PEOPLE = 4000
ITEMS = [{"id": "drugs", "theta": 0.5}, {"id": "cheating", "theta": 0.5}]


def society(keep: float, n: int = PEOPLE, seed: int = 1) -> Regression:
    random = np.random.default_rng(seed)
    town = random.choice(["north", "south", "west"], n).astype(object)
    age = random.normal(size=n)
    cheating = random.random(n) < expit(-0.5 + 0.8 * (town == "north"))
    drugs = random.random(n) < expit(-1 + 0.7 * cheating + 0.5 * (town == "south") + 0.3 * age)
    people = disguised({"keep": keep, "items": ITEMS}, {"drugs": drugs, "cheating": cheating},
                       {"town": town, "age": age}, seed + 10_000)  # fmt: skip
    return regression_of(people, "drugs", ["cheating", "town=south", "town=west", "age"])


def test_the_ratio_is_that_of_the_mean_chances_of_everybody() -> None:
    """Where nothing is disguised: Σ p if it held of all over Σ p if of none, other towns set aside; delta method."""
    regression = society(1.0)
    random = np.random.default_rng(1)
    town, age = random.choice(["north", "south", "west"], PEOPLE), random.normal(size=PEOPLE)
    cheating = random.random(PEOPLE) < expit(-0.5 + 0.8 * (town == "north"))
    beta = np.array([one.estimate for one in regression.coefficients])

    def chances(west: float) -> tuple[float, np.ndarray]:
        x = np.column_stack([np.ones(PEOPLE), cheating, np.zeros(PEOPLE), np.full(PEOPLE, west), age])
        yes = expit(x @ beta)
        return float(yes.sum()), (yes * (1 - yes)) @ x

    (on, by_on), (off, by_off) = chances(1.0), chances(0.0)
    slope = by_on / on - by_off / off
    half = 1.959964 * np.sqrt(slope @ np.array(regression.covariance) @ slope)

    west = {one.name: one for one in regression.ratios}["town=west"]
    assert [one.name for one in regression.ratios] == ["cheating", "town=south", "town=west"]
    assert west.estimate == pytest.approx(on / off, rel=1e-4)
    assert west.ci == pytest.approx((on / off * np.exp(-half), on / off * np.exp(half)), rel=1e-3)


@pytest.mark.long
def test_through_a_disguise_intervals_of_ratios_hold_those_of_the_truth() -> None:
    """Cheating and a town, both through the coin: in 20 surveys 95 % intervals miss what nobody disguised few
    times."""
    everybody = {one.name: one.estimate for one in society(1.0, 200_000, 99).ratios}
    missed = 0
    for seed in range(20):
        for one in society(0.6, PEOPLE, seed + 200).ratios:
            missed += not one.ci[0] <= everybody[one.name] <= one.ci[1]
    assert missed <= 3 + 4.5 * np.sqrt(60 * 0.05 * 0.95)


def test_what_stands_in_a_product_has_no_ratio_of_its_own() -> None:
    """How likely the outcome is then depends on the other part of the product; a number has none either."""
    random = np.random.default_rng(3)
    drugs, cheating = (random.random((2, PEOPLE)) < 0.4).astype(bool)
    sex = random.integers(0, 2, PEOPLE).astype(float)
    people = disguised({"keep": 0.7, "items": ITEMS}, {"drugs": drugs, "cheating": cheating},
                       {"sex": sex, "age": random.normal(size=PEOPLE),
                        "rich": 1 - random.integers(0, 2, PEOPLE)}, 3)  # fmt: skip

    regression = regression_of(people, "drugs", ["cheating", "sex=1", "cheating:sex=1", "age", "rich=1"])

    assert [one.name for one in regression.ratios] == ["rich=1"]
