"""The three estimators, computed for many patterns (or many surveys) of one shape at once.

`counts` holds, for every pattern, the records of the disguised (0) and of the direct group (1) in each state of the
pattern's atoms, among those asked all of it; `sizes` all records of the two groups. Patterns and surveys broadcast:
one pattern with the counts of 2 000 simulated surveys is one call.

- stratified: k·P₀ + (1−k)·P₁; right also when the groups answer differently.
- pooled: the improved grouped unrelated-question paper's (7)–(16); right only if the groups answer alike. Where the
  disguise turns answers round (a_m < 0, as crosswise does) direct answers work against it, and its error is large.
- combined: inverse-variance weights, from a smoothed direct share (x+2)/(n₀+4); its variance uses both groups.

The combined estimator's weights are drawn for each direct respondent from the *other* direct respondents: a weight
that has seen the answer it multiplies is small when that answer is rare, and the mean is then biased (by 3 % of the
support at n = 500, k = .1, π = .05). Where no answer is part of its own weight, the mean is exactly unbiased.

>>> from privacy.design import Design
>>> from privacy.design.patterns import parse_pattern
>>> from privacy.estimate.weights import channel_of, factors
>>> design = Design.parse({"model": "warner", "theta": 0.75, "items": ["drugs"]})
>>> channel = channel_of([factors(design, parse_pattern("drugs", design))])
>>> estimate([[[60, 40], [0, 0]]], [100, 0], channel, "stratified").support.round(6).tolist()  # (0.4 − 0.25) / 0.5
[0.3]
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privacy.arrays import Floats
from privacy.estimate.intervals import (
    Interval,
    by_group,
    line_of_weights,
    score_of_combined,
    score_of_pooled,
    wald,
    wilson,
    wilson_through_line,
)
from privacy.estimate.weights import DIRECT, DISGUISED, Channel, inverse_variances

_ROUNDING = 1e-12


@dataclass(frozen=True)
class Estimates:
    """Figures of many patterns; NaN where there is none."""

    asked: Floats  # records asked all of the pattern
    observed: Floats  # share of them that match
    support: Floats
    se: Floats  # about the population
    se_respondents: Floats  # about the same respondents' true answers
    low: Floats
    high: Floats


@dataclass(frozen=True)
class GroupEstimate:
    """One group's own estimate: `spread` is the variance of one respondent's weight."""

    size: Floats  # all of the group
    asked: Floats  # those asked all of the pattern
    share: Floats
    spread: Floats

    @property
    def variance(self) -> Floats:
        return self.spread / self.asked


def estimate(counts: ArrayLike, sizes: ArrayLike, channel: Channel, estimator: str, level: float = 0.95) -> Estimates:
    """Reconstruct the supports of patterns of one shape from counts: patterns × 2 groups, disguised first, × states."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return _METHODS[estimator](np.asarray(counts, dtype=float), np.asarray(sizes, dtype=float), channel, level)


def _estimate_stratified(counts: Floats, sizes: Floats, channel: Channel, level: float) -> Estimates:
    direct, disguised = _groups(counts, sizes, channel)
    support, variance, between = stratify(direct, disguised)
    n = direct.size + disguised.size
    k = direct.size / n
    parts = [
        (k, direct.share, wilson(direct.share, direct.asked, level)),
        (1 - k, disguised.share, _interval_of_disguised(disguised, channel, level)),
    ]
    return _figures(counts, _by_group(channel), n, support, variance, by_group(support, parts, between, level))


def stratify(direct: GroupEstimate, disguised: GroupEstimate) -> tuple[Floats, Floats, Floats]:
    """Return k·P₀ + (1−k)·P₁, its variance about the population, and the part that the random k adds to it."""
    n = direct.size + disguised.size
    k = direct.size / n
    support, variance = np.zeros_like(direct.share), np.zeros_like(direct.share)
    for weight, group in ((k, direct), (1 - k, disguised)):
        # A group without members has no share, and no part in the sum. One member shows no spread.
        support = support + np.where(weight > 0, weight * group.share, 0.0)
        spread = np.where((group.asked == 1) & (group.size > 1), np.nan, group.variance)
        variance = variance + np.where(weight > 0, weight**2 * spread, 0.0)
    between = np.where(k * (1 - k) > 0, k * (1 - k) * (direct.share - disguised.share) ** 2 / n, 0.0)
    return support, variance + between, between


