"""Maximum likelihood through a channel: which distribution of true values best explains what was observed.

Iterative Bayesian update (Agrawal and Aggarwal 2001; the EM algorithm of Dempster, Laird and Rubin 1977) for any
finite inputs and outputs. Plain EM creeps where the channel hides much, so pairs of steps are extrapolated (SQUAREM;
Varadhan and Roland 2008) wherever that does not lower the likelihood. The likelihood is concave, which gives a
certificate: the optimum lies at most N·(max g − 1) above the present point, g being the factor of the next EM step.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privacy.errors import InputError

__all__ = ["Fit", "climb", "em"]

Floats = NDArray[np.float64]
TOLERANCE = 1e-6  # in units of log-likelihood; what is missing in a share is then under .0015 standard errors
LIMIT = 20_000


@dataclass(frozen=True)
class Fit:
    """The most likely distribution, and how it was reached; `gap` bounds the log-likelihood a better one could gain."""

    shares: Floats
    log_likelihood: float
    iterations: int
    gap: float
    converged: bool


def em(channel: ArrayLike, counts: ArrayLike, *, limit: int = LIMIT) -> Fit:
    """Fit the input distribution of a channel, P(output | input) in column `input`, to counts of its outputs."""
    matrix, seen = np.asarray(channel, dtype=float), np.asarray(counts, dtype=float)
    if matrix.ndim != 2 or not matrix.size:
        raise InputError(f"channel: its shape {matrix.shape} is not outputs × inputs.")
    sums = matrix.sum(axis=0)
    wrong = np.flatnonzero((matrix < 0).any(axis=0) | ~(np.abs(sums - 1) <= 1e-9))
    if len(wrong):
        raise InputError(
            f"channel: column {wrong[0]} is not a distribution over the outputs; it sums to {sums[wrong[0]]:.10g}."
        )
    if seen.shape != matrix.shape[:1]:
        raise InputError(f"counts: their shape {seen.shape} does not fit the {len(matrix)} outputs of the channel.")
    if (seen < 0).any() or not np.isfinite(seen).all() or seen.sum() == 0:
        raise InputError("counts: they must be finite and not negative, at least one above 0.")
    impossible = np.flatnonzero((seen > 0) & (matrix.max(axis=1) == 0))
    if len(impossible):
        raise InputError(f"counts: output {impossible[0]} was observed, but the channel never gives it.")
    kept = seen > 0

    def evaluate(shares: Floats) -> tuple[Floats, Floats]:
        expected = shares @ matrix[kept].T
        return np.log(expected) @ seen[kept], (seen[kept] / expected) @ matrix[kept]

    fits = climb(np.full((1, matrix.shape[1]), 1 / matrix.shape[1]), np.array([seen.sum()]), evaluate, limit)
    return fits[0]


def climb(
    start: Floats,
    total: Floats,
    evaluate: Callable[[Floats], tuple[Floats, Floats]],
    limit: int = LIMIT,
    tolerance: float = TOLERANCE,
) -> list[Fit]:
    """Climb several likelihoods at once, one row of `start` each; every log-likelihood only ever rises.

    `evaluate` gives, for rows of shares, the log-likelihoods and their gradients; `total` the numbers of records.
    """
    shares = start
    n = total[:, np.newaxis]
    height, gradient = evaluate(shares)
    iterations = 0
    while True:
        gap = (gradient - n).max(axis=1)
        if iterations >= limit or (gap <= tolerance).all():
            break
        first = shares * gradient / n
        first_height, first_gradient = evaluate(first)
        second = first * first_gradient / n
        leap = _extrapolated(shares, first, second)
        leap_height, leap_gradient = evaluate(leap)
        worse = ~(leap_height >= first_height)
        if worse.any():
            second_height, second_gradient = evaluate(second)
            leap = np.where(worse[:, np.newaxis], second, leap)
            leap_height = np.where(worse, second_height, leap_height)
            leap_gradient = np.where(worse[:, np.newaxis], second_gradient, leap_gradient)
        shares, height, gradient = leap, leap_height, leap_gradient
        iterations += 2
    return [
        Fit(row, float(row_height), iterations, max(float(row_gap), 0.0), bool(row_gap <= tolerance))
        for row, row_height, row_gap in zip(shares, height, gap, strict=True)
    ]


def _extrapolated(shares: Floats, first: Floats, second: Floats) -> Floats:
    """SQUAREM's step along two EM steps; a share it would take below 0 is divided by ten instead."""
    step = first - shares
    bend = second - first - step
    length = np.linalg.norm(bend, axis=1, keepdims=True)
    stride = np.maximum(np.linalg.norm(step, axis=1, keepdims=True) / np.where(length > 0, length, 1.0), 1.0)
    leap = shares + 2 * stride * step + stride**2 * bend
    leap = np.maximum(leap, second / 10)
    return leap / leap.sum(axis=1, keepdims=True)
