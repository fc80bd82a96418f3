"""Feasible values beside raw estimates that no population could have: constrained maximum likelihood by EM.

Per itemset, over the 2^L cells of its literals, all itemsets of a length at once. Within one itemset the values fit
together (no part is below the whole); across itemsets they need not, which the report says.
"""

import numpy as np

from mining.engines.bits import DIRECT, DISGUISED
from mining.engines.literals import Literals
from mining.engines.tables import exactly
from mining.engines.weights import sub_weights

_MOST_STEPS = 2000
_STILL = 1e-7
_ENTRIES = 1 << 18


def feasible(of: Literals, itemsets: np.ndarray, cells: np.ndarray) -> np.ndarray:
    """The maximum likelihood supports of every sub-pattern (F, 2^L) of itemsets (F, L) with cell counts (F, 2, 2^L)."""
    supports = np.empty((len(itemsets), cells.shape[2]))
    step = max(_ENTRIES // cells.shape[2] ** 2, 1)
    for start in range(0, len(itemsets), step):
        rows = slice(start, start + step)
        supports[rows] = _at_least(_fit(_channels(of, itemsets[rows]), cells[rows].astype(float)))
    return supports


def _channels(of: Literals, itemsets: np.ndarray) -> np.ndarray:
    """P(cell seen | true cell) of every itemset: the inverse of the weights of exact cells."""
    inverse = np.swapaxes(exactly(np.swapaxes(sub_weights(of, itemsets), 1, 2)), 1, 2)
    return np.clip(np.linalg.inv(inverse), 0, 1)


def _fit(channels: np.ndarray, cells: np.ndarray) -> np.ndarray:
    """EM from the uniform distribution; every step keeps shares positive, summing to 1, and raises the likelihood."""
    count, _, size = cells.shape
    total = cells.sum(axis=(1, 2))[:, None]
    share = np.full((count, size), 1 / size)
    backwards = np.swapaxes(channels, 1, 2)
    for _ in range(_MOST_STEPS):
        seen = np.einsum("fyx,fx->fy", channels, share)
        ratio = np.divide(cells[:, DISGUISED], seen, out=np.zeros_like(seen), where=seen > 0)
        new = (cells[:, DIRECT] + share * np.einsum("fxy,fy->fx", backwards, ratio)) / total
        moved = np.abs(new - share).max()
        share = new
        if moved < _STILL:
            break
    return share


def _at_least(cells: np.ndarray) -> np.ndarray:
    """Supports of sub-patterns from shares of cells: the inverse of `exactly`."""
    supports = cells.copy()
    for bit in range(cells.shape[-1].bit_length() - 1):
        halves = supports.reshape(*supports.shape[:-1], -1, 2, 1 << bit)
        halves[..., 0, :] += halves[..., 1, :]
    return supports