def _estimate_pooled(counts: Floats, sizes: Floats, channel: Channel, level: float) -> Estimates:
    asked = _sum(counts)
    n = asked[:, DISGUISED] + asked[:, DIRECT]
    k = asked[:, DIRECT] / n
    weights = channel.weights(k)
    total, squares = _sum_weights(counts, weights), _sum_weights(counts, weights**2)
    support = (total[:, DISGUISED] + total[:, DIRECT]) / n
    within = squares - np.where(asked > 0, total**2 / asked, 0.0)
    variance = (within[:, DISGUISED] + within[:, DIRECT]) / n**2
    if channel.atoms == 1:
        interval = score_of_pooled(support, variance, n, k, *channel.line(), level)
    else:
        interval = _interval_of_disguised(GroupEstimate(n, n, support, variance * n), channel, level)
    if (k == 1).any():  # where nobody is disguised the weights are matches
        exact = wilson(support, n, level)
        interval = np.where(k == 1, exact[0], interval[0]), np.where(k == 1, exact[1], interval[1])
    return _figures(counts, weights[:, np.newaxis], sizes.sum(axis=-1), support, variance, interval)


def se_of_paper(estimates: Estimates, counts: ArrayLike, channel: Channel) -> Floats:
    """The standard error of the pooled estimator as its paper prints it, (6): √(λ(1 − λ)/n) / (k + (1 − k)d).

    λ is the share of all records that match. It takes each record for a draw of the same chance λ, as if k were
    unknown; the variance within the two groups is less by k(1 − k)(λ₀ − λ₁)², and the estimate is the same.
    """
    asked = _sum(np.asarray(counts, dtype=float))
    with np.errstate(divide="ignore", invalid="ignore"):
        k = asked[:, DIRECT] / estimates.asked
        error = np.sqrt(estimates.observed * (1 - estimates.observed) / estimates.asked)
        return np.asarray(error / np.abs(k + (1 - k) * channel.line()[1]))


def _estimate_combined(counts: Floats, sizes: Floats, channel: Channel, level: float) -> Estimates:
    direct, disguised = _groups(counts, sizes, channel)
    support, weight = _weigh_groups(counts[:, DIRECT], direct, disguised, channel)
    own, other = _variances(counts, support, direct, disguised, channel)

    def variance(support: Floats) -> Floats:
        if channel.atoms != 1:
            return other
        c, d = channel.line()
        seen = c + d * support
        return seen * (1 - seen) / (disguised.asked * d**2)

    low, high = score_of_combined(direct.share, direct.asked, disguised.share, variance, level)
    mean_variance = weight**2 * own + (1 - weight) ** 2 * other
    # A single direct match lifts a score interval off the very rarest supports (Brown, Cai and DasGupta 2001).
    at_most_one = counts[:, DIRECT, -1] <= 1
    low = np.where(at_most_one, np.minimum(low, wald(support, mean_variance, level)[0]), low)
    both = support, mean_variance, np.minimum(low, support), np.maximum(high, support)
    only_direct = direct.share, direct.variance, *wilson(direct.share, direct.asked, level)
    only_disguised = disguised.share, disguised.variance, *_interval_of_disguised(disguised, channel, level)
    figures = [
        np.where(disguised.asked == 0, first, np.where(direct.asked == 0, second, mixed))
        for first, second, mixed in zip(only_direct, only_disguised, both, strict=True)
    ]
    interval = figures[2], figures[3]
    return _figures(counts, _by_group(channel), sizes.sum(axis=-1), figures[0], figures[1], interval)


def _weigh_groups(
    seen: Floats, direct: GroupEstimate, disguised: GroupEstimate, channel: Channel
) -> tuple[Floats, Floats]:
    """Return the mean of both groups, weighed by inverse variance, and the weight of the direct group."""
    match = np.arange(seen.shape[-1]) == seen.shape[-1] - 1
    weight, own, other = inverse_variances(seen, direct.asked, disguised.asked, channel)
    pull = weight * (match - disguised.share[:, np.newaxis])
    return disguised.share + (seen * pull).sum(axis=-1) / direct.asked, other / (own + other)


