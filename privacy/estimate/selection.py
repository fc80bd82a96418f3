"""Figures that stay true after selection.

Every itemset that was *counted* is in the mean of its length, and each estimate is shrunk to that mean as far as its
own error warrants (docs/decisions/0032-figures-after-selection.md).

What is pulled are standardised central moments, with σ_j = √(p_j(1−p_j)),

    r_E = Σ_{T⊆E} (−1)^{|E∖T|} sup(T) Π_{E∖T} p / Π_E σ,    sup(∅) = 1,

the correlation for a pair; single items stay as they are. Of one length most r ~ N(b, τ²), and a part π of them, the
strong ones, lie further off: r ~ N(b, τ² + s²), s = .2, .4 or .8, likely in these proportions (two groups, as in Efron
2008; a mixture of normal distributions with one mode, as in Stephens 2017). τ has a half-Cauchy(.05) prior (Gelman
2006), b ~ N(0, .1²).
The moments of the length decide π: before they are seen a strong one is likely, so that where there are few, of which
nothing can be learnt, a strong one stays, and hardly anything else is pulled far. What a length of F itemsets leaves
open of its groups is the wider for it by a factor 1 + 6/F of the variance between them.

Where a length has 150 itemsets and more, connections of a kind make a group of their own that lies apart: such groups
are learnt. They stand at every step of a typical standard error, half as wide, and before anything is seen three in
ten belong to one of them, as if 100 itemsets had shown so. Which group a moment belongs to is asked of the others
alone (a mixture by collapsed variational inference, as in Asuncion and others 2009): one that stands by itself does
not make its own group. What is pulled to a group goes to its middle c in place of b, which moves r by the mean of
(1−kept)·c.

The joint covariance of the supports serves for the errors, and for that of b: moments of one survey err together, and
where b came out too high all rules are too strong at once. Such surveys have more significant rules than others.

With s_E the mean of t/(v+t), t = τ² or τ² + s², over the posterior of τ and π (common to a length) and the group (each
itemset's own), V = J Σ Jᵀ the covariance of the moments (J their slopes by supports) and v = diag V, u_E the mean of
1/(v+t), g = u/Σu, the error of b as one mean of moments that err together is e = 1/Σu + gᵀ(V − diag v)g. With
f = .1²/(.1² + e), the matrix W = diag(s) + f·(1−s)gᵀ pulls r to W r. The errors follow from

    W V Wᵀ + (I−W) diag(v s/(1−s)) (I−W)ᵀ + (1−f)²·.1²·(1−s)(1−s)ᵀ

and the variance of the means of the groups. Of V only the covariances among the parts of one itemset are needed, and
V g of each length: time and memory grow with the number of itemsets, not with its square.

A confidence lies between 0 and 1, before it is seen as Beta(c, c) has it with c = .47, and is the median of what its
normal error leaves; intervals of supports and confidences are quantiles of that, that of a lift is on the logarithm.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, partial
from itertools import combinations
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from privacy.arrays import Floats
from privacy.estimate.available import expand, products
from privacy.estimate.intervals import standard_errors

Places = NDArray[np.intp]

_TAU = np.r_[0.0, 0.005 * 1.5 ** np.arange(13)]
_TAU_SCALE = 0.05
_STRONG = {0.01: 1, 0.03: 1, 0.1: 2, 0.3: 4, 0.9: 40}  # what π may be, and how likely before anything is seen
_LEAST_VARIANCE = 1e-12  # of a moment: nobody disguised a link without exceptions, which is kept as it is
_FAR = np.array([0.2, 0.4, 0.8])  # how far strong moments lie from the mean, and how likely that is: s
_FEW = 6.0
_MANY = 150  # itemsets of a length: of so many their groups are learnt
_SEEN, _APART = 100.0, 0.3  # how many itemsets what was thought before counts for, and how much of that lies apart
_ROUNDS, _PLACES = 20, 200  # of learning the groups; how many there are at most
_HARDLY = 1e-4  # of all itemsets: groups of the prior with fewer are left out
_ITERATIONS, _STILL = 25, 1e-6
_MOVED = 1e-3  # of shares in a mean: as long as they moved no further, its error is as it was
_ENTRIES = 1 << 20  # covariances held at once
_MISSED = 0.05  # of intervals of what is reported
_KNOWN = 2.0  # standard errors between the share of a single item and 0 or 1
_NO_VARIANCE = 1e-18
_SHARE = 0.47  # c of the Beta(c, c) that a share is before it is seen: chosen by how far true rules and others are off
_REACH = 6.0  # how many standard errors the grid of a share within 0 and 1 goes either way
_EVEN = np.linspace(0, 1, 129)[:, None]
_STEPS = _EVEN**2 * (3 - 2 * _EVEN)  # of that grid, closer together at its ends, where the density may be infinite


@dataclass(frozen=True)
class Prior:
    """What is thought of the moments of a length before a survey is seen: of their mean, and how far they lie from it.

    `scales` are variances about the mean: a row for each state that a length may be in, a column for each group that
    a moment may belong to. `apart`: b is taken for a mean of moments whose errors do not go together.
    """

    scales: Floats
    common: Floats  # the weights of rows
    own: Floats  # the weights of columns, in each row or the same in all
    mean: float = 0.1**2
    apart: bool = False
    few: float = 0.0  # how many itemsets, of which a length has as many, double the variance between groups
    many: float = np.inf  # of how many itemsets groups that lie apart are learnt


class Joint(Protocol):
    """Supports of itemsets that err together, and what is asked of their covariance.

    `places`: for each length from 1 up the places of all parts of each itemset by mask, the itemset itself last, and −1
    for the empty one: (2^L, F).
    """

    @property
    def places(self) -> Sequence[Places]: ...
    @property
    def support(self) -> Floats: ...
    def of_parts(self, places: Places) -> Floats:
        """The covariances among the parts of some itemsets of one length: (2^L, 2^L, F), those of the empty one 0."""

    def with_sum(self, weights: Floats) -> Floats:
        """The covariance of each support with the sum of all, each times its weight."""


@dataclass(frozen=True)
class KnownJoint:
    """Itemsets of which the whole covariance is known: with an itemset, its items ascending, all its parts are there.

    >>> known = KnownJoint([(0,), (1,), (0, 1)], np.array([0.5, 0.5, 0.25]), np.eye(3))
    >>> [places.T.tolist() for places in known.places], known.with_sum(np.array([0.0, 0.0, 2.0])).tolist()
    ([[[-1, 0], [-1, 1]], [[-1, 0, 1, 2]]], [0.0, 0.0, 2.0])
    """

    itemsets: Sequence[Sequence[int]]
    support: Floats
    covariance: Floats

    @cached_property
    def places(self) -> list[Places]:
        place = {tuple(itemset): at for at, itemset in enumerate(self.itemsets)}
        lengths = []
        for items in range(1, max(map(len, place), default=1) + 1):
            chosen = [itemset for itemset in place if len(itemset) == items]
            parts = np.full((2**items, len(chosen)), -1, dtype=np.intp)
            for size in range(1, items + 1):
                for inside in combinations(range(items), size):
                    mask = sum(1 << bit for bit in inside)
                    parts[mask] = [place[tuple(itemset[bit] for bit in inside)] for itemset in chosen]
            lengths.append(parts)
        return lengths

    def of_parts(self, places: Places) -> Floats:
        covariances = self.covariance[places[:, None], places[None]]
        covariances[0] = covariances[:, 0] = 0
        return covariances

    def with_sum(self, weights: Floats) -> Floats:
        summed = weights != 0  # of the others a covariance may not be known
        covariances: Floats = self.covariance[:, summed] @ weights[summed]
        return covariances


@dataclass(frozen=True)
class Shrunken:
    """Supports after selection in the order of the itemsets, NaN where there are none, and what their errors need."""

    support: Floats
    joint: Joint
    slopes: tuple[Floats, Floats]  # of moments by supports, of supports by moments, each by the parts: (2^longest, m)
    kept: Floats  # (m,), as what follows: see `_Pull`
    prior: Floats
    between: Floats
    cross: Floats  # of the prior and the share in the mean
    means: Floats  # the covariance of all moments with the mean of each length: (lengths, m)
    squares: Floats  # of the means among each other
    rooms: Floats

    def parts(self, places: Places) -> tuple[Floats, Floats]:
        """The supports of all parts of some itemsets by mask, (2^L, F), and their covariances, (2^L, 2^L, F)."""
        masks = np.arange(len(places))
        of = np.maximum(np.bitwise_count(masks).astype(np.intp) - 1, 0)  # the length of each part
        same = (of[:, None] == of)[..., None]
        before, after = (_table_of_slopes(table, places) for table in self.slopes)
        kept, cross = self.kept[places], self.cross[places]
        lost = 1 - kept
        with_mean = kept[:, None] * lost * self.means[of[None, :, None], places[:, None]]
        of_means = self.squares[of[:, None], of][..., None] + same * (self.rooms[of][:, None] - cross[:, None] - cross)
        spread = kept[:, None] * kept * _between_sums(before, self.joint.of_parts(places))
        spread += with_mean + np.swapaxes(with_mean, 0, 1) + lost[:, None] * lost * of_means
        spread[masks, masks] += lost**2 * self.prior[places] + self.between[places]
        spread[0] = spread[:, 0] = 0
        support = self.support[places]
        support[0] = 1
        return support, _between_sums(after, spread) + 0 * (support[:, None] + support)


@dataclass(frozen=True)
class _Length:
    """The itemsets of one length by the places of their parts: (2^L, F), as those of `Joint`."""

    parts: Places

    @property
    def rows(self) -> Places:
        return self.parts[-1]

    @property
    def items(self) -> int:
        return len(self.parts).bit_length() - 1

    @property
    def singles(self) -> Places:
        """The places of the single items of each itemset: (items, F)."""
        return self.parts[1 << np.arange(self.items)]

    def some(self) -> Iterator[Places]:
        """The parts of some itemsets at a time, so that their covariances can be held at once."""
        step = max(_ENTRIES >> 2 * self.items, 1)
        return (self.parts[:, start : start + step] for start in range(0, len(self.rows), step))


@dataclass(frozen=True)
class _Pull:
    """How the moments of one length are pulled towards their mean: s·r + (1−s)·Σ share·r + away."""

    kept: Floats  # s
    away: Floats  # how far groups that lie apart move each
    share: Floats  # of each moment in the mean
    prior: Floats  # v·s/(1−s): the spread of the truth that s implies
    between: Floats  # the variance of the means that the groups would give
    room: float  # how far b may lie beyond what it was pulled to
    together: Floats  # the covariance of all moments with their mean


@cache
def usual_prior() -> Prior:
    """The prior of moments: a row for each τ and π; its first group holds most moments, the others the strong ones."""
    parts, chances = np.array([*_STRONG]), np.array([*_STRONG.values()], dtype=float)
    group = np.r_[0.0, _FAR**2]
    scales = _TAU[:, None, None] ** 2 + np.zeros((len(parts), 1)) + group
    own = np.column_stack([1 - parts, np.outer(parts, _FAR / _FAR.sum())])
    common = np.outer(np.gradient(_TAU) / (1 + (_TAU / _TAU_SCALE) ** 2), chances)
    return Prior(scales.reshape(-1, len(group)), common.ravel(), np.tile(own, (len(_TAU), 1)), few=_FEW, many=_MANY)


def shrink(joint: Joint, prior: Prior | None = None) -> Shrunken:
    """Pull the supports of all itemsets that were counted to what itemsets of their length show.

    There is no figure of an item whose share is within two standard errors of 0 or 1, nor of an itemset that holds one,
    nor of one whose error is not known.

    Independent items of prevalence ½, and one pair that looks associated by two standard errors:

    >>> itemsets = [(0,), (1,), (2,), (0, 1), (0, 2), (1, 2)]
    >>> support = np.array([0.5, 0.5, 0.5, 0.29, 0.25, 0.25])
    >>> shrink(KnownJoint(itemsets, support, np.diag([0.001**2] * 3 + [0.02**2] * 3))).support.round(3)
    array([0.5  , 0.5  , 0.5  , 0.272, 0.256, 0.256])
    """
    prior, raw = prior or usual_prior(), joint.support
    lengths = [_Length(places) for places in joint.places]
    lengths = _whole(lengths, _has_known_share(lengths[0], joint))
    moments, before = _moments(lengths, raw, len(joint.places))
    errors = np.full(len(raw), np.nan)
    for length in lengths:
        for places in length.some():
            slope = before[: len(places), places[-1]]
            errors[places[-1]] = np.einsum("sf,tf,stf->f", slope, slope, joint.of_parts(places), optimize=True)
    lengths = _whole(lengths, errors > 0)
    kept, (priors, between) = np.ones(len(raw)), np.zeros((2, len(raw)))
    (means, shares), rooms = np.zeros((2, len(joint.places), len(raw))), np.zeros(len(joint.places))
    pulled = moments.copy()
    for item, length in enumerate(lengths[1:], start=1):
        rows = length.rows
        pull = _pull(moments[rows], errors[rows], rows, partial(_with_mean, joint, lengths, before, length), prior)
        pulled[rows] = pull.kept * moments[rows] + (1 - pull.kept) * (pull.share @ moments[rows]) + pull.away
        kept[rows], priors[rows], between[rows], shares[item, rows] = pull.kept, pull.prior, pull.between, pull.share
        means[item], rooms[item] = pull.together, pull.room
    cross = priors * shares.sum(axis=0)
    values, after = _supports(lengths, raw, pulled, len(joint.places))
    support = np.full(len(raw), np.nan)
    for length in lengths:
        support[length.rows] = values[length.rows]
    squares, rooms = means @ shares.T, rooms + shares @ cross
    return Shrunken(support, joint, (before, after), kept, priors, between, cross, means, squares, rooms)


def within_bounds(share: Floats, variance: Floats, level: float) -> tuple[Floats, Floats, Floats]:
    """The median and the interval of a share between 0 and 1 that was estimated with a normal error.

    Before, the share is Beta(c, c), of which the angle φ of sin²φ has the density sin(2φ)^(2c−1): quantiles are read
    off a grid of angles. If all shares were as likely, what lies near 1 would be pulled far from there by the cut
    alone, and on the scale of log odds intervals near 1 hardly rise above the share.

    >>> middle, low, high = within_bounds(np.array([0.0, 0.9]), np.array([0.01, 0.04]), 0.95)
    >>> bool(0 < low[0] < middle[0] < high[0] < 1), middle.round(2).tolist()
    (True, [0.03, 0.91])
    """
    beyond, variance = np.maximum(np.maximum(share - 1, -share), 0), variance + _NO_VARIANCE
    with np.errstate(divide="ignore", invalid="ignore"):
        reach = np.sqrt(beyond**2 + _REACH**2 * variance)
        first, last = (np.arcsin(np.sqrt(np.clip(share + side * reach, 0, 1))) for side in (-1, 1))
        angles = first + (last - first) * _STEPS
        middle = (angles[1:] + angles[:-1]) / 2
        likely = np.exp((beyond**2 - (np.sin(middle) ** 2 - share) ** 2) / (2 * variance))
        up_to = np.cumsum(likely * np.sin(2 * middle) ** (2 * _SHARE - 1) * np.diff(angles, axis=0), axis=0)
        up_to = np.concatenate([np.zeros_like(up_to[:1]), up_to]) / up_to[-1]
    tail, every = (1 - level) / 2, np.arange(len(share))

    def quantile(part: float) -> Floats:
        after = np.clip((up_to < part).sum(axis=0), 1, len(up_to) - 1)
        ends = up_to[after - 1, every], up_to[after, every]
        begin, end = angles[after - 1, every], angles[after, every]
        return np.sin(begin + (part - ends[0]) / (ends[1] - ends[0]) * (end - begin)) ** 2

    return quantile(0.5), quantile(tail), quantile(1 - tail)


def log_interval(ratio: Floats, variance: Floats, level: float) -> tuple[Floats, Floats]:
    """The interval of a ratio on the scale of its logarithm; NaN where it is not above 0.

    >>> low, high = log_interval(np.array([2.0]), np.array([0.25]), 0.95)
    >>> low.round(3).tolist(), high.round(3).tolist()
    ([1.225], [3.265])
    """
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        factor = np.exp(standard_errors(level) * np.sqrt(variance) / ratio)
        return np.where(ratio > 0, ratio / factor, np.nan), np.where(ratio > 0, ratio * factor, np.nan)


def low_of_reported(support: Floats, low: Floats, se: Floats, least: float) -> Floats:
    """The low ends of 95 % intervals of supports that are reported because they reach `least`.

    A support θ that is reported shows x ≥ least, so x has a normal law cut there. Of 100 such x five lie outside of
    max(least, θ − z·se) to u(θ): the upper end x + z·se stays, and the low end is the θ with u(θ) = x (acceptance
    regions as of Weinstein, Fithian and Benjamini 2013, kept around x). Near the threshold it goes down to 0.

    >>> low_of_reported(np.array([0.06, 0.2]), np.array([0.04, 0.18]), np.array([0.01, 0.01]), 0.05).round(3).tolist()
    [0.028, 0.18]
    """
    places, reached = _reporting_curve()
    with np.errstate(divide="ignore", invalid="ignore"):
        above = np.clip((support - least) / se, 0, reached[-1])  # further up nothing is cut off
        place = np.where(above < reached[0], np.log(_MISSED) / above, np.interp(above, reached, places))
        further = se * (above - place - standard_errors(1 - _MISSED))
        return np.where(further > 0, np.minimum(low, np.maximum(low - further, 0)), low)


@cache
def _reporting_curve() -> tuple[Floats, Floats]:
    """θ and u(θ) of `low_of_reported`, both in standard errors above the threshold."""
    from scipy.special import ndtr, ndtri

    place = np.linspace(-30, 10, 4001)
    lower = ndtr(np.maximum(-place, -standard_errors(1 - _MISSED))) - ndtr(-place)  # what is missed below
    return place, place - ndtri(_MISSED * ndtr(place) - lower)


def _has_known_share(singles: _Length, joint: Joint) -> NDArray[np.bool_]:
    """Which itemsets have a known support; the share of a single item must surely lie within 0 and 1."""
    known = np.isfinite(joint.support)
    support, variance = joint.support[singles.rows], joint.of_parts(singles.parts)[1, 1]
    room = _KNOWN * np.sqrt(np.where(np.isfinite(variance), np.maximum(variance, 0), np.inf))
    known[singles.rows] &= (support > room) & (support < 1 - room)
    return known


def _whole(lengths: list[_Length], known: NDArray[np.bool_]) -> list[_Length]:
    """Keep the itemsets of which all parts are `known`; drop lengths of which none is left."""
    whole = [_Length(length.parts[:, known[length.parts[1:]].all(axis=0)]) for length in lengths]
    return [length for length in whole if len(length.rows)]


def _moments(lengths: list[_Length], support: Floats, longest: int) -> tuple[Floats, Floats]:
    """The standardised moments r of all itemsets (single items: their share), and their slopes by the parts."""
    moments, slopes = support.copy(), _slopes_of_singles(lengths, (2**longest, len(support)))
    for length in lengths[1:]:
        shares = support[length.singles]
        with np.errstate(divide="ignore", invalid="ignore"):
            scale = np.sqrt(shares * (1 - shares)).prod(axis=0)
            centred = products(_values_of_parts(support, length), shares) / scale
            moments[length.rows] = centred[-1]
            # The slope by the support of part T is that of products(): (−1)^|E∖T| Π p over E∖T.
            slope = _products_of_missing(-shares) / scale
            whole = len(slope) - 1
            for bit, share in enumerate(shares):
                slope[1 << bit] -= centred[whole - (1 << bit)] + centred[-1] * _slope_of_log_sigma(share)
        slopes[1 : len(slope), length.rows] = slope[1:]
    return moments, slopes


def _supports(lengths: list[_Length], raw: Floats, moments: Floats, longest: int) -> tuple[Floats, Floats]:
    """The inverse of `_moments`: supports from single shares and moments, and their slopes by both."""
    supports, slopes = raw.copy(), _slopes_of_singles(lengths, (2**longest, len(raw)))
    for length in lengths[1:]:
        shares = raw[length.singles]
        scales = _products_of_missing(np.sqrt(shares * (1 - shares)))[::-1]  # Π σ over the items of each part
        centred = _values_of_parts(moments, length)
        centred[1 << np.arange(length.items)] = 0
        means = expand(centred * scales, shares)
        supports[length.rows] = means[-1]
        slope = scales * _products_of_missing(shares)
        whole = len(slope) - 1
        for bit, share in enumerate(shares):
            without = means[whole - (1 << bit)]
            slope[1 << bit] = without + _slope_of_log_sigma(share) * (means[-1] - share * without)
        slopes[1 : len(slope), length.rows] = slope[1:]
    return supports, slopes


def _values_of_parts(values: Floats, length: _Length) -> Floats:
    """The values of all parts of each itemset of a length, 1 for the empty part: (2^L, F)."""
    table = values[length.parts]
    table[0] = 1
    return table


def _slopes_of_singles(lengths: list[_Length], shape: tuple[int, int]) -> Floats:
    """The slopes of all itemsets by their parts, (2^longest, itemsets), of which those of single items are slopes."""
    slopes = np.zeros(shape)
    for length in lengths[:1]:
        slopes[1, length.rows] = 1
    return slopes


def _products_of_missing(factors: Floats) -> Floats:
    """For each mask the product of the factors (L, F) of the items that it lacks: (2^L, F)."""
    made = np.ones((1, factors.shape[1]))
    for factor in factors:
        made = np.concatenate([made * factor, made])
    return made


def _slope_of_log_sigma(share: Floats) -> Floats:
    """How log σ changes with the share π, where σ² = π(1 − π)."""
    return (1 - 2 * share) / (2 * share * (1 - share))


def _table_of_slopes(slopes: Floats, places: Places) -> Floats:
    """The slope of each part of some itemsets by each of its own parts: (2^L, 2^L, F)."""
    count = len(places)
    table = np.zeros((count, count, places.shape[1]))
    for mask in range(1, count):
        within = [part for part in range(count) if part & mask == part]  # in the order of the masks that the part has
        table[mask, within] = slopes[: len(within), places[mask]]
    return table


def _between_sums(slopes: Floats, covariance: Floats) -> Floats:
    """The covariances of sums over the parts, from those of the parts of each itemset: (2^L, 2^L, F)."""
    left, middle = np.moveaxis(slopes, -1, 0), np.moveaxis(covariance, -1, 0)
    return np.moveaxis(left @ middle @ np.swapaxes(left, 1, 2), 0, -1)


def _with_mean(joint: Joint, lengths: list[_Length], slopes: Floats, length: _Length, share: Floats) -> Floats:
    """The covariance of all moments with a mean of those of one length, in which each has this share."""
    weights, covariances = np.zeros(len(joint.support)), np.zeros(len(joint.support))
    parts = length.parts[1:]
    np.add.at(weights, parts, slopes[1 : len(parts) + 1, length.rows] * share)
    of_supports = joint.with_sum(weights)
    for other in lengths:
        slope = slopes[1 : len(other.parts), other.rows]
        covariances[other.rows] = (slope * of_supports[other.parts[1:]]).sum(axis=0)
    return covariances


def _pull(
    moments: Floats, variance: Floats, rows: Places, with_mean: Callable[[Floats], Floats], prior: Prior
) -> _Pull:
    """How far each moment of one length is pulled to their mean, given how moments err, alone and with a mean."""
    errors = np.maximum(variance, _LEAST_VARIANCE)
    total = errors[:, None, None] + prior.scales
    kept_by, log = prior.scales / total, np.log(prior.own) - 0.5 * np.log(total)
    mean, taken = 0.0, np.zeros(len(moments))
    for _ in range(_ITERATIONS):
        posterior = _posterior(moments - mean, total, log, prior)
        weights = np.einsum("etk,etk->e", posterior, 1 / total)
        share = weights / weights.sum()
        if np.abs(share - taken).sum() > _MOVED:
            with_all, taken = with_mean(share), share
        together = 0.0 if prior.apart else float(share @ with_all[rows] - share**2 @ variance)
        error = max(1 / float(weights.sum()) + together, 0.0)
        part = prior.mean / (prior.mean + error)
        next_mean = part * float(share @ moments)
        if abs(next_mean - mean) < _STILL:
            break
        mean = next_mean
    distance = moments - mean
    posterior, kept_by = posterior.reshape(len(moments), -1), kept_by.reshape(len(moments), -1)
    middle = np.zeros(posterior.shape[1])
    if len(moments) >= prior.many:
        posterior, kept_by, middle = _with_groups_apart(distance, errors, posterior, prior)
    kept = (posterior * kept_by).sum(axis=1)
    means = kept_by * distance[:, None] + (1 - kept_by) * middle
    expected = (posterior * means).sum(axis=1)
    between = (posterior * (means - expected[:, None]) ** 2).sum(axis=1) * (1 + prior.few / len(moments))
    room = 0.0 if prior.apart else (1 - part) ** 2 * prior.mean
    with_all = with_all if share is taken else with_mean(share)
    spread, away = errors * kept / (1 - kept), expected - kept * distance
    return _Pull(kept, away, part * share, spread, between, room, part * with_all)


def _with_groups_apart(
    distance: Floats, errors: Floats, posterior: Floats, prior: Prior
) -> tuple[Floats, Floats, Floats]:
    """The probability of each group of each moment, how much of it that keeps, and where the groups have their middle.

    The groups of the prior are as likely as all itemsets together have made them.
    """
    typical = float(np.sqrt(np.median(errors)))
    step = max(typical, float(np.ptp(distance)) / _PLACES)
    apart = np.arange(np.floor(distance.min() / step) - 2, np.ceil(distance.max() / step) + 3) * step
    shown = posterior.mean(axis=0)
    some = shown > _HARDLY
    middle = np.r_[np.zeros(some.sum()), apart]
    spread = np.r_[prior.scales.ravel()[some], np.full(len(apart), (step / 2) ** 2)]
    thought = _SEEN * np.r_[(1 - _APART) * shown[some], np.full(len(apart), _APART / len(apart))]
    total = errors[:, None] + spread
    log = -0.5 * ((distance[:, None] - middle) ** 2 / total + np.log(total))
    likely = np.exp(log - log.max(axis=1, keepdims=True))
    of_group = np.zeros_like(likely)
    for _ in range(_ROUNDS):
        of_group = likely * (thought + of_group.sum(axis=0) - of_group)
        of_group /= of_group.sum(axis=1, keepdims=True)
    return of_group, spread / total, middle


def _posterior(distance: Floats, total: Floats, log: Floats, prior: Prior) -> Floats:
    """The probability of each state of the length (row) and group of a moment (column), for each moment.

    `log` is what does not depend on the distance.
    """
    log = log - 0.5 * (distance**2)[:, None, None] / total
    most = log.max(axis=2, keepdims=True)
    own = np.exp(log - most)
    sums = own.sum(axis=2, keepdims=True)
    common = np.log(prior.common) + (np.log(sums) + most)[..., 0].sum(axis=0)
    common = np.exp(common - common.max())
    return own / sums * (common / common.sum())[None, :, None]
