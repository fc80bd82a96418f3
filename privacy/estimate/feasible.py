"""Feasible estimates: the most likely supports that real answers could have.

Raw estimates are unbiased but may be negative, above 1, or larger for a pair than for one of its items. The maximum of
the likelihood over all distributions of true answers is not one of these. It follows the estimator's reading of the
groups: stratified lets them differ and weighs two fits by their shares, pooled and combined fit one distribution.

What is gained in coherence is lost in bias where a table has many cells beside the records: supports at the edge of
what is possible pull on the others, by about one standard error at 20 000 records and 2^8 cells, by three at 2^10.

Where estimates are sums over respondents, such as of a list of words or with weights, the likelihood is that of the
estimates themselves: normal, with their covariance.

>>> from privacy.design.patterns import parse_pattern
>>> from privacy.estimate.weights import channel_of, factors
>>> design = Design.parse({"model": "warner", "theta": 0.75, "items": ["drugs"]})
>>> pattern, sizes = parse_pattern("drugs", design), np.array([100, 0])
>>> channel, counts = channel_of([factors(design, pattern)]), np.array([[[70, 30], [0, 0]]])
>>> [fit.shares.round(3).tolist() for fit in own_fits(counts, sizes, channel, "stratified")]  # (0.3 − 0.25) / 0.5
[[0.9, 0.1]]
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import prod
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from privacy.arrays import Floats
from privacy.design import Design
from privacy.estimate.bit_columns import DIRECT, DISGUISED, states_from_supports, supports_from_states
from privacy.estimate.joint import LIMIT, TOLERANCE, WORK, View, fit_joint, table_shape, worthwhile
from privacy.estimate.likelihood import Fit, climb

Counts = NDArray[np.int64]
_MOST_FITTED = 64  # states that are fitted to their estimates: those of six literals
_MOST_PARTS = 2**25  # of respondents in the states' estimates, which are held at once
_SETTLED = 9  # decimals: further ones depend on how a machine rounds
_MET = 1e-6  # margins that were rounded themselves
_LEAST_VARIANCE = 1e-9  # of the largest, of any sum of estimates: smaller ones are rounding


class StateDisguise(Protocol):
    """What disguises the states of many patterns, as a `Channel` does."""

    def select(self, places: NDArray[np.intp]) -> "StateDisguise": ...

    def disguise(self, states: Floats, *, back: bool = False) -> Floats: ...


class Estimated(Protocol):
    """The estimates of all sub-patterns of a pattern, as `privacy.estimate.figures` makes them."""

    @property
    def support(self) -> Floats: ...

    @property
    def covariance(self) -> Floats: ...


def joint_fit(
    design: Design,
    columns: Sequence[int],
    views: Mapping[View, Counts],
    sizes: Counts,
    estimator: str,
    work: int = WORK,
) -> Fit | None:
    """Return the most likely joint distribution of the columns.

    None where a group of the estimate was asked none of them, or where the fit would take longer than it is worth.

    >>> design = Design.parse({"model": "warner", "theta": 0.75, "items": ["drugs"]})
    >>> views = {(DISGUISED, (0,)): np.array([80, 20])}  # fewer say yes than noise alone makes
    >>> joint_fit(design, [0], views, np.array([100, 0]), "stratified").shares.round(3).tolist()
    [1.0, 0.0]
    """
    cells, fits = prod(table_shape(design, columns)), []
    for groups in _readings(estimator):
        seen = {view: counts for view, counts in views.items() if view[0] in groups and counts.any()}
        weight = sizes[list(groups)].sum() / sizes.sum()
        if not worthwhile(cells, len(seen), work):
            return None
        if seen:
            fits.append((weight, fit_joint(design, columns, seen, work)))
        elif weight > 0:
            return None
    return _fit_mixture(fits)


def own_fits(
    counts: Counts, sizes: Counts, channel: StateDisguise, estimator: str, tolerance: float = TOLERANCE
) -> list[Fit | None]:
    """Return the most likely shares of the states of each pattern; None where a group that counts was not asked it.

    `counts` are patterns × 2 groups × states; `sizes` weigh the two groups where they may differ: (2,), or a row for
    each pattern.

    >>> from privacy.design.patterns import parse_pattern
    >>> from privacy.estimate.weights import channel_of, factors
    >>> design = Design.parse({"model": "warner", "theta": 0.75, "items": ["drugs"]})
    >>> channel = channel_of([factors(design, parse_pattern("drugs", design))])
    >>> (fit,) = own_fits(np.array([[[80, 20], [0, 0]]]), np.array([100, 0]), channel, "stratified")
    >>> fit.shares.round(3).tolist()
    [1.0, 0.0]
    """
    readings = []
    for groups in _readings(estimator):
        weights = np.broadcast_to(sizes[..., list(groups)].sum(axis=-1) / sizes.sum(axis=-1), len(counts))
        if weights.any():
            readings.append((weights.tolist(), _fits(counts, groups, channel, tolerance)))
    own: list[Fit | None] = []
    for place in range(len(counts)):
        parts = [(weights[place], fits[place]) for weights, fits in readings if weights[place] > 0]
        known = [(weight, fit) for weight, fit in parts if fit is not None]
        own.append(_fit_mixture(known) if len(known) == len(parts) else None)
    return own


def nearest_supports(estimated: Estimated) -> Fit | None:
    """Return the most likely supports of all sub-patterns that answers can have, by normal errors of their estimates.

    None where some estimate is missing, or the literals are too many.

    >>> from types import SimpleNamespace
    >>> estimates = np.array([1, 0.1, 0.3, 0.2])  # of all, of either literal, of both: more than of the first
    >>> errors = np.diag([0, 0.01, 0.01, 0.01])
    >>> nearest_supports(SimpleNamespace(support=estimates, covariance=errors)).shares.round(3).tolist()
    [1.0, 0.15, 0.3, 0.15]
    """
    supports = estimated.support
    if len(supports) > _MOST_FITTED:  # before the covariance, which takes long then
        return None
    spread = states_from_supports(states_from_supports(estimated.covariance, axis=0), axis=1)
    fit = nearest_shares(states_from_supports(supports), spread)
    return fit and replace(fit, shares=supports_from_states(fit.shares))


def can_be_fitted(states: int, respondents: int) -> bool:
    """Whether states are few enough to be fitted to their estimates.

    >>> can_be_fitted(4, 10_000), can_be_fitted(128, 10_000)
    (True, False)
    """
    return states <= _MOST_FITTED and states * respondents <= _MOST_PARTS


def nearest_shares(shares: Floats, covariance: Floats) -> Fit | None:
    """Return the most likely shares x of states that exclude each other, by normal errors of their estimates.

    None where some estimate is missing, or none has an error. They are not negative and sum to 1.

    >>> errors = np.array([[0.01, -0.01], [-0.01, 0.01]])
    >>> nearest_shares(np.array([1.05, -0.05]), errors).shares.round(3).tolist()
    [1.0, 0.0]
    """
    axes, every = _axes_of_errors(covariance), np.ones((1, len(shares)))
    if axes is None or (found := nearest_table(shares, covariance, every, np.ones(1))) is None:
        return None
    directions, errors = axes
    found = (found / found.sum()).round(_SETTLED)
    return Fit(found, -float(np.square(((found - shares) @ directions) / errors).sum()) / 2, 0, 0.0, True)


def nearest_table(shares: Floats, covariance: Floats, sums: Floats, margins: Floats) -> Floats | None:
    """Return the most likely shares x ≥ 0 with sums·x = margins, by normal errors of their estimates.

    None where some estimate is missing, or no x ≥ 0 has these margins.

    >>> sums = np.array([[1, 1, 0, 0], [0, 0, 1, 1], [1, 0, 1, 0], [0, 1, 0, 1]])
    >>> raw, margins = np.array([0.14, -0.04, 0.06, 0.84]), np.array([0.1, 0.9, 0.2, 0.8])
    >>> nearest_table(raw, np.eye(4), sums, margins).tolist()
    [0.1, 0.0, 0.1, 0.8]
    """
    if not (np.isfinite(shares).all() and np.isfinite(covariance).all()):
        return None
    axes = _axes_of_errors(covariance)
    root = np.eye(len(shares)) if axes is None else axes[0] * axes[1]
    equal = np.column_stack([sums, -margins])
    limits = np.vstack([np.column_stack([np.eye(len(shares)), np.zeros(len(shares))]), equal, -equal])
    found = _nearest_within(shares, root, limits)
    fitted = None if found is None else np.maximum(found, 0.0)
    return fitted if fitted is not None and np.abs(sums @ fitted - margins).max() < _MET else None


def nearest_within(shares: Floats, errors: Floats, limits: Floats) -> Floats | None:
    """Return the most likely shares x with limits·(x, 1) ≥ 0, by normal errors of their estimates as if independent.

    None where some estimate or error is missing. Shares within the limits stay as they are.

    >>> limits = np.array([[1.0, 0, 0], [0, 1, 0], [1, -1, 0], [-1, 0, 1]])  # 0 ≤ second ≤ first ≤ 1
    >>> nearest_within(np.array([0.2, 0.3]), np.array([0.01, 0.01]), limits).tolist()
    [0.25, 0.25]
    """
    if not (np.isfinite(shares).all() and np.isfinite(errors).all()):
        return None
    if (limits @ np.append(shares, 1.0) >= 0).all():
        return shares
    return _nearest_within(shares, np.diag(_above_rounding(errors)), limits)


def _nearest_within(shares: Floats, root: Floats, limits: Floats) -> Floats | None:
    """Return s + root·z with the least |z| within the limits: one nonnegative least squares (LDP of Lawson and Hanson
    1974, 23.27). A share that need not move stays as it is to the last digit. None where nothing is within the limits.
    """
    from scipy.optimize import nnls  # slow to import; who only takes answers does without

    goal = np.append(np.zeros(len(shares)), 1.0)
    system = np.vstack([(limits[:, :-1] @ root).T, -limits @ np.append(shares, 1.0)])
    rest = system @ nnls(system, goal)[0] - goal
    if rest[-1] >= 0:  # it is −1/(1 + |z|²) where there is a z
        return None
    step = (root @ rest[:-1] / rest[-1]).round(_SETTLED)
    return np.where(step, (shares - step).round(_SETTLED), shares)


def _axes_of_errors(covariance: Floats) -> tuple[Floats, Floats] | None:
    """The directions in which estimates vary apart, in columns, and the error of each; None where there is none."""
    if not np.isfinite(covariance).all():
        return None
    variances, directions = np.linalg.eigh(covariance)
    errors = np.sqrt(np.maximum(variances, 0.0))
    return (directions, _above_rounding(errors)) if _is_error(errors.max()) else None


def _above_rounding(errors: Floats) -> Floats:
    """Errors of which none is 0: what is exact moves only where nothing else can. Exact ones alone count alike."""
    largest = float(errors.max(initial=0.0))
    return np.maximum(errors, _LEAST_VARIANCE**0.5 * largest) if _is_error(largest) else np.ones(len(errors))


def _is_error(size: float) -> bool:
    """Whether it is more than rounding, whose digits differ between machines."""
    return size > 10.0**-_SETTLED


def _readings(estimator: str) -> list[tuple[int, ...]]:
    """The sets of groups that are fitted together: each by itself if stratified, else both at once."""
    return [(DISGUISED,), (DIRECT,)] if estimator == "stratified" else [(DISGUISED, DIRECT)]


def _fits(counts: Counts, groups: Sequence[int], channel: StateDisguise, tolerance: float) -> list[Fit | None]:
    seen = counts[:, list(groups)].astype(float)
    total = seen.sum(axis=(1, 2))
    kept = [int(place) for place in np.flatnonzero(total > 0)]
    if not kept:
        return [None] * len(counts)
    seen, channel = seen[kept], channel.select(np.array(kept))

    def evaluate(shares: Floats, places: NDArray[np.intp]) -> tuple[Floats, Floats]:
        height, gradient = np.zeros(len(shares)), np.zeros_like(shares)
        here = channel.select(places)
        for row, group in enumerate(groups):
            expected = shares if group == DIRECT else here.disguise(shares)
            mine = seen[places, row]
            some = mine > 0
            height += np.where(some, mine * np.log(np.where(some, expected, 1.0)), 0.0).sum(axis=1)
            ratio = np.divide(mine, expected, out=np.zeros_like(mine), where=some)
            gradient += ratio if group == DIRECT else here.disguise(ratio, back=True)
        return height, gradient

    states = counts.shape[-1]
    fits = climb(np.full((len(kept), states), 1 / states), total[kept], evaluate, LIMIT, tolerance)
    by_pattern: list[Fit | None] = [None] * len(counts)
    for place, fit in zip(kept, fits, strict=True):
        by_pattern[place] = fit
    return by_pattern


def _fit_mixture(parts: Sequence[tuple[float, Fit]]) -> Fit:
    return Fit(
        sum((weight * fit.shares for weight, fit in parts), np.zeros(())),
        sum(fit.log_likelihood for _, fit in parts),
        max(fit.iterations for _, fit in parts),
        sum(fit.gap for _, fit in parts),
        all(fit.converged for _, fit in parts),
    )
