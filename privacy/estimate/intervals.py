"""Confidence intervals for supports, vectorised; a share of `n` = 0 gives NaN.

Wald: for weights of many blocks, with Student's t (in a sampled block perhaps few were asked all of a pattern).
Where a group's records match or not with probability c + d·π (one coin, or one flipped answer) there is better:
Wilson (1927) mapped by (· − c)/d, and where several events show a pattern (answers of separate blocks) by the line of
the event that varies alike (`line_of_weights`); over two groups the method of variance estimates recovery (MOVER; Zou
and Donner 2008); and inverted score tests, which take the variance at the support they test, so that rare items and
small direct groups keep their level.

>>> [end.round(3).tolist() for end in wald(np.array([0.3]), np.array([0.01]), 0.95)]
[[0.104], [0.496]]
>>> [end.round(3).tolist() for end in wilson(np.array([0.0]), np.array([100.0]), 0.95)]
[[0.0], [0.037]]
>>> round(standard_errors(0.95), 2), round(standard_errors(0.95, freedom=10), 2), float(two_sided(1.96).round(3))
(1.96, 2.23, 0.05)
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from privacy.arrays import Floats

NEAR_ZERO = 3.0  # standard errors
FAR_OUT = 0.99  # a level

Interval = tuple[Floats, Floats]

NO_ERROR = "No standard error is shown where all records of a figure say the same, or one person decides it."
NO_FIGURE = (
    "No figure can be given for {}: the disguise leaves nothing of it where it was asked, or one of the two groups was "
    "not asked all of it."
)
CONTRADICTED = (
    "No share from 0 to 1 lies in the interval of {}. Unless that is chance, the records contradict the design."
)


def wald(estimate: Floats, variance: Floats, level: float, freedom: Floats | float = np.inf) -> Interval:
    """Wald's interval, estimate ± z·√variance; with `freedom` by Student's t instead of the normal z."""
    half = _reach(level, freedom) * np.sqrt(variance)
    return estimate - half, estimate + half


def quotient(
    above: Floats,
    below: Floats,
    variance: Floats,
    below_variance: Floats,
    others: Callable[[NDArray[np.intp]], tuple[Floats, Floats]],
    level: float,
    freedom: Floats | float = np.inf,
) -> Interval:
    """The interval of above / below: Wald's, or Fieller's set where `below` is near 0.

    Fieller (1954): the values r with (above − r·below)² ≤ z²·Var(above − r·below). Where that set is unbounded, so is
    the interval: the records do not exclude a denominator of 0. `variance` is that of the quotient by the delta
    method; `others` gives, for some places, Var(above) and Var(above − below).

    >>> above, below, variance = np.array([0.2]), np.array([0.5]), np.array([1e-4])
    >>> low, high = quotient(above, below, variance, variance, lambda _: (variance, variance), 0.95)
    >>> low.round(3).tolist(), high.round(3).tolist()
    ([0.38], [0.42])
    """
    low, high = wald(above / below, variance, level, freedom)
    near = np.flatnonzero(np.abs(below) < errors_near_zero(freedom) * np.sqrt(np.maximum(below_variance, 0.0)))
    if len(near):
        reach = _reach(level, np.broadcast_to(freedom, below.shape)[near])
        var_below = below_variance[near]
        var_above, var_difference = others(near)
        covariance = (var_above + var_below - var_difference) / 2
        low[near], high[near] = fieller(above[near], below[near], (var_above, covariance, var_below), reach)
    return low, high


def errors_near_zero(freedom: Floats | float = np.inf) -> Floats:
    """How many standard errors from 0 a divisor is near it: more where its error is known badly.

    >>> errors_near_zero().round(3).tolist(), errors_near_zero(2.0).round(3).tolist()
    (3.0, 6.586)
    """
    return NEAR_ZERO * _reach(0.95, freedom) / _reach(0.95, np.inf)


def fieller(
    above: Floats, below: Floats, spread: tuple[Floats, Floats, Floats], reach: Floats | float
) -> tuple[Floats, Floats]:
    """Fieller's set of above / below wherever `below` is; ±∞ where it is unbounded.

    `spread` holds Var(above), Cov(above, below) and Var(below), `reach` how many standard errors the set reaches.

    >>> one = np.array([1e-4])
    >>> [end.round(3).tolist() for end in fieller(np.array([0.2]), np.array([0.5]), (one, 0 * one, one), 1.96)]
    [[0.358], [0.443]]
    """
    a = below**2 - reach**2 * spread[2]
    b = above * below - reach**2 * spread[1]
    c = above**2 - reach**2 * spread[0]
    root = np.sqrt(np.maximum(b**2 - a * c, 0))
    bounded = a > 0
    a = np.where(bounded, a, 1)
    return np.where(bounded, (b - root) / a, -np.inf), np.where(bounded, (b + root) / a, np.inf)


def beyond_error(value: float, se: float, end: float) -> float:
    """How far an end of a 95 % interval lies beyond the error of its figure: what a bias adds, which is no chance.

    >>> round(beyond_error(0.2, 0.01, 0.25), 4), beyond_error(0.2, 0.01, 0.19)
    (0.0304, 0.0)
    """
    return max(abs(end - value) - NormalDist().inv_cdf(0.975) * se, 0.0)


def contradicts(interval: tuple[float, float] | None) -> bool:
    """Whether the whole interval lies outside 0 to 1, so that no share can be true."""
    return interval is not None and (interval[0] > 1 or interval[1] < 0)


def interval_of_shares(estimate: float, interval: tuple[float, float], share: float) -> tuple[float, float]:
    """The interval of a raw estimate, cut to shares from 0 to 1 and widened to hold the `share` that is printed for it.

    Of an estimate within [0, 1] it is what of its interval lies there. Of x below 0, whose interval reaches h further
    up, it is what a likelihood ratio leaves: the shares π with (x − π)² − x² ≤ h², 0 to x + √(x² + h²). That is never
    less than what of [x, x + h] lies in [0, 1]: it holds the truth as often, and is never empty. Above 1 likewise.

    >>> [round(end, 4) for end in interval_of_shares(-0.3, (-0.5, -0.1), 0.0)]
    [0.0, 0.0606]
    """
    given = np.array([[estimate], [interval[0]], [interval[1]], [share]])
    low, high = intervals_of_shares(given[0], given[1], given[2], given[3])
    return float(low[0]), float(high[0])


def intervals_of_shares(estimates: Floats, low: Floats, high: Floats, shares: Floats) -> Interval:
    """`interval_of_shares` of many estimates.

    >>> at_zero = np.zeros(1)
    >>> [end.round(4).tolist() for end in intervals_of_shares(at_zero - 0.3, at_zero - 0.5, at_zero - 0.1, at_zero)]
    [[0.0], [0.0606]]
    """
    high = np.where(estimates < 0, estimates + np.hypot(estimates, high - estimates), high)
    low = np.where(estimates > 1, estimates - np.hypot(estimates - 1, estimates - low), low)
    return np.maximum(np.minimum(low, shares), 0.0), np.minimum(np.maximum(high, shares), 1.0)


def wilson(share: Floats, n: Floats, level: float) -> Interval:
    """Wilson's interval: the shares π with (share − π)² ≤ z² π(1−π)/n."""
    z2 = standard_errors(level) ** 2
    centre = (share + z2 / (2 * n)) / (1 + z2 / n)
    half = np.sqrt(z2 * (share * (1 - share) / n + z2 / (4 * n**2))) / (1 + z2 / n)
    return centre - half, centre + half


