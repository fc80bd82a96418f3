"""The least and the greatest value that a figure of a distribution can have, by the likelihood of the records alone.

The likelihood ratio keeps all distributions p with ℓ(p) ≥ max ℓ − z²/2, p ≥ 0 and Σp = 1 (Wilks 1938; for inverse
problems with such constraints the *strict bounds* of Stark 1992, taken one figure at a time as Patil, Kuusela and Hobbs
2022 have it). The ends of an interval are the least and the greatest g·p among them. Nothing is taken for granted of
how p is shaped, neither that it is smooth nor how many peaks it has, so no smoothing can make them too short.

ℓ is concave and g·p linear, so both ends are the optima of convex programmes: Newton's method on t·g·p +
log(ℓ(p) − least) + Σ log p with growing t (Boyd and Vandenberghe 2004, chapter 11), for all figures at once.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from privacy.design.channels import Floats

__all__ = ["bounds"]

STAGES = (10.0, 200.0, 4e3, 8e4, 1.6e6)  # t; an end is missed by (pieces + 1)/t of g's range at most, and moved so far
STEPS = 200
NEAR = 1e-3  # of a Newton decrement, at which a stage has arrived: the aim is then missed by half as much
BACK = 40  # halvings of a step
LOST = 0.01  # of log-likelihood, at which the greatest one is near enough

Places = NDArray[np.intp]


def bounds(channel: Floats, counts: Floats, figures: Floats, drops: Floats) -> tuple[Floats, Floats]:
    """The ends of the values that figures can have.

    Parameters
    ----------
    channel : matrix
        P(record | piece) at [piece, record].
    counts : array
        How often each record came; at least one did.
    figures : matrix
        A row for each figure g: its value on each piece. What is bounded is Σ g·p.
    drops : array
        How far below its maximum the log-likelihood may lie, for each figure: z²/2, more where records tell less than
        as many drawn alike.

    Returns
    -------
    tuple of array
        The low ends and the high ones.

    Examples
    --------
    >>> low, high = bounds(np.eye(2), np.array([40.0, 60.0]), np.array([[1.0, 0.0]]), np.array([1.92]))
    >>> low.round(3).tolist(), high.round(3).tolist()
    ([0.307], [0.498])
    """
    seen = counts > 0
    rows, counts = channel[:, seen], counts[seen]
    inside, top = _likeliest(rows, counts, float(drops.min()))
    least, height = figures.min(axis=1), np.ptp(figures, axis=1)
    aims = (figures - least[:, np.newaxis]) / np.where(height > 0, height, 1)[:, np.newaxis]
    farthest = _farthest(rows, counts, np.concatenate([-aims, aims]), np.tile(top - drops, 2), inside)
    low, high = (farthest * np.tile(aims, (2, 1))).sum(axis=1).reshape(2, -1)
    missed = (len(rows) + 1) / STAGES[-1]
    return least + height * np.maximum(low - missed, 0), least + height * np.minimum(high + missed, 1)


def _likeliest(rows: Floats, counts: Floats, drop: float) -> tuple[Floats, float]:
    """The greatest log-likelihood, and a distribution well inside of all bounds that comes near it."""
    pieces = len(rows)
    shares, found = np.full((1, pieces), 1 / pieces), []
    weight = 1.0
    while weight * pieces > LOST * min(drop, 1.0):
        weight /= 10

        def aim(tried: Floats, _: Places, weight: float = weight) -> Floats:
            value: Floats = np.log(tried @ rows) @ counts + weight * np.log(tried).sum(axis=1)
            return value

        def bend(at: Floats, _: Places, weight: float = weight) -> tuple[Floats, Floats]:
            expected = at @ rows
            table = (rows * (counts / expected[0] ** 2)) @ rows.T + np.diag(weight / at[0] ** 2)
            return (counts / expected) @ rows.T + weight / at, table[np.newaxis]

        shares = _climbed(shares, aim, bend)
        found.append((shares[0], float(np.log(shares[0] @ rows) @ counts)))
    top = found[-1][1]
    return next(shares for shares, height in found if height >= top - drop / 2), top


def _farthest(rows: Floats, counts: Floats, aims: Floats, least: Floats, inside: Floats) -> Floats:
    """For each aim the distribution at which it is greatest among those that are likely enough."""
    shares, own = np.tile(inside, (len(aims), 1)), np.arange(len(rows))
    likely = (rows * (counts / (inside @ rows) ** 2)) @ rows.T  # changes little among distributions that are likely
    for weight in STAGES:

        def aim(tried: Floats, places: Places, weight: float = weight) -> Floats:
            room = np.log(tried @ rows) @ counts - least[places]
            value: Floats = weight * (aims[places] * tried).sum(axis=1) + np.log(room) + np.log(tried).sum(axis=1)
            return value

        def bend(at: Floats, places: Places, weight: float = weight) -> tuple[Floats, Floats]:
            expected = at @ rows
            room = (np.log(expected) @ counts - least[places])[:, np.newaxis]
            pull = (counts / expected) @ rows.T / room
            table = likely / room[:, :, np.newaxis] + pull[:, :, np.newaxis] * pull[:, np.newaxis, :]
            table[:, own, own] += at**-2
            return weight * aims[places] + pull + 1 / at, table

        shares = _climbed(shares, aim, bend)
    return shares


def _climbed(
    shares: Floats,
    aim: Callable[[Floats, Places], Floats],
    bend: Callable[[Floats, Places], tuple[Floats, Floats]],
) -> Floats:
    """The greatest aim of each row, by Newton's steps along Σp = 1 that never lower it.

    `aim` and `bend` take rows and the places of these rows: `bend` gives the gradients and the negative curvatures.
    """
    shares, places = shares.copy(), np.arange(len(shares))
    for _ in range(STEPS):
        here = shares[places]
        slope, curve = bend(here, places)
        solved = np.linalg.solve(curve, np.stack([slope, np.ones_like(slope)], axis=2))
        along, ones = solved[:, :, 0], solved[:, :, 1]
        step = along - ones * (along.sum(axis=1) / ones.sum(axis=1))[:, np.newaxis]
        reach = np.minimum(1, 0.95 / np.maximum((-step / here).max(axis=1), 1e-9))
        before, moved = aim(here, places), np.zeros(len(here), bool)
        for _ in range(BACK):
            left = np.flatnonzero(~moved)
            tried = here[left] + reach[left, np.newaxis] * step[left]
            with np.errstate(invalid="ignore", divide="ignore"):
                better = aim(tried, places[left]) >= before[left]
            shares[places[left[better]]] = tried[better] / tried[better].sum(axis=1, keepdims=True)
            moved[left[better]] = True
            if moved.all():
                break
            reach[left] /= 2
        places = places[moved & ((slope * step).sum(axis=1) > NEAR)]
        if not len(places):
            break
    return shares
