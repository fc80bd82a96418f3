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

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from privacy.design.channels import Floats
from privacy.estimate.intervals import standard_errors
from privacy.reconstruct.smoothing import (
    LEAST,
    ROUGHNESS,
    USUALLY_FREE,
    Spread,
    climb_smoothly,
    evidence,
    penalties,
    prior_of,
)

PLAUSIBLE = float(np.log(0.05))  # roughnesses that are less likely hardly change an interval
SPOKEN_AGAINST = -3.0  # of a way to heap: how much less likely than the likeliest
PLACES = range(0, len(ROUGHNESS), 3)
APART, WIDER = 1.2, 1.5  # usual errors to the first share that is fitted on a side, and how much wider each next step
FAR = 30.0  # in units of log-likelihood: how far below the highest the height of an impossible share is drawn
STEEP = 3.0  # times as steep as the line to a neighbour: a curve that is steeper there overshoots
FEWEST = 1e-6  # of people are above, to begin with
FINE = 1_000  # places on the curve through them
NEAR_END = 3  # usual errors: farther away nobody need ask for 0 or 1


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
    """
    if not 0 < cut < len(channel):
        return (float(cut <= 0),) * 2
    share = float(np.clip(near[0], FEWEST, 1 - FEWEST))
    error = max(near[1], (share * (1 - share) / counts.sum()) ** 0.5, 1 / counts.sum())
    fits = _every_fit(channel, rows, heaped, cut, counts).plausible(share)
    # Heights are close to a parabola in the arcsine of the square root of the share: few are fitted.
    usual, below = error / (2 * (share * (1 - share)) ** 0.5), standard_errors(level) ** 2 / 2
    walked = _walk(fits, float(np.arcsin(share**0.5)), APART * usual, below)
    ends = [_ends(fits.only(fits.ways == way), known, NEAR_END * usual, below) for way, known in walked.items()]
    return min(low for low, _ in ends), max(high for _, high in ends)


@dataclass(frozen=True)
class _Fits:
    """Shapes on both sides for each way to heap and each roughness, along the first axis, and logarithms to begin with.

    All have the same pieces and free cells; where a cell is not free in a way, nobody is there.
    """

    channel: Floats
    even: Floats
    penalty: Floats
    prior: Floats
    ways: NDArray[np.intp]
    logs: Floats
    weights: Floats  # what each adds to its height
    counts: Floats
    sides: tuple[slice, ...]

    def only(self, kept: NDArray[np.bool_]) -> "_Fits":
        stacked = ("channel", "even", "penalty", "prior", "ways", "logs", "weights")
        return replace(self, **{name: getattr(self, name)[kept] for name in stacked})

    def fit(self, share: float) -> "tuple[_Fits, Floats]":
        """All fitted with this share of people above, and their heights."""
        logs, heights = climb_smoothly(self._spread(share), self.counts, self.penalty, self.logs)
        return replace(self, logs=logs), heights

    def evidence(self, share: float) -> Floats:
        """The marginal likelihoods with this share of people above."""
        own, heights = self.fit(share)
        return own._evidence(share, heights)

    def _evidence(self, share: float, heights: Floats) -> Floats:
        return evidence(self._spread(share), self.counts, self.penalty, self.logs, heights)[0] + self.prior

    def by_way(self, heights: Floats) -> dict[int, float]:
        """The heights of all roughnesses together."""
        return {way: float(np.logaddexp.reduce(heights[self.ways == way])) for way in np.unique(self.ways).tolist()}

    def height_and_change(self, angle: float, heights: Floats) -> dict[int, tuple[float, float]]:
        """Of each way, the height of all roughnesses together, and how it changes with the angle.

        Shapes are the likeliest already, so that it changes with the share alone.
        """
        share = _share(angle)
        below, above = (self._spread(one).chances(self._spread(one).shares(self.logs)) for one in (0.0, 1.0))
        expected = np.maximum((1 - share) * below + share * above, LEAST)
        changes = ((above - below) / expected) @ self.counts * np.sin(2 * angle)
        of_ways = {}
        for way, most in self.by_way(heights + self.weights).items():
            own = self.ways == way
            chances = np.exp(heights[own] + self.weights[own] - most) if np.isfinite(most) else np.zeros(own.sum())
            of_ways[way] = most, float(chances @ changes[own])
        return of_ways

    def plausible(self, share: float) -> "_Fits":
        """Those that records do not speak against at this share, fitted there, the smoother ones first."""
        logs, heights, likely = self.logs.copy(), np.empty(len(self.ways)), np.empty(len(self.ways))
        for index in range(len(PLACES)):
            own = np.arange(len(self.ways)) % len(PLACES) == index
            before = logs[np.roll(own, -1)] if index else logs[own]
            fitted, heights[own] = replace(self.only(own), logs=before).fit(share)
            logs[own], likely[own] = fitted.logs, fitted._evidence(share, heights[own])
        of_ways = self.by_way(likely)
        most = max(of_ways.values())
        kept = [
            of_ways[way] >= most + SPOKEN_AGAINST and each >= likely[self.ways == way].max() + PLAUSIBLE
            for way, each in zip(self.ways.tolist(), likely, strict=True)
        ]
        return replace(self, logs=logs, weights=likely - heights).only(np.array(kept))

    def _spread(self, share: float) -> Spread:
        return Spread(self.channel, self.even, self.sides, np.tile([1 - share, share], (len(self.ways), 1)))


def _every_fit(channel: Floats, rows: Floats, heaped: Sequence[Sequence[int]], cut: int, counts: Floats) -> _Fits:
    """All ways to heap with all roughnesses; the cells are cut before `cut`."""
    every, parts = sorted({cell for cells in heaped for cell in cells}), []
    for own in (np.arange(len(channel)) < cut, np.arange(len(channel)) >= cut):
        free = [cell for cell in every if own[cell]]
        here = (rows * own)[(rows * own).any(axis=1)]
        spread, shares = [], []
        for cells in heaped:
            bound = here * ~np.isin(np.arange(len(channel)), cells)
            even = bound.sum(axis=1)
            spread.append([*(bound / np.where(even > 0, even, 1)[:, np.newaxis]), *np.eye(len(channel))[free]])
            some = [USUALLY_FREE * (cell in cells) for cell in free]
            shares.append([*(even / max(even.sum(), LEAST)), *some])
        bending, rest = penalties(len(here), len(free))
        # As rough for each piece as a curve over all pieces is.
        parts.append((np.array(spread) @ channel, np.array(shares), bending * (len(rows) / len(here)) ** 3, rest))
    channels, evens, bendings, rests = zip(*parts, strict=True)
    bending, rest = _beside(*bendings), _beside(*rests)
    ways, places = np.divmod(np.arange(len(heaped) * len(PLACES)), len(PLACES))
    penalty = np.array([bending / ROUGHNESS[place] ** 2 + rest for place in PLACES])[places]
    both, even = np.concatenate(channels, axis=1)[ways], np.concatenate(evens, axis=1)[ways]
    prior, pieces = np.array([prior_of(place) for place in PLACES])[places], evens[0].shape[1]
    sides = slice(0, pieces), slice(pieces, None)
    return _Fits(both, even, penalty, prior, ways, np.zeros_like(even), np.zeros(len(ways)), counts, sides)


def _beside(first: Floats, second: Floats) -> Floats:
    """A penalty on both sides, neither of which binds the other."""
    empty = np.zeros((len(first), len(second)))
    return np.block([[first, empty], [empty.T, second]])


def _walk(fits: _Fits, middle: float, step: float, below: float) -> dict[int, dict[float, tuple[float, float]]]:
    """By way and angle, heights and how they change, by wider and wider steps until they are low enough."""
    own, heights = fits.fit(_share(middle))
    known = {way: {middle: both} for way, both in own.height_and_change(middle, heights).items()}
    for sign, bound in ((-1, 0.0), (1, np.pi / 2)):
        own, angle, before, apart = fits, middle, fits.logs, step
        while angle != bound and len(own.ways):
            angle = float(np.clip(angle + sign * apart, 0, np.pi / 2))
            apart *= WIDER
            moved, heights = replace(own, logs=own.logs + WIDER * (own.logs - before)).fit(_share(angle))
            for way, both in moved.height_and_change(angle, heights).items():
                known[way][angle] = both
            least = {way: max(height for height, _ in of_way.values()) - below for way, of_way in known.items()}
            kept = np.array([known[way][angle][0] > least[way] for way in own.ways.tolist()])
            own, before = moved.only(kept), own.logs[kept]
    return known


def _share(angle: float) -> float:
    return float(np.sin(angle) ** 2)


def _ends(fits: _Fits, known: dict[float, tuple[float, float]], near: float, below: float) -> tuple[float, float]:
    """The ends between which the heights of one way lie no more than `below` under the highest.

    A curve is laid through the heights; angles closer than `near` to 0 or 1 ask whether these belong to the interval.
    """
    from scipy.interpolate import CubicHermiteSpline  # slow to import

    angles = np.array(sorted(known))
    heights, changes = np.array([known[angle] for angle in angles]).T
    heights = np.where(np.isfinite(heights), heights, heights.max() - FAR)
    rises = np.abs(np.diff(heights) / np.diff(angles))
    most = STEEP * np.maximum(np.append(rises, 0), np.append(0, rises))
    changes = np.clip(changes, -most, most)
    fine = np.linspace(angles[0], angles[-1], FINE)
    curve = CubicHermiteSpline(angles, heights, changes)(fine)
    lacking = curve.max() - below - curve
    inside, peak = np.flatnonzero(lacking <= 0), _share(fine[curve.argmax()])

    def may_be(end: float, angle: float) -> bool:
        """Whether nobody, or everybody, may be above by the marginal likelihood."""
        if abs(np.pi / 2 * end - angle) > near:
            return False
        likely = float(np.logaddexp.reduce(fits.evidence(_share(angles[heights.argmax()]))))
        return float(np.logaddexp.reduce(fits.evidence(end))) >= likely - below

    ends = []
    for end, at, beside in ((0.0, inside[0], inside[0] - 1), (1.0, inside[-1], inside[-1] + 1)):
        if not 0 <= beside < len(fine) or may_be(end, fine[at]):
            ends.append(end)
        else:
            part = lacking[at] / (lacking[at] - lacking[beside])
            ends.append(_share(fine[at] + part * (fine[beside] - fine[at])))
    return min(ends[0], peak), max(ends[1], peak)