def wilson_through_line(estimate: Floats, n: Floats, c: Floats, d: Floats, level: float) -> Interval:
    """Wilson's interval of the observed share c + d·π, turned into one of π.

    Beyond `FAR_OUT` it misses what few records show too often: there it is that of Clopper and Pearson (1934).
    """
    share = c + d * estimate
    ends = [(end - c) / d for end in (wilson(share, n, level) if level <= FAR_OUT else exact(share, n, level))]
    return np.minimum(*ends), np.maximum(*ends)


def line_of_weights(share: Floats | float, spread: Floats | float, slope: Floats | float) -> tuple[Floats, Floats]:
    """(c, d) of the event whose records would vary as the weights that several events have, at every share near this.

    At a share π weights vary by mean square less π², and the mean square grows with π by a `slope` that the disguise
    alone gives. With the `spread` at the estimated share that is (c + dπ)(1 − c − dπ)/d² of one event.

    >>> [round(float(one), 6) for one in line_of_weights(0.3, 0.4 * 0.6 / 0.5**2, (1 - 2 * 0.25) / 0.5)]
    [0.25, 0.5]
    """
    d = 1 / np.sqrt(np.maximum(4 * np.asarray(spread) + (slope - 2 * np.asarray(share)) ** 2, 1e-300))
    return (1 - slope * d) / 2, d


