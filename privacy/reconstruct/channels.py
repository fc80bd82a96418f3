"""What coins and flips do to a table of shares, along the axes of the answers they disguise.

No transition matrix is built: a coin leaves a·T + (1−a)·q·ΣT, and flips multiply the Walsh–Hadamard coefficient of a
set S of answers by a_|S|. Leading axes that are not named may hold anything, many tables at once for example.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = ["coined", "flipped"]

Floats = NDArray[np.float64]


def coined(table: Floats, axes: Sequence[int], keep: ArrayLike, noise: Floats, *, back: bool = False) -> Floats:
    """One coin over the items of these axes; `noise` broadcasts against the table. `back` applies the transpose."""
    whole = tuple(axes)
    drawn = (table * noise).sum(axis=whole, keepdims=True) if back else table.sum(axis=whole, keepdims=True) * noise
    share = np.asarray(keep)
    return share * table + (1 - share) * drawn


def flipped(table: Floats, axes: Sequence[int], strengths: Floats) -> Floats:
    """Flips over the yes/no items of these axes; the transition matrix is symmetric.

    `strengths` is a_0 … a_L, or one such row for each table along the first axis.
    """
    size = np.zeros((1,) * table.ndim, dtype=np.intp)
    for axis in axes:
        size = size + np.arange(2).reshape([2 if other == axis else 1 for other in range(table.ndim)])
    factor = strengths[size] if strengths.ndim == 1 else strengths[:, size[0]]
    return _hadamard(_hadamard(table, axes) * factor, axes) / 2 ** len(axes)


def _hadamard(table: Floats, axes: Sequence[int]) -> Floats:
    found = np.array(table, order="C")
    for axis in axes:
        pairs = found.reshape(-1, 2, int(np.prod(found.shape[axis + 1 :], dtype=np.int64)))
        difference = pairs[:, 0] - pairs[:, 1]
        pairs[:, 0] += pairs[:, 1]
        pairs[:, 1] = difference
    return found
