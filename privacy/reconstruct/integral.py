"""Integrals over tables of shares: what a Dirichlet prior and counts leave open of the share of one cell.

Nothing is drawn, taken or left by chance, and numbers of points are fixed. Each figure is a smooth function of all
numbers it is made from, so machines that round otherwise print the same digits.

The share of the first cell, that of the second in what is left, and so on ("sticks") have Beta distributions under a
Dirichlet prior. Each is written as z = Φ⁻¹(F(stick)): then the prior is standard normal. What its numbers have above 1
counts as records, which keeps firm priors in reach. Two cells are integrated on a grid of log odds. Of more, points of
a shifted lattice (Cranley and Patterson 1976) go through split-t distributions (Geweke 1989), each fitted to all points
before. Points have the weights of the mixture of all proposals (Owen and Zhou 2000; Cornuet and others 2012).
"""

import numpy as np
from scipy.interpolate import CubicSpline
from scipy.special import betainccinv, betaincinv, betaln, log_ndtr, ndtr, stdtrit

from privacy.arrays import Floats
from privacy.reconstruct.quadrature import share_by_grid

Distribution = tuple[Floats, Floats]
"""Shares in ascending order, and their weights, which come to 1."""
Proposal = tuple[Floats, Floats, Floats]
"""A place, the triangle of a covariance, and two scales for each axis: below the place and above."""

_REACH = 10.0  # of z
_GRID = np.linspace(-_REACH, _REACH, 2001)
_ROUNDS = {4: 6, 8: 10}  # by cells
_POINTS = 2**14  # of a round
_MIXED = 2**15
_GENERATOR = np.array([1, 182667, 469891, 498753, 110745, 446247, 250185])  # Cools, Kuo and Nuyens 2006
_SHIFTS = np.sqrt([2.0, 3.0, 5.0, 7.0, 11.0, 13.0, 17.0])
_CLIMBS, _STEPS = 300, 60
_NODES, _SPAN = 401, 8.0  # of the ridge, as far as so many standard deviations
_COUNTING = 0.02  # of the points, at least, where a proposal is fitted to them
_LEAST = 1e-140  # of a share that is divided by
_FREEDOM = 5.0  # degrees of freedom of proposals


def share_of_last(known: Floats, channel: Floats, counts: Floats, run: int) -> Distribution:
    """Compute the distribution of the last cell's share, by its Dirichlet prior and counts of what cells show.

    >>> values, weights = share_of_last(np.array([1.0, 1.0]), np.array([[0.75], [0.25]]), np.array([1.0]), 0)
    >>> round(float(weights @ values), 5)
    0.41667
    """
    channel, counts = channel[:, counts > 0], counts[counts > 0]
    told = np.count_nonzero(channel, axis=0) == 1  # who gave these is in this cell, as if known before
    known = known + (channel[:, told] > 0) @ counts[told]
    channel, counts = channel[:, ~told], counts[~told]
    if not len(counts):
        known, channel = np.array([known[:-1].sum(), known[-1]]), np.zeros((2, 0))
    if len(known) == 2:
        return share_by_grid(known, channel, counts)
    begun = np.minimum(known, 1.0)
    table = _Table(begun[::-1], np.hstack([channel, np.eye(len(known))])[::-1], np.append(counts, known - begun))
    values, weights = table.by_points(run)
    order = np.argsort(values, kind="stable")
    return values[order], weights[order]


def mix_shares(first: Distribution, second: Distribution, part: Distribution, run: int) -> Distribution:
    """Compute the share in two independent groups together, of which the second is this part."""
    one, other, own = map(_quantiles, (first, second, part), _lattice(_MIXED, 3, run).T)
    return np.sort((1 - own) * one + own * other), np.full(_MIXED, 1 / _MIXED)


def figures(share: Distribution, level: float) -> Floats:
    """Compute mean, standard deviation and the ends of the interval of equal tails."""
    values, weights = share
    mean = weights @ values
    ends = _quantiles(share, np.array([(1 - level) / 2, (1 + level) / 2]))
    return np.array([mean, np.sqrt(weights @ (values - mean) ** 2), *ends])


def _quantiles(share: Distribution, levels: Floats) -> Floats:
    values, weights = share
    found: Floats = np.interp(levels, np.cumsum(weights) - weights / 2, values)
    return found