@dataclass(frozen=True)
class ShareOfGroup:
    """What one group adds to a share: its weight in it, and its own share with the part of each cell or respondent.

    `line`: (c, d) of P(record shows it) = c + d·share. `worth`: how many drawn alike its respondents are worth. Of
    several shares at once all are arrays.
    """

    weight: Floats | float
    share: Floats | float
    parts: Floats
    line: tuple[Floats | float, Floats | float]
    worth: Floats | float


def wilson_of_groups(
    estimate: Floats | float,
    variance: Floats | float,
    groups: Sequence[ShareOfGroup],
    own: Sequence[Floats | float],
    level: float,
    freedom: Floats | float,
) -> Interval:
    """The interval of a share by Wilson's of each group, joined by MOVER; `own` has the variance of each group's share.

    What the variance has beyond theirs is that of the weights, and of what is known beside the sampling.
    """
    if len(groups) == 1:
        return wilson_of_variance(estimate, variance, groups[0].line, level, freedom)
    each = list(zip(groups, own, strict=True))
    between = np.maximum(variance - sum(one.weight**2 * spread for one, spread in each), 0.0)
    wider = (_reach(level, freedom) / standard_errors(level)) ** 2
    joined = [
        (one.weight, one.share, wilson_of_variance(one.share, spread, one.line, level, freedom, one.worth))
        for one, spread in each
    ]
    return by_group(np.asarray(estimate), joined, between * wider, level)


@np.errstate(divide="ignore", invalid="ignore")
def wilson_of_variance(
    estimate: Floats | float,
    variance: Floats | float,
    line: tuple[Floats | float, Floats | float],
    level: float,
    freedom: Floats | float = np.inf,
    worth: Floats | float = 0.0,
) -> Interval:
    """`wilson_through_line` of a figure of a sample: of as many records drawn alike as would have its variance.

    Where nothing is known of these (Kott and Carr 1997) of as many as it is `worth`, or else Wald's.
    """
    value, spread, c, d = (np.asarray(one, float) for one in (estimate, variance, *line))
    share = c + d * value
    known = (spread > 0) & (share > 0) & (share < 1)
    size = np.where(known, share * (1 - share) / (d**2 * spread), worth)
    ends = wilson_through_line(value, size * (standard_errors(level) / _reach(level, freedom)) ** 2, c, d, level)
    plain = wald(value, np.where(spread > 0, spread, np.nan), level, freedom)
    low, high = (np.where(size > 0, end, other) for end, other in zip(ends, plain, strict=True))
    return low, high


def exact(share: Floats, n: Floats, level: float) -> Interval:
    """The interval of Clopper and Pearson (1934) for a share of n records, which never misses more than it says."""
    from scipy.special import betaincinv  # slow to import; who only takes answers does without

    seen = np.rint(n * share)
    low = np.where(seen > 0, betaincinv(np.maximum(seen, 1), n - seen + 1, (1 - level) / 2), 0.0)
    high = np.where(seen < n, betaincinv(seen + 1, np.maximum(n - seen, 1), (1 + level) / 2), 1.0)
    return low, high


