"""Supports and their covariances from cell counts, for the three estimators of DESIGN.

Everything here works on many patterns at once. `cells` is (F, 2, 2^L): records of the direct and of the disguised
group by which of the L literals they match, among those who were asked all of them.
"""

from dataclasses import dataclass

import numpy as np

from mining.engines.bits import DIRECT, DISGUISED
from mining.engines.literals import Literals
from mining.engines.weights import sub_weights, weights

ESTIMATORS = ("stratified", "combined", "pooled")


@dataclass(frozen=True)
class Supports:
    """Arrays over patterns; `se` is about the population, `se_sample` about these respondents' own truth."""

    n: np.ndarray
    observed: np.ndarray
    support: np.ndarray
    se: np.ndarray
    se_sample: np.ndarray
    slack: np.ndarray  # 1e-9·max|w|: how far floating point may miss a threshold


def supports(of: Literals, itemsets: np.ndarray, cells: np.ndarray, estimator: str, total: int) -> Supports:
    """The estimates of whole patterns; `total` counts all records, asked or not."""
    sizes = cells.sum(axis=-1).astype(float)
    n = sizes.sum(axis=1)
    k = _share(sizes)
    hits = cells[:, :, -1].astype(float)
    table = weights(of, itemsets, k if estimator == "pooled" else None)
    disguised = cells[:, DISGUISED]
    with np.errstate(divide="ignore", invalid="ignore"):
        if estimator == "pooled":
            direct = cells[:, DIRECT]
            first = np.stack([_dot(direct, table), _dot(disguised, table)])
            second = np.stack([_dot(direct, table**2), _dot(disguised, table**2)])
            support = first.sum(axis=0) / n
            variance = (second - np.where(sizes.T > 0, first**2 / sizes.T, 0)).sum(axis=0) / n**2
            own = (second.sum(axis=0) / n - support) / n
        else:
            first = np.where(sizes[:, DISGUISED] > 0, _dot(disguised, table), 0)
            second = np.where(sizes[:, DISGUISED] > 0, _dot(disguised, table**2), 0)
            if estimator == "combined":
                share = combining_share(cells, first, second)
                group = _safe(first, sizes[:, DISGUISED])
                support = share * _safe(hits[:, DIRECT], sizes[:, DIRECT]) + (1 - share) * group
                variance = _combined_variance(cells, first, second)
                own = (1 - share) ** 2 * (_safe(second, sizes[:, DISGUISED]) - group) / sizes[:, DISGUISED]
                own = np.where(share == 1, 0.0, own)
            else:
                support = (hits[:, DIRECT] + first) / n
                variance = ((hits[:, DIRECT] + second) / n - support**2) / n
                own = (second - first) / n**2
        own += (1 - n / total) * support * (1 - support) / n
        se, se_sample = np.sqrt(np.maximum(variance, 0)), np.sqrt(np.maximum(own, 0))
        observed = hits.sum(axis=1) / n
    alone = n <= 1
    se[alone] = se_sample[alone] = np.nan
    slack = 1e-9 * np.maximum(np.abs(table).max(axis=1), 1)
    return Supports(n, observed, support, se, se_sample, slack)


@dataclass(frozen=True)
class Moments:
    """Of every sub-pattern of every itemset: estimates (F, 2^L) and their covariances (F, 2^L, 2^L)."""

    support: np.ndarray
    covariance: np.ndarray


