"""Available cases in closed form, from moments of everybody asked a part, beside sums over cells."""

import numpy as np
import pytest

from privacy.choices import AVAILABLE
from privacy.design import Design
from privacy.design.patterns import parse_pattern
from privacy.disguise import disguise
from privacy.disguise.table import words_from_seed
from privacy.estimate.available import AvailableCases
from privacy.estimate.bit_columns import BitColumns
from privacy.estimate.cells import PatternCells, WholeRecords
from privacy.estimate.figures import figures_of_counts
from privacy.estimate.sampled import pattern_of_sample
from tests.cases import every

N = 6_000
ITEMS = [{"id": name, "theta": 0.5} for name in "abcd"]
BLOCKS = {
    "coin for two of four": {"keep": 0.6, "ask": 2, "items": ITEMS},
    "coin for three of four": {"keep": 0.6, "ask": 3, "items": ITEMS},
    "a coin each": {"keep": 0.6, "ask": 3, "coin": "each", "items": ITEMS},
}


@pytest.mark.parametrize(("kind", "estimator"), every(3, [(k, e) for k in BLOCKS for e in ("stratified", "pooled")]))
def test_supports_are_those_of_cells_and_covariances_are_near(kind: str, estimator: str) -> None:
    """Supports of all sub-patterns to 10⁻¹². Covariances, of other moments, are within a tenth of the errors."""
    design = Design.parse({"direct": True, "blocks": [BLOCKS[kind]]})
    chance = np.random.default_rng(2)
    codes = (chance.random((N, 4)) < [0.5, 0.3, 0.2, 0.1]).astype(design.code_type)
    records = disguise(design, codes, chance.random(N) < 0.2, words_from_seed(3))
    for text in ("a", "a,b", "!a,c", "b,d"):
        pattern = parse_pattern(text, design)
        own, cells = pattern_of_sample(design, pattern, AVAILABLE), PatternCells(design, pattern)
        if own is None:
            continue
        bits = BitColumns(records)
        states, sizes = own.states(own.count(bits))[..., np.newaxis], np.array(bits.sizes, float)
        closed = AvailableCases(states, sizes, own.weights, own.centres[:, np.newaxis], estimator)
        counts = cells.counts(WholeRecords(design, records.codes, records.direct))
        made = figures_of_counts(cells, counts, estimator, AVAILABLE)

        np.testing.assert_allclose(made.support, closed.support[:, 0], rtol=0, atol=1e-12)
        errors = np.sqrt(np.diag(made.covariance))
        apart = np.abs(made.covariance - closed.covariances[..., 0]) / np.maximum(np.outer(errors, errors), 1e-12)
        assert apart.max() < 0.1
