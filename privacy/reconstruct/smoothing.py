"""Smooth distributions over neighbouring pieces, with single cells that may stick out.

Maximum likelihood through a channel that hides much fits the noise of the records: its shares jump from piece to piece.
Here the shares are wᵢ·exp(θᵢ)/Σ w·exp(θ), w those of people who are spread evenly, and what is maximised is the
log-likelihood less λ/2 · |D²θ|², D² the second differences: without reason to bend, the logarithms lie on a line. This
is the penalised composite link model (Eilers 2007, "Ill-posed problems with counts, the composite link model and
penalized likelihood"; Rizzi, Gampe and Eilers 2015). λ is (pieces)³/σ², so that the roughness σ does not depend on the
number of pieces.

Many people say exactly 0, or a round number, and no smooth curve holds that. So some cells are *free*: the share of
such a cell has a logarithm of its own, which no neighbour binds, and may stick out or be a hole. The caller names them;
one more is free beside them with even chances, wherever it lies.

Nobody chooses σ or where the other free cell lies: the fits are averaged by their marginal likelihood (Laplace's
approximation) times the prior, which for σ keeps off 0, Gamma(2) (Chung and others 2013): few records cannot show that
nothing bends.

Intervals come from draws of the posterior, by a Markov chain each; the next rougher σ of the grid takes the place of
the one that a chain has drawn. What the penalty that fits best smooths away is as large as what it leaves to chance;
under a weaker one chance is the larger part, and intervals show it (undersmoothing; Hall 1992).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from privacy.design.channels import Floats

ROUGHNESS = 10.0 ** np.arange(0.5, 3.5, 0.25)
USUAL = 150.0  # the scale of the prior of the roughness
TILTED = 5.0  # of the prior of the slope: the logarithm of how much denser one end may be than the other
USUALLY_FREE = 0.1  # of those in the pieces: how many are in a free cell, in the middle of the prior
FREEDOM = 2.5  # the standard deviation of the logarithm of that
PLACES = 8  # cells that are tried for one more
NEAR = 2  # places of the grid of roughnesses on either side of the likeliest, for one more
STEPS, HALVES = 60, 30
LEAST = 1e-200  # the chance of a record, where it is divided by
GAIN = 1e-5  # in units of log-likelihood: after a step of Newton's that gains so little, next to nothing is left
MOVES = 40  # of a chain, all but each eighth small
KEPT = 0.8  # of the place of a chain in a small move


@dataclass(frozen=True)
class Smooth:
    """A fit under one penalty: shares, their logarithms over even ones, and how likely the penalty is."""

    shares: Floats
    logs: Floats
    penalty: Floats
    information: Floats
    height: float
    evidence: float


@dataclass(frozen=True)
class Model:
    """The pieces and the free cells: their channel, their even shares, and fits by the place of roughness."""

    cells: tuple[int, ...]
    rows: Floats  # how the people of each piece, and of each cell that is free, are spread over cells
    channel: Floats
    even: Floats
    prior: float  # the logarithm of its chance beforehand
    fits: dict[int, Smooth]

    def heights(self) -> dict[int, float]:
        """The log posterior of each roughness that has a rougher one beside it, by its place; up to a constant."""
        return {
            place: fit.evidence + self.prior + prior_of(place)
            for place, fit in self.fits.items()
            if place + 1 in self.fits
        }


@dataclass(frozen=True)
class Smoothed:
    """The average of the fits of all models and roughnesses, by their `chances`; shares are those of cells."""

    counts: Floats
    models: list[Model]
    chances: dict[tuple[int, int], float]  # by model and place of roughness

    @property
    def shares(self) -> Floats:
        total: Floats = sum(
            chance * self.models[model].fits[place].shares @ self.models[model].rows
            for (model, place), chance in self.chances.items()
        )  # type: ignore[assignment]
        return total

    def draws(self, count: int, rng: np.random.Generator) -> Floats:
        """Draw shares from the posterior, a row for each draw, each from a Markov chain of its own."""
        keys = list(self.chances)
        taken = np.bincount(rng.choice(len(keys), count, p=list(self.chances.values())), minlength=len(keys))
        drawn = [
            self._chains(self.models[model], place + 1, many, rng) @ self.models[model].rows
            for (model, place), many in zip(keys, taken.tolist(), strict=True)
            if many
        ]
        return np.concatenate(drawn)

    def _chains(self, model: Model, place: int, count: int, rng: np.random.Generator) -> Floats:
        """Shares of pieces at the end of `count` chains, a row for each.

        A chain moves by the preconditioned Crank-Nicolson proposal (Cotter, Roberts, Stuart and White 2013), for which
        the normal approximation of its fit is even; it then accepts by what the approximation gets wrong.
        """
        fit = model.fits[place]
        turn = np.linalg.inv(np.linalg.cholesky(fit.information))
        seen = self.counts > 0
        channel, counts = model.channel[:, seen], self.counts[seen]

        def shares_and_height(normal: Floats) -> tuple[Floats, Floats]:
            logs = fit.logs + normal @ turn
            shares = _shares(logs, model.even)
            heights = (normal**2).sum(axis=1) / 2 - ((logs @ fit.penalty) * logs).sum(axis=1) / 2
            with np.errstate(divide="ignore"):
                return shares, heights + np.log(shares @ channel) @ counts

        normal = rng.normal(size=(count, len(model.channel)))
        shares, heights = shares_and_height(normal)
        for move in range(MOVES):
            kept = KEPT if move % 8 else 0.0
            tried = kept * normal + (1 - kept**2) ** 0.5 * rng.normal(size=normal.shape)
            tried_shares, tried_heights = shares_and_height(tried)
            taken = np.log(rng.random(count)) < tried_heights - heights
            normal[taken], shares[taken], heights[taken] = tried[taken], tried_shares[taken], tried_heights[taken]
        return shares


def prior_of(place: int) -> float:
    """The logarithm of the chance of a roughness beforehand, up to a constant."""
    return float(2 * np.log(ROUGHNESS[place]) - ROUGHNESS[place] / USUAL)


def smoothest(
    channel: Floats, counts: Floats, rows: Floats | None = None, free: Sequence[int] | None = None
) -> Smoothed:
    """Fit shares of cells to counts of records, under the penalties that these make likely, and with free cells.

    `channel`: p(record | cell) at [cell, record]; at least three cells, in their order.
    `rows`: evenly spread people by piece and cell; where it is missing, each cell is a piece and all are alike.
    `free`: the cells that are free; where it is missing, none is, and no other.

    >>> smoothest(np.eye(5), np.array([10.0, 20, 40, 20, 10])).shares.round(3).tolist()
    [0.101, 0.205, 0.388, 0.205, 0.101]
    """
    rows = np.eye(len(channel)) / len(channel) if rows is None else rows
    first = _model(channel, rows, tuple(free or ()), 0.0)
    for index in range(len(ROUGHNESS)):
        _fit([first], counts, index, [first.fits[index - 1]] if index else [])
    models = [first]
    if free is not None:
        at = max(first.heights().items(), key=lambda one: one[1])[0]
        others = [cell for cell in _worst_held(channel, counts, first, at) if cell not in first.cells]
        more = [_model(channel, rows, (*first.cells, cell), -float(np.log(len(channel)))) for cell in others[:PLACES]]
        for place in range(max(at - NEAR, 0), min(at + NEAR + 2, len(ROUGHNESS))) if more else ():
            _fit(more, counts, place, [model.fits.get(place - 1) or first.fits[place] for model in more])
        models += more
    heights = {
        (number, place): height for number, model in enumerate(models) for place, height in model.heights().items()
    }
    chances = _shares(np.array(list(heights.values())), np.ones(len(heights)))
    return Smoothed(counts, models, dict(zip(heights, chances.tolist(), strict=True)))


def _model(channel: Floats, rows: Floats, cells: tuple[int, ...], prior: float) -> Model:
    """The model in which these cells are free; pieces spread their people over all other cells."""
    free = np.isin(np.arange(len(channel)), cells)
    bound = np.where(free, 0, rows)
    even = bound.sum(axis=1)
    spread = np.concatenate([bound / np.where(even > 0, even, 1)[:, np.newaxis], np.eye(len(channel))[list(cells)]])
    return Model(cells, spread, spread @ channel, np.append(even, np.full(len(cells), USUALLY_FREE)), prior, {})


def _worst_held(channel: Floats, counts: Floats, model: Model, place: int) -> list[int]:
    """The cells, first those where records show most clearly that the fit holds too few people."""
    expected = model.fits[place].shares @ model.channel
    known = expected > 0
    gained = channel[:, known] @ (counts[known] / expected[known]) - counts.sum()
    error = np.sqrt(np.maximum((channel[:, known] ** 2 / expected[known]).sum(axis=1) - 1, 1e-12))
    order: list[int] = np.argsort(-np.round(gained / error, 6), kind="stable").tolist()
    return order


def _fit(models: Sequence[Model], counts: Floats, place: int, starts: Sequence[Smooth]) -> None:
    """Fit models of equal size at one place of the grid of roughnesses, from where smoother or simpler fits ended."""
    even = np.stack([model.even for model in models])
    logs = np.zeros_like(even)
    for row, start in zip(logs, starts, strict=False):
        row[: len(start.logs)] = start.logs
    fits = smooth(
        np.stack([model.channel for model in models]), counts, even, ROUGHNESS[place], logs, len(models[0].cells)
    )
    for model, fit in zip(models, fits, strict=True):
        model.fits[place] = fit


def smooth(
    channel: Floats, counts: Floats, even: Floats, roughness: float, start: Floats, free: int = 0
) -> list[Smooth]:
    """Fit shares of pieces under one roughness, for each channel along the first axis.

    `start`: logarithms of shares over even ones to begin with. The last `free` shares are of free cells.
    """
    bending, rest = penalties(channel.shape[1] - free, free)
    penalty = np.broadcast_to(bending / roughness**2 + rest, (len(channel), *bending.shape))
    spread = Spread(channel, even, (slice(None),), np.ones((len(channel), 1)))
    logs, heights = climb_smoothly(spread, counts, penalty, start)
    likely, information = evidence(spread, counts, penalty, logs, heights)
    parts = zip(spread.shares(logs), logs, penalty, information, heights.tolist(), likely.tolist(), strict=True)
    return [Smooth(*part) for part in parts]


@dataclass(frozen=True)
class Spread:
    """How logarithms make shares of pieces: in proportion to even·exp(logs), apart on each of the `sides`.

    `channel`, `even` and `totals`, the share of people on each side, have one more axis before theirs, along which
    problems lie that are solved at once.
    """

    channel: Floats
    even: Floats
    sides: tuple[slice, ...]
    totals: Floats

    def only(self, places: NDArray[np.intp]) -> "Spread":
        """Only the problems at these places."""
        return Spread(self.channel[places], self.even[places], self.sides, self.totals[places])

    def shares(self, logs: Floats) -> Floats:
        shares = np.empty_like(logs)
        for side, total in zip(self.sides, self.totals.T, strict=True):
            even = self.even[:, side]
            shares[:, side] = total[:, np.newaxis] * _shares(np.where(even > 0, logs[:, side], -np.inf), even)
        return shares

    def chances(self, shares: Floats) -> Floats:
        """The chance of each record."""
        return np.asarray((shares[:, np.newaxis] @ self.channel)[:, 0])

    def heights(self, logs: Floats, counts: Floats, penalty: Floats) -> Floats:
        """The log-likelihood less the penalty."""
        seen = counts > 0
        with np.errstate(divide="ignore"):  # shares that make a record impossible are as bad as can be
            likely = np.log(self.chances(self.shares(logs))[:, seen])
        return np.asarray(likely @ counts[seen] - ((logs[:, np.newaxis] @ penalty)[:, 0] * logs).sum(axis=1) / 2)

    def slopes(self, shares: Floats) -> Floats:
        """How the chance of each record changes with each logarithm."""
        slopes = np.empty_like(self.channel)
        for side, total in zip(self.sides, self.totals.T, strict=True):
            part = shares[:, side] / np.where(total > 0, total, 1)[:, np.newaxis]
            mean = part[:, np.newaxis] @ self.channel[:, side]
            slopes[:, side] = shares[:, side, np.newaxis] * (self.channel[:, side] - mean)
        return slopes

    def information(self, logs: Floats, counts: Floats) -> Floats:
        """Fisher's: what is expected where these logarithms are true."""
        shares = self.shares(logs)
        expected = np.maximum(self.chances(shares), LEAST)
        weighted = self.slopes(shares) * (counts.sum() / expected)[:, np.newaxis] ** 0.5
        return np.asarray(weighted @ weighted.swapaxes(1, 2))

    def steps(self, logs: Floats, counts: Floats, penalty: Floats) -> Floats:
        """Newton's steps; Fisher's where Newton's lead downwards."""
        shares = self.shares(logs)
        expected, slopes = np.maximum(self.chances(shares), LEAST), self.slopes(shares)
        gains = (slopes @ (counts / expected)[:, :, np.newaxis])[:, :, 0]
        pull = gains - (penalty @ logs[:, :, np.newaxis])[:, :, 0]
        weighted = slopes * (counts**0.5 / expected)[:, np.newaxis]
        bent = weighted @ weighted.swapaxes(1, 2) + penalty
        every = np.arange(logs.shape[1])
        bent[:, every, every] -= gains
        for side, total in zip(self.sides, self.totals.T, strict=True):
            part = shares[:, side] / np.where(total > 0, total, 1)[:, np.newaxis]
            both = part[:, :, np.newaxis] * gains[:, np.newaxis, side]
            bent[:, side, side] += both + both.swapaxes(1, 2)
        steps = np.linalg.solve(bent, pull[:, :, np.newaxis])[:, :, 0]
        down = np.flatnonzero((steps * pull).sum(axis=1) < 0)
        if len(down):
            information = self.only(down).information(logs[down], counts) + penalty[down]
            steps[down] = np.linalg.solve(information, pull[down, :, np.newaxis])[:, :, 0]
        return np.asarray(steps, float)


