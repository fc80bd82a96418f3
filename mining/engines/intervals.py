"""Standard errors by the delta method, and intervals: Wald, or Fieller where what is divided by is near 0."""

import numpy as np
from scipy.special import ndtri

Z = float(ndtri(0.975))
NEAR_ZERO = 3.0  # standard errors


def delta(gradient: tuple[np.ndarray, ...], covariance: list[list[np.ndarray]]) -> np.ndarray:
    """The standard error of a function with this gradient, elementwise over arrays."""
    variance = sum(
        left * right * covariance[i][j] for i, left in enumerate(gradient) for j, right in enumerate(gradient)
    )
    return np.sqrt(np.maximum(variance, 0))


def wald(estimate: np.ndarray, se: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The 95 % interval of an estimate that is about normal."""
    return estimate - Z * se, estimate + Z * se


def ratio(
    above: np.ndarray, below: np.ndarray, var_above: np.ndarray, var_below: np.ndarray, cov: np.ndarray, se: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """The 95 % interval of above / below: Wald with `se`, or Fieller's set where `below` is near 0.

    Fieller (1954): the values r with (above − r·below)² ≤ z²·Var(above − r·below). Where that set is unbounded, so is
    the interval: the records do not exclude a denominator of 0.
    """
    low, high = wald(above / below, se)
    near = np.nonzero(np.abs(below) < NEAR_ZERO * np.sqrt(var_below))
    if len(near[0]):
        a = below[near] ** 2 - Z**2 * var_below[near]
        b = above[near] * below[near] - Z**2 * cov[near]
        c = above[near] ** 2 - Z**2 * var_above[near]
        root = np.sqrt(np.maximum(b**2 - a * c, 0))
        bounded = a > 0
        a = np.where(bounded, a, 1)
        low[near] = np.where(bounded, (b - root) / a, -np.inf)
        high[near] = np.where(bounded, (b + root) / a, np.inf)
    return low, high
