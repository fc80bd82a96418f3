"""Supports of itemsets, and of all their parts with the covariances that rules need, from counts of sub-patterns.

`at_least` is (F, 2, 2^L): records of the disguised and of the direct group that match the literals of each mask, among
those who were asked all L. The figures of an itemset are those of `privacy.reconstruct.estimators`, so that every
surface of the product prints the same ones.
"""

from dataclasses import dataclass
from functools import reduce

import numpy as np

from mining.engines.channels import shapes, sub_weights
from mining.engines.literals import Literals
from privacy.reconstruct.available import matching
from privacy.reconstruct.bit_columns import DIRECT, DISGUISED, states_from_supports
from privacy.reconstruct.estimators import estimate, shares_of_direct

SLACK = 1e-9  # times max|w|: how far floating point may miss a threshold


@dataclass(frozen=True)
class Supports:
    """Arrays over itemsets: those of `privacy.reconstruct.estimators.Estimates` in their order, and the slack."""

    n: np.ndarray
    observed: np.ndarray
    support: np.ndarray
    se: np.ndarray
    se_respondents: np.ndarray
    low: np.ndarray
    high: np.ndarray
    slack: np.ndarray


def supports(
    literals: Literals, itemsets: np.ndarray, at_least: np.ndarray, estimator: str, sizes: np.ndarray
) -> Supports:
    """The figures of whole itemsets; NaN where the disguise leaves no information."""
    columns = np.empty((8, len(itemsets)))
    for shape in shapes(literals, itemsets):
        counts = np.moveaxis(_side_by_side(at_least[shape.rows][:, :, shape.conjunctions]), -1, 0)
        with np.errstate(divide="ignore", invalid="ignore"):
            estimates = estimate(counts, sizes, shape.channel, estimator)
            k = np.einsum("fs->f", counts[:, DIRECT]) / estimates.asked if estimator == "pooled" else 0.0
            steepest = reduce(np.maximum, np.abs(shape.channel.weights(k)).T)  # far faster than a maximum over few
            # Where the disguise leaves nothing the weights have no end; what is estimated comes from direct answers.
            slack = SLACK * np.where(np.isfinite(steepest), np.maximum(steepest, 1), 1)
        columns[:, shape.rows] = *vars(estimates).values(), slack
    columns[2, ~np.isfinite(columns[2])] = np.nan
    return Supports(*columns)


