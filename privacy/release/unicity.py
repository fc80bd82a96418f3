"""How many people are alone with a few of their values (unicity; de Montjoye and others 2013)."""

import math
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from privacy.errors import InputError
from privacy.result import DataFrame


@dataclass(frozen=True)
class Unicity:
    """The share of rows that are unique given some attributes: the mean over sets of attributes, and the worst set."""

    share: float
    worst: float
    worst_columns: tuple[Any, ...]
    sets: int


def unicity(table: DataFrame, known: int, most: int = 1_000, seed: int = 0) -> Unicity:
    """Count how many people are alone with their values of `known` attributes.

    Every set of attributes is tried where there are at most `most`, otherwise so many drawn at random.

    >>> import pandas as pd
    >>> unicity(pd.DataFrame({"age": [30, 30, 40], "town": ["A", "B", "A"]}), known=2).share
    1.0
    """
    columns = list(table.columns)
    if not 1 <= known <= len(columns):
        raise InputError(f"known: {known} is outside 1 to the {len(columns)} columns.")
    if not len(table):
        raise InputError("The table has no rows.")
    if math.comb(len(columns), known) <= most:
        chosen = list(combinations(columns, known))
    else:
        random = np.random.default_rng(seed)
        drawn = (np.sort(random.permutation(len(columns))[:known]) for _ in range(most))
        chosen = [tuple(columns[place] for place in places) for places in drawn]
    shares = [float((~table.duplicated(subset=list(some), keep=False)).mean()) for some in chosen]
    worst = int(np.argmax(shares))
    return Unicity(float(np.mean(shares)), shares[worst], chosen[worst], len(chosen))
