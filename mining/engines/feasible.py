"""Feasible values beside raw estimates that no population could have: constrained maximum likelihood by EM.

Per itemset, over the 2^L cells of its literals, all itemsets of a length at once. Within one itemset the values fit
together (no part is below the whole); across itemsets they need not, which the report says.
"""

import numpy as np

from mining.engines.channels import sub_weights
from mining.engines.literals import Literals
from mining.engines.tables import exactly
from privacy.reconstruct.bit_columns import DIRECT, DISGUISED
from privacy.reconstruct.likelihood import climb

_ENTRIES = 1 << 18
_LIMIT = 2000  # steps; the likelihood is flat near its top, and a figure to be shown needs no more


def feasible(of: Literals, itemsets: np.ndarray, at_least: np.ndarray, estimator: str) -> np.ndarray:
    """The most likely supports of every sub-pattern (F, 2^L) of itemsets (F, L) with counts (F, 2, 2^L).

    As the estimator reads the groups: stratified lets them differ and weighs two fits, the others fit one.
    """
    supports = np.empty((len(itemsets), at_least.shape[2]))
    step = max(_ENTRIES // at_least.shape[2] ** 2, 1)
    for start in range(0, len(itemsets), step):
        rows = slice(start, start + step)
        channels, cells = _channels(of, itemsets[rows]), exactly(at_least[rows]).astype(float)
        asked = cells.sum(axis=2)
        if estimator == "stratified":
            only = cells.copy()
            only[:, DIRECT] = 0
            own = np.divide(
                cells[:, DIRECT],
                asked[:, DIRECT, None],
                out=np.zeros_like(only[:, 0]),
                where=asked[:, DIRECT, None] > 0,
            )
            k = (asked[:, DIRECT] / asked.sum(axis=1))[:, None]
            fitted = k * own + (1 - k) * _fit(channels, only)
        else:
            fitted = _fit(channels, cells)
        supports[rows] = _at_least(fitted)
    return supports


def _channels(of: Literals, itemsets: np.ndarray) -> np.ndarray:
    """P(cell seen | true cell) of every itemset: the inverse of the weights of exact cells."""
    inverse = exactly(sub_weights(of, itemsets).transpose(2, 1, 0))  # itemsets, cells seen, true cells
    return np.clip(np.linalg.inv(np.swapaxes(inverse, 1, 2)), 0, 1)


def _fit(channels: np.ndarray, cells: np.ndarray) -> np.ndarray:
    """Shares of the true cells (F, 2^L) that make the counts of both groups most likely."""
    count, _, size = cells.shape
    least = np.finfo(float).tiny

    def evaluate(shares: np.ndarray, places: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        seen = np.maximum(np.einsum("fyx,fx->fy", channels[places], shares), least)
        own = np.maximum(shares, least)
        direct, disguised = cells[places, DIRECT], cells[places, DISGUISED]
        height = (disguised * np.log(seen)).sum(axis=1) + (direct * np.log(own)).sum(axis=1)
        return height, np.einsum("fyx,fy->fx", channels[places], disguised / seen) + direct / own

    fits = climb(np.full((count, size), 1 / size), cells.sum(axis=(1, 2)), evaluate, _LIMIT)
    return np.stack([fit.shares for fit in fits])


def _at_least(cells: np.ndarray) -> np.ndarray:
    """Supports of sub-patterns from shares of cells: the inverse of `exactly`."""
    supports = cells.copy()
    for bit in range(cells.shape[-1].bit_length() - 1):
        halves = supports.reshape(*supports.shape[:-1], -1, 2, 1 << bit)
        halves[..., 0, :] += halves[..., 1, :]
    return supports
