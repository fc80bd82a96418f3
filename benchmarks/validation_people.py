"""How many people a comparison of own draw, device and plain question needs, as docs/evidence.md prints it.

A record of somebody with the share π says yes by λ = πu + (1−π)v.
"""

from math import sqrt
from statistics import NormalDist

Chances = tuple[float, float]  # u and v: of record 1 where the answer is yes, and where it is no
PLAIN: Chances = (1.0, 0.0)


def variance_of_one(chances: Chances, share: float, *, corrected: bool = False) -> float:
    """n times the variance of a share; `corrected` by two anchors of the same draw, where all follow.

    >>> round(variance_of_one((0.75, 0.25), 0.05), 4), round(variance_of_one((0.75, 0.25), 0.05, corrected=True), 4)
    (0.7975, 1.4762)
    """
    u, v = chances

    def spread(seen: float) -> float:
        return seen * (1 - seen) / (u - v) ** 2

    own = spread(share * u + (1 - share) * v)
    return own + ((1 - share) ** 2 * spread(v) + share**2 * spread(u) if corrected else 0.0)


def people_per_arm(apart: float, first: float, second: float, level: float = 0.05, power: float = 0.8) -> int:
    """People in each of two arms, of these variances, in which a difference is found with the chance `power`.

    >>> own, device = (variance_of_one((0.75, 0.25), 0.05, corrected=one) for one in (True, False))
    >>> people_per_arm(0.05, own, device)
    7139
    """
    reach = NormalDist().inv_cdf(1 - level / 2) + NormalDist().inv_cdf(power)
    return -int(-(reach**2) * (first + second) / apart**2 // 1)


def people_for_false_positives(chances: Chances, share: float, level: float = 0.05, power: float = 0.8) -> int:
    """People whom a never-true question must be asked to find that `share` of them look as if it were true.

    >>> people_for_false_positives((0.75, 0.25), 0.05), people_for_false_positives((5 / 6, 1 / 6), 0.05)
    (2399, 1025)
    """
    u, v = chances
    seen = v + share * (u - v)
    reach = NormalDist().inv_cdf(1 - level / 2) * sqrt(v * (1 - v)) + NormalDist().inv_cdf(power) * sqrt(
        seen * (1 - seen)
    )
    return -int(-((reach / (seen - v)) ** 2) // 1)
