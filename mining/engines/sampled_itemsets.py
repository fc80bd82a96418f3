"""Itemsets of sampled designs by available cases: from everyone who was asked a part of them.

The sub-patterns of a candidate stand in the levels below it, each with its counts among everyone who was asked it.
"""

from functools import partial

import numpy as np

from mining.engines.counted import Counted
from mining.engines.estimates import LEVEL, SLACK, Supports, shares_of_direct_answers, sub_weights
from mining.engines.itemsets import CountedItemsets
from mining.engines.lattice import Lattice
from privacy.estimate.available import AvailableCases
from privacy.estimate.bit_columns import states_from_supports
from privacy.estimate.many import KnownSubPatterns


def available_sub_patterns(lattice: Lattice, itemsets: CountedItemsets, estimator: str) -> KnownSubPatterns:
    """The estimates of every sub-pattern of itemsets.

    A sub-pattern has the figures of the itemset with the same literals, except by the combined estimator, which weighs
    the groups for every itemset again.
    """
    cases = available_cases(lattice, itemsets, estimator)
    return KnownSubPatterns(cases.support, cases.covariances)


def available_supports(lattice: Lattice, itemsets: CountedItemsets, estimator: str) -> Supports:
    """The figures of whole itemsets of two literals or more; NaN where the disguise leaves no information."""
    cases = available_cases(lattice, itemsets, estimator)
    estimates = cases.estimates(itemsets.at_least[:, :, -1].T.astype(float), lattice.sizes.astype(float), LEVEL)
    slack = SLACK * np.maximum(cases.steepest, 1)
    columns = np.stack([*vars(estimates).values(), slack, np.full(len(itemsets), np.nan)])
    columns[2, ~np.isfinite(columns[2])] = np.nan
    return Supports(*columns)


def available_cases(counted: Lattice | Counted, itemsets: CountedItemsets, estimator: str) -> AvailableCases:
    """All sub-patterns of itemsets, from their counts and those of the levels below."""
    literals, states = counted.literals, _states(counted, itemsets)
    shares = None
    if estimator == "combined":
        table = shares_of_direct_answers(literals, itemsets).T
        shares = table[:-1], table[-1]
    weighing, centres = partial(sub_weights, literals, itemsets.items), literals.centre[itemsets.items.T]
    return AvailableCases(states, counted.sizes, weighing, centres, estimator, shares)


def _states(counted: Lattice | Counted, itemsets: CountedItemsets) -> np.ndarray:
    """How many of those asked each part of an itemset are in each of its cells: (groups, 2^L parts, 2^L cells, F)."""
    count, length = itemsets.items.shape
    states = np.zeros((2, 2**length, 2**length, count))
    states[:, 0, 0] = counted.sizes[:, None]
    for mask in range(1, 2**length):
        inside = [bit for bit in range(length) if mask >> bit & 1]
        table = itemsets.at_least
        if len(inside) < length:
            level = counted.levels[len(inside) - 1]
            table = level.at_least[level.find(itemsets.items[:, inside])]
        cells = np.zeros(1, dtype=np.int64)
        for bit in reversed(inside):
            cells = (cells[:, None] | np.array([0, 1 << bit])).ravel()
        states[:, mask, cells] = states_from_supports(np.moveaxis(table, 0, -1), 1, float)
    return states
