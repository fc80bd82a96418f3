"""Gaussian counts are no wider than δ asks: the exact chance of exceeding ε, and the noise that follows from it."""

from fractions import Fraction
from itertools import product
from math import exp, sqrt

import numpy as np
import pandas as pd
import pytest

import candor
from privacy.release.noise import Gaussian, Laplace, excess, gaussian, noise_of

MILLIONTH = Fraction(1, 10**6)


def weights(variance: float) -> dict[int, float]:
    """The definition of the noise, summed up here."""
    raw = {z: exp(-z * z / (2 * variance)) for z in range(-90, 91)}
    total = sum(raw.values())
    return {z: weight / total for z, weight in raw.items() if weight > 1e-60}


def by_definition(variance: float, epsilon: float, changed: int) -> float:
    """Σ max(P − e^ε Q, 0) over all results of all changed cells, one by one; no privacy loss is added up."""
    law, delta = weights(variance), 0.0
    for result in product(law, repeat=changed):
        true, other = 1.0, 1.0
        for z in result:
            true, other = true * law[z], other * law.get(z - 1, 0.0)
        delta += max(true - exp(epsilon) * other, 0.0)
    return delta


@pytest.mark.parametrize(
    ("variance", "epsilon", "changed"),
    [(0.3, 2.0, 1), (0.8, 1.0, 1), (4.0, 0.5, 1), (0.2, 3.0, 2), (1.0, 1.0, 2), (9.0, 0.7, 2), (0.5, 2.0, 3)],
)
def test_the_excess_is_that_of_all_results_one_by_one(variance: float, epsilon: float, changed: int) -> None:
    """Never less than by the definition, and at most a hundredth more, whether laws are convolved or not."""
    exact = by_definition(variance, epsilon, changed)

    assert exact <= excess(variance, epsilon, changed) <= 1.01 * exact


@pytest.mark.parametrize("changed", [2, 3, 7, 24])
@pytest.mark.parametrize("variance", [1.2, 1.9, 2.4, 5.0])
def test_sums_of_noise_are_as_if_convolved(variance: float, changed: int) -> None:
    """By a convolution of the law with itself, on both sides of where one law takes the place of the sum."""
    law = weights(variance)
    single = np.array([law.get(z, 0.0) for z in range(-90, 91)])
    made = np.ones(1)
    for _ in range(changed):
        made = np.convolve(made, single)
    for epsilon in (0.5, 2.0, 4.0):
        lost = (changed + 2 * (np.arange(len(made)) - len(made) // 2)) / (2 * variance)
        exact = float(np.sum(made * np.maximum(1 - np.exp(np.minimum(epsilon - lost, 0)), 0)))

        assert (1 - 1e-9) * exact <= excess(variance, epsilon, changed) <= 1.01 * exact + 1e-25


def test_the_excess_of_wide_noise_is_that_of_a_continuous_one() -> None:
    """Φ(μ/2 − ε/μ) − e^ε Φ(−μ/2 − ε/μ) with μ = √m/σ (Balle and Wang 2018), by the formula and in blocks of values."""
    from scipy.special import ndtr

    for spread, epsilon, changed in ((1e3, 0.01, 4), (1e5, 1e-4, 2), (1e7, 1e-6, 9)):
        mu = sqrt(changed) / spread
        exact = ndtr(mu / 2 - epsilon / mu) - exp(epsilon) * ndtr(-mu / 2 - epsilon / mu)

        assert excess(spread**2, epsilon, changed) == pytest.approx(exact, rel=0.01)


@pytest.mark.parametrize(
    ("epsilon", "delta", "changed", "published", "before"),
    [(Fraction(1), MILLIONTH, 2, 5.98, 7.57), (Fraction(1, 2), 10 * MILLIONTH, 4, 14.1, 19.4)],
)
def test_noise_is_as_narrow_as_delta_allows(
    epsilon: Fraction, delta: Fraction, changed: int, published: float, before: float
) -> None:
    """To a hundredth of what others computed; what concentrated privacy asks for is a quarter or more wider."""
    noise = gaussian(epsilon, delta, changed)

    assert sqrt(noise.variance) == pytest.approx(published, rel=0.01)
    assert sqrt(noise.variance) < before / 1.25
    assert excess(float(noise.variance), float(epsilon), changed) <= delta


def test_more_protection_takes_more_noise() -> None:
    """For a smaller ε, a smaller δ, or more cells; and what is taken always keeps its δ."""

    def spread(epsilon: float, delta: float, changed: int) -> float:
        noise = gaussian(Fraction(epsilon), Fraction(delta), changed)
        assert excess(float(noise.variance), epsilon, changed) <= delta
        return float(noise.variance)

    assert spread(0.1, 1e-6, 4) > spread(0.5, 1e-6, 4) > spread(2, 1e-6, 4) > spread(20, 1e-6, 4)
    assert spread(1, 1e-12, 4) > spread(1, 1e-6, 4) > spread(1, 1e-3, 4)
    assert spread(1, 1e-6, 400) > spread(1, 1e-6, 40) > spread(1, 1e-6, 4) > spread(1, 1e-6, 1)


def test_the_nearer_noise_is_taken_unless_told() -> None:
    """One table: Laplace's, and ε always holds. Forty tables: Gaussian, as 95 % of noise is nearer."""
    few, many = [3], [2] * 40

    assert noise_of(few, Fraction(1), MILLIONTH) == Laplace(Fraction(2))
    assert isinstance(noise_of(many, Fraction(1), MILLIONTH), Gaussian)
    assert isinstance(noise_of(few, Fraction(1), MILLIONTH, "gaussian"), Gaussian)
    assert noise_of(many, Fraction(1), MILLIONTH, "laplace") == noise_of(many, Fraction(1)) == Laplace(Fraction(40))


def test_a_release_says_which_noise_would_be_nearer() -> None:
    """With the distance of the other one; what Laplace noise was taken for needs no δ."""
    frame = pd.DataFrame({f"q{place}": ["yes", "no"] * 10 for place in range(40)})
    values = {name: ["yes", "no"] for name in frame}

    wide, near = (candor.counts(frame, values, epsilon=1, delta=delta) for delta in (None, "1e-6"))
    single = candor.counts(frame, {"q0": ["yes", "no"]}, epsilon=1, delta="1e-5")

    assert (wide.delta, near.delta, single.delta) == (None, MILLIONTH, None)
    assert (wide.noise, wide.noise.within(0.95), near.noise.within(0.95)) == (Laplace(Fraction(40)), 120, 53)
    assert (
        "within 120 of the true ones; with the other noise (Gaussian, δ = 1e-06) within 53: that would be nearer"
        in str(wide)
    )
    assert "within 53 of the true ones; with the other noise (Laplace) within 120: this is nearer" in str(near)
    assert "within 3 of the true ones; with the other noise (Gaussian, δ = 1e-05) within 8: this is nearer" in str(
        single
    )


@pytest.mark.parametrize(
    ("asked", "why"),
    [
        ({"noise": "normal"}, "noise: 'normal' is not one of laplace, gaussian."),
        ({"noise": "gaussian"}, "noise: Gaussian noise needs a delta."),
    ],
)
def test_noise_that_there_is_not_is_refused(asked: dict[str, str], why: str) -> None:
    with pytest.raises(candor.InputError) as refused:
        candor.counts(pd.DataFrame({"sex": ["f", "m"]}), {"sex": ["f", "m"]}, epsilon=1, **asked)

    assert str(refused.value) == why
