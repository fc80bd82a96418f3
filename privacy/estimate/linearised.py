"""Figures with what each respondent has in them: errors hold however respondents were drawn, and figures compare.

A figure here is an estimate with its *parts*: one number for each respondent, whose weighted sum is about the distance
of the estimate from the truth (Taylor linearisation; Särndal, Swensson and Wretman 1992, section 5.5). Parts add up as
figures do: those of a difference are the differences of parts, those of a rule's confidence follow by the chain rule.
The spread of their sum is the sampling's. Outside of a subgroup all parts are 0: it is a domain of the sample.

>>> with_error(0.3, 0.0001, np.inf, 0.95).se
0.01
>>> figure = LinearisedFigure("drugs", 2, 0.5, np.zeros(2), doubts={"a rare word": 0.1})
>>> join_doubts((2.0, figure), (-1.0, figure))
{'a rare word': 0.1}
>>> join_reaches((2.0, BiasBound(0.1, np.zeros(2))), (1.0, None)).most
0.2
"""

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

import numpy as np

from privacy.arrays import Floats
from privacy.estimate.intervals import (
    ShareOfGroup,
    errors_near_zero,
    quotient,
    standard_errors,
    two_sided,
    wilson_of_groups,
)
from privacy.estimate.sampling import Sampling

ALIKE = 1e-9  # of a share: less is rounding, and tells nothing of how respondents differ
LEAST_EFFECTIVE = 2  # of a figure with an error
NEARLY_ONE = 1e-8  # of the variances of two figures: what is left of less than that after subtraction is rounding


class Variation(Protocol):
    """How figures vary of what has parts in them: of respondents (`Sampling`), or of the cells of a table."""

    @property
    def freedom(self) -> float: ...

    def covariance(self, parts: Floats) -> Floats: ...


@dataclass(frozen=True)
class Estimate:
    """A figure with its error; p is that of the figure being 0.

    Error, interval and p are NaN where respondents are too few, or answer too much alike, to show how they differ.
    """

    estimate: float
    se: float
    ci: tuple[float, float]
    p: float


@dataclass(frozen=True)
class BiasBound:
    """How far a figure may lie from its estimate at most, with the part of each respondent."""

    most: float
    parts: Floats

    def end(self, sampling: Variation, level: float = 0.95) -> float:
        """The upper end of its interval, at least 0."""
        variance = max(float(sampling.covariance(self.parts[:, np.newaxis])[0, 0]), 0.0)
        return max(with_error(self.most, variance, sampling.freedom, level).ci[1], 0.0)


def join_reaches(*slopes: tuple[float, BiasBound | None]) -> BiasBound | None:
    """The reach of Σ slope·figure, from (slope, reach of a figure) pairs; None where no figure has a bias."""
    reaches = [(slope, reach) for slope, reach in slopes if reach is not None and slope]
    if not reaches:
        return None
    most = sum(slope * reach.most for slope, reach in reaches)
    return BiasBound(most, np.sum([slope * reach.parts for slope, reach in reaches], axis=0))


def join_doubts(*slopes: tuple[float, "LinearisedFigure"]) -> dict[Hashable, float]:
    """The doubts of Σ slope·figure, from (slope, figure) pairs; doubts of one name add up."""
    made: dict[Hashable, float] = {}
    for slope, one in slopes:
        for name, own in one.doubts.items():
            made[name] = made.get(name, 0.0) + slope * own
    return made


