"""EM through any channel reaches the maximum of the likelihood, and never steps down."""

import numpy as np
import pytest
from scipy.optimize import minimize

from privacy.estimate.likelihood import climb
from privacy.estimate.nearest import nearest_shares, nearest_table
from tests.cases import first
from tests.privacy.reconstruct.cases import em


def test_a_solution_without_zeros_is_the_inverse() -> None:
    """Where the inverse of the channel is a distribution, it is the most likely one."""
    channel = np.array([[0.7, 0.2, 0.1], [0.1, 0.8, 0.1], [0.2, 0.2, 0.6]])
    counts = 1000 * np.array([0.5, 0.2, 0.3]) @ channel

    fit = em(channel, counts)

    assert fit.converged
    np.testing.assert_allclose(fit.shares, [0.5, 0.2, 0.3], atol=1e-4)


def test_a_share_the_inverse_makes_negative_becomes_zero() -> None:
    """Warner with too few yes: the inverse is −.125, the most likely support 0."""
    fit = em([[0.7, 0.3], [0.3, 0.7]], [75, 25])

    assert fit.converged
    np.testing.assert_allclose(fit.shares, [1, 0], atol=1e-3)
    assert fit.log_likelihood == pytest.approx(75 * np.log(0.7) + 25 * np.log(0.3), abs=1e-5)


def test_more_inputs_than_outputs_are_fitted_too() -> None:
    """Any finite input and output sets: the fitted outputs are the counts, whatever inputs give them."""
    channel = np.array([[0.9, 0.1], [0.5, 0.5], [0.1, 0.9]])

    fit = em(channel, [60, 40])

    np.testing.assert_allclose(fit.shares @ channel, [0.6, 0.4], atol=1e-4)


def test_outputs_that_were_never_seen_do_no_harm() -> None:
    """An output with no counts takes no part in the likelihood."""
    fit = em([[0.8, 0.1, 0.1], [0.1, 0.8, 0.1]], [9, 0, 1])

    assert np.isfinite(fit.log_likelihood)
    assert fit.shares[0] > 0.99


@pytest.mark.parametrize("seed", first(6, range(20)))
def test_the_likelihood_only_ever_rises(seed: int) -> None:
    """However far a step is extrapolated, the log-likelihood after it is at least the one before."""
    random = np.random.default_rng(seed)
    keep, noise = 0.05 + 0.5 * random.random(), random.dirichlet(np.ones(12))
    channel = keep * np.eye(12) + (1 - keep) * noise[:, np.newaxis]
    counts = random.multinomial(200, channel @ random.dirichlet(np.full(12, 0.2)))
    heights = []

    def evaluate(shares: np.ndarray, _: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        expected = shares @ channel.T
        return np.log(expected) @ counts, (counts / expected) @ channel

    for limit in range(0, 60, 2):
        (fit,) = climb(np.full((1, 12), 1 / 12), np.array([200.0]), evaluate, limit)
        heights.append(fit.log_likelihood)

    assert (np.diff(heights) >= -1e-9).all()


@pytest.mark.parametrize("seed", range(5))
def test_the_gap_bounds_what_is_missing(seed: int) -> None:
    """After few iterations the distance to the maximum is at most the reported gap."""
    random = np.random.default_rng(seed)
    channel = 0.2 * np.eye(6) + 0.8 * random.dirichlet(np.ones(6))
    counts = random.multinomial(500, random.dirichlet(np.full(6, 0.5)) @ channel)

    early, late = em(channel, counts, limit=4), em(channel, counts)

    assert 0 <= late.log_likelihood - early.log_likelihood <= early.gap + 1e-9
    assert late.converged


def test_several_fits_climb_together_as_alone() -> None:
    """Fits that share a call end where they would end by themselves."""
    channel = np.array([[0.7, 0.3], [0.2, 0.8]])
    counts = np.array([[60.0, 40.0], [30.0, 70.0], [90.0, 10.0]])

    def evaluate(shares: np.ndarray, places: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        expected = shares @ channel
        return (counts[places] * np.log(expected)).sum(axis=1), (counts[places] / expected) @ channel.T

    together = climb(np.full((3, 2), 0.5), np.full(3, 100.0), evaluate)

    for fit, row in zip(together, counts, strict=True):
        np.testing.assert_allclose(fit.shares, em(channel, row).shares, atol=1e-4)


# The nearest shares that answers can have, by normal errors of what was estimated.


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
