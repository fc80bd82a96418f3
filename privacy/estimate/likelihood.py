"""Maximum likelihood through a channel: which distribution of true values best explains what was observed.

Iterative Bayesian update (Agrawal and Aggarwal 2001; the EM algorithm of Dempster, Laird and Rubin 1977) for any
finite inputs and outputs. Plain EM is slow where the channel hides much, so pairs of steps are extrapolated (SQUAREM;
Varadhan and Roland 2008) wherever that does not lower the likelihood. The likelihood is concave, which bounds what is
missing: the optimum lies at most N·(max g − 1) above the present point, where g is the factor of the next EM step.

>>> def evaluate(shares: Floats, _: Places) -> tuple[Floats, Floats]:  # three of one kind and one of another
...     return np.log(shares) @ [3.0, 1.0], np.array([3.0, 1.0]) / shares
>>> climb(np.array([[0.5, 0.5]]), np.array([4.0]), evaluate)[0].shares.round(3).tolist()
[0.75, 0.25]
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from privacy.arrays import Floats

Places = NDArray[np.intp]
TOLERANCE = 1e-6  # in units of log-likelihood; what is missing in a share is then under .0015 standard errors
LIMIT = 20_000


@dataclass(frozen=True, eq=False)
class Fit:
    """The most likely distribution, and how it was reached.

    `shares` has the share of each input; `gap` bounds the log-likelihood that a better one could gain.
    """

    shares: Floats
    log_likelihood: float
    iterations: int
    gap: float
    converged: bool


def climb(
    start: Floats,
    total: Floats,
    evaluate: Callable[[Floats, Places], tuple[Floats, Floats]],
    limit: int = LIMIT,
    tolerance: float = TOLERANCE,
) -> list[Fit]:
    """Maximise several likelihoods at once, one for each row of `start`; a log-likelihood never falls on the way.

    `evaluate` gives, for rows of shares and the places of these rows in `start`, the log-likelihoods and their
    gradients; `total` the numbers of records. Rows that have converged are not evaluated again.
    """
    fits: dict[int, Fit] = {}
    places, shares = np.arange(len(start)), start
    height, gradient = evaluate(shares, places)
    iterations = 0
    while True:
        n = total[places, np.newaxis]
        gap = (gradient - n).max(axis=1)
        done = (gap <= tolerance) | (iterations >= limit)
        for row in np.flatnonzero(done):
            arrived = bool(gap[row] <= tolerance)
            fits[int(places[row])] = Fit(
                shares[row], float(height[row]), iterations, max(float(gap[row]), 0.0), arrived
            )
        if done.all():
            return [fits[index] for index in range(len(start))]
        places, shares, gradient, n = places[~done], shares[~done], gradient[~done], n[~done]
        first = shares * gradient / n
        first_height, first_gradient = evaluate(first, places)
        second = first * first_gradient / n
        shares = _extrapolate(shares, first, second)
        height, gradient = evaluate(shares, places)
        worse = ~(height >= first_height)
        if worse.any():
            shares[worse] = second[worse]
            height[worse], gradient[worse] = evaluate(second[worse], places[worse])
        iterations += 2


def _extrapolate(shares: Floats, first: Floats, second: Floats) -> Floats:
    """Take SQUAREM's step along two EM steps; where it falls below a tenth of the second step, that tenth stays."""
    step = first - shares
    bend = second - first - step
    length = np.linalg.norm(bend, axis=1, keepdims=True)
    stride = np.maximum(np.linalg.norm(step, axis=1, keepdims=True) / np.where(length > 0, length, 1.0), 1.0)
    leap = shares + 2 * stride * step + stride**2 * bend
    leap = np.maximum(leap, second / 10)
    return leap / leap.sum(axis=1, keepdims=True)
