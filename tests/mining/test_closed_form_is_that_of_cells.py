"""The closed form for thousands of itemsets gives what cells give, one itemset at a time."""

from itertools import combinations, product
from typing import Any

import numpy as np
import pytest

from mining.engines.bits import pack
from mining.engines.cell_estimates import by_cells
from mining.engines.estimates import CountedItemsets, sub_patterns
from mining.engines.literals import literals_of
from privacy.choices import COMPLETE
from privacy.design import Design
from tests.cases import every
from tests.mining import designs
from tests.privacy.channels import NAMED

N = 1_200
BLOCKS: dict[str, list[dict[str, Any]]] = {name: [block] for name, block in NAMED.items()} | designs.KINDS
KINDS = [name for name, blocks in BLOCKS.items() if not Design.parse({"direct": True, "blocks": blocks}).by_record]


@pytest.mark.parametrize(("kind", "estimator"), every(9, product(KINDS, ("stratified", "pooled"))))
def test_all_sub_patterns_and_their_covariances_are_those_of_cells(kind: str, estimator: str) -> None:
    """Of itemsets of one to three answers, to 10⁻¹²; the closed form divides squares by n, and cells by n − 1."""
    design = Design.parse({"direct": True, "blocks": BLOCKS[kind]})
    codes, direct = designs.records_of(design, N)
    counter = pack([(codes, direct)], literals_of(design))
    literals = counter.literals
    for length in (1, 2, 3):
        pairs = combinations(range(len(literals)), length)
        itemsets = np.array([own for own in pairs if len({*literals.column[list(own)]}) == length][:40])
        at_least = counted(codes, direct, literals, itemsets) if len(itemsets) else np.zeros((0, 2, 1))
        asked = at_least[:, :, 0].all(axis=1)
        if not asked.any():
            continue
        itemsets = itemsets[asked]
        cells = list(by_cells(counter, COMPLETE).estimate(itemsets, estimator))
        counts = CountedItemsets(itemsets, at_least[asked], len(literals))
        made = sub_patterns(literals, counts, estimator, counter.sizes)
        known = np.isfinite(made.support).all(axis=0) & np.array([np.isfinite(one.support).all() for one in cells])
        masks = np.arange(2**length)
        for place in np.flatnonzero(known):
            spread = np.stack([made.spread[mask, :, place] for mask in masks])
            np.testing.assert_allclose(cells[place].support, made.support[:, place], rtol=0, atol=1e-12)
            np.testing.assert_allclose(cells[place].covariance * (N - 1) / N, spread, rtol=0, atol=1e-12)
        assert known.any() or length > 1


def counted(codes: np.ndarray, direct: np.ndarray, literals: Any, itemsets: np.ndarray) -> np.ndarray:
    """How many of each group match at least each part of an itemset, among those asked all of it: one by one."""
    asked, match = codes != np.iinfo(codes.dtype).max, literals.matches(codes)
    table = np.zeros((len(itemsets), 2, 2 ** itemsets.shape[1]), np.int32)
    for row, itemset in enumerate(itemsets):
        here = asked[:, literals.column[itemset]].all(axis=1)
        for mask in range(table.shape[2]):
            inside = [literal for bit, literal in enumerate(itemset) if mask >> bit & 1]
            both = here & match[:, inside].all(axis=1)
            table[row, :, mask] = np.bincount(direct[both].astype(int), minlength=2)
    return table
