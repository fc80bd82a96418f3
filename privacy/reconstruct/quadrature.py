"""The share of one of two cells: its density on a grid of log odds, close where the counts tell and far at the ends.

The grid is that of the hyperbolic sine about the top: even beside it, and ever wider on the way to shares of 0 and 1.
There a prior with numbers near 0 has its weight, ten thousands of log odds away from what counts leave possible.
"""

from dataclasses import dataclass
from math import lgamma

import numpy as np

from privacy.arrays import Floats

_POINTS = 6001
_REACH = 45.0  # the density is e to this power less where the grid ends
_CLIMBS = 300
_FEWER_POINTS, _FARTHEST = 401, 40.0  # of a likelihood alone, which is even beyond these log odds
_SPREAD = 8.0  # standard deviations at the top, or log odds, within which points are about even


def share_by_grid(known: Floats, channel: Floats, counts: Floats) -> tuple[Floats, Floats]:
    """Compute the posterior of the last of two shares: values in ascending order, and their weights.

    >>> values, weights = share_by_grid(np.array([1.0, 1.0]), np.array([[0.75], [0.25]]), np.array([1.0]))
    >>> round(float(weights @ values), 5)
    0.41667
    """
    top, width = _top(known.clip(1.0), channel, counts)
    below, above = np.arcsinh((_REACH / known[::-1] + _REACH + abs(top)) / width)
    steps = np.linspace(-below, above, _POINTS)
    logs = _log_shares(top + width * np.sinh(steps))
    heights = logs @ known + np.log(np.exp(logs) @ channel) @ counts + np.log(np.cosh(steps))
    weights = np.exp(heights - heights.max())
    return np.exp(logs[:, 1]), weights / weights.sum()


@dataclass(frozen=True)
class ShareLikelihood:
    """How likely counts are by the last cell's share, for many Beta priors at once.

    >>> likelihood = ShareLikelihood.of(np.array([[0.75], [0.25]]), np.array([1.0]))
    >>> np.exp(likelihood.under(np.array([[1.0, 9.0], [1.0, 1.0]]))[1]).round(5).tolist()
    [0.5, 0.7]
    """

    logs: Floats  # of both shares, a row for each point
    steps: Floats
    heights: Floats  # the logarithm of the likelihood

    @classmethod
    def of(cls, channel: Floats, counts: Floats) -> "ShareLikelihood":
        top, width = _top(np.ones(2), channel, counts)
        ends = np.arcsinh((_FARTHEST + abs(top)) / width)
        steps = np.linspace(-ends, ends, _FEWER_POINTS)
        logs = _log_shares(top + width * np.sinh(steps))
        apart = width * np.cosh(steps) * (steps[1] - steps[0])
        apart[[0, -1]] /= 2
        return cls(logs, apart, np.log(np.exp(logs) @ channel) @ counts)

    @property
    def shares(self) -> Floats:
        """The shares at the points, in ascending order."""
        return np.exp(self.logs[:, 1])

    def under(self, known: Floats) -> tuple[Floats, Floats]:
        """For each prior (a column) the posterior weight of each point, and the logarithm of the evidence."""
        sizes = np.array([lgamma(one) for one in known.ravel()]).reshape(known.shape).sum(axis=0)
        sizes -= [lgamma(one) for one in known.sum(axis=0)]
        room = np.repeat(self.steps[:, np.newaxis], known.shape[1], axis=1)
        room[0] += 1 / known[1]  # what lies beyond both ends, where the likelihood is even
        room[-1] += 1 / known[0]
        logs = self.logs @ known - sizes + self.heights[:, np.newaxis]
        most = logs.max(axis=0)  # of each prior: where many people agree, an unlikely one is far below the likeliest
        weights = room * np.exp(logs - most)
        whole = weights.sum(axis=0)
        return weights / whole, np.log(whole) + most


def _top(firm: Floats, channel: Floats, counts: Floats) -> tuple[float, float]:
    """The log odds where prior and counts are likeliest, and the width around it where grid points are about even."""
    shares = np.array([0.5, 0.5])
    for _ in range(_CLIMBS):  # EM
        shares = firm + shares * (channel @ (counts / (shares @ channel)))
        shares /= shares.sum()
    slopes = shares.prod() * (channel[1] - channel[0]) / (shares @ channel)
    width = _SPREAD / np.sqrt(1.0 + shares.prod() * firm.sum() + counts @ slopes**2)
    return float(np.log(shares[1] / shares[0])), float(width)


def _log_shares(odds: Floats) -> Floats:
    """The logarithms of the first and the second share, from the log odds of the second: points × 2."""
    logs: Floats = -np.logaddexp(0.0, np.stack([odds, -odds], axis=1))
    return logs
