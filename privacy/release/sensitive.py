"""The values of a sensitive attribute in their order, which the ordered distance of t-closeness needs.

What is missing is no value: it makes no class diverse, since a row without a value hides nobody's among it.
"""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from privacy.arrays import Ints
from privacy.errors import InputError
from privacy.release.codes import code_values
from privacy.release.hierarchies import Hierarchy


def is_missing(value: Any) -> bool:
    """Whether a cell is empty, or has blanks alone: people who read the table see nothing there.

    >>> [is_missing(value) for value in (None, "", " ", 0)]
    [True, True, True, False]
    """
    return value is None or not str(value).strip()


def in_order(column: Sequence[Any], name: str, tree: Hierarchy | None = None) -> Sequence[Any]:
    """List the different values of a sensitive attribute in their order, without what is missing.

    That of the tree, if there is one; else numbers by their size, then everything else by the alphabet.

    >>> in_order(["10", "none", "9", "", "10"], "visits")
    ['9', '10', 'none']
    """
    different = {value for value in set(column) if not is_missing(value)}
    if tree is not None:
        tree.encode(sorted(different), name)  # says which value is missing
        return tree.labels[0]
    return sorted(different, key=_sort_key)


def require_values(column: Sequence[Any], name: str) -> None:
    """Refuse a sensitive column in which everything is missing."""
    if len(column) and all(map(is_missing, set(column))):
        raise InputError(f"The column {name!r} has no values, so nothing can be learned of it.")


def encode(column: Sequence[Any], values: Sequence[Any]) -> Ints:
    """Return the place of each entry of a column among the values; −1 of what is missing.

    >>> encode(["flu", "", "cold"], ["cold", "flu"]).tolist()
    [1, -1, 0]
    """
    places = {value: place for place, value in enumerate(values)}
    codes, different = code_values(column)
    return np.array([-1 if is_missing(value) else places[value] for value in different], np.int64)[codes]


def _sort_key(value: Any) -> tuple[bool, float, str]:
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = math.nan
    return math.isnan(number), 0.0 if math.isnan(number) else number, str(value)
