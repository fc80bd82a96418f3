"""All itemsets of a search that have an estimate, those that were dropped among them, in positive literals alone."""

from dataclasses import dataclass

import numpy as np

from mining.engines.bits import BitCounter
from mining.engines.itemsets import CountedItemsets, keys
from mining.engines.lattice import Lattice
from mining.engines.literals import Literals


@dataclass(frozen=True)
class Counted:
    """Levels as those of a lattice: every part of an itemset stands in the level of its length."""

    counter: BitCounter
    levels: list[CountedItemsets]
    available: bool  # whether supports come from available cases

    @property
    def literals(self) -> Literals:
        return self.counter.literals

    @property
    def sizes(self) -> np.ndarray:
        return self.counter.sizes


def itemset_counts(lattice: Lattice) -> Counted:
    """Return all counted itemsets, without the copies that differ only in negations."""
    levels = []
    parts = [*lattice.levels, *lattice.dropped]
    for length in sorted({part.items.shape[1] for part in parts if len(part)}):
        here = [part for part in parts if part.items.shape[1] == length]
        items = np.concatenate([part.items for part in here])
        levels.append(_positive(lattice.literals, items, np.concatenate([part.at_least for part in here])))
    return Counted(lattice.counter, levels, lattice.available)


def _positive(literals: Literals, items: np.ndarray, at_least: np.ndarray) -> CountedItemsets:
    """The same itemsets with positive literals alone, each once, and the counts that follow for them."""
    negated, at_least = ~literals.positive[items], at_least.copy()
    for bit in range(items.shape[1]):
        rows = np.flatnonzero(negated[:, bit])
        table = at_least[rows].reshape(len(rows), 2, at_least.shape[2] >> bit + 1, 2, 1 << bit)
        table[:, :, :, 1] = table[:, :, :, 0] - table[:, :, :, 1]
        at_least[rows] = table.reshape(len(rows), *at_least.shape[1:])
    items = literals.yes[items]
    first = np.unique(keys(items, len(literals)), return_index=True)[1]
    return CountedItemsets(items[first], at_least[first], len(literals))