def moments(of: Literals, itemsets: np.ndarray, cells: np.ndarray, estimator: str) -> Moments:
    """The parts of a rule come from the same records and the same weights, so sup(A) = sup(AC) + sup(A¬C) holds."""
    length = itemsets.shape[1]
    sizes = cells.sum(axis=-1).astype(float)
    n = sizes.sum(axis=1)
    truth = (np.arange(2**length)[None, :] & np.arange(2**length)[:, None]) == np.arange(2**length)[:, None]
    k = _share(sizes)
    table = sub_weights(of, itemsets, k if estimator == "pooled" else None)
    direct_table = table if estimator == "pooled" else np.broadcast_to(truth.astype(float), table.shape)
    counts = cells.astype(float)
    firsts, seconds = [], []
    for group, weighing in ((DIRECT, direct_table), (DISGUISED, table)):
        weighed = weighing * counts[:, group, None, :]
        firsts.append(weighed.sum(axis=2))
        seconds.append(weighed @ np.swapaxes(weighing, 1, 2))
    empty = sizes == 0
    for group in (DIRECT, DISGUISED):  # a group without records says nothing, whatever its weights
        firsts[group][empty[:, group]] = 0
        seconds[group][empty[:, group]] = 0
    if estimator == "stratified":
        support = (firsts[DIRECT] + firsts[DISGUISED]) / n[:, None]
        covariance = ((seconds[DIRECT] + seconds[DISGUISED]) / n[:, None, None] - _outer(support)) / n[:, None, None]
        return Moments(support, covariance)
    within = [
        seconds[group] - _safe(_outer(firsts[group]), sizes[:, group, None, None]) for group in (DIRECT, DISGUISED)
    ]
    if estimator == "pooled":
        return Moments((firsts[0] + firsts[1]) / n[:, None], (within[0] + within[1]) / (n**2)[:, None, None])
    share = combining_share(cells, firsts[DISGUISED][:, -1], seconds[DISGUISED][:, -1, -1])
    support = np.zeros_like(firsts[0])
    covariance = np.zeros_like(within[0])
    for group, part in ((DIRECT, share), (DISGUISED, 1 - share)):
        support += part[:, None] * _safe(firsts[group], sizes[:, group, None])
        covariance += (part**2)[:, None, None] * _safe(within[group], (sizes[:, group] ** 2)[:, None, None])
    return Moments(support, covariance)


def combining_share(cells: np.ndarray, first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """The weight of the direct group in the combined estimate, from inverse variances with a smoothed direct share."""
    direct, disguised = _variances(cells, first, second)
    with np.errstate(invalid="ignore"):
        return np.where(np.isinf(direct), 0.0, np.where(np.isinf(disguised), 1.0, disguised / (direct + disguised)))


def _combined_variance(cells: np.ndarray, first: np.ndarray, second: np.ndarray) -> np.ndarray:
    direct, disguised = _variances(cells, first, second)
    with np.errstate(divide="ignore"):
        return 1 / (1 / direct + 1 / disguised)


def _variances(cells: np.ndarray, first: np.ndarray, second: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Of each group's own estimate; infinite where the group has no records or its disguise leaves nothing."""
    sizes = cells.sum(axis=-1).astype(float)
    with np.errstate(divide="ignore", invalid="ignore"):
        smooth = (cells[:, DIRECT, -1] + 2) / (sizes[:, DIRECT] + 4)
        direct = np.where(sizes[:, DIRECT] > 0, smooth * (1 - smooth) / sizes[:, DIRECT], np.inf)
        mean = first / sizes[:, DISGUISED]
        disguised = (second / sizes[:, DISGUISED] - mean**2) / sizes[:, DISGUISED]
    return direct, np.where((sizes[:, DISGUISED] > 0) & np.isfinite(disguised), disguised, np.inf)


def _share(sizes: np.ndarray) -> np.ndarray:
    return _safe(sizes[:, DIRECT], sizes.sum(axis=1))


def _dot(counts: np.ndarray, table: np.ndarray) -> np.ndarray:
    return (counts * table).sum(axis=1)


def _outer(vectors: np.ndarray) -> np.ndarray:
    return vectors[:, :, None] * vectors[:, None, :]


def _safe(above: np.ndarray, below: np.ndarray) -> np.ndarray:
    """The quotient, 0 where there is nothing to divide by."""
    below = np.broadcast_to(below, above.shape)
    return np.divide(above, below, out=np.zeros(above.shape), where=below > 0)