def _variances(
    counts: Floats, support: Floats, direct: GroupEstimate, disguised: GroupEstimate, channel: Channel
) -> tuple[Floats, Floats]:
    """Return the variances of the direct and of the disguised group's estimate, computed from the answers of both.

    These are better than the variances that weigh the groups: those may not depend on the disguised answers, and a
    small direct group alone says little of a variance.
    """
    n = direct.asked + disguised.asked
    share = (n * np.clip(support, 0, 1) + 0.5) / (
        n + 1
    )  # so that 0 of a few respondents does not mean that there is no spread
    weights = channel.weights() ** 2
    squares = (counts[:, DISGUISED] * weights).sum(axis=-1)
    squares += (counts[:, DIRECT] * channel.disguise(weights, back=True)).sum(axis=-1)
    return share * (1 - share) / direct.asked, np.maximum(squares / n - share**2, 0) / disguised.asked


_METHODS = {"stratified": _estimate_stratified, "combined": _estimate_combined, "pooled": _estimate_pooled}


def _groups(counts: Floats, sizes: Floats, channel: Channel) -> tuple[GroupEstimate, GroupEstimate]:
    """Return the direct and the disguised group, each with its own estimate of the support."""
    groups = []
    for place, weights in ((DIRECT, channel.weights(1.0)), (DISGUISED, channel.weights())):
        seen = counts[:, place]
        asked = _sum(seen)
        share = _sum(seen * weights) / asked
        square = _sum(seen * weights**2) / asked
        groups.append(GroupEstimate(sizes[..., place], asked, share, square - share**2))
    return groups[0], groups[1]


def _figures(
    counts: Floats, weights: Floats, n: Floats, support: Floats, variance: Floats, interval: Interval
) -> Estimates:
    """Put figures together, with NaN where a support, an error or an interval cannot be known."""
    asked, other = np.moveaxis(_sum(counts), -1, 0)
    known = np.maximum(asked, other) > 1  # a single respondent in each group shows no spread
    # Nor do groups in which all weigh alike; the intervals of shares know what such a group still says.
    spread = known & _differ(counts, weights)
    asked = asked + other
    support = np.where(asked > 0, support, np.nan)
    variance = np.where(known, np.maximum(variance, 0.0), np.nan)
    has_interval = ~np.isnan(variance) & (spread | (counts.shape[-1] == 2))
    low, high = (np.where(has_interval, end, np.nan) for end in interval)
    # Truth and sample vary together, so what the disguise alone adds is what is left over the sample's own variance.
    added = np.maximum(variance - support * (1 - support) / n, 0.0)
    observed = (counts[:, DISGUISED, -1] + counts[:, DIRECT, -1]) / asked
    se = np.where(spread, np.sqrt(variance), np.nan)
    return Estimates(asked, observed, support, se, np.where(spread, np.sqrt(added), np.nan), low, high)


def _by_group(channel: Channel) -> Floats:
    """The weights of records: patterns × 2 groups (disguised first) × states."""
    return np.stack(np.broadcast_arrays(channel.weights(), channel.weights(1.0)), axis=1)  # disguised before direct


def _differ(counts: Floats, weights: Floats) -> NDArray[np.bool_]:
    """Whether respondents of one group weigh differently; of several answers, different records may weigh alike."""
    total, square = _sum(counts * weights), _sum(counts * weights**2)
    return np.any(square - total**2 / _sum(counts) > _ROUNDING * square, axis=-1)


def _sum(values: Floats) -> Floats:
    """Sum over the last axis; for few states einsum is three times as fast as NumPy's own sum."""
    return np.einsum("...s->...", values)


def _sum_weights(counts: Floats, weights: Floats) -> Floats:
    """Per group, the sum of the weights (patterns × states) of all records."""
    return np.einsum("...gs,...s->...g", counts, weights)


def _interval_of_disguised(group: GroupEstimate, channel: Channel, level: float) -> Interval:
    if channel.atoms == 1:
        return wilson_through_line(group.share, group.asked, *channel.line(), level)
    c, d = line_of_weights(group.share, np.maximum(group.spread, 0.0), channel.slope_of_squares())
    return wilson_through_line(group.share, group.asked, c, d, level)
