"""Smooth distributions over neighbouring bins: a penalised likelihood whose penalty the records choose.

Maximum likelihood through a channel that hides much fits the noise of the records: its shares jump from bin to bin.
Here the shares are wᵢ·exp(θᵢ)/Σ w·exp(θ), w those of people who are spread evenly, and what is maximised is the
log-likelihood less λ/2 · |D²θ|², D² the second differences: without reason to bend, the logarithms lie on a line. This
is the penalised composite link model (Eilers 2007, "Ill-posed problems with counts, the composite link model and
penalized likelihood"; Rizzi, Gampe and Eilers 2015). λ is (bins)³/σ², so that the roughness σ does not depend on the
number of bins. Nobody chooses σ: the fits of a grid are averaged by their marginal likelihood (Laplace's approximation)
times a prior that keeps off 0, Gamma(2) (Chung and others 2013): few records cannot show that nothing bends.

Intervals come from draws of the posterior, by a Markov chain each; the next rougher σ of the grid takes the place of
the one that a chain has drawn. What the penalty that fits best smooths away is as large as what it leaves to chance;
under a weaker one chance is the larger part, and intervals show it (undersmoothing; Hall 1992).
"""

from dataclasses import dataclass

import numpy as np

from privacy.design.channels import Floats

ROUGHNESS = 10.0 ** np.arange(0.5, 3.5, 0.25)
USUAL = 150.0  # the scale of the prior of the roughness
TILTED = 5.0  # of the prior of the slope: the logarithm of how much denser one end may be than the other
STEPS = 60
GAIN = 1e-4  # in units of log-likelihood
MOVES = 40  # of a chain, all but each eighth small
KEPT = 0.8  # of the place of a chain in a small move


@dataclass(frozen=True)
class Smooth:
    """A fit under one penalty: shares, their logarithms over even ones, and how likely the penalty is."""

    shares: Floats
    logs: Floats
    penalty: Floats
    information: Floats
    evidence: float


@dataclass(frozen=True)
class Smoothed:
    """The average of the fits of all roughnesses but the last, by their `chances`."""

    channel: Floats
    counts: Floats
    even: Floats
    fits: list[Smooth]
    chances: Floats

    @property
    def shares(self) -> Floats:
        return self.chances @ np.stack([fit.shares for fit in self.fits[:-1]])

    def draws(self, count: int, rng: np.random.Generator) -> Floats:
        """Shares drawn from the posterior, each by a chain of its own, a row each.

        A chain moves by the preconditioned Crank-Nicolson proposal (Cotter, Roberts, Stuart and White 2013), for which
        the normal approximation of its fit is even; it then accepts by what the approximation gets wrong.
        """
        chains = np.sort(1 + rng.choice(len(self.chances), count, p=self.chances))
        under = [(chains == one, self.fits[one]) for one in np.unique(chains)]
        turns = [np.linalg.inv(np.linalg.cholesky(fit.information)) for _, fit in under]
        seen = self.counts > 0
        channel, counts = self.channel[:, seen], self.counts[seen]

        def shares_and_height(normal: Floats) -> tuple[Floats, Floats]:
            logs, heights = np.empty_like(normal), (normal**2).sum(axis=1) / 2
            for (own, fit), turn in zip(under, turns, strict=True):
                logs[own] = fit.logs + normal[own] @ turn
                heights[own] -= ((logs[own] @ fit.penalty) * logs[own]).sum(axis=1) / 2
            shares = _shares(logs, self.even)
            with np.errstate(divide="ignore"):
                return shares, heights + np.log(shares @ channel) @ counts

        normal = rng.normal(size=(count, len(self.channel)))
        shares, heights = shares_and_height(normal)
        for move in range(MOVES):
            kept = KEPT if move % 8 else 0.0
            tried = kept * normal + (1 - kept**2) ** 0.5 * rng.normal(size=normal.shape)
            tried_shares, tried_heights = shares_and_height(tried)
            taken = np.log(rng.random(count)) < tried_heights - heights
            normal[taken], shares[taken], heights[taken] = tried[taken], tried_shares[taken], tried_heights[taken]
        return shares


def smoothest(channel: Floats, counts: Floats, even: Floats | None = None) -> Smoothed:
    """Fit shares of bins to counts of records, under the penalties that the records make likely.

    `channel`: p(record | bin) at [bin, record]; at least three bins, in their order.
    `even`: the shares of people who are spread evenly; all alike where it is missing.

    >>> smoothest(np.eye(5), np.array([10.0, 20, 40, 20, 10])).shares.round(3).tolist()
    [0.101, 0.205, 0.388, 0.205, 0.101]
    """
    even = np.full(len(channel), 1 / len(channel)) if even is None else even
    fits: list[Smooth] = []
    for roughness in ROUGHNESS:
        fits.append(smooth(channel, counts, float(roughness), even, fits[-1].logs if fits else None))
    logs = np.array([fit.evidence for fit in fits[:-1]]) + 2 * np.log(ROUGHNESS[:-1]) - ROUGHNESS[:-1] / USUAL
    return Smoothed(channel, counts, even, fits, _shares(logs, np.ones(len(logs))))


def smooth(channel: Floats, counts: Floats, roughness: float, even: Floats, start: Floats | None = None) -> Smooth:
    """Fit shares of bins under one roughness, by Newton's method with halved steps; the aim never falls.

    `start`: logarithms of shares over even ones to begin with; even shares where it is missing.
    """
    seen = counts > 0
    bins, total = len(channel), counts.sum()
    rough = np.diff(np.eye(bins), 2, axis=0)
    line = np.linspace(-0.5, 0.5, bins)
    slope = line / (line @ line)
    # Shares do not depend on the mean of the logarithms, which is held at 0.
    penalty = bins**3 / roughness**2 * rough.T @ rough + np.outer(slope, slope) / TILTED**2 + 1 / bins**2

    def aim(logs: Floats) -> float:
        expected = _shares(logs, even) @ channel
        with np.errstate(divide="ignore"):  # shares that make a record impossible are as bad as can be
            likely = np.log(expected[seen])
        return float(counts[seen] @ likely - logs @ penalty @ logs / 2)

    def information(shares: Floats) -> Floats:
        expected = shares @ channel
        slopes = shares[:, np.newaxis] * (channel - expected)
        known = expected > 0
        return total * (slopes[:, known] / expected[known]) @ slopes[:, known].T + penalty

    logs = np.zeros(bins) if start is None else start
    height = aim(logs)
    for _ in range(STEPS):
        shares = _shares(logs, even)
        expected = shares @ channel
        pull = channel[:, seen] @ (counts[seen] / expected[seen])
        step = np.linalg.solve(information(shares), shares * (pull - total) - penalty @ logs)
        before = height
        for halves in range(30):
            tried = logs + step / 2**halves
            if (height := aim(tried)) >= before:
                logs = tried
                break
        else:
            height = before
        if height - before < GAIN:
            break
    shares = _shares(logs, even)
    known = information(shares)
    evidence = height + (np.linalg.slogdet(penalty)[1] - np.linalg.slogdet(known)[1]) / 2
    return Smooth(shares, logs, penalty, known, float(evidence))


def _shares(logs: Floats, even: Floats) -> Floats:
    powers = even * np.exp(logs - logs.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)
