"""The nearest figures that answers can have, by normal errors of what was estimated."""

from dataclasses import dataclass

import numpy as np
import pytest
from scipy.optimize import minimize

from privacy.estimate.feasible import nearest_supports, nearest_within


@dataclass(frozen=True)
class Estimates:
    """Of all sub-patterns, as `nearest_supports` takes them."""

    support: np.ndarray
    covariance: np.ndarray


def test_what_answers_can_have_is_left_as_it_is() -> None:
    """Where the estimates of a pattern's parts are those of some people, they stay."""
    estimates, errors = np.array([1, 0.3, 0.4, 0.2]), np.diag([0, 1e-4, 2e-4, 3e-4])

    fit = nearest_supports(Estimates(estimates, errors))

    assert fit is not None
    assert fit.shares == pytest.approx(estimates, abs=1e-9)
    assert fit.log_likelihood == pytest.approx(0, abs=1e-9)


def test_nothing_is_fitted_to_what_is_not_known() -> None:
    """A part without an estimate or without an error leaves no distance, and of seven literals none is worked out."""
    errors = np.diag([0, 1e-4, 1e-4, 1e-4])
    assert nearest_supports(Estimates(np.array([1, np.nan, 0.1, 0]), errors)) is None
    assert nearest_supports(Estimates(np.array([1, 0.1, 0.1, 0]), errors * np.nan)) is None
    assert nearest_supports(Estimates(np.array([1, 0.1, 0.1, 0]), errors * 0)) is None
    assert nearest_supports(Estimates(np.ones(128), np.eye(128))) is None


def test_the_nearest_is_that_of_a_search() -> None:
    """Of three literals whose estimates vary together: no other possible distribution is nearer (SciPy's SLSQP)."""
    random = np.random.default_rng(5)
    subsets = np.array([[state & mask == mask for state in range(8)] for mask in range(8)], float)
    for _ in range(5):
        root = np.vstack([np.zeros(8), random.normal(0, 0.05, (7, 8))])
        estimates = np.append(1, random.uniform(-0.05, 0.4, 7))
        inverse = np.linalg.inv((root @ root.T)[1:, 1:])

        def distance(states: np.ndarray, raw: np.ndarray = estimates, by: np.ndarray = inverse) -> float:
            apart = (subsets @ states - raw)[1:]
            return float(apart @ by @ apart)

        fit = nearest_supports(Estimates(estimates, root @ root.T))

        assert fit is not None
        found = np.linalg.solve(subsets, fit.shares)
        whole = {"type": "eq", "fun": lambda states: states.sum() - 1}
        best = minimize(distance, np.full(8, 1 / 8), bounds=[(0, 1)] * 8, constraints=[whole], tol=1e-12)
        assert found.min() > -1e-9
        assert found.sum() == pytest.approx(1)
        assert distance(found) <= best.fun * (1 + 1e-6)
        assert fit.log_likelihood == pytest.approx(-distance(found) / 2, rel=1e-3)


@pytest.mark.parametrize(
    ("errors", "expected"), [([0.0, 0.0], [0.25, 0.25]), ([0.0, 0.01], [0.2, 0.2]), ([0.01, 0.0], [0.3, 0.3])]
)
def test_a_share_without_an_error_moves_only_where_no_other_can(errors: list[float], expected: list[float]) -> None:
    """An answer of 20 % and a set with it of 30 %: what is exact stays; where both are, they meet in the middle."""
    limits = np.array([[1.0, 0, 0], [0, 1, 0], [1, -1, 0], [-1, 0, 1]])  # 0 ≤ second ≤ first ≤ 1

    fitted = nearest_within(np.array([0.2, 0.3]), np.array(errors), limits)

    assert fitted is not None
    assert fitted.tolist() == expected
