"""Which of many associations to believe: the false discovery rate of Benjamini and Hochberg (1995)."""

import numpy as np


def q_values(p: np.ndarray) -> np.ndarray:
    """The smallest false discovery rate at which each hypothesis would be rejected; what has no p stays without q."""
    q = np.full(p.shape, np.nan)
    known = np.flatnonzero(~np.isnan(p))
    order = known[np.argsort(p[known], kind="stable")]
    scaled = p[order] * len(order) / np.arange(1, len(order) + 1)
    q[order] = np.minimum(np.minimum.accumulate(scaled[::-1])[::-1], 1)
    return q
