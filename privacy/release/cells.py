"""Suppression of single cells: each cell keeps its value or becomes ``*``, and rows alike in what is left are a class.

This is local recoding along hierarchies that have nothing between a value and ``*``, so that the penalty counts cells.
A suppressed cell is a label like every other here (docs/decisions/0107-a-suppressed-cell-is-a-label.md).
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from privacy.design.reading import quote
from privacy.release.attributes import Quasi
from privacy.release.classes import SUPPRESSED
from privacy.release.hierarchies import Hierarchy
from privacy.release.reasons import ReleaseError

MOST_VALUES = 2000  # of a column that k rows share: memory grows with their square


def values_or_nothing(quasi: Quasi, k: int) -> Quasi:
    """The column with nothing between its values and ``*``; a value of fewer than k rows can never stay, and is ``*``.

    Raises `ReleaseError` where more than 2000 values are common enough to stay.

    >>> from privacy.release.hierarchies import by_rows
    >>> towns = by_rows([["Ulm", "south", "*"], ["Bonn", "west", "*"], ["Hof", "south", "*"]], "towns")
    >>> column = values_or_nothing(Quasi("town", towns, np.array([0, 0, 1, 1, 2])), k=2)
    >>> column.hierarchy.labels, column.codes.tolist()
    ((('Ulm', 'Bonn', '*'), ('*',)), [0, 0, 1, 1, 2])
    """
    names = quasi.hierarchy.labels[0]
    stay = np.flatnonzero(np.bincount(quasi.codes, minlength=len(names)) >= k)
    if len(stay) > MOST_VALUES:
        raise ReleaseError("many_values", at="spec.method", column=quote(quasi.name), count=len(stay), most=MOST_VALUES)
    places = np.full(len(names), len(stay))
    places[stay] = np.arange(len(stay))
    values = (*(names[place] for place in stay.tolist()), SUPPRESSED)
    tree = Hierarchy((values, (SUPPRESSED,)), (np.arange(len(values)), np.zeros(len(values), int)), quasi.name)
    return replace(quasi, hierarchy=tree, codes=places[quasi.codes])


def shares_of_cells(labels: Sequence[Sequence[str]]) -> list[float]:
    """The share of each column's cells that are suppressed.

    >>> shares_of_cells([["Ulm", "*"], ["f", "m"]])
    [0.5, 0.0]
    """
    return [list(column).count(SUPPRESSED) / len(column) for column in labels]
