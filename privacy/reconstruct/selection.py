"""Figures that stay true after selection.

Rules are reported because they look strong, so their raw figures are too strong: order and thresholds chose lucky
noise. Here every itemset that was *counted*, also those below the threshold, says how far itemsets of its length go
together, and each is pulled towards that as far as its own error warrants.

What is pulled are standardised central moments, with σ_j = √(p_j(1−p_j)),

    r_E = Σ_{T⊆E} (−1)^{|E∖T|} sup(T) Π_{E∖T} p / Π_E σ,    sup(∅) = 1,

the correlation for a pair; single items stay as they are. Of one length r ~ b + τ√κ·N(0, 1), 1/κ ~ Exp(1), which is
Student's t with two degrees of freedom: most itemsets are near b, a few are far off and stay there (Efron and Morris
1972 limit the translation of such ones; a normal prior would pull a single strong pair down by 13 points). τ has a
half-Cauchy(.1) prior (Gelman 2006), b ~ N(0, .3²). The joint covariance of the supports serves for the errors alone.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privacy.reconstruct.available import expanded, products
from privacy.reconstruct.intervals import standard_errors

__all__ = ["Shrunken", "log_interval", "logit_interval", "shrunken"]

Floats = NDArray[np.float64]
Places = NDArray[np.intp]

_TAU = np.r_[0.0, 0.005 * 1.5 ** np.arange(13)]
_TAU_WEIGHTS = np.gradient(_TAU) / (1 + (_TAU / 0.1) ** 2)
_U = np.r_[0.047 + 0.094 * np.arange(10), 0.95, 0.975, 0.99, 0.997]  # κ = −1/ln u
_KAPPA_WEIGHTS = np.r_[np.full(10, 0.094), 0.02, 0.02, 0.012, 0.008]
_SCALES = (_TAU**2)[:, None] / -np.log(_U)  # τ²κ
_MEAN_PRECISION = 1 / 0.3**2
_ITERATIONS, _STILL = 25, 1e-6
_KNOWN = 2.0  # standard errors between the share of a single item and 0 or 1


@dataclass(frozen=True)
class Shrunken:
    """Supports after selection and their covariance, in the order of the itemsets; NaN where there are none."""

    support: Floats
    covariance: Floats


@dataclass(frozen=True)
class _Length:
    """The itemsets of one length: their places, and those of their parts by mask (F, 2^L); the empty one has none."""

    rows: Places
    parts: Places

    @property
    def items(self) -> int:
        return self.parts.shape[1].bit_length() - 1

    @property
    def singles(self) -> Places:
        return self.parts[:, 1 << np.arange(self.items)]


@dataclass(frozen=True)
class _Pull:
    """How the moments of one length are pulled towards their mean: s·r + (1−s)·Σ share·r."""

    kept: Floats  # s
    share: Floats  # of each moment in the mean
    prior: Floats  # v·s/(1−s): the spread of the truth that s implies
    between: Floats  # the variance of the means that the scales τ²κ would give


def shrunken(itemsets: Sequence[Sequence[int]], support: ArrayLike, covariance: ArrayLike) -> Shrunken:
    """Pull the supports of all itemsets that were counted to what itemsets of their length show.

    Parameters
    ----------
    itemsets : sequence of sequences of int
        The items of each, ascending. With an itemset all its parts are there, single items among them.
    support : array_like
        The raw support of each.
    covariance : array_like
        Of the raw supports, all with all.

    Returns
    -------
    Shrunken
        Nothing is told of an item whose share is within two standard errors of 0 or 1, nor of an itemset that holds
        one, nor of one whose error is not known.

    Examples
    --------
    Independent items of prevalence ½, and one pair that looks associated by two standard errors:

    >>> import numpy as np
    >>> pairs = [(0, 1), (0, 2), (1, 2)]
    >>> itemsets = [(0,), (1,), (2,), *pairs]
    >>> found = shrunken(itemsets, [0.5, 0.5, 0.5, 0.29, 0.25, 0.25], np.diag([0.001**2] * 3 + [0.02**2] * 3))
    >>> found.support.round(3)
    array([0.5  , 0.5  , 0.5  , 0.271, 0.259, 0.259])
    """
    raw, spread = np.asarray(support, dtype=float), np.asarray(covariance, dtype=float)
    lengths = _lengths(itemsets)
    lengths = _whole(lengths, _known(lengths[0], raw, spread))
    moments, slopes = _moments(lengths, raw)
    errors = _both_sides(lengths, slopes, spread)
    lengths = _whole(lengths, np.diag(errors) > 0)
    pulled = moments.copy()
    for rows in (length.rows for length in lengths[1:]):
        pull = _pull(moments[rows], np.diag(errors)[rows])
        pulled[rows] = _applied(pull, moments[rows])
        errors[rows] = _applied(pull, errors[rows])
        errors[:, rows] = _applied(pull, errors[:, rows].T).T
        errors[np.ix_(rows, rows)] += _own_spread(pull)
    values, slopes = _supports(lengths, raw, pulled)
    covariances = _both_sides(lengths, slopes, errors)
    untold = np.ones(len(raw), dtype=bool)
    for length in lengths:
        untold[length.rows] = False
    covariances[untold] = covariances[:, untold] = values[untold] = np.nan
    return Shrunken(values, covariances)


def logit_interval(share: Floats, variance: Floats, level: float) -> tuple[Floats, Floats]:
    """The interval of a share on the scale of its log odds, so that it stays within 0 and 1; NaN outside of them."""
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        spread = np.where((share > 0) & (share < 1), share * (1 - share), np.nan)
        middle, half = np.log(share / (1 - share)), standard_errors(level) * np.sqrt(variance) / spread
        return 1 / (1 + np.exp(half - middle)), 1 / (1 + np.exp(-half - middle))


def log_interval(ratio: Floats, variance: Floats, level: float) -> tuple[Floats, Floats]:
    """The interval of a ratio on the scale of its logarithm; NaN where it is not above 0."""
    with np.errstate(divide="ignore", invalid="ignore"):
        factor = np.exp(standard_errors(level) * np.sqrt(variance) / ratio)
        return np.where(ratio > 0, ratio / factor, np.nan), np.where(ratio > 0, ratio * factor, np.nan)


def _lengths(itemsets: Sequence[Sequence[int]]) -> list[_Length]:
    place = {tuple(itemset): at for at, itemset in enumerate(itemsets)}
    lengths = []
    for items in range(1, max(map(len, place), default=1) + 1):
        chosen = [itemset for itemset in place if len(itemset) == items]
        parts = np.full((len(chosen), 2**items), -1, dtype=np.intp)
        for size in range(1, items + 1):
            for inside in combinations(range(items), size):
                mask = sum(1 << bit for bit in inside)
                parts[:, mask] = [place[tuple(itemset[bit] for bit in inside)] for itemset in chosen]
        lengths.append(_Length(parts[:, -1], parts))
    return lengths


def _known(singles: _Length, support: Floats, covariance: Floats) -> NDArray[np.bool_]:
    """Whose support and error are known; of single items, whether the share is surely neither 0 nor 1."""
    variance = np.diag(covariance)
    known = np.isfinite(support) & np.isfinite(variance)
    room = _KNOWN * np.sqrt(np.where(known, np.maximum(variance, 0), np.inf))[singles.rows]
    known[singles.rows] &= (support[singles.rows] > room) & (support[singles.rows] < 1 - room)
    return known


def _whole(lengths: list[_Length], known: NDArray[np.bool_]) -> list[_Length]:
    """The itemsets of which all parts are known, as far as there are any."""
    every = [known[length.parts[:, 1:]].all(axis=1) for length in lengths]
    whole = [_Length(length.rows[chosen], length.parts[chosen]) for length, chosen in zip(lengths, every, strict=True)]
    return [length for length in whole if len(length.rows)]


def _moments(lengths: list[_Length], support: Floats) -> tuple[Floats, list[Floats]]:
    """r of all itemsets, the share itself for single items, and for each length its slopes by the parts (2^L, F)."""
    moments, slopes = support.copy(), [_alone(length) for length in lengths[:1]]
    for length in lengths[1:]:
        shares = support[length.singles].T
        with np.errstate(divide="ignore", invalid="ignore"):
            scale = np.sqrt(shares * (1 - shares)).prod(axis=0)
            centred = products(_with_nothing(support, length), shares) / scale
            moments[length.rows] = centred[-1]
            # The slope by the support of part T is that of products(): (−1)^|E∖T| Π p over E∖T.
            slope = _over_missing(-shares) / scale
            whole = len(slope) - 1
            for bit, share in enumerate(shares):
                slope[1 << bit] -= centred[whole - (1 << bit)] + centred[-1] * _stretch(share)
        slope[0] = 0
        slopes.append(slope)
    return moments, slopes


def _supports(lengths: list[_Length], raw: Floats, moments: Floats) -> tuple[Floats, list[Floats]]:
    """The inverse: supports from single shares and moments, and their slopes by both."""
    supports, slopes = raw.copy(), [_alone(length) for length in lengths[:1]]
    for length in lengths[1:]:
        shares = raw[length.singles].T
        scales = _over_missing(np.sqrt(shares * (1 - shares)))[::-1]  # Π σ over the items of each part
        centred = _with_nothing(moments, length)
        centred[1 << np.arange(length.items)] = 0
        means = expanded(centred * scales, shares)
        supports[length.rows] = means[-1]
        slope = scales * _over_missing(shares)
        whole = len(slope) - 1
        for bit, share in enumerate(shares):
            without = means[whole - (1 << bit)]
            slope[1 << bit] = without + _stretch(share) * (means[-1] - share * without)
        slope[0] = 0
        slopes.append(slope)
    return supports, slopes


def _with_nothing(values: Floats, length: _Length) -> Floats:
    """The values of all parts, 1 for the empty one: (2^L, F)."""
    table = values[length.parts.T]
    table[0] = 1
    return table


def _alone(length: _Length) -> Floats:
    return np.repeat([[0.0], [1.0]], len(length.rows), axis=1)


def _over_missing(factors: Floats) -> Floats:
    """For each mask the product of the factors (L, F) of the items that it lacks: (2^L, F)."""
    made = np.ones((1, factors.shape[1]))
    for factor in factors:
        made = np.concatenate([made * factor, made])
    return made


def _stretch(share: Floats) -> Floats:
    """The slope of log σ by the share."""
    slope: Floats = (1 - 2 * share) / (2 * share * (1 - share))
    return slope


def _both_sides(lengths: list[_Length], slopes: list[Floats], covariance: Floats) -> Floats:
    """The covariance of functions with these slopes: each depends on the parts of its own itemset alone."""
    return _one_side(lengths, slopes, _one_side(lengths, slopes, covariance).T)


def _one_side(lengths: list[_Length], slopes: list[Floats], covariance: Floats) -> Floats:
    made = np.zeros_like(covariance)
    for length, slope in zip(lengths, slopes, strict=True):
        rows = np.zeros((len(length.rows), len(covariance)))
        for part, by_part in zip(length.parts.T[1:], slope[1:], strict=True):
            rows += by_part[:, None] * covariance[part]
        made[length.rows] = rows
    return made


def _pull(moments: Floats, variance: Floats) -> _Pull:
    """How far the moments of one length are kept, each by its own posterior of the scales."""
    total = variance[:, None, None] + _SCALES
    kept_by = _SCALES / total
    mean = 0.0
    for _ in range(_ITERATIONS):
        posterior = _posterior(moments - mean, total)
        weights = np.einsum("etk,etk->e", posterior, 1 / total)
        precision = weights.sum() + _MEAN_PRECISION
        found = float(weights @ moments / precision)
        if abs(found - mean) < _STILL:
            break
        mean = found
    kept = np.einsum("etk,etk->e", posterior, kept_by)
    between = np.einsum("etk,etk->e", posterior, (kept_by - kept[:, None, None]) ** 2) * (moments - mean) ** 2
    return _Pull(kept, weights / precision, variance * kept / (1 - kept), between)


def _posterior(distance: Floats, total: Floats) -> Floats:
    """The weights of (τ, κ) for each moment: τ is common to the length, κ each moment's own."""
    log = np.log(_KAPPA_WEIGHTS) - 0.5 * (np.log(total) + (distance**2)[:, None, None] / total)
    most = log.max(axis=2, keepdims=True)
    own = np.exp(log - most)
    sums = own.sum(axis=2, keepdims=True)
    common = np.log(_TAU_WEIGHTS) + (np.log(sums) + most)[..., 0].sum(axis=0)
    common = np.exp(common - common.max())
    weights: Floats = own / sums * (common / common.sum())[None, :, None]
    return weights


def _applied(pull: _Pull, rows: Floats) -> Floats:
    """The operator of a length on what runs over its itemsets first."""
    lost = 1 - pull.kept
    made: Floats = (pull.kept * rows.T + lost * (pull.share @ rows)[..., None]).T
    return made


def _own_spread(pull: _Pull) -> Floats:
    """(I−W) diag(prior) (I−W)ᵀ, where W is the operator, and the variance between the scales."""
    lost, cross = 1 - pull.kept, pull.prior * pull.share
    made: Floats = np.outer(lost, lost) * (np.diag(pull.prior) - cross - cross[:, None] + pull.share @ cross)
    return made + np.diag(pull.between)
