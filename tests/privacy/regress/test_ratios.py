"""How many times as likely an outcome is where a literal holds."""

import numpy as np
import pytest
from scipy.special import expit

from privacy.regress import Regression, regression_of
from tests.privacy.regress.people import disguised

N = 4000
ITEMS = [{"id": "drugs", "theta": 0.5}, {"id": "cheating", "theta": 0.5}]


def society(keep: float, n: int = N, seed: int = 1) -> Regression:
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
    town, age = random.choice(["north", "south", "west"], N), random.normal(size=N)
    cheating = random.random(N) < expit(-0.5 + 0.8 * (town == "north"))
    beta = np.array([one.estimate for one in regression.coefficients])

    def chances(west: float) -> tuple[float, np.ndarray]:
        x = np.column_stack([np.ones(N), cheating, np.zeros(N), np.full(N, west), age])
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
        for one in society(0.6, N, seed + 200).ratios:
            missed += not one.ci[0] <= everybody[one.name] <= one.ci[1]
    assert missed <= 3 + 4.5 * np.sqrt(60 * 0.05 * 0.95)


def test_what_stands_in_a_product_has_no_ratio_of_its_own() -> None:
    """How likely the outcome is then depends on the other part of the product; a number has none either."""
    random = np.random.default_rng(3)
    drugs, cheating = (random.random((2, N)) < 0.4).astype(bool)
    sex = random.integers(0, 2, N).astype(float)
    people = disguised({"keep": 0.7, "items": ITEMS}, {"drugs": drugs, "cheating": cheating},
                       {"sex": sex, "age": random.normal(size=N), "rich": 1 - random.integers(0, 2, N)}, 3)  # fmt: skip

    regression = regression_of(people, "drugs", ["cheating", "sex=1", "cheating:sex=1", "age", "rich=1"])

    assert [one.name for one in regression.ratios] == ["rich=1"]
