"""The likeliest share under a question and two anchors that each person draws by themselves, and its profile interval.

Of the eight records of (question, never true, always true) one who follows gives each by its own draw, and one who does
not presses 1 by the rate ρ, each by itself:

    P(y) = (1−c)·[π·P₁(y) + (1−π)·P₀(y)] + c·ρᵏ(1−ρ)³⁻ᵏ,   k the number of 1s in y.

A person who denies what is always true is mostly one who does not follow, so this says more than three shares do, but
it needs the chances, and one rate. EM (Dempster, Laird and Rubin 1977) from three rates; surveys are fitted together.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privacy.arrays import Floats
from privacy.errors import InputError
from privacy.estimate.intervals import standard_errors

RATES = (0.15, 0.5, 0.85)  # from which EM climbs
_ROUNDS, _FARTHEST = 300, 64.0  # of EM, and how far one extrapolates
_STILL, _EDGE = 1e-12, 1e-12  # of log-likelihood a person in one round; of a share
_BISECTIONS = 24
_RECORDS = np.array([*product((0, 1), repeat=3)])
_ONES = _RECORDS.sum(axis=1)


@dataclass(frozen=True)
class JointFit:
    """For each survey the share of those who follow with its interval, how many do not, and their rate of records 1."""

    share: Floats
    careless: Floats
    rate: Floats
    low: Floats
    high: Floats


def joint_fit(counts: ArrayLike, chances: Sequence[tuple[float, float]], level: float = 0.95) -> JointFit:
    """Fit surveys, each by its counts of the records 000, 001 … 111 of question, never and always.

    `chances` are u and v of each of the three: P(record 1) where the answer is yes, and where it is no.

    >>> counts = [118, 372, 45, 118, 46, 149, 30, 122]
    >>> found = joint_fit(counts, [(0.75, 0.25)] * 3)
    >>> found.share.round(3).tolist(), found.careless.round(3).tolist(), found.rate.round(3).tolist()
    ([0.051], [0.121], [0.859])
    """
    seen = np.atleast_2d(np.asarray(counts, float))
    if seen.shape[1] != 8 or (seen < 0).any() or not (seen.sum(axis=1) > 0).all():
        raise InputError("counts: each survey has eight, of the records 000, 001 … 111, and somebody answered.")
    if any(not 0 <= v < u <= 1 for u, v in chances) or len(chances) != 3:
        raise InputError("chances: question, never and always each have a chance of record 1, higher for yes.")
    tables = [np.prod([_chance(one, chances[at], _RECORDS[:, at]) for at, one in enumerate(said)], axis=0)
              for said in ((1, 0, 1), (0, 0, 1))]  # fmt: skip
    starts = [_climb(seen, tables, np.tile([0.1, 0.1, rate], (len(seen), 1))) for rate in RATES]
    point, height = _highest(starts)
    drop = standard_errors(level) ** 2 / 2
    low, high = (_end(seen, tables, point, height - drop, end) for end in (0.0, 1.0))
    return JointFit(point[:, 0], point[:, 1], point[:, 2], low, high)


def _chance(yes: int, chances: tuple[float, float], records: np.ndarray) -> Floats:
    one = chances[0] if yes else chances[1]
    return np.where(records == 1, one, 1 - one)


def _highest(climbed: Sequence[tuple[Floats, Floats]]) -> tuple[Floats, Floats]:
    """Of each survey the parameters with the highest likelihood, and its logarithm."""
    points, heights = (np.stack(some) for some in zip(*climbed, strict=True))
    best = (np.argmax(heights, axis=0), np.arange(heights.shape[1]))
    return points[best], heights[best]


def _climb(seen: Floats, tables: Sequence[Floats], start: Floats, fixed: bool = False) -> tuple[Floats, Floats]:
    """EM from π, c and ρ of each survey, each two steps extrapolated (SQUAREM; Varadhan and Roland 2008).

    With `fixed` shares π only the others move.
    """
    point, height = start, np.full(len(seen), -np.inf)
    for _ in range(_ROUNDS):
        once, _ = _em(seen, tables, point, fixed)
        twice, _ = _em(seen, tables, once, fixed)
        first, second = once - point, twice - 2 * once + point
        size = np.sqrt((first**2).sum(axis=1) / np.maximum((second**2).sum(axis=1), 1e-300))[:, np.newaxis]
        size = np.clip(size, 1, _FARTHEST)
        leap = np.clip(point + 2 * size * first + size**2 * second, _EDGE, 1 - _EDGE)
        leap[:, 0] = np.where(fixed, point[:, 0], leap[:, 0])
        after, of_leap = _em(seen, tables, leap, fixed)
        _, of_twice = _em(seen, tables, twice, fixed)
        better = of_leap > of_twice
        before, height = height, np.where(better, of_leap, of_twice)
        point = np.where(better[:, np.newaxis], after, twice)
        if (height - before <= _STILL * seen.sum(axis=1)).all():
            break
    return point, height


def _em(seen: Floats, tables: Sequence[Floats], point: Floats, fixed: bool) -> tuple[Floats, Floats]:
    """One step of EM, and the log-likelihood of where it began."""
    pi, c, rate = (column[:, np.newaxis] for column in point.T)
    own = c * rate**_ONES * (1 - rate) ** (3 - _ONES)
    yes, no = (1 - c) * pi * tables[0], (1 - c) * (1 - pi) * tables[1]
    total = np.maximum(own + yes + no, _EDGE**4)
    height: Floats = (seen * np.log(total)).sum(axis=1)
    own, yes = seen * own / total, seen * yes / total
    people, lost = seen.sum(axis=1), own.sum(axis=1)
    rate_after = (own @ _ONES) / np.maximum(3 * lost, _EDGE**4)
    share = point[:, 0] if fixed else yes.sum(axis=1) / np.maximum(people - lost, _EDGE**4)
    return np.stack([share, lost / people, rate_after], axis=1), height


def _end(seen: Floats, tables: Sequence[Floats], point: Floats, least: Floats, bound: float) -> Floats:
    """The share between the point and a bound where the profile falls below `least`; the bound where it does not."""

    def within(share: Floats) -> NDArray[np.bool_]:
        starts = [
            np.stack([share, np.maximum(point[:, 1], 0.02), np.broadcast_to(rate, share.shape)], axis=1)
            for rate in (point[:, 2], *RATES)
        ]
        return np.asarray(_highest([_climb(seen, tables, one, fixed=True) for one in starts])[1] >= least)

    inside, outside = point[:, 0], np.full(len(point), bound)
    reaches = within(outside)
    for _ in range(_BISECTIONS):
        middle = (inside + outside) / 2
        good = within(middle)
        inside, outside = np.where(good, middle, inside), np.where(good, outside, middle)
    return np.where(reaches, bound, (inside + outside) / 2)
