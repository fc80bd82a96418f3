"""Supports of itemsets, and of all their parts with the covariances that rules need, from counts of sub-patterns.

`at_least` is (F, 2, 2^L): records of the disguised and of the direct group that match the literals of each mask, among
those who were asked all L. The figures of an itemset are those of `privacy.estimators`, so that every surface of the
product prints the same ones.
"""

from dataclasses import dataclass

import numpy as np

from mining.engines.channels import shapes, sub_weights
from mining.engines.literals import Literals
from mining.engines.tables import exactly
from privacy.cells import DIRECT, DISGUISED
from privacy.estimators import estimate, shares_of_direct

SLACK = 1e-9  # times max|w|: how far floating point may miss a threshold


@dataclass(frozen=True)
class Supports:
    """Arrays over itemsets; `se` is about the population, `se_respondents` about these respondents' own truth."""

    n: np.ndarray
    observed: np.ndarray
    support: np.ndarray
    se: np.ndarray
    se_respondents: np.ndarray
    low: np.ndarray
    high: np.ndarray
    slack: np.ndarray


def supports(of: Literals, itemsets: np.ndarray, at_least: np.ndarray, estimator: str, sizes: np.ndarray) -> Supports:
    """The figures of whole itemsets; not a number where the disguise leaves nothing of one."""
    columns = np.empty((8, len(itemsets)))
    for shape in shapes(of, itemsets):
        counts = exactly(at_least[shape.rows][:, :, shape.conjunctions])
        with np.errstate(divide="ignore", invalid="ignore"):
            found = estimate(counts, sizes, shape.channel, estimator)
            asked = counts.sum(axis=2)
            k = asked[:, DIRECT] / asked.sum(axis=1) if estimator == "pooled" else 0.0
            slack = SLACK * np.maximum(np.abs(shape.channel.weights(k)).max(axis=1), 1)
        columns[:, shape.rows] = (
            found.asked,
            found.observed,
            found.support,
            found.se,
            found.se_respondents,
            found.low,
            found.high,
            slack,
        )
    columns[2, ~np.isfinite(columns[2])] = np.nan
    return Supports(*columns)


class Parts:
    """Every sub-pattern of every itemset of one length, estimated from the records asked all of the itemset.

    The parts of a rule come from the same records and the same weights, so sup(A) = sup(AC) + sup(A¬C) holds. Masks
    name sub-patterns; `support` is (F, 2^L), `covariance` (F, 2^L, 2^L).
    """

    def __init__(
        self, of: Literals, itemsets: np.ndarray, at_least: np.ndarray, estimator: str, sizes: np.ndarray
    ) -> None:
        states = np.arange(2 ** itemsets.shape[1])
        counts = exactly(at_least).astype(float)
        asked, sizes = counts.sum(axis=2), np.broadcast_to(sizes, (len(counts), 2)).astype(float)
        k = asked[:, DIRECT] / asked.sum(axis=1)
        weighing = sub_weights(of, itemsets, k if estimator == "pooled" else None)
        match = ((states[None, :] & states[:, None]) == states[:, None]).astype(float)[None]
        tables = {DISGUISED: weighing, DIRECT: weighing if estimator == "pooled" else match}
        means = {
            group: _safe((table * counts[:, group, None]).sum(axis=2), asked[:, group, None])
            for group, table in tables.items()
        }
        share = {DIRECT: k, DISGUISED: 1 - k}
        if estimator == "stratified":
            share = {group: sizes[:, group] / sizes.sum(axis=1) for group in tables}
        self.support: np.ndarray = np.zeros(weighing.shape[:2])
        if estimator == "combined":
            own = _shares_of_direct(of, itemsets, at_least)  # one for each cell: how far a direct answer counts
            share = {DIRECT: _safe((counts[:, DIRECT] * own).sum(axis=1), asked[:, DIRECT])}
            share[DISGUISED] = 1 - share[DIRECT]
            told = _safe(((counts[:, DIRECT] * own)[:, None] * match).sum(axis=2), asked[:, DIRECT, None])
            self.support = told + share[DISGUISED][:, None] * means[DISGUISED]
        self.covariance: np.ndarray = np.zeros(weighing.shape)
        for group, table in tables.items():
            if not asked[:, group].any():  # a group without records says nothing, whatever its weights
                continue
            weighed = table * counts[:, group, None]
            spread = _safe(weighed @ np.swapaxes(table, 1, 2), asked[:, group, None, None]) - _outer(means[group])
            factor = _safe(share[group] ** 2, asked[:, group])
            there = asked[:, group] > 0
            self.covariance += np.where(there[:, None, None], factor[:, None, None] * spread, 0)
            if estimator != "combined":
                self.support += np.where(there[:, None], share[group][:, None] * means[group], 0)
        if estimator == "stratified":
            between = share[DIRECT] * share[DISGUISED] / sizes.sum(axis=1)
            self.covariance += between[:, None, None] * _outer(means[DIRECT] - means[DISGUISED])

    def variance(self, rows: np.ndarray, terms: list[tuple[np.ndarray, np.ndarray | float]]) -> np.ndarray:
        """Of Σ gradient·sup(mask) over `terms`, pairs (mask, gradient), in each of `rows`: the delta method."""
        variance = np.zeros(len(rows))
        for place, (mask, gradient) in enumerate(terms):
            variance += gradient * gradient * self.covariance[rows, mask, mask]
            for other, slope in terms[:place]:
                variance += 2 * gradient * slope * self.covariance[rows, mask, other]
        return np.maximum(variance, 0)


def _shares_of_direct(of: Literals, itemsets: np.ndarray, at_least: np.ndarray) -> np.ndarray:
    """The combined estimator's weight of a direct answer, by the cell (F, 2^L) it fell into."""
    table = np.empty((len(itemsets), at_least.shape[2]))
    for shape in shapes(of, itemsets):
        counts = exactly(at_least[shape.rows][:, :, shape.conjunctions])
        table[shape.rows] = shares_of_direct(counts, shape.channel)[:, shape.states(itemsets.shape[1])]
    return table


def _outer(vectors: np.ndarray) -> np.ndarray:
    return vectors[:, :, None] * vectors[:, None, :]


def _safe(above: np.ndarray, below: np.ndarray) -> np.ndarray:
    """The quotient, 0 where there is nothing to divide by."""
    below = np.broadcast_to(below, above.shape)
    return np.divide(above, below, out=np.zeros(above.shape), where=below > 0)
