"""Maximum likelihood through a channel: which distribution of true values best explains what was observed.

Iterative Bayesian update (Agrawal and Aggarwal 2001; the EM algorithm of Dempster, Laird and Rubin 1977) for any
finite inputs and outputs. Plain EM is slow where the channel hides much, so pairs of steps are extrapolated (SQUAREM;
Varadhan and Roland 2008) wherever that does not lower the likelihood. The likelihood is concave, which bounds what is
missing: the optimum lies at most N·(max g − 1) above the present point, where g is the factor of the next EM step.

>>> def evaluate(shares: Floats, _: Places) -> tuple[Floats, Floats]:  # three of one kind and one of another
...     return np.log(shares) @ [3.0, 1.0], np.array([3.0, 1.0]) / shares
>>> climb(np.array([[0.5, 0.5]]), np.array([4.0]), evaluate)[0].shares.round(3).tolist()
[0.75, 0.25]
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privacy.arrays import Floats
from privacy.design.reading import quote
from privacy.errors import InputError
from privacy.output import count_of, to_json_value
from privacy.result import DataFrame, Result, TextColumns, data_frame

__all__ = ["Fit", "climb", "em"]

Places = NDArray[np.intp]
TOLERANCE = 1e-6  # in units of log-likelihood; what is missing in a share is then under .0015 standard errors
LIMIT = 20_000


@dataclass(frozen=True, repr=False, eq=False)
class Fit(Result):
    """The most likely distribution, and how it was reached; `candor.em` makes it.

    `shares` has the share of each input; `gap` bounds the log-likelihood that a better one could gain.
    """

    shares: Floats
    log_likelihood: float
    iterations: int
    gap: float
    converged: bool

    @property
    def convergence(self) -> dict[str, Any]:
        """How the distribution was reached, as JSON has it."""
        return {name: value for name, value in vars(self).items() if name != "shares"}

    def contents(self) -> Iterator[str | TextColumns]:
        yield TextColumns(["input", "share"], [list(row) for row in enumerate(self.shares.tolist())])
        end = "" if self.converged else "; it has not converged"
        yield f"log-likelihood {self.log_likelihood:.6g} after {count_of(self.iterations, 'iteration')}{end}"

    def picture(self) -> str:
        """The share of each input, of which no error is known."""
        from privacy.draw import named_rows
        from privacy.draw.chart import Axis, Points

        shares = self.shares[: named_rows.MOST_ROWS].tolist()
        names = [f"input {place}" for place in range(len(shares))]
        said = [f"{name}: {share:.6g}" for name, share in zip(names, shares, strict=True)]
        points = Points("", shares, range(len(shares)), labels=said)
        return named_rows.rows("The most likely shares", names, [points], Axis("share", percent=True, low=0))

    def to_frame(self) -> DataFrame:
        """Return a row for each input."""
        return data_frame({"input": range(len(self.shares)), "share": self.shares})

    def to_json(self) -> dict[str, Any]:
        """Return the shares, and how they were reached."""
        return to_json_value(vars(self) | {"shares": self.shares.tolist()})


def _as_numbers(values: ArrayLike, name: str) -> Floats:
    try:
        return np.asarray(values, dtype=float)
    except OverflowError:
        raise InputError(f"{name}: {quote(values)} holds too large a number.") from None
    except (TypeError, ValueError):
        raise InputError(f"{name}: {quote(values)} is not an array of numbers.") from None


def em(channel: ArrayLike, counts: ArrayLike, *, limit: int = LIMIT) -> Fit:
    """Fit the distribution of a channel's inputs to counts of its outputs, by maximum likelihood.

    Parameters
    ----------
    channel : matrix
        P(output y | input x) at [x, y].
    counts : array
        How often each output was observed.
    limit : int
        The most iterations.

    Raises
    ------
    InputError
        Where the channel or the counts are none, or do not fit each other.

    Examples
    --------
    >>> import candor
    >>> fit = candor.em([[0.75, 0.25], [0.25, 0.75]], [60, 40])
    >>> fit.to_frame().round(3)
       input  share
    0      0    0.7
    1      1    0.3
    """
    matrix, seen = _as_numbers(channel, "channel"), _as_numbers(counts, "counts")
    if not isinstance(limit, Integral) or limit < 1:
        raise InputError(f"limit: {quote(limit)} is not a number of iterations from 1 up.")
    if matrix.ndim != 2 or not matrix.size:
        raise InputError(f"channel: its shape {matrix.shape} is not inputs × outputs.")
    sums = matrix.sum(axis=1)
    wrong = np.flatnonzero((matrix < 0).any(axis=1) | ~(np.abs(sums - 1) <= 1e-9))
    if len(wrong):
        raise InputError(
            f"channel: row {wrong[0]} is not a distribution over the outputs; it sums to {sums[wrong[0]]:.10g}."
        )
    if seen.shape != matrix.shape[1:]:
        raise InputError(f"counts: their shape {seen.shape} does not fit the {matrix.shape[1]} outputs of the channel.")
    if (seen < 0).any() or not np.isfinite(seen.sum()) or seen.sum() == 0:
        raise InputError("counts: they must be finite and not negative, at least one above 0.")
    impossible = np.flatnonzero((seen > 0) & (matrix.max(axis=0) == 0))
    if len(impossible):
        raise InputError(f"counts: output {impossible[0]} was observed, but the channel never gives it.")
    if len(matrix) > 1 and not np.ptp(matrix, axis=0).any():
        raise InputError("channel: all rows are the same, so outputs show nothing about inputs.")
    kept = seen > 0

    def evaluate(rows: Floats, _: Places) -> tuple[Floats, Floats]:
        expected = rows @ matrix[:, kept]
        return np.log(expected) @ seen[kept], (seen[kept] / expected) @ matrix[:, kept].T

    fits = climb(np.full((1, len(matrix)), 1 / len(matrix)), np.array([seen.sum()]), evaluate, limit)
    return fits[0]


def climb(
    start: Floats,
    total: Floats,
    evaluate: Callable[[Floats, Places], tuple[Floats, Floats]],
    limit: int = LIMIT,
    tolerance: float = TOLERANCE,
) -> list[Fit]:
    """Maximise several likelihoods at once, one for each row of `start`; a log-likelihood never falls on the way.

    `evaluate` gives, for rows of shares and the places of these rows in `start`, the log-likelihoods and their
    gradients; `total` the numbers of records. Rows that have converged are not evaluated again.
    """
    fits: dict[int, Fit] = {}
    places, shares = np.arange(len(start)), start
    height, gradient = evaluate(shares, places)
    iterations = 0
    while True:
        n = total[places, np.newaxis]
        gap = (gradient - n).max(axis=1)
        done = (gap <= tolerance) | (iterations >= limit)
        for row in np.flatnonzero(done):
            arrived = bool(gap[row] <= tolerance)
            fits[int(places[row])] = Fit(
                shares[row], float(height[row]), iterations, max(float(gap[row]), 0.0), arrived
            )
        if done.all():
            return [fits[place] for place in range(len(start))]
        places, shares, gradient, n = places[~done], shares[~done], gradient[~done], n[~done]
        first = shares * gradient / n
        first_height, first_gradient = evaluate(first, places)
        second = first * first_gradient / n
        shares = _extrapolate(shares, first, second)
        height, gradient = evaluate(shares, places)
        worse = ~(height >= first_height)
        if worse.any():
            shares[worse] = second[worse]
            height[worse], gradient[worse] = evaluate(second[worse], places[worse])
        iterations += 2


def _extrapolate(shares: Floats, first: Floats, second: Floats) -> Floats:
    """Take SQUAREM's step along two EM steps; where it falls below a tenth of the second step, that tenth stays."""
    step = first - shares
    bend = second - first - step
    length = np.linalg.norm(bend, axis=1, keepdims=True)
    stride = np.maximum(np.linalg.norm(step, axis=1, keepdims=True) / np.where(length > 0, length, 1.0), 1.0)
    leap = shares + 2 * stride * step + stride**2 * bend
    leap = np.maximum(leap, second / 10)
    return leap / leap.sum(axis=1, keepdims=True)