class SubPatterns:
    """Every sub-pattern of every itemset of one length, estimated from the records asked all of the itemset.

    The parts of a rule come from the same records and the same weights, so sup(A) = sup(AC) + sup(A¬C) holds. Masks
    name sub-patterns; `support` is (2^L, F). Itemsets run along the last axis, so that sums over few cells are fast.
    """

    freedom = np.inf  # degrees of freedom of the errors: they are as good as known
    reach: np.ndarray | None = None  # none of these disguises has a bias

    def __init__(
        self, literals: Literals, itemsets: np.ndarray, at_least: np.ndarray, estimator: str, sizes: np.ndarray
    ) -> None:
        count, cells = len(itemsets), np.arange(2 ** itemsets.shape[1])
        self._counts = _side_by_side(at_least)
        self._asked = np.einsum("gsf->gf", self._counts)
        k = self._asked[DIRECT] / self._asked.sum(axis=0)
        match = np.broadcast_to(matching(len(cells)), (len(cells), len(cells), count))
        if estimator == "pooled":
            self._tables = [(sub_weights(literals, itemsets, k), slice(None))]
        else:
            weighing = sub_weights(literals, itemsets)
            weighing[:, :, self._asked[DISGUISED] == 0] = 0  # 0 times what is not a number would not be 0
            self._tables = [(weighing, slice(DISGUISED, DISGUISED + 1)), (match, slice(DIRECT, DIRECT + 1))]
        sums = [np.einsum("msf,gsf->gmf", table, self._counts[groups]) for table, groups in self._tables]
        self._divisor = np.maximum(self._asked, 1)  # of sums that are 0 where nobody was asked
        self._means = np.concatenate(sums) / self._divisor[:, None]
        share = {DISGUISED: 1 - k, DIRECT: k}
        self._between = np.zeros(count)
        if estimator == "stratified":
            n = np.broadcast_to(np.asarray(sizes, dtype=float), (count, 2))
            share = {group: n[:, group] / n.sum(axis=1) for group in share}
            self._between = share[DIRECT] * share[DISGUISED] / n.sum(axis=1)
        from_direct = self._means[DIRECT] * share[DIRECT]
        if estimator == "combined":
            # How far each answer counts.
            own = self._counts[DIRECT] * shares_of_direct_answers(literals, itemsets, at_least).T[:-1]
            from_direct = _safe(np.einsum("msf,sf->mf", match, own), self._asked[DIRECT])
            share[DIRECT] = _safe(own.sum(axis=0), self._asked[DIRECT])
            share[DISGUISED] = 1 - share[DIRECT]
        self.support: np.ndarray = from_direct + share[DISGUISED] * self._means[DISGUISED]
        self._factor = _safe(np.stack([share[DISGUISED], share[DIRECT]]) ** 2, self._asked)
        if (
            estimator == "stratified"
        ):  # one record of a larger group does not show its spread, as in privacy.reconstruct.estimators
            self._factor[(self._asked == 1) & (n.T > 1)] = np.nan
        self._factor[:, self._asked.max(axis=0) <= 1] = np.nan  # nor does one in each group

    def covariances(self, masks: slice, others: slice) -> np.ndarray:
        """Covariances of each of `masks` with the one at its place in `others`, or with the only one there: (K, F)."""
        sums = []
        for table, groups in self._tables:
            pairs = np.broadcast_arrays(table[masks], table[others])
            sums.append(np.einsum("ksf,ksf,gsf->gkf", *pairs, self._counts[groups]))
        one, other = self._means[:, masks], self._means[:, others]
        spread = np.concatenate(sums) / self._divisor[:, None] - one * other
        between: np.ndarray = self._between * (one[DIRECT] - one[DISGUISED]) * (other[DIRECT] - other[DISGUISED])
        return between + np.einsum("gf,gkf->kf", self._factor, spread)

    def variance(self, rows: np.ndarray, masks: np.ndarray, slopes: np.ndarray) -> np.ndarray:
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

    support: np.ndarray
    spread: np.ndarray
    freedom: float = np.inf
    reach: np.ndarray | None = None

    def covariances(self, masks: slice, others: slice) -> np.ndarray:
        every = np.arange(len(self.support))
        return self.spread[np.broadcast_arrays(every[masks], every[others])]

    def variance(self, rows: np.ndarray, masks: np.ndarray, slopes: np.ndarray) -> np.ndarray:
        return variance(self.spread[masks[:, None], masks[None], rows], *slopes)


def variance(covariance: np.ndarray, *gradient: np.ndarray | float) -> np.ndarray:
    """The variance of a function of estimates with this covariance (K, K, …), by the delta method."""
    slope = np.stack([np.broadcast_to(part, covariance.shape[2:]) for part in gradient])
    return np.maximum(np.einsum("i...,j...,ij...->...", slope, slope, covariance), 0)


def shares_of_direct_answers(literals: Literals, itemsets: np.ndarray, at_least: np.ndarray) -> np.ndarray:
    """The combined estimator's weight of a direct answer, by the cell it fell into, and of any other: (F, 2^L + 1).

    >>> from mining.engines.literals import literals_of
    >>> from privacy.design import Design
    >>> design = Design.parse({"model": "warner", "theta": 0.75, "items": ["drugs"]})
    >>> at_least = np.array([[[100, 40], [100, 30]]])
    >>> shares_of_direct_answers(literals_of(design), np.array([[0]]), at_least).round(2).tolist()
    [[0.82, 0.82, 0.82]]
    """
    table = np.empty((len(itemsets), at_least.shape[2] + 1))
    for shape in shapes(literals, itemsets):
        counts = states_from_supports(at_least[shape.rows][:, :, shape.conjunctions])
        shares = shares_of_direct(counts, shape.channel)
        table[shape.rows] = np.c_[shares[:, shape.states(itemsets.shape[1])], shares[:, -1]]
    return table


def _side_by_side(at_least: np.ndarray) -> np.ndarray:
    """Counts of cells (groups, cells, itemsets) from those of sub-patterns (itemsets, groups, masks).

    Sums over few cells are fast where itemsets run along the last axis.
    """
    return states_from_supports(np.moveaxis(at_least, 0, -1), 1, float)


def _safe(above: np.ndarray, below: np.ndarray) -> np.ndarray:
    """The quotient, 0 where there is nothing to divide by."""
    below = np.broadcast_to(below, above.shape)
    return np.divide(above, below, out=np.zeros(above.shape), where=below > 0)
