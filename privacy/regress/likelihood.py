"""The likelihood of a regression on disguised answers, with its exact gradient and curvature.

For a respondent with open covariates z the hidden predictors are in state s with the chance π_s(z), and the record,
with an open outcome beside it, has the density g_s(η_s) where η_s = x_sᵀβ is the linear predictor in that state:

    ℓ = Σ_i weight_i · log Σ_s π_s(z_i) g_s(η_is)

    logistic, ordinal   g = Σ_t P(outcome t | η)·P(record | s, t);  an open outcome is its own record
    normal              g = φ((y − η)/σ)/σ · P(record | s)

π is a multinomial model of its own: a constant for each state, and for each class of each hidden predictor a line in
the open covariates. So a predictor may depend on the covariates, which is what makes β the coefficient beside them.
Where it may not (`independent`), π has the constants alone, as in van den Hout and Kooiman (2006).

Scores and curvature of the observed likelihood follow from those of a complete one by Louis (1982): with the
posterior r of the states, score = Σ r c and curvature = Σ r (∇∇g/g) − score·scoreᵀ. Newton's method then takes few
steps, and the curvature at its end is the observed information.
"""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from scipy.special import expit

from privacy.arrays import Floats

SLICE = 2**21  # numbers that one step of a sum over respondents holds at the most
LEAST = 1e-300


@dataclass(frozen=True)
class Kernel:
    """g of rows and states, and its derivatives by η and by its own parameters, all as multiples of it.

    `density` is g over e^`log_scale` of the row, which no state of a row that lies far off can make 0.
    """

    density: Floats
    log_scale: Floats
    first: Floats
    second: Floats
    own: Floats  # rows × states × parameters
    own_second: Floats  # rows × states × parameters × parameters
    cross: Floats  # rows × states × parameters: by η and by the parameter


def cumulative_kernel(eta: Floats, fixed: Floats, moving: Floats | None, own: Floats) -> Kernel:
    """Return the kernel of proportional odds (McCullagh 1980), from tables rows × states × values of the outcome.

    P(outcome beyond its value t | η) = F(η − δ_t), where δ_0 = 0 and the others grow: with two values it is logistic.
    Its own parameters are a model's share, if any, and the logarithms of δ_t − δ_{t−1}.
    """
    shares = int(moving is not None)
    table = fixed if moving is None else fixed + expit(own[0]) * moving
    gaps = np.exp(own[shares:])
    beyond = expit(eta[..., np.newaxis] - np.concatenate([[0.0], np.cumsum(gaps)]))
    slopes = beyond * (1 - beyond)
    # g = T_0 + Σ_t (T_t+1 − T_t)·F(η − δ_t)
    steps = np.diff(table, axis=-1)
    density = np.maximum(table[..., 0] + (steps * beyond).sum(axis=-1), LEAST)
    by_each = steps * slopes / density[..., np.newaxis]
    bends = by_each * (1 - 2 * beyond)
    first, second = by_each.sum(axis=-1), bends.sum(axis=-1)
    count = shares + len(gaps)
    mine, crossed = np.zeros((2, *eta.shape, count))
    mine_second = np.zeros((*eta.shape, count, count))
    if len(gaps):
        moves = np.tril(np.ones((len(gaps), len(gaps)))) * gaps  # of each δ (rows) by the logarithm of each gap
        mine[..., shares:] = -by_each[..., 1:] @ moves
        crossed[..., shares:] = -bends[..., 1:] @ moves
        twice = np.einsum("tp,tq->tpq", moves, moves)
        mine_second[..., shares:, shares:] = np.tensordot(bends[..., 1:], twice, 1)
        mine_second[..., range(shares, count), range(shares, count)] += mine[..., shares:]
    if moving is not None:
        slope, bend = _of_share(own[0])
        moved = np.diff(moving, axis=-1) / density[..., np.newaxis]
        by_share = moving[..., 0] / density + (moved * beyond).sum(axis=-1)
        mine[..., 0], mine_second[..., 0, 0] = slope * by_share, bend * by_share
        crossed[..., 0] = slope * (moved * slopes).sum(axis=-1)
        if len(gaps):
            mixed = -slope * (moved * slopes)[..., 1:] @ moves
            mine_second[..., 0, 1:], mine_second[..., 1:, 0] = mixed, mixed
    return Kernel(density, np.zeros(len(eta)), first, second, mine, mine_second, crossed)