@dataclass(frozen=True)
class LinearisedFigure:
    """A figure, how many respondents it comes from, and the part that each respondent of the records has in it.

    `fraction` holds, of a figure that is one, what stands above and what below: near 0 its interval is Fieller's.
    `spread` says whether respondents of one group differ in it: one alone does not, and nothing tells the error then.
    `effective`: how many drawn alike would tell as much of its error (`effective_number`); under 2 one of them decides
    the figure, and it has no error.
    `doubts` are what it may be off by beside the sampling of respondents: standard deviations of independent causes.
    `groups` are those of a share that records show by a line, whose interval is Wilson's.
    """

    name: str
    n: int
    value: float
    parts: Floats
    fraction: "tuple[LinearisedFigure, LinearisedFigure] | None" = None
    spread: bool = True
    effective: float = np.inf
    above: "BiasBound | None" = None  # how far the figure may lie above what is estimated, where a disguise is biased
    below: "BiasBound | None" = None
    doubts: Mapping[Hashable, float] = field(default_factory=dict)
    groups: tuple[ShareOfGroup, ...] = ()

    @property
    def has_error(self) -> bool:
        """Whether respondents differ in it, and more than one of them decides it."""
        return self.spread and self.effective >= LEAST_EFFECTIVE

    def far_end(self, sign: int) -> "LinearisedFigure":
        """The figure moved as far up (sign 1) or down (−1) as its bias may reach; itself where it has no such bias."""
        reach = self.above if sign > 0 else self.below
        if reach is None:
            return self
        value, parts = self.value + sign * max(reach.most, 0.0), self.parts + sign * reach.parts
        return replace(self, value=value, parts=parts, fraction=None, above=None, below=None, groups=())

    def estimate(self, sampling: Variation, level: float = 0.95, own: tuple[float, float] | None = None) -> Estimate:
        """The figure with its error under this sampling; of few who were asked it has the error of so many.

        `own`: its interval but for a bias, where that is known.
        """
        freedom = min(sampling.freedom, max(min(self.effective, self.n) - 1, 1))
        figures = (self, *(self.fraction or ()))
        covariance = covariance_of(figures, sampling)
        differs = self.has_error and covariance[0, 0] > (ALIKE / len(self.parts)) ** 2
        estimate = with_error(self.value, float(covariance[0, 0]) if differs else np.nan, freedom, level)
        if own is None and self.groups and differs:
            spreads = [float(sampling.covariance(group.parts[:, np.newaxis])[0, 0]) for group in self.groups]
            ends = wilson_of_groups(self.value, float(covariance[0, 0]), self.groups, spreads, level, freedom)
            own = float(ends[0]), float(ends[1])
        if own is not None or self.fraction is None or not differs:
            return self._with_bias(estimate, sampling, freedom, level, own)
        above, below = (np.array([one.value]) for one in self.fraction)
        difference = covariance[1, 1] - 2 * covariance[1, 2] + covariance[2, 2]
        variances = covariance[1:2, 1], np.array([difference])
        low, high = quotient(
            above, below, covariance[:1, 0], covariance[2:, 2], lambda _places: variances, level, freedom
        )
        fieller = replace(estimate, ci=(float(low[0]), float(high[0])))
        with np.errstate(divide="ignore"):  # a divisor without an error is far from 0
            statistics = np.array([self.fraction[0].value, self.fraction[1].value]) / np.sqrt(
                np.maximum(np.diag(covariance)[1:], 0.0)
            )
        if abs(statistics[1]) < errors_near_zero(freedom):  # p is of the test that Fieller's set inverts
            fieller = replace(fieller, p=float(two_sided(np.abs(statistics).min(), freedom)))
        return self._with_bias(fieller, sampling, freedom, level)

    def _with_bias(
        self,
        estimate: Estimate,
        sampling: Variation,
        freedom: float,
        level: float,
        own: tuple[float, float] | None = None,
    ) -> Estimate:
        """Widen the estimate's interval to hold the intervals of both far ends.

        Where it has its `own`, far ends reach as far, and by what their error is larger.
        """
        estimate, ends = replace(estimate, ci=own or estimate.ci), []
        for end in (self.far_end(-1), self.far_end(1)):
            if end is self:
                ends.append(estimate)
                continue
            variance = max(float(covariance_of([end], sampling)[0, 0]), 0.0)  # of people who are alike it is rounded
            far = with_error(end.value, variance, freedom, level)
            if own:
                rest = max(variance - np.nan_to_num(estimate.se) ** 2, 0.0) ** 0.5 * standard_errors(level)
                low, high = (float(np.hypot(rest, side - self.value)) for side in own)
                far = replace(far, ci=(end.value - low, end.value + high))
            ends.append(far)
        return with_far_ends(estimate, *ends)

    def map_parts(self, place: Callable[[Floats], Floats]) -> "LinearisedFigure":
        """The same figure of others, such as the respondents of cells: `place` gives these their parts."""
        above, below = (
            reach and BiasBound(max(reach.most, 0.0), place(reach.parts)) for reach in (self.above, self.below)
        )
        groups = tuple(replace(group, parts=place(group.parts)) for group in self.groups)
        return replace(self, parts=place(self.parts), above=above, below=below, groups=groups)

    def most_biased(self, sampling: Variation, level: float = 0.95) -> float | None:
        """The upper end of how far the figure may lie from its estimate; None where it has no bias."""
        return max((reach.end(sampling, level) for reach in (self.above, self.below) if reach), default=None)

    def simple_estimate(self, level: float = 0.95) -> Estimate:
        """The figure with its error where everybody was drawn alike and alone."""
        n = len(self.parts)
        return estimate_alike(self.estimate(Sampling.simple(n), level), n)

    def minus(self, other: "LinearisedFigure") -> "LinearisedFigure":
        """The difference from another figure of the same records."""
        spread = self.spread and other.spread
        return replace(combine((1.0, self), (-1.0, other)), name=f"{self.name} − {other.name}", spread=spread)


def combine(*terms: tuple[float, LinearisedFigure], constant: float = 0.0) -> LinearisedFigure:
    """Σ slope·figure and a constant, from (slope, figure) pairs of the same records."""
    figures = [figure for _, figure in terms]
    return LinearisedFigure(
        "",
        min(figure.n for figure in figures),
        sum(slope * figure.value for slope, figure in terms) + constant,
        np.sum([slope * figure.parts for slope, figure in terms], axis=0),
        spread=any(figure.spread for figure in figures),
        effective=min(figure.effective for figure in figures),
        above=join_reaches(*((abs(slope), one.above if slope > 0 else one.below) for slope, one in terms)),
        below=join_reaches(*((abs(slope), one.below if slope > 0 else one.above) for slope, one in terms)),
        doubts=join_doubts(*terms),
    )


