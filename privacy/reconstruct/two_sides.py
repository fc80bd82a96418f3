"""Which shares of people above a number a test does not reject: the interval of such a share.

One smooth curve over all numbers has somebody everywhere, and bends too little where people end. Here the numbers on
each side have a smooth curve of their own, with free cells (`privacy.reconstruct.smoothing`); between the sides lies
the share that is asked for, 0 and 1 included. With that share fixed both shapes are fitted. The interval holds the
shares whose penalised log-likelihood lies no more than z²/2 below the highest (the profile likelihood; Venzon and
Moolgavkar 1988, "A method for computing profile-likelihood-based confidence intervals").

Roughnesses are averaged, each by its marginal likelihood at the estimated share. People round, and records seldom show
which numbers they round to: numbers that heap are tried in several ways (`heaped`), and the interval is that of all
ways together that the records do not speak against.

Where nobody is above, the shape above is one of nobody, and the highest likelihood is too high (Davies 1987,
"Hypothesis testing when a nuisance parameter is present only under the alternative"). A marginal likelihood is not: an
interval reaches 0 or 1 where that lies no more than z²/2 below the one at the likeliest share.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np

from privacy.design.channels import Floats
from privacy.reconstruct.intervals import standard_errors
from privacy.reconstruct.smoothing import (
    ROUGHNESS,
    USUALLY_FREE,
    Smooth,
    Spread,
    climb_smoothly,
    penalties,
    prior_of,
)

PLAUSIBLE = float(np.log(0.05))  # roughnesses that are less likely hardly change an interval
SPOKEN_AGAINST = -3.0  # of a way to heap: how much less likely than the likeliest
PLACES = range(0, len(ROUGHNESS), 2)
BEYOND, FAR = 1.0, 30.0  # in units of log-likelihood: how far beyond the ends heights are fitted, and compared
LEAST = 1e-6  # of people are above, to begin with
FINE = 1_000  # places on the curve through them


def interval_above(
    channel: Floats,
    counts: Floats,
    rows: Floats,
    heaped: Sequence[Sequence[int]],
    cut: int,
    near: tuple[float, float],
    level: float,
) -> tuple[float, float]:
    """The interval of the share of people in the cell `cut` or above.

    `channel`, `counts`, `rows`: as in `smoothest`. `heaped`: the cells that are free, in each of several ways.
    `near`: an estimate of the share and its usual error, from which the search begins.

    >>> three, counts = np.eye(3), np.array([30.0, 20, 0])
    >>> [round(end, 2) for end in interval_above(three, counts, three / 3, [()], 2, (0.01, 0.02), 0.95)]
    [0.0, 0.04]
    """
    if not 0 < cut < len(channel):
        return (float(cut <= 0),) * 2
    share = float(np.clip(near[0], LEAST, 1 - LEAST))
    error = max(near[1], (share * (1 - share) / counts.sum()) ** 0.5, 1 / counts.sum())
    ways = [_way(channel, counts, rows, tuple(cells), cut, share) for cells in heaped]
    likely = max(way.evidence(share) for way in ways)
    ends = [
        _ends(way, share, error, standard_errors(level) ** 2 / 2)
        for way in ways
        if way.evidence(share) >= likely + SPOKEN_AGAINST
    ]
    return min(low for low, _ in ends), max(high for _, high in ends)


@dataclass
class _Model:
    """A shape on each side under one roughness, and what was fitted to them by the share above."""

    spread: Callable[[float], Spread]
    counts: Floats
    penalty: Floats
    prior: float
    fits: dict[float, Smooth] = field(default_factory=dict)

    def at(self, share: float) -> Smooth:
        if share not in self.fits:
            near = min(self.fits, key=lambda other: abs(other - share), default=None)
            self.fits[share] = self.fit(share, None if near is None else self.fits[near].logs)
        return self.fits[share]

    def fit(self, share: float, start: Floats | None) -> Smooth:
        return climb_smoothly(self.spread(share), self.counts, self.penalty, start)


@dataclass(frozen=True)
class _Way:
    """The models of all plausible roughnesses, and what each weighs beside its height."""

    models: Sequence[_Model]
    weights: Sequence[float]

    def height(self, share: float) -> float:
        heights = [model.at(share).height + own for model, own in zip(self.models, self.weights, strict=True)]
        return float(np.logaddexp.reduce(heights))

    def evidence(self, share: float) -> float:
        return float(np.logaddexp.reduce([model.at(share).evidence + model.prior for model in self.models]))


def _way(channel: Floats, counts: Floats, rows: Floats, cells: tuple[int, ...], cut: int, share: float) -> _Way:
    """Cut the cells before `cut`; these `cells` are free."""
    parts = []
    for own in (np.arange(len(channel)) < cut, np.arange(len(channel)) >= cut):
        free = [cell for cell in cells if own[cell]]
        here = (rows * own)[(rows * own).any(axis=1)]
        here[:, free] = 0
        even, bending, rest = here.sum(axis=1), *penalties(len(here), len(free))
        spread = np.concatenate([here / np.where(even > 0, even, 1)[:, np.newaxis], np.eye(len(channel))[free]])
        # As rough for each piece as a curve over all pieces is.
        scaled = bending * (len(rows) / len(here)) ** 3
        shares = np.append(even / max(even.sum(), np.finfo(float).tiny), np.full(len(free), USUALLY_FREE))
        parts.append((spread @ channel, shares, scaled, rest))
    channels, evens, bendings, rests = zip(*parts, strict=True)
    both, even, bending, rest = np.concatenate(channels), np.concatenate(evens), _beside(*bendings), _beside(*rests)
    sides = slice(0, len(evens[0])), slice(len(evens[0]), None)
    models = [
        _Model(
            lambda above: Spread(both, even, sides, (1 - above, above)),
            counts,
            bending / ROUGHNESS[place] ** 2 + rest,
            prior_of(place),
        )
        for place in PLACES
    ]
    for smoother, rougher in pairwise(models):
        rougher.fits[share] = rougher.fit(share, smoother.at(share).logs)
    likely = [model.at(share).evidence + model.prior for model in models]
    kept = [model for model, own in zip(models, likely, strict=True) if own >= max(likely) + PLAUSIBLE]
    return _Way(kept, [model.at(share).evidence - model.at(share).height + model.prior for model in kept])


def _beside(first: Floats, second: Floats) -> Floats:
    """A penalty on both sides, neither of which binds the other."""
    empty = np.zeros((len(first), len(second)))
    return np.block([[first, empty], [empty.T, second]])


def _ends(way: _Way, share: float, error: float, below: float) -> tuple[float, float]:
    """The ends between which heights lie no more than `below` under the highest.

    Heights are close to a parabola in the arcsine of the square root of the share: few are fitted, a usual error apart
    or more, and a curve is laid through them.
    """
    from scipy.interpolate import Akima1DInterpolator  # slow to import

    step = error / (2 * (share * (1 - share)) ** 0.5)
    middle, heights = float(np.arcsin(share**0.5)), dict[float, float]()

    def add(place: float) -> float:
        angle = float(np.clip(place, 0, np.pi / 2))
        heights[angle] = max(way.height(float(np.sin(angle) ** 2)), -np.finfo(float).max)
        return angle

    edges = {-1: add(middle), 1: middle}
    for sign, bound in ((-1, 0.0), (1, np.pi / 2)):
        while edges[sign] != bound and heights[edges[sign]] > max(heights.values()) - below - BEYOND:
            edges[sign] = add(edges[sign] + sign * step)
    angles = np.array(sorted(heights))
    known = np.array([heights[angle] for angle in angles])
    known = np.maximum(known, known.max() - FAR)
    fine = np.linspace(angles[0], angles[-1], FINE)
    curve = Akima1DInterpolator(angles, known)(fine) if len(angles) > 1 else known
    peak = float(np.sin(fine[curve.argmax()]) ** 2)
    likely, lacking = way.evidence(float(np.sin(angles[known.argmax()]) ** 2)), curve.max() - below - curve
    inside = np.flatnonzero(lacking <= 0)
    ends = []
    for end, at, beside in ((0.0, inside[0], inside[0] - 1), (1.0, inside[-1], inside[-1] + 1)):
        if not 0 <= beside < len(fine) or way.evidence(end) >= likely - below:
            ends.append(end)
        else:
            part = lacking[at] / (lacking[at] - lacking[beside])
            ends.append(float(np.sin(fine[at] + part * (fine[beside] - fine[at])) ** 2))
    return min(ends[0], peak), max(ends[1], peak)
