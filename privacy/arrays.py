"""The types of arrays that figures and codes are kept in."""

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]


def unique_rows(rows: Floats) -> Floats:
    """The rows that differ, sorted.

    >>> unique_rows(np.array([[2.0, 1.0], [1.0, 2.0], [2.0, 1.0]])).tolist()
    [[1.0, 2.0], [2.0, 1.0]]
    """
    made, _ = np.unique(rows, axis=0, return_index=True)  # without the index numpy.ma would be imported, which is slow
    return made
