"""A support is one figure, whichever command prints it."""

from typing import Any

import numpy as np

from mining.engines.found import document, found
from mining.engines.mine import Request, mine
from privacy.design import Design
from privacy.disguise import disguise
from privacy.reconstruct import reconstruct
from privacy.words import seeded_words

ITEMS = list("abcd")
DESIGNS: dict[str, dict[str, Any]] = {
    "one coin": {"direct": True, "model": "improved-grouped", "p": 0.3, "theta": 0.6, "items": ITEMS},
    "a coin per item": {"direct": True, "model": "warner", "theta": 0.8, "items": ITEMS},
    "flips": {"direct": True, "model": "flip", "gamma": 19, "radius": 1, "items": ITEMS},
    "sampled": {"direct": True, "model": "improved-grouped", "p": 0.5, "theta": 0.5, "items": ITEMS, "ask": 3},
}


def test_mined_supports_errors_and_intervals_equal_reconstructed_ones() -> None:
    """Two surfaces of one product never print two figures for one question."""
    for name, source in DESIGNS.items():
        design = Design.parse(source)
        draws = np.random.default_rng(3)
        truth = (draws.random((20_000, 4)) < [0.5, 0.6, 0.4, 0.55]).astype(np.uint8)
        records = disguise(design, truth, draws.random(20_000) < 0.2, seeded_words(5))
        for estimator in ("stratified", "combined", "pooled"):
            mined = mine([(records.codes, records.direct)], design, Request(0.05, 0.1, 3, False, estimator, "bitset"))
            itemsets = document(found(mined), mined.engine, estimator, mined.seconds)["itemsets"]

            report = reconstruct(records, [",".join(row["items"]) for row in itemsets], estimator, feasible=False)

            ours = [(row["support"], row["se"], *row["ci"]) for row in itemsets]
            theirs = [(row.support, row.se, *(row.ci or ())) for row in report.patterns]
            np.testing.assert_allclose(ours, theirs, rtol=0, atol=1e-12, err_msg=f"{name}, {estimator}")