def covariance_of(figures: Sequence[LinearisedFigure], sampling: Variation) -> Floats:
    """The covariance matrix of these figures, from their parts.

    Doubts of one name in two figures are one doubt.

    >>> yes = LinearisedFigure("yes", 4, 0.75, (np.array([1.0, 1.0, 1.0, 0.0]) - 0.75) / 4)
    >>> covariance_of([yes, replace(yes, value=0.25, parts=-yes.parts)], Sampling.simple(4)).round(4).tolist()
    [[0.0625, -0.0625], [-0.0625, 0.0625]]
    """
    names = {name: None for figure in figures for name in figure.doubts}
    doubts = np.array([[figure.doubts.get(name, 0.0) for name in names] for figure in figures])
    sampled = sampling.covariance(np.stack([figure.parts for figure in figures], axis=1))
    return sampled + doubts @ doubts.T if names else sampled


def differences(
    figures: Sequence[LinearisedFigure], pairs: Sequence[tuple[int, int]], sampling: Sampling, level: float = 0.95
) -> list[Estimate]:
    """The second figure less the first for each pair: from one covariance matrix, so many pairs are cheap.

    It gives for each pair what `minus` and `estimate` give.

    >>> yes, no = np.array([1.0, 1.0, 0.0, 1.0]), np.array([0.0, 1.0, 0.0, 0.0])
    >>> figures = [LinearisedFigure("", 4, one.mean(), (one - one.mean()) / 4) for one in (yes, no)]
    >>> (apart,) = differences(figures, [(0, 1)], Sampling.simple(4))
    >>> round(apart.estimate, 6), round(apart.se, 6)
    (-0.5, 0.288675)
    """
    if not pairs:
        return []
    covariance = covariance_of(figures, sampling)
    own, (first, second) = np.diag(covariance), np.array(pairs).T
    variances = own[first] + own[second] - 2 * covariance[first, second]
    least = np.maximum(NEARLY_ONE * (own[first] + own[second]), (ALIKE / len(figures[0].parts)) ** 2)
    values, effective = np.array([(figure.value, min(figure.effective, figure.n)) for figure in figures]).T
    spread = np.array([figure.has_error for figure in figures])
    freedoms = np.clip(np.minimum(effective[first], effective[second]) - 1, 1, sampling.freedom)
    known = np.where(spread[first] & spread[second] & (variances > least), variances, np.nan)
    found = _with_errors(values[second] - values[first], known, freedoms, level)
    biased = np.array([figure.above is not None or figure.below is not None for figure in figures])
    alone = (variances <= least) | biased[first] | biased[second]  # what these show, only the difference itself says
    for place in np.flatnonzero(alone).tolist():
        less, of = pairs[place]
        found[place] = figures[of].minus(figures[less]).estimate(sampling, level)
    return found


def estimate_alike(estimate: Estimate, n: int) -> Estimate:
    """The estimate for n respondents drawn alike and alone, with an error that divides squares by n.

    The error divides squares by n, as `reconstruct` and all pages do; the interval by n − 1, as Student's t asks.

    >>> round(estimate_alike(Estimate(0.3, 0.1, (0.1, 0.5), 0.003), 25).se, 6)
    0.09798
    """
    return replace(estimate, se=estimate.se * ((n - 1) / n) ** 0.5)


def with_far_ends(estimate: Estimate, lowest: Estimate, highest: Estimate) -> Estimate:
    """Widen an estimate's interval to hold those of the lowest and the highest that the figure may be.

    p is the largest of the three, and 1 where 0 is between.

    >>> own = Estimate(-0.04, 0.007, (-0.05, -0.03), 1e-9)
    >>> apart = with_far_ends(own, own, Estimate(0.01, 0.02, (-0.03, 0.05), 0.6))
    >>> apart.ci, apart.p
    ((-0.05, 0.05), 1.0)
    """
    if lowest is highest:
        return estimate
    every = (estimate, lowest, highest)
    crossed = any(one.estimate * estimate.estimate <= 0 for one in every)
    low, high = min(estimate.ci[0], lowest.ci[0]), max(estimate.ci[1], highest.ci[1])
    return replace(estimate, ci=(low, high), p=1.0 if crossed else max(one.p for one in every))


def with_error(value: float, variance: float, freedom: float, level: float) -> Estimate:
    """The estimate with error, interval and p by Student's t of this freedom; these are NaN for a variance of NaN."""
    (estimate,) = _with_errors(np.array([value]), np.array([variance]), np.array([freedom]), level)
    return estimate


def _with_errors(values: Floats, variances: Floats, freedoms: Floats, level: float) -> list[Estimate]:
    from scipy.special import stdtr, stdtrit  # slow to import; a command that tells no such figure does without

    errors = np.sqrt(variances)
    reach = stdtrit(freedoms, (1 + level) / 2) * errors
    with np.errstate(divide="ignore", invalid="ignore"):  # of an error that is 0 there is no p
        p = 2 * stdtr(freedoms, -abs(values) / errors)
    figures = (figure.tolist() for figure in (values, errors, values - reach, values + reach, p))
    return [Estimate(value, se, (low, high), own) for value, se, low, high, own in zip(*figures, strict=True)]