def by_group(
    estimate: Floats,
    groups: Sequence[tuple[Floats | float, Floats | float, Interval]],
    between: Floats | float,
    level: float,
) -> Interval:
    """The interval of Σ weight·share by MOVER, from each group's (weight, share, interval) and a variance `between`."""
    squares = [np.zeros_like(estimate) + standard_errors(level) ** 2 * between for _ in range(2)]
    for weight, share, interval in groups:
        for side, end in enumerate(interval):
            squares[side] = squares[side] + np.where(np.asarray(weight) > 0, (weight * (share - end)) ** 2, 0.0)
    return estimate - np.sqrt(squares[0]), estimate + np.sqrt(squares[1])


def score_of_pooled(
    estimate: Floats, variance: Floats, n: Floats, k: Floats, c: Floats, d: Floats, level: float
) -> Interval:
    """The supports π with (estimate − π)² ≤ z²·[k·π(1−π) + (1−k)·λ(1−λ)]/(n a²), λ = c + dπ, a = k + (1−k)d.

    Where the groups contradict each other there may be no such π; the Wald interval takes its place.
    """
    scale = standard_errors(level) ** 2 / (n * (k + (1 - k) * d) ** 2)
    constant = scale * (1 - k) * c * (1 - c)
    linear = scale * (k + (1 - k) * d * (1 - 2 * c))
    square = 1 + scale * (k + (1 - k) * d**2)
    root = np.sqrt((2 * estimate + linear) ** 2 - 4 * square * (estimate**2 - constant))
    ends = [(2 * estimate + linear + sign * root) / (2 * square) for sign in (-1, 1)]
    plain = wald(estimate, variance, level)
    return np.where(np.isnan(root), plain[0], ends[0]), np.where(np.isnan(root), plain[1], ends[1])


def score_of_combined(
    direct: Floats, n0: Floats, disguised: Floats, variance: Callable[[Floats], Floats], level: float
) -> Interval:
    """The supports that the score test of both groups together does not reject, within [0, 1].

    `variance` is that of the disguised group's estimate at a support π, V. The score is n₀(P₀−π)/π(1−π) + (P₁−π)/V,
    its information n₀/π(1−π) + 1/V.
    """

    def statistic(support: Floats) -> Floats:
        own, other = n0 / (support * (1 - support)), 1 / variance(support)
        return (own * (direct - support) + other * (disguised - support)) / np.sqrt(own + other)

    ends = []
    for bound in (standard_errors(level), -standard_errors(level)):
        low, high = np.zeros(np.shape(direct)), np.ones(np.shape(direct))
        for _ in range(50):
            middle = (low + high) / 2
            above = statistic(middle) > bound
            low, high = np.where(above, middle, low), np.where(above, high, middle)
        ends.append((low + high) / 2)
    return ends[0], ends[1]


def standard_errors(level: float, freedom: float = np.inf) -> float:
    """How many standard errors a two-sided interval reaches to each side: normal, or Student's t with `freedom`."""
    return float(_reach(level, freedom))


def _reach(level: float, freedom: Floats | float) -> Floats:
    """As `standard_errors`, for each of several degrees of freedom."""
    end = (1 + level) / 2
    if np.isposinf(freedom).all():
        return np.asarray(NormalDist().inv_cdf(end))
    from scipy.special import stdtrit  # slow to import; who only takes answers does without

    return np.asarray(stdtrit(freedom, end), float)


def two_sided(z: Floats | np.float64, freedom: Floats | float = np.inf) -> Floats:
    """The two-sided p of a normal statistic, or of Student's t with this freedom."""
    from scipy.special import ndtr, stdtr

    tail: Floats = ndtr(-np.abs(z)) if np.isposinf(freedom).all() else np.asarray(stdtr(freedom, -np.abs(z)), float)
    return 2 * tail
