"""The closed form for thousands of patterns at once: the same figures as by cells, in arrays over patterns.

A search weighs many itemsets of one length together. Where everybody counts alike, and records say of each literal only
whether they match it, all sub-patterns follow from the counts of cells; `privacy.estimate.figures` gives the same, one
pattern at a time. Covariances divide squares by the number of respondents.
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from privacy.arrays import Floats
from privacy.estimate.available import Weighing, matching
from privacy.estimate.bit_columns import DIRECT, DISGUISED

Places = NDArray[np.intp]


class SubPatterns:
    """Every sub-pattern of every itemset of one length, estimated from the records asked all of the itemset.

    `counts` are how many records of each group are in each cell of the literals, and `shares` the combined estimator's
    weights of direct answers, by cell and of any other (`privacy.estimate.estimators.shares_of_direct`).

    The parts of a rule come from the same records and the same weights, so sup(A) = sup(AC) + sup(A¬C) holds. Masks
    name sub-patterns; `support` is (2^L, F). Itemsets run along the last axis, so that sums over few cells are fast.
    """

    freedom: Floats | float = np.inf  # degrees of freedom of the errors: they are as good as known
    reach: Floats | None = None  # only wrong chances of people's own draws can move these

    def __init__(
        self, counts: Floats, weighing: Weighing, estimator: str, sizes: Floats, shares: Floats | None = None
    ) -> None:
        self._counts = counts
        (_, cells, count) = counts.shape
        self._asked = np.einsum("gsf->gf", self._counts)
        k = self._asked[DIRECT] / self._asked.sum(axis=0)
        match = np.broadcast_to(matching(cells), (cells, cells, count))
        if estimator == "pooled":
            self._tables = [(weighing(k), slice(None))]
        else:
            own_weights = weighing(None)
            own_weights[:, :, self._asked[DISGUISED] == 0] = 0  # 0 times what is not a number would not be 0
            self._tables = [(own_weights, slice(DISGUISED, DISGUISED + 1)), (match, slice(DIRECT, DIRECT + 1))]
        sums = [np.einsum("msf,gsf->gmf", table, self._counts[groups]) for table, groups in self._tables]
        self._divisor = np.maximum(self._asked, 1)  # of sums that are 0 where nobody was asked
        self._means = np.concatenate(sums) / self._divisor[:, None]
        share = {DISGUISED: 1 - k, DIRECT: k}
        self._between = np.zeros(count)
        if estimator == "stratified":
            n = np.broadcast_to(sizes, (count, 2))
            share = {group: n[:, group] / n.sum(axis=1) for group in share}
            self._between = share[DIRECT] * share[DISGUISED] / n.sum(axis=1)
        from_direct = self._means[DIRECT] * share[DIRECT]
        if shares is not None:
            own = self._counts[DIRECT] * shares[:-1]  # how far each answer counts
            from_direct = _safe(np.einsum("msf,sf->mf", match, own), self._asked[DIRECT])
            share[DIRECT] = _safe(own.sum(axis=0), self._asked[DIRECT])
            share[DISGUISED] = 1 - share[DIRECT]
        self.support: Floats = from_direct + share[DISGUISED] * self._means[DISGUISED]
        self._factor = _safe(np.stack([share[DISGUISED], share[DIRECT]]) ** 2, self._asked)
        if estimator == "stratified":  # one record of a larger group shows no spread, as in privacy.estimate.estimators
            self._factor[(self._asked == 1) & (n.T > 1)] = np.nan
        self._factor[:, self._asked.max(axis=0) <= 1] = np.nan  # nor does one in each group

    def with_reach(self, reach: Floats) -> "SubPatterns":
        """The same with how far each may lie above and below its estimate, (2, 2^L, F)."""
        self.reach = reach
        return self

    def covariances(self, masks: slice, others: slice) -> Floats:
        """Covariances of each of `masks` with the one at its place in `others`, or with the only one there: (K, F)."""
        sums = []
        for table, groups in self._tables:
            pairs = np.broadcast_arrays(table[masks], table[others])
            sums.append(np.einsum("ksf,ksf,gsf->gkf", *pairs, self._counts[groups]))
        one, other = self._means[:, masks], self._means[:, others]
        spread = np.concatenate(sums) / self._divisor[:, None] - one * other
        between: Floats = self._between * (one[DIRECT] - one[DISGUISED]) * (other[DIRECT] - other[DISGUISED])
        return between + np.einsum("gf,gkf->kf", self._factor, spread)

    def variance(self, rows: Places, masks: Places, slopes: Floats) -> Floats:
        """Variances of functions of the estimates of some masks (K, R) of some itemsets (R,), by the delta method."""
        counts, divisor = np.take(self._counts, rows, axis=-1), self._divisor[:, rows]
        totals, squares = [], []
        for table, groups in self._tables:
            weights = np.einsum("krs,kr->sr", table[masks, :, rows], slopes)
            totals.append(np.einsum("sr,gsr->gr", weights, counts[groups]))
            squares.append(np.einsum("sr,sr,gsr->gr", weights, weights, counts[groups]))
        means = np.concatenate(totals) / divisor
        spread = np.concatenate(squares) / divisor - means**2
        between = self._between[rows] * (means[DIRECT] - means[DISGUISED]) ** 2
        return np.maximum(between + (self._factor[:, rows] * spread).sum(axis=0), 0)


@dataclass(frozen=True)
class KnownSubPatterns:
    """Sub-patterns whose covariances are all known: supports (2^L, F), covariances (2^L, 2^L, F).

    `reach`, where a disguise has a bias: how far each may lie above and below its estimate, (2, 2^L, F).
    """

    support: Floats
    spread: Floats
    freedom: Floats | float = np.inf  # of each itemset, or of all
    reach: Floats | None = None

    def with_reach(self, reach: Floats) -> "KnownSubPatterns":
        """The same with how far each may lie above and below its estimate."""
        return replace(self, reach=reach)

    def covariances(self, masks: slice, others: slice) -> Floats:
        every = np.arange(len(self.support))
        return self.spread[np.broadcast_arrays(every[masks], every[others])]

    def variance(self, rows: Places, masks: Places, slopes: Floats) -> Floats:
        return variance(self.spread[masks[:, None], masks[None], rows], *slopes)


def variance(covariance: Floats, *gradient: Floats | float) -> Floats:
    """The variance of a function of estimates with this covariance (K, K, …), by the delta method.

    >>> variance(np.eye(2)[:, :, np.newaxis] / 100, 1.0, -1.0).round(4).tolist()  # of a difference
    [0.02]
    """
    slope = np.stack([np.broadcast_to(part, covariance.shape[2:]) for part in gradient])
    return np.maximum(np.einsum("i...,j...,ij...->...", slope, slope, covariance), 0)


def _safe(above: Floats, below: Floats) -> Floats:
    """The quotient, 0 where there is nothing to divide by."""
    below = np.broadcast_to(below, above.shape)
    return np.divide(above, below, out=np.zeros(above.shape), where=below > 0)
