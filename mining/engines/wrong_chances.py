"""How far wrong chances of people's own draws may move the supports of itemsets: their intervals reach over them."""

from dataclasses import replace

import numpy as np

from mining.engines.estimates import LEVEL, Supports
from mining.engines.lattice import Lattice
from privacy.design.patterns import Pattern
from privacy.estimate.bit_columns import DISGUISED
from privacy.estimate.wrong_chances import WrongChances


def reach_of_chances(lattice: Lattice, itemsets: np.ndarray, support: np.ndarray, estimator: str) -> np.ndarray:
    """How far each sub-pattern of each itemset may lie above and below its estimate: (2, 2^L, F)."""
    part = _part_of_disguised(lattice, estimator)
    made = np.zeros((2, *support.shape))
    for row, itemset in enumerate(itemsets):
        for mask in range(1, len(support)):
            value = support[mask, row]
            if np.isfinite(value):
                chances = _chances_of(lattice, itemset, mask, support[:, row])
                low, high = chances.widen(value, (value, value), LEVEL, part)
                made[:, mask, row] = high - value, value - low
    return made


def widen(lattice: Lattice, itemsets: np.ndarray, supports: Supports, parts: np.ndarray, estimator: str) -> Supports:
    """The supports with intervals over all chances; `parts` are the supports of all sub-patterns."""
    part = _part_of_disguised(lattice, estimator)
    low, high = supports.low.copy(), supports.high.copy()
    for row, itemset in enumerate(itemsets):
        chances = _chances_of(lattice, itemset, len(parts) - 1, parts[:, row])
        own = float(low[row]), float(high[row])
        if np.isfinite(own).all():
            low[row], high[row] = chances.widen(float(parts[-1, row]), own, LEVEL, part)
    return replace(supports, low=low, high=high)


def _chances_of(lattice: Lattice, itemset: np.ndarray, mask: int, supports: np.ndarray) -> WrongChances:
    literals = lattice.literals
    own = [place for bit, place in enumerate(itemset.tolist()) if mask >> bit & 1]

    def share_of(rest: Pattern, _block: int) -> float:
        inside = sum(
            1 << bit for bit, at in enumerate(itemset) if mask >> bit & 1 and literals.column[at] in rest.columns
        )
        return float(supports[inside])

    return WrongChances.from_pattern(literals.design, literals.pattern(np.array(own)), share_of)


def _part_of_disguised(lattice: Lattice, estimator: str) -> float:
    """How much of a figure disguised records are: by the pooled and the combined estimator at most all."""
    return float(lattice.sizes[DISGUISED] / lattice.sizes.sum()) if estimator == "stratified" else 1.0