def normal_kernel(eta: Floats, outcome: Floats, fixed: Floats, moving: Floats | None, own: Floats) -> Kernel:
    """Return the kernel of a normal outcome; its own parameters are a model's share, if any, and log σ."""
    sigma = float(np.exp(own[-1]))
    scaled = (outcome[:, np.newaxis] - eta) / sigma
    squared = scaled**2
    first = scaled / sigma
    by_sigma = squared - 1
    sigma_sigma = by_sigma**2 - 2 * squared
    kernel = _beside(
        -0.5 * squared - np.log(sigma * np.sqrt(2 * np.pi)), first, by_sigma / sigma**2, fixed, moving, own
    )
    own_first = np.concatenate([kernel.own, by_sigma[..., np.newaxis]], axis=-1)
    own_second = own_first[..., np.newaxis] * own_first[..., np.newaxis, :]  # the share and σ are in factors of g
    own_second[..., :-1, :-1], own_second[..., -1, -1] = kernel.own_second, sigma_sigma
    cross = np.concatenate([kernel.cross, (first * (by_sigma - 2))[..., np.newaxis]], axis=-1)
    return replace(kernel, own=own_first, own_second=own_second, cross=cross)


def _beside(log: Floats, first: Floats, second: Floats, fixed: Floats, moving: Floats | None, own: Floats) -> Kernel:
    """Return the kernel of an undisguised outcome with this logarithm of its density, beside P(record | state)."""
    chance = fixed if moving is None else fixed + expit(own[0]) * moving
    scale = log.max(axis=1)
    density = np.maximum(chance * np.exp(log - scale[:, np.newaxis]), LEAST)
    if moving is None:
        none = np.zeros((*log.shape, 0))
        return Kernel(density, scale, first, second, none, none[..., np.newaxis], none)
    slope, bend = _of_share(own[0])
    by_share = (moving / np.maximum(chance, LEAST))[..., np.newaxis]
    own_second = (bend * by_share)[..., np.newaxis]
    return Kernel(
        density, scale, first, second, slope * by_share, own_second, slope * by_share * first[..., np.newaxis]
    )


def _of_share(parameter: float) -> tuple[float, float]:
    """The first and the second derivative of a share by its log odds."""
    share = float(expit(parameter))
    return share * (1 - share), share * (1 - share) * (1 - 2 * share)


