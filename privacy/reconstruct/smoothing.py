"""Smooth distributions over neighbouring bins: a penalised likelihood whose penalty the records choose.

Maximum likelihood through a channel that hides much fits the noise of the records: its shares jump from bin to bin.
Here the shares are exp(θ)/Σ exp(θ), and what is maximised is the log-likelihood less λ/2 · |D²θ|², D² the second
differences: without reason to bend, the logarithms lie on a line. This is the penalised composite link model (Eilers
2007, "Ill-posed problems with counts, the composite link model and penalized likelihood"; Rizzi, Gampe and Eilers
2015). λ is the one of a grid with the greatest marginal likelihood, by Laplace's approximation: of all roughnesses that
under which such records would have been likeliest. No truth is needed for that.
"""

from dataclasses import dataclass

import numpy as np

from privacy.design.channels import Floats

STRENGTHS = 10.0 ** np.arange(5, -4.5, -0.5)
STEPS = 60
GAIN = 1e-4  # in units of log-likelihood
RIDGE = 1e-9  # of the information of one bin; keeps a bin that nothing tells of from going to minus infinity


@dataclass(frozen=True)
class Smooth:
    """A fit under one strength λ: shares, their logarithms but for a constant, and how likely the strength is."""

    shares: Floats
    logs: Floats
    strength: float
    evidence: float


def smoothest(channel: Floats, counts: Floats) -> Smooth:
    """Fit shares of bins to counts of records, under the strength that the records make likeliest.

    `channel`: p(record | bin) at [bin, record]; at least three bins, in their order.

    >>> fit = smoothest(np.eye(5), np.array([10.0, 25, 28, 27, 10]))
    >>> fit.shares.round(2).tolist()
    [0.12, 0.23, 0.29, 0.25, 0.12]
    """
    fits: list[Smooth] = []
    for strength in STRENGTHS:  # of the penalty, the greatest first
        fits.append(smooth(channel, counts, float(strength), fits[-1].logs if fits else None))
    return max(fits, key=lambda fit: fit.evidence)


def redrawn(channel: Floats, tables: Floats, fit: Smooth, rng: np.random.Generator) -> Floats:
    """Fit surveys that were drawn anew, under the strength of a fit, so that their spread is that of its error.

    Records drawn anew tell nothing of what the penalty has smoothed away, and intervals of them alone are too short. So
    the penalty is drawn anew, too: each survey is pulled towards second differences drawn from those that the strength
    expects (randomise-then-optimise; Bardsley, Solonen, Haario and Laine 2014). The draws then spread like the
    posterior, whose intervals hold the truth as often as they say, on average over the bins (Wood 2006).
    """
    bends = rng.normal(scale=fit.strength**-0.5, size=(len(tables), len(channel) - 2))
    return np.stack(
        [
            smooth(channel, table, fit.strength, fit.logs, bend).shares if table.any() else fit.shares
            for table, bend in zip(tables, bends, strict=True)
        ]
    )


def smooth(
    channel: Floats, counts: Floats, strength: float, start: Floats | None = None, bends: Floats | float = 0.0
) -> Smooth:
    """Fit shares of bins under one strength, by Newton's method with halved steps; the aim never falls.

    `channel`: p(record | bin) at [bin, record].
    `start`: logarithms of shares to begin with; even shares where it is missing.
    `bends`: the second differences of the logarithms that cost nothing: 0, a line.
    """
    seen = counts > 0
    bins, total = len(channel), counts.sum()
    rough = np.diff(np.eye(bins), 2, axis=0)
    held = strength * rough.T @ rough + total / bins**2  # the constant, which shares do not depend on, is held at 0
    held[np.diag_indices(bins)] += RIDGE * total / bins

    def aim(logs: Floats) -> float:
        expected = _shares(logs) @ channel
        with np.errstate(divide="ignore"):  # shares that make a record impossible are as bad as can be
            likely = np.log(expected[seen])
        return float(counts[seen] @ likely - strength * ((rough @ logs - bends) ** 2).sum() / 2)

    def information(shares: Floats) -> Floats:
        expected = shares @ channel
        slopes = shares[:, np.newaxis] * (channel - expected)
        known = expected > 0
        return total * (slopes[:, known] / expected[known]) @ slopes[:, known].T + held

    logs = np.zeros(bins) if start is None else start
    height = aim(logs)
    for _ in range(STEPS):
        shares = _shares(logs)
        expected = shares @ channel
        pull = channel[:, seen] @ (counts[seen] / expected[seen])
        step = np.linalg.solve(
            information(shares), shares * (pull - total) - strength * rough.T @ (rough @ logs - bends)
        )
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
    shares = _shares(logs)
    determinant = np.linalg.slogdet(information(shares))[1]
    evidence = height - determinant / 2 + (bins - 2) * np.log(strength) / 2
    return Smooth(shares, logs - logs.mean(), strength, float(evidence))


def _shares(logs: Floats) -> Floats:
    powers = np.exp(logs - logs.max())
    return powers / powers.sum()
