"""The distribution of a number: its answers in bins, what records tell of them, and its mean and quantiles.

Bins are fitted in narrower pieces: people are not spread evenly in a wide bin, and quantiles lie inside of bins. Pieces
are made of cells, of one number each where there are few enough: one popular number may stand above the rest of its
piece, and a question about this number is not answered by its neighbours. The mean needs no fit: the mean of records is
a·number + b, so that of (record − b)/a is unbiased, and its error is exact.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import ceil, floor
from statistics import NormalDist
from typing import Any

import numpy as np
from numpy.typing import NDArray

from privacy.design.brief import WIDE
from privacy.design.channels import Floats
from privacy.design.fields import Steps
from privacy.design.grid.distributions import Counted, ends, ends_of_shares, error_of_mixture
from privacy.design.sentences import Said
from privacy.errors import to_translate

SINGULAR = 1e-12  # what of the information is rounding errors alone
_ACCURACY = to_translate(
    "The mean is exact to about ±{mean}. The share of people with {from} or more is exact to about ±{share} points."
)
ROUNDING = 1e-12  # of a share: a half of people is a half, whatever the order of a sum
EXACT = 1e-9  # of all steps: more than rounding errors
LEAST_HEAPS, MOST_HEAPS = 4, 25  # round numbers that are tried as heaps
WEEK = Fraction(7)  # days: people count them by weeks
QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)


@dataclass(frozen=True)
class NumberShares:
    """`starts`, `parts` and `fine` are the first steps of bins, pieces and cells, and then the number of steps.

    `channel` is cells × records; `free` are the cells in which any share of people may be, whatever
    stands beside them.
    """

    answers: Steps
    starts: tuple[int, ...]
    parts: tuple[int, ...]
    fine: tuple[int, ...]
    free: tuple[int, ...]
    first: int  # the code of the first step
    channel: Floats

    @property
    def shape(self) -> tuple[int, ...]:
        return (len(self.channel),)

    @property
    def even(self) -> Floats:
        """The share of each cell where people are spread evenly."""
        return np.diff(self.fine) / self.fine[-1]

    @property
    def rows(self) -> Floats:
        """Evenly spread people, by their piece and their cell."""
        cells = np.arange(len(self.channel))
        own = np.searchsorted(np.searchsorted(self.fine, self.parts), cells, side="right") - 1
        rows = np.zeros((len(self.parts) - 1, len(cells)))
        rows[own, cells] = self.even
        return rows

    @property
    def ways_to_heap(self) -> list[tuple[int, ...]]:
        """The cells that may be free, in four ways: those of `free`; with the tens, the fives or the sevens, too.

        It is fifties and hundreds where there are many numbers. Where some are named, people heap there alone.
        """
        if {*self.free} - {0, len(self.channel) - 1}:
            return [self.free]
        first, step, steps = Fraction(self.answers.first), Fraction(self.answers.step), self.fine[-1]

        def with_heaps(unit: Fraction) -> tuple[int, ...]:
            least, most = ceil(first / unit), floor((first + (steps - 1) * step) / unit)
            if not LEAST_HEAPS <= most - least + 1 <= MOST_HEAPS:
                return self.free
            at = [(unit * index - first) / step for index in range(least, most + 1)]
            cells = np.searchsorted(self.fine, [int(one) for one in at if one.denominator == 1], side="right") - 1
            return tuple(sorted({*self.free, *cells.tolist()}))

        units = (Fraction(times) * 10**power for power in range(13) for times in (5, 10))
        round_numbers = sorted({self.free, *map(with_heaps, units)}, key=len)[:3]
        return list(dict.fromkeys([*round_numbers, with_heaps(WEEK)]))

    def above(self, number: Fraction) -> tuple[Floats, Floats, Floats]:
        """How much of each cell lies at a number or above: at the least, if people are spread evenly, at the most."""
        edges, step = np.array(self.fine), ceil((number - Fraction(self.answers.first)) / Fraction(self.answers.step))
        even = np.clip((edges[1:] - step) / np.diff(edges), 0, 1)
        return np.floor(even), even, np.ceil(even)

    @property
    def edges(self) -> list[float]:
        """The edges of bins; a bin holds the numbers from its edge up to but without the next."""
        return [float(self.answers.first + start * self.answers.step) for start in self.starts]

    def bin_shares(self, shares: Floats) -> Floats:
        return np.add.reduceat(shares, self._of_bins, axis=-1)

    @property
    def sets_in_report(self) -> Sequence[Floats]:
        return [self.bin_shares(np.eye(len(self.channel))).T]

    @property
    def _of_bins(self) -> np.ndarray:
        """The first piece of each bin."""
        return np.searchsorted(self.fine, self.starts[:-1])

    def count_records(self, codes: np.ndarray, weights: Floats | None = None) -> Floats:
        return np.bincount(codes, weights, minlength=self.channel.shape[1]).astype(float)

    def count_direct(self, codes: np.ndarray, weights: Floats | None = None) -> Floats:
        pieces = np.searchsorted(self.fine, codes.astype(np.int64) - self.first, side="right") - 1
        return np.bincount(pieces, weights, minlength=len(self.channel)).astype(float)

    def forward(self, shares: Floats) -> Floats:
        return shares @ self.channel

    def back(self, ratios: Floats) -> Floats:
        return ratios @ self.channel.T

    def mean(self, shares: Floats) -> Floats:
        """The mean by shares on the last axis, as if all numbers of a cell were equally common."""
        return shares @ self._cell_middles

    def quantile(self, shares: Floats, share: float) -> Floats:
        """The number that this share of people have or stay below; between numbers only in cells of several."""
        up_to = np.concatenate([np.zeros((*shares.shape[:-1], 1)), np.cumsum(shares, axis=-1)], axis=-1)
        rows = np.atleast_2d(up_to)
        quantiles = np.array([np.interp(share * row[-1] - ROUNDING, row, self._bounds) for row in rows])
        cells = np.clip(np.searchsorted(self._bounds, quantiles) - 1, 0, len(self.channel) - 1)
        whole = np.diff(self.fine)[cells] == 1
        quantiles = np.where(whole, self._cell_middles[cells], quantiles)
        return np.clip(quantiles, *self._ends).reshape(shares.shape[:-1])

    @property
    def _half_step(self) -> float:
        return float(self.answers.step) / 2

    @cached_property
    def _bounds(self) -> Floats:
        """The edges of cells, as if each number filled one step with the number in its middle."""
        return float(self.answers.first) + np.array(self.fine) * float(self.answers.step) - self._half_step

    @property
    def _ends(self) -> tuple[float, float]:
        """The least and the greatest number."""
        return self._bounds[0] + self._half_step, self._bounds[-1] - self._half_step

    @property
    def _cell_middles(self) -> Floats:
        middles: Floats = (self._bounds[1:] + self._bounds[:-1]) / 2
        return middles

    @cached_property
    def _record_values(self) -> Floats:
        """A number for each record whose mean is the true one: the mean of records is a line in the number."""
        codes = np.arange(self.channel.shape[1])
        slope, level = np.polyfit(self._cell_middles, self.channel @ codes, 1)
        values: Floats = (codes - level) / slope
        return values

    def _mean_without_fit(self, counted: Counted) -> tuple[float, float]:
        """The mean estimated from records without a fit, and its standard error where each counts as one respondent.

        Of rare large numbers it may lie below the least one: cut off there, redrawn means would vary too little.
        """
        people, values = np.concatenate(counted), np.concatenate([self._record_values, self._cell_middles])
        mean = people @ values / people.sum()
        return float(mean), float((people @ (values - mean) ** 2) ** 0.5 / people.sum())

    def _interval_of_mean(self, mean: float, error: float, people: float, level: float) -> Floats:
        """Wald's interval; where so many people all say the same, by the share of others that would hardly hide."""
        ends = np.array(self._ends)
        if not error > EXACT * (ends[1] - ends[0]):
            made: Floats = mean + (ends - mean) * (1 - (1 - level) ** (1 / people))
            return made
        reach = NormalDist().inv_cdf((1 + level) / 2) * error
        return np.clip([mean - reach, mean + reach], *ends)

    def accuracy(self, respondents: int) -> Sequence[Said]:
        """What 95 % intervals of the mean, and of the share of the upper half, reach to each side.

        For even shares π of the bins and records p = πC standard errors are those of g·π̂ for the values g of the bins:
        (gᵀ(C diag(1/p) Cᵀ)⁻¹g − (g·π)²)/n. A smooth fit, which the results have, errs a little less.
        """
        channel, count = self.wide, len(self.starts) - 1
        expected = channel.mean(axis=0)
        known = expected > 0
        information = (channel[:, known] / expected[known]) @ channel[:, known].T
        middle, bounds = count // 2, np.array(self.edges) - self._half_step
        values = np.stack([(bounds[1:] + bounds[:-1]) / 2, np.arange(count) >= middle]).astype(float)
        squares = np.einsum("gb,bc,gc->g", values, np.linalg.pinv(information, rcond=SINGULAR, hermitian=True), values)
        mean, share = WIDE * np.sqrt(np.maximum(squares - values.mean(axis=1) ** 2, 0) / respondents)
        figures = {"mean": f"{mean:.2g}", "from": f"{self.edges[middle]:g}", "share": f"{100 * share:.2g}"}
        return [Said(_ACCURACY, figures)]

    @property
    def wide(self) -> Floats:
        """The channel from bins that are filled evenly."""
        weighted = np.add.reduceat(self.even[:, np.newaxis] * self.channel, self._of_bins)
        wide: Floats = weighted / weighted.sum(axis=1, keepdims=True)
        return wide

    @property
    def half_error(self) -> float:
        """1/√I of the share π of the upper half, with the Fisher information I of one record at π = ½."""
        middle = (len(self.starts) - 1) // 2
        widths = np.diff(self.starts)[:, None] * self.wide
        lower, upper = (rows.sum(axis=0) / rows.sum() for rows in (widths[:middle], widths[middle:]))
        return error_of_mixture(lower, upper)

    def people_in_sight(self, counted: Counted) -> Floats:
        """Return infinity (nobody is exposed) for each bin: live surveys refuse noise that gives true numbers away."""
        return np.full(len(self.starts) - 1, np.inf)

    @property
    def unseen(self) -> NDArray[np.bool_]:
        """No bin: a smooth fit has errors of every one."""
        return np.zeros(len(self.starts) - 1, bool)

    def figures(
        self, counted: Counted, pieces: Floats, level: float, redrawn: Sequence[Counted] = ()
    ) -> dict[str, Any]:
        shares, draws = pieces[0], pieces[1:]
        mean, error = self._mean_without_fit(counted)
        if redrawn:
            error = float(np.std([self._mean_without_fit(each)[0] for each in redrawn], ddof=1))
        mean = float(np.clip(mean, *self._ends))
        of_mean = self._interval_of_mean(mean, error, sum(float(each.sum()) for each in counted), level)
        quantiles = {f"{share:g}": (self.quantile(shares, share), self.quantile(draws, share)) for share in QUANTILES}
        # Half of the misses are kept for what a smooth fit cannot see: a quantile beside a jump.
        of_quantiles = {name: ends(*both, (1 + level) / 2, outward=True).tolist() for name, both in quantiles.items()}
        return {
            "mean": mean,
            "median": float(quantiles["0.5"][0]),
            "quantiles": {name: float(value) for name, (value, _) in quantiles.items()},
            "ci": {
                "shares": ends_of_shares(self.bin_shares(shares), self.bin_shares(draws), level).T.tolist(),
                "mean": of_mean.tolist(),
                "median": of_quantiles["0.5"],
                "quantiles": of_quantiles,
            },
        }

    def table(self, shares: Floats, se: Floats) -> tuple[Sequence[str], list[Sequence[object]]]:
        edges = self.edges
        rows = zip(edges, edges[1:], shares.tolist(), se.tolist(), strict=False)
        return ["from", "below", "share", "se"], [list(row) for row in rows]

    def summary(self, figures: dict[str, Any]) -> Sequence[str]:
        lines = []
        for name in ("mean", "median"):
            low, high = figures["ci"][name]
            lines.append(f"{name} {figures[name]:.6g}, from {low:.6g} to {high:.6g}")
        for share, value in figures["quantiles"].items():
            low, high = figures["ci"]["quantiles"][share]
            lines.append(f"{100 * float(share):g} % have {value:.6g} or less, from {low:.6g} to {high:.6g}")
        return lines