@dataclass(frozen=True)
class Likelihood:
    """What is to be fitted. Rows are the different respondents, `weight` says how many there are of each.

    The parameters are β, then the constants and lines of the hidden predictors, then the kernel's own parameter.
    """

    weight: Floats
    terms: Floats  # rows × terms: the open part of x
    marks: Floats  # states × terms: whether the hidden part of x holds
    covariates: Floats  # rows × covariates: z
    levels: Floats  # states × classes beyond each first one, of the hidden predictors
    fixed: Floats  # rows × states (× values of the outcome): P(record | state)
    moving: Floats | None
    outcome: Floats | None  # open and numeric: of a normal outcome

    @cached_property
    def states(self) -> int:
        return len(self.marks)

    @cached_property
    def sizes(self) -> tuple[int, int, int]:
        """How many parameters β, π and the kernel have."""
        own = int(self.moving is not None) + (self.fixed.shape[2] - 2 if self.outcome is None else 1)
        return self.terms.shape[1], (self.states - 1) + self.levels.shape[1] * self.covariates.shape[1], own

    def kernel(self, eta: Floats, own: Floats, rows: slice) -> Kernel:
        """The density of some rows in each state, with its derivatives; `own`: the kernel's parameters."""
        moving = None if self.moving is None else self.moving[rows]
        if self.outcome is None:
            return cumulative_kernel(eta, self.fixed[rows], moving, own)
        return normal_kernel(eta, self.outcome[rows], self.fixed[rows], moving, own)

    def likelihood(self, parameters: Floats) -> float:
        return sum(self._height(parameters, rows) for rows in self._slices)

    def _height(self, parameters: Floats, rows: slice) -> float:
        kernel, chances, _ = self._parts(parameters, rows)
        return float(self.weight[rows] @ (np.log((chances * kernel.density).sum(axis=1)) + kernel.log_scale))

    def mean(self, parameters: Floats) -> tuple[float, Floats, Floats]:
        """The mean chance of a logistic outcome over the rows, its gradient, and how far each row is from it."""
        own, gradient = np.zeros(len(self.weight)), np.zeros(len(parameters))
        for rows in self._slices:
            _, chances, features = self._parts(parameters, rows)
            x, weight = self._x(rows), self.weight[rows]
            yes = expit(x @ parameters[: self.sizes[0]])
            own[rows] = (chances * yes).sum(axis=1)
            by_beta = np.einsum("r,rs,rsf->f", weight, chances * yes * (1 - yes), x)
            by_hidden = np.einsum("r,rs,rsf->f", weight, chances * yes, features)
            gradient[: sum(self.sizes[:2])] += np.concatenate([by_beta, by_hidden])
        mean = float(self.weight @ own) / float(self.weight.sum())
        return mean, gradient / float(self.weight.sum()), own - mean

    def evaluate(self, parameters: Floats) -> tuple[float, Floats, Floats]:
        """The log-likelihood, the score of each row (rows × parameters) and the curvature."""
        height, scores = 0.0, []
        curvature = np.zeros((len(parameters), len(parameters)))
        for rows in self._slices:
            some, score, bend = self._slice(parameters, rows)
            height, curvature = height + some, curvature + bend
            scores.append(score)
        return height, np.concatenate(scores), curvature

    @cached_property
    def _slices(self) -> list[slice]:
        step = max(1, SLICE // (self.states * sum(self.sizes)))
        return [slice(first, first + step) for first in range(0, len(self.weight), step)]

    def _x(self, rows: slice) -> Floats:
        """The predictors x of some rows in each state: rows × states × terms; too large to keep for all rows."""
        return self.terms[rows][:, np.newaxis] * self.marks

    def _parts(self, parameters: Floats, rows: slice) -> tuple[Kernel, Floats, Floats]:
        """For some rows the kernel, π, and the gradient of log π by its parameters: rows × states × parameters."""
        beta, hidden, own = np.split(parameters, np.cumsum(self.sizes[:2]))
        eta = (self.terms[rows] * beta) @ self.marks.T
        kernel = self.kernel(eta, own, rows)
        if self.states == 1:
            return kernel, np.ones_like(kernel.density), np.zeros((*kernel.density.shape, 0))
        z = self.covariates[rows]
        constants, lines = hidden[: self.states - 1], hidden[self.states - 1 :].reshape(self.levels.shape[1], -1)
        logits = np.concatenate([[0.0], constants]) + (z @ lines.T) @ self.levels.T
        logits -= logits.max(axis=1, keepdims=True)
        chances = np.exp(logits)
        chances /= chances.sum(axis=1, keepdims=True)
        features = np.concatenate(
            [
                np.broadcast_to(np.eye(self.states)[:, 1:], (len(z), self.states, self.states - 1)),
                (self.levels[np.newaxis, :, :, np.newaxis] * z[:, np.newaxis, np.newaxis, :]).reshape(
                    len(z), self.states, -1
                ),
            ],
            axis=2,
        )
        return kernel, chances, features - np.einsum("rs,rsf->rf", chances, features)[:, np.newaxis]

    def _slice(self, parameters: Floats, rows: slice) -> tuple[float, Floats, Floats]:
        """What `evaluate` returns, of some rows."""
        kernel, chances, features = self._parts(parameters, rows)
        joint = chances * kernel.density
        total = joint.sum(axis=1, keepdims=True)
        posterior = joint / total
        weight, x = self.weight[rows], self._x(rows)
        p, q, own = self.sizes
        complete = np.concatenate([kernel.first[..., np.newaxis] * x, features, kernel.own], axis=2)
        score: Floats = np.einsum("rs,rsf->rf", posterior, complete)
        weighted = weight[:, np.newaxis] * posterior

        def gram(left: Floats, right: Floats, by: Floats) -> Floats:
            return (left * by[..., np.newaxis]).reshape(-1, left.shape[2]).T @ right.reshape(-1, right.shape[2])

        curvature = gram(complete, complete, weighted) - score.T @ (score * weight[:, np.newaxis])
        curvature[:p, :p] += gram(x, x, weighted * (kernel.second - kernel.first**2))
        if q:
            curvature[p : p + q, p : p + q] -= gram(features, features, weight[:, np.newaxis] * chances)
        if own:
            bend = kernel.cross - kernel.first[..., np.newaxis] * kernel.own
            mixed = np.einsum("rs,rsx,rso->xo", weighted, x, bend)
            curvature[:p, -own:] += mixed
            curvature[-own:, :p] += mixed.T
            apart = kernel.own_second - kernel.own[..., np.newaxis] * kernel.own[..., np.newaxis, :]
            curvature[-own:, -own:] += np.einsum("rs,rsok->ok", weighted, apart)
        return float(weight @ (np.log(total[:, 0]) + kernel.log_scale)), score, curvature
