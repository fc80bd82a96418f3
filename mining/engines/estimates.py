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


class Parts:
    """Every sub-pattern of every itemset of one length, estimated from the records asked all of the itemset.

    The parts of a rule come from the same records and the same weights, so sup(A) = sup(AC) + sup(A¬C) holds. Masks
    name sub-patterns; `support` is (F, 2^L), `covariance` (F, 2^L, 2^L).
    """

    def __init__(self, of: Literals, itemsets: np.ndarray, cells: np.ndarray, estimator: str) -> None:
        states = np.arange(2 ** itemsets.shape[1])
        counts = cells.astype(float)
        sizes = counts.sum(axis=2)
        n = sizes.sum(axis=1, keepdims=True)
        weighing = sub_weights(of, itemsets, _share(sizes) if estimator == "pooled" else None)
        truth = ((states[None, :] & states[:, None]) == states[:, None]).astype(float)[None]
        factor = np.repeat(1 / n, 2, axis=1)
        if estimator == "combined":
            whole, disguised = weighing[:, -1], counts[:, DISGUISED]
            share = combining_share(cells, _dot(disguised, whole), _dot(disguised, whole**2))
            factor = _safe(np.stack([share, 1 - share], axis=1), sizes)
        self.support: np.ndarray = np.zeros(weighing.shape[:2])
        self.covariance: np.ndarray = np.zeros(weighing.shape)
        for group, table in ((DIRECT, weighing if estimator == "pooled" else truth), (DISGUISED, weighing)):
            if not sizes[:, group].any():  # a group without records says nothing, whatever its weights
                continue
            weighed = table * counts[:, group, None, :]
            first, second = weighed.sum(axis=2), weighed @ np.swapaxes(table, 1, 2)
            if estimator != "stratified":  # there the spread between the groups counts, too
                second -= _safe(_outer(first), sizes[:, group, None, None])
            there = sizes[:, group] > 0
            self.support += np.where(there[:, None], factor[:, group, None] * first, 0)
            self.covariance += np.where(there[:, None, None], factor[:, group, None, None] ** 2 * second, 0)
        if estimator == "stratified":
            self.covariance -= _outer(self.support) / n[:, :, None]

    def variance(self, rows: np.ndarray, terms: list[tuple[np.ndarray, np.ndarray | float]]) -> np.ndarray:
        """Of Σ gradient·sup(mask) over `terms`, pairs (mask, gradient), in each of `rows`: the delta method."""
        variance = np.zeros(len(rows))
        for place, (mask, gradient) in enumerate(terms):
            variance += gradient * gradient * self.covariance[rows, mask, mask]
            for other, slope in terms[:place]:
                variance += 2 * gradient * slope * self.covariance[rows, mask, other]
        return np.maximum(variance, 0)


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