class _Table:
    """The density of the sticks of a table, as z, from the first cell on."""

    def __init__(self, known: Floats, channel: Floats, counts: Floats) -> None:
        self.known, self.channel, self.counts = known, channel[:, counts > 0], counts[counts > 0]
        rest = np.cumsum(known[::-1])[::-1][1:]
        self.odds = [_log_quantiles(a, b) - _log_quantiles(b, a)[::-1] for a, b in zip(known[:-1], rest, strict=True)]
        self.curves = [CubicSpline(_GRID, one) for one in self.odds]

    def shares(self, z: Floats) -> tuple[Floats, Floats]:
        """The shares of all cells, and what each stick takes of what is left."""
        odds = np.stack([curve(one) for curve, one in zip(self.curves, z.clip(-_REACH, _REACH).T, strict=True)], axis=1)
        against = np.exp(-odds.clip(-700, 700))
        sticks, one = 1 / (1 + against), np.ones((len(z), 1))
        return np.hstack([sticks, one]) * np.hstack([one, np.cumprod(against * sticks, axis=1)]), sticks

    def heights(self, z: Floats) -> Floats:
        """The logarithm of the density."""
        with np.errstate(divide="ignore"):
            heights: Floats = np.log(self.shares(z)[0] @ self.channel) @ self.counts - (z**2).sum(axis=1) / 2
        return heights

    def by_points(self, run: int) -> Distribution:
        axes, rounds = len(self.curves), _ROUNDS[len(self.known)]
        start, ridge = self.top()

        def along(points: Floats) -> Floats:
            rest = [np.interp(points[:, 0], ridge[:, 0], own) for own in ridge[:, 1:].T]
            return points + np.stack([np.zeros(len(points)), *rest], axis=1)

        proposals = [(np.zeros(axes), np.eye(axes), np.ones((2, axes))), start]
        points, heights, mixture = np.zeros((0, axes)), np.zeros(0), np.zeros(0)
        for number in range(rounds):
            new = _points(_lattice(_POINTS, axes, run * rounds + number), proposals[number])
            mixture = np.logaddexp(mixture, _log_density(points, proposals[number]))
            of_new = [_log_density(new, one) for one in proposals[: number + 1]]
            mixture = np.append(mixture, np.logaddexp.reduce(of_new))
            points, heights = np.concatenate([points, new]), np.append(heights, self.heights(along(new)))
            if 1 <= number < rounds - 1:
                proposals.append(_fitted(points, _tempered(heights - mixture)))
        return self.shares(along(points))[0][:, 0], _weights(heights - mixture)

    def top(self) -> tuple[Proposal, Floats]:
        """Where the density is highest, and the ridge there: the best of the other sticks, by the first one."""
        z = self.climbed(None)
        triangle = np.linalg.cholesky(np.linalg.inv(self.stepped(z, 0)[1][0]))
        nodes = (z[0, 0] + _SPAN * triangle[0, 0] * np.linspace(-1, 1, _NODES)).clip(-_REACH, _REACH)
        triangle[1:, 0] = 0.0
        return (np.append(z[0, 0], np.zeros(len(triangle) - 1)), triangle, np.ones((2, len(triangle)))), self.climbed(
            nodes
        )

    def climbed(self, first: Floats | None) -> Floats:
        """Sticks of the highest density, or of that for each first one: by EM, then by Gauss and Newton."""
        own = np.ones((1, 1)) if first is None else 1 / (1 + np.exp(-self.curves[0](first).clip(-700, 700)))[:, None]
        shares = np.full((len(own), len(self.known)), 1 / len(self.known))
        for _ in range(_CLIMBS):
            shares = self.known + shares * (self.counts / (shares @ self.channel).clip(_LEAST) @ self.channel.T)
            if first is None:
                shares /= shares.sum(axis=1, keepdims=True)
            else:
                shares = np.hstack([own, shares[:, 1:] * (1 - own) / shares[:, 1:].sum(axis=1, keepdims=True)])
        left = np.cumsum(shares[:, ::-1], axis=1)[:, ::-1][:, 1:]
        odds = np.log(shares[:, :-1].clip(_LEAST) / left.clip(_LEAST))
        z = np.stack([np.interp(one, own, _GRID) for one, own in zip(odds.T, self.odds, strict=True)], axis=1)
        if first is not None:
            z[:, 0] = first
        for _ in range(_STEPS):
            z = self.stepped(z, 0 if first is None else 1)[0]
        return z

    def stepped(self, z: Floats, begin: int) -> tuple[Floats, Floats]:
        """Half a step of Gauss and Newton of the sticks from this one on, and the curvature."""
        shares, sticks = self.shares(z)
        slopes = np.stack([curve(one, 1) for curve, one in zip(self.curves, z.clip(-_REACH, _REACH).T, strict=True)], 1)
        each = np.eye(sticks.shape[1], shares.shape[1])
        moved = (
            (each - np.triu(np.ones(each.shape)) * sticks[:, :, None])
            * slopes[:, :, None]
            * shares[:, None]
            @ self.channel
        )
        moved, seen = moved[:, begin:], (shares @ self.channel).clip(_LEAST)
        curvature = moved * (self.counts / seen / seen)[:, None] @ moved.transpose(0, 2, 1) + np.eye(moved.shape[1])
        slope = (moved @ (self.counts / seen)[:, :, None])[..., 0] - z[:, begin:]
        step = np.linalg.solve(curvature, slope[..., None])[..., 0] / 2
        return np.hstack([z[:, :begin], z[:, begin:] + step]), curvature


