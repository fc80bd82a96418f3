"""Intervals: Wald, or Fieller where what is divided by is near 0."""

from collections.abc import Callable

import numpy as np
from scipy.special import ndtri

Z = float(ndtri(0.975))
NEAR_ZERO = 3.0  # standard errors


def wald(estimate: np.ndarray, se: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The 95 % interval of an estimate that is about normal."""
    return estimate - Z * se, estimate + Z * se


def ratio(
    above: np.ndarray,
    below: np.ndarray,
    se: np.ndarray,
    se_below: np.ndarray,
    variances: Callable[[np.ndarray], tuple[np.ndarray, np.ndarray]],
) -> tuple[np.ndarray, np.ndarray]:
    """The 95 % interval of above / below: Wald with `se`, or Fieller's set where `below` is near 0.

    Fieller (1954): the values r with (above − r·below)² ≤ z²·Var(above − r·below). Where that set is unbounded, so is
    the interval: the records do not exclude a denominator of 0. `variances` gives, for some places, Var(above) and
    Var(above − below).
    """
    low, high = wald(above / below, se)
    near = np.flatnonzero(np.abs(below) < NEAR_ZERO * se_below)
    if len(near):
        var_above, var_difference = variances(near)
        var_below = se_below[near] ** 2
        covariance = (var_above + var_below - var_difference) / 2
        a = below[near] ** 2 - Z**2 * var_below
        b = above[near] * below[near] - Z**2 * covariance
        c = above[near] ** 2 - Z**2 * var_above
        root = np.sqrt(np.maximum(b**2 - a * c, 0))
        bounded = a > 0
        a = np.where(bounded, a, 1)
        low[near] = np.where(bounded, (b - root) / a, -np.inf)
        high[near] = np.where(bounded, (b + root) / a, np.inf)
    return low, high
