"""A support is one figure, whichever command prints it."""

import json
from itertools import product
from typing import Any

import numpy as np
import pytest

from mining.engines.columns import columns_of
from mining.engines.exports import document
from mining.engines.mine import mine
from mining.engines.request import MiningRequest
from privacy.choices import ESTIMATORS
from privacy.design import Design
from privacy.disguise import disguise
from privacy.disguise.table import words_from_seed
from privacy.reconstruct import reconstruct
from tests.cases import every
from tests.mining.designs import KINDS, design_of, records_of

ITEMS = list("abcd")
DESIGNS: dict[str, dict[str, Any]] = {
    "one coin": {"direct": True, "model": "improved-grouped", "p": 0.3, "theta": 0.6, "items": ITEMS},
    "a coin per item": {"direct": True, "model": "warner", "theta": 0.8, "items": ITEMS},
    "flips": {"direct": True, "model": "flip", "gamma": 19, "radius": 1, "items": ITEMS},
    "sampled": {"direct": True, "model": "improved-grouped", "p": 0.5, "theta": 0.5, "items": ITEMS, "ask": 3},
}


@pytest.mark.parametrize("name", DESIGNS)
def test_mined_supports_errors_and_intervals_equal_reconstructed_ones(name: str) -> None:
    """Two surfaces of one product never print two figures for one question."""
    design = Design.parse(DESIGNS[name])
    draws = np.random.default_rng(3)
    truth = (draws.random((20_000, 4)) < [0.5, 0.6, 0.4, 0.55]).astype(np.uint8)
    records = disguise(design, truth, draws.random(20_000) < 0.2, words_from_seed(5))
    for estimator in ("stratified", "combined", "pooled"):
        mined = mine([(records.codes, records.direct)], design, MiningRequest(0.05, 0.1, 3, False, estimator, "bitset"))
        itemsets = json.loads("".join(document(columns_of(mined))))["itemsets"]

        texts = [",".join(row["items"]) for row in itemsets]
        report = reconstruct(records, texts, estimator=estimator)

        ours = [(row["support"], row["se"], *row["ci"]) for row in itemsets]
        theirs = [(row.support, row.se, *(row.ci or ())) for row in report.patterns]
        np.testing.assert_allclose(ours, theirs, rtol=0, atol=1e-12, err_msg=estimator)


@pytest.mark.parametrize(("kind", "estimator"), every(4, product(KINDS, ESTIMATORS)))
def test_a_rule_and_its_itemset_have_one_support(kind: str, estimator: str) -> None:
    """Support, standard error and interval of A ⇒ C are those of the itemset A∪C, to the last digit."""
    design = design_of(kind)
    columns = columns_of(
        mine([records_of(design)], design, MiningRequest(0.15, 0, estimator=estimator, engine="bitset"))
    )
    for figure in ("support", "se", "low", "high"):
        same = columns.itemsets[figure][columns.itemset]
        assert columns.rules["support" if figure == "support" else f"support {figure}"] == pytest.approx(
            same, rel=1e-9, abs=1e-12
        )
