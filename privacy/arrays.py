"""The types of arrays that figures and codes are kept in."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]


_KEYS = 20180520  # of random numbers that tell rows apart


def row_keys(rows: NDArray[Any]) -> NDArray[np.uint64]:
    """A number for each row of codes: the same for rows that are alike, and for others only by a chance of 2^-63.

    >>> one, other, again = row_keys(np.array([[0, 1], [1, 0], [0, 1]], np.uint8)).tolist()
    >>> one == again, one == other
    (True, False)
    """
    factors = np.random.default_rng(_KEYS).integers(1, 2**63, rows.shape[1], dtype=np.uint64)
    return rows.astype(np.uint64) @ factors


def unique_rows(rows: Floats) -> Floats:
    """The rows that differ, sorted.

    >>> unique_rows(np.array([[2.0, 1.0], [1.0, 2.0], [2.0, 1.0]])).tolist()
    [[1.0, 2.0], [2.0, 1.0]]
    """
    made, _ = np.unique(rows, axis=0, return_index=True)  # without the index numpy.ma would be imported, which is slow
    return made
