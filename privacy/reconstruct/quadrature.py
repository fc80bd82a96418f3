"""The share of one of two cells: its density on a grid of log odds, close where the counts tell and far at the ends.

The grid is that of the hyperbolic sine about the top: even beside it, and ever wider on the way to shares of 0 and 1.
There a prior with numbers near 0 has its weight, ten thousands of log odds away from what counts leave possible.
"""

import numpy as np

from privacy.arrays import Floats

_POINTS = 6001
_REACH = 45.0  # the density is e to this power less where the grid ends
_CLIMBS = 300
_SPREAD = 8.0  # standard deviations at the top, or log odds, within which points are about even


def share_by_grid(known: Floats, channel: Floats, counts: Floats) -> tuple[Floats, Floats]:
    """Compute the distribution of the last cell's share in ascending order, from a Beta prior and counts.

    >>> values, weights = share_by_grid(np.array([1.0, 1.0]), np.array([[0.75], [0.25]]), np.array([1.0]))
    >>> round(float(weights @ values), 5)
    0.41667
    """
    firm = known.clip(1.0)
    shares = np.array([0.5, 0.5])
    for _ in range(_CLIMBS):  # EM
        shares = firm + shares * (channel @ (counts / (shares @ channel)))
        shares /= shares.sum()
    top = np.log(shares[1] / shares[0])
    slopes = shares.prod() * (channel[1] - channel[0]) / (shares @ channel)
    width = _SPREAD / np.sqrt(1.0 + shares.prod() * firm.sum() + counts @ slopes**2)
    below, above = np.arcsinh((_REACH / known[::-1] + _REACH + abs(top)) / width)
    steps = np.linspace(-below, above, _POINTS)
    odds = top + width * np.sinh(steps)
    logs = -np.logaddexp(0.0, np.stack([odds, -odds], axis=1))  # of both shares
    heights = logs @ known + np.log(np.exp(logs) @ channel) @ counts + np.log(np.cosh(steps))
    weights = np.exp(heights - heights.max())
    return np.exp(logs[:, 1]), weights / weights.sum()