def climb_smoothly(spread: Spread, counts: Floats, penalty: Floats, start: Floats) -> tuple[Floats, Floats]:
    """The logarithms that maximise log-likelihoods less penalties, and these heights: by steps that are halved."""
    logs, heights = start.copy(), spread.heights(start, counts, penalty)
    live = np.flatnonzero(np.isfinite(heights))  # not of nobody on a side from which records come
    for _ in range(STEPS):
        if not len(live):
            break
        some = len(live) < len(logs)
        own, bound = (spread.only(live), penalty[live]) if some else (spread, penalty)
        before = heights[live]
        steps, left = own.steps(logs[live], counts, bound), np.arange(len(live))
        for halves in range(HALVES):
            tried = logs[live[left]] + steps[left] / 2**halves
            reached = (own.only(left) if halves else own).heights(tried, counts, bound[left] if halves else bound)
            good = reached >= before[left]
            logs[live[left[good]]], heights[live[left[good]]] = tried[good], reached[good]
            left = left[~good]
            if not len(left):
                break
        live = live[heights[live] - before >= GAIN]
    return logs, heights


def evidence(spread: Spread, counts: Floats, penalty: Floats, logs: Floats, heights: Floats) -> tuple[Floats, Floats]:
    """The log marginal likelihoods by Laplace's approximation, and the information that they rest on."""
    information = spread.information(logs, counts) + penalty
    return heights + (np.linalg.slogdet(penalty)[1] - np.linalg.slogdet(information)[1]) / 2, information


@lru_cache(maxsize=4)
def penalties(pieces: int, free: int) -> tuple[Floats, Floats]:
    """Two penalty matrices: for bending, to be divided by the squared roughness; and for slope, mean and free cells."""
    rough = np.diff(np.eye(pieces), 2, axis=0)
    line = np.linspace(-0.5, 0.5, pieces)
    slope = line / (line @ line) if pieces > 1 else np.zeros(pieces)
    bending, rest = np.zeros((pieces + free, pieces + free)), np.eye(pieces + free) / FREEDOM**2
    bending[:pieces, :pieces] = pieces**3 * rough.T @ rough
    # Shares do not depend on the mean of the logarithms, which is held at 0.
    rest[:pieces, :pieces] = np.outer(slope, slope) / TILTED**2 + 1 / pieces**2
    return bending, rest


def _shares(logs: Floats, even: Floats) -> Floats:
    """Shares in proportion to even·exp(logs), along the last axis."""
    powers = even * np.exp(logs - logs.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)
