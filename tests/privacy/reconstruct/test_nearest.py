"""The nearest shares that answers can have, by normal errors of what was estimated."""

import numpy as np
import pytest
from scipy.optimize import minimize

from privacy.estimate.nearest import nearest_shares, nearest_table


def test_shares_that_answers_can_have_are_left_as_they_are() -> None:
    """Where none is negative and they sum to 1, they stay."""
    shares = np.array([0.2, 0.5, 0.3])
    fitted = nearest_shares(shares, np.diag([1e-4, 2e-4, 3e-4]))
    assert fitted is not None
    assert fitted.tolist() == shares.tolist()


def test_nothing_is_fitted_to_what_is_not_known() -> None:
    """An option without an estimate or an error leaves no distance."""
    shares, errors = np.array([0.7, 0.1, 0.1]), np.diag([1e-4, 1e-4, 1e-4])
    assert nearest_shares(np.array([0.7, np.nan, 0.1]), errors) is None
    assert nearest_shares(shares, errors * np.nan) is None
    assert nearest_shares(shares, errors * 0) is None


def test_the_nearest_is_that_of_a_search() -> None:
    """Of eight options whose estimates vary together: no other distribution is nearer (SciPy's SLSQP)."""
    random = np.random.default_rng(5)
    for _ in range(5):
        root = random.normal(0, 0.05, (8, 8))
        raw, inverse = random.uniform(-0.05, 0.3, 8), np.linalg.inv(root @ root.T)

        def distance(states: np.ndarray, raw: np.ndarray = raw, by: np.ndarray = inverse) -> float:
            return float((states - raw) @ by @ (states - raw))

        fitted = nearest_shares(raw, root @ root.T)

        assert fitted is not None
        whole = {"type": "eq", "fun": lambda states: states.sum() - 1}
        best = minimize(distance, np.full(8, 1 / 8), bounds=[(0, 1)] * 8, constraints=[whole], tol=1e-12)
        assert fitted.min() >= 0
        assert fitted.sum() == pytest.approx(1)
        assert distance(fitted) <= best.fun * (1 + 1e-6)


@pytest.mark.parametrize(
    ("errors", "expected"), [([0.0, 0.0], [0.25, 0.75]), ([0.0, 0.01], [0.2, 0.8]), ([0.01, 0.0], [0.3, 0.7])]
)
def test_a_share_without_an_error_moves_only_where_no_other_can(errors: list[float], expected: list[float]) -> None:
    """20 % yes and 70 % no: what is exact stays; where both are, they meet in the middle."""
    fitted = nearest_table(np.array([0.2, 0.7]), np.diag(errors) ** 2, np.ones((1, 2)), np.ones(1))

    assert fitted is not None
    assert fitted.tolist() == pytest.approx(expected)
