"""The distribution of a number: its answers in bins, what records tell of them, and its mean and quantiles."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from privacy.design.channels import Floats
from privacy.design.fields import Steps
from privacy.design.grid.distributions import Counted, told_apart
from privacy.design.sentences import Said
from privacy.errors import to_translate

SINGULAR = 1e-12  # what of the information is rounding errors alone
_ACCURACY = to_translate(
    "The mean is exact to about ± {mean}. The share of people with {from} or more is exact to about ± {share} "
    "percentage points."
)
QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)


@dataclass(frozen=True)
class NumberShares:
    """`starts` are the first steps of the bins, and after them the number of steps; `channel` is bins × records."""

    answers: Steps
    starts: tuple[int, ...]
    first: int  # the code of the first step
    channel: Floats

    @property
    def shape(self) -> tuple[int, ...]:
        return (len(self.channel),)

    smooth: ClassVar[bool] = True

    @property
    def edges(self) -> list[float]:
        """A bin holds the numbers from its edge to before the next one."""
        return [float(self.answers.first + start * self.answers.step) for start in self.starts]

    def binned(self, shares: Floats) -> Floats:
        return shares

    def seen(self, codes: np.ndarray, weights: Floats | None = None) -> Floats:
        return np.bincount(codes, weights, minlength=self.channel.shape[1]).astype(float)

    def placed(self, codes: np.ndarray, weights: Floats | None = None) -> Floats:
        bins = np.searchsorted(self.starts, codes.astype(np.int64) - self.first, side="right") - 1
        return np.bincount(bins, weights, minlength=len(self.channel)).astype(float)

    def forward(self, shares: Floats) -> Floats:
        return shares @ self.channel

    def back(self, ratios: Floats) -> Floats:
        return ratios @ self.channel.T

    def mean(self, shares: Floats) -> Floats:
        """Over the last axis, as `quantile`; every number of a bin counts as likely."""
        middles: Floats = (self._bounds[1:] + self._bounds[:-1]) / 2
        return shares @ middles

    def quantile(self, shares: Floats, share: float) -> Floats:
        """The number below which this share lies."""
        up_to = np.concatenate([np.zeros((*shares.shape[:-1], 1)), np.cumsum(shares, axis=-1)], axis=-1)
        rows = np.atleast_2d(up_to)
        quantiles = [np.interp(share * row[-1], row, self._bounds) for row in rows]
        low, high = self._bounds[0] + self._half, self._bounds[-1] - self._half
        return np.clip(np.array(quantiles), low, high).reshape(shares.shape[:-1])

    @property
    def _half(self) -> float:
        return float(self.answers.step) / 2

    @property
    def _bounds(self) -> Floats:
        """The edges of bins in which each number fills a step of which it is the middle."""
        return np.array(self.edges) - self._half

    def accuracy(self, respondents: int) -> Sequence[Said]:
        """Standard errors of the mean, and of the share of the upper half, as maximum likelihood has them.

        For even shares π of the bins and records p = πC these are those of g·π̂ for the values g of the bins:
        (gᵀ(C diag(1/p) Cᵀ)⁻¹g − (g·π)²)/n. A smooth fit, which the results have, errs a little less.
        """
        count = len(self.channel)
        expected = self.channel.mean(axis=0)
        known = expected > 0
        information = (self.channel[:, known] / expected[known]) @ self.channel[:, known].T
        middle = count // 2
        values = np.stack([(self._bounds[1:] + self._bounds[:-1]) / 2, np.arange(count) >= middle]).astype(float)
        squares = np.einsum("gb,bc,gc->g", values, np.linalg.pinv(information, rcond=SINGULAR, hermitian=True), values)
        mean, share = np.sqrt(np.maximum(squares - values.mean(axis=1) ** 2, 0) / respondents)
        figures = {"mean": f"{mean:.2g}", "from": f"{self.edges[middle]:g}", "share": f"{100 * share:.2g}"}
        return [Said(_ACCURACY, figures)]

    @property
    def half_error(self) -> float:
        """1/√I of the share π of the upper half, with the Fisher information I of one record at π = ½."""
        middle = len(self.channel) // 2
        widths = np.diff(self.starts)[:, None] * self.channel
        lower, upper = (rows.sum(axis=0) / rows.sum() for rows in (widths[:middle], widths[middle:]))
        return told_apart(lower, upper)

    def exposed(self, counted: Counted) -> Floats:
        """Nobody: noise under which records give numbers away is for study alone."""
        return np.full(len(self.channel), np.inf)

    def figures(
        self, counted: Counted, shares: Floats, draws: Floats, level: float, anew: Sequence[Counted] = ()
    ) -> dict[str, Any]:
        tails = [(1 - level) / 2, (1 + level) / 2]

        def interval(values: Floats) -> list[float]:
            return [float(value) for value in np.quantile(values, tails)]

        quantiles = {f"{share:g}": self.quantile(shares, share) for share in QUANTILES}
        return {
            "mean": float(self.mean(shares)),
            "median": float(self.quantile(shares, 0.5)),
            "quantiles": {name: float(value) for name, value in quantiles.items()},
            "ci": {
                "shares": [interval(column) for column in draws.T],
                "mean": interval(self.mean(draws)),
                "median": interval(self.quantile(draws, 0.5)),
                "quantiles": {f"{share:g}": interval(self.quantile(draws, share)) for share in QUANTILES},
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
            lines.append(f"{100 * float(share):g} % are below {value:.6g}, from {low:.6g} to {high:.6g}")
        return lines
