"""The values of a sensitive attribute in their order, which the ordered distance of t-closeness needs."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from privacy.arrays import Ints
from privacy.release.codes import code_values
from privacy.release.hierarchies import Hierarchy


def in_order(column: Sequence[Any], name: str, tree: Hierarchy | None = None) -> Sequence[Any]:
    """List the different values of a sensitive attribute in their order.

    That of the tree, if there is one; else numbers by their size, then everything else by the alphabet.

    >>> in_order(["10", "none", "9", "10"], "visits")
    ['9', '10', 'none']
    """
    different = set(column)
    if tree is not None:
        tree.encode(sorted(different), name)  # says which value is missing
        return tree.labels[0]
    return sorted(different, key=_sort_key)


def encode(column: Sequence[Any], values: Sequence[Any]) -> Ints:
    """Return the place of each entry of a column among the values."""
    places = {value: place for place, value in enumerate(values)}
    codes, different = code_values(column)
    return np.array([places[value] for value in different], np.int64)[codes]


def _sort_key(value: Any) -> tuple[bool, float, str]:
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = math.nan
    return math.isnan(number), 0.0 if math.isnan(number) else number, str(value)