def _log_quantiles(a: float, b: float) -> Floats:
    """ln of the stick of Beta(a, b), for each z of the grid; hardly above 0 its distribution is a power."""
    sticks, lower, tail = np.empty_like(_GRID), _GRID < 0, ndtr(-np.abs(_GRID))
    betaincinv(a, b, tail, where=lower, out=sticks)
    betainccinv(a, b, tail, where=~lower, out=sticks)
    power = (log_ndtr(_GRID) + np.log(a) + betaln(a, b)) / a
    return np.where(sticks > _LEAST, np.log(sticks.clip(_LEAST)), power)


def _lattice(size: int, axes: int, shift: int) -> Floats:
    places: Floats = np.outer(np.arange(size), _GENERATOR[:axes]) / size + _SHIFTS[:axes] * (1 + shift)
    return np.modf(places)[0].clip(1e-15, 1 - 1e-15)


def _points(places: Floats, proposal: Proposal) -> Floats:
    middle, triangle, (below, above) = proposal
    part = below / (below + above)
    under = places < part
    half = np.where(under, places / (2 * part), 0.5 + (places - part) / (2 * (1 - part)))
    points: Floats = middle + stdtrit(_FREEDOM, half) * np.where(under, below, above) @ triangle.T
    return points


def _log_density(z: Floats, proposal: Proposal) -> Floats:
    """Return the log density of a proposal, without the constant that all proposals share."""
    middle, triangle, (below, above) = proposal
    along = np.linalg.solve(triangle, (z - middle).T).T
    along /= np.where(along < 0, below, above)
    size = np.log(np.diag(triangle) * (below + above)).sum()
    density: Floats = -(_FREEDOM + 1) / 2 * np.log1p(along**2 / _FREEDOM).sum(axis=1) - size
    return density


def _fitted(z: Floats, weights: Floats) -> Proposal:
    middle: Floats = weights @ z
    triangle = np.asarray(np.linalg.cholesky((z - middle).T * weights @ (z - middle)), float)
    along = np.linalg.solve(triangle, (z - middle).T).T
    sides = (along < 0, along >= 0)
    scales: Floats = np.sqrt(np.array([weights @ (along**2 * side) / (weights @ side) for side in sides], float))
    return middle, triangle, scales


def _weights(logs: Floats) -> Floats:
    weights: Floats = np.exp(logs - logs.max())
    return weights / weights.sum()


def _tempered(logs: Floats) -> Floats:
    """Weights of which enough count, by a power of what they would be."""
    low, high = 0.0, 1.0
    for _ in range(50):
        middle = (low + high) / 2
        enough = 1 / (_weights(middle * logs) ** 2).sum() >= _COUNTING * len(logs)
        low, high = (middle, high) if enough else (low, middle)
    return _weights(high * logs)
