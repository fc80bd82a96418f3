"""A share is one number, whether records are counted, weighed as a sample, or mined."""

import json
from itertools import combinations, product
from typing import Any

import numpy as np
import pytest

from mining.engines.columns import columns_of
from mining.engines.exports import document
from mining.engines.mine import mine
from mining.engines.request import MiningRequest
from privacy.choices import AVAILABLE, CASES, COMPLETE, ESTIMATORS
from privacy.design import Design
from privacy.disguise import disguise
from privacy.disguise.table import words_from_seed
from privacy.estimate.sample import Sample
from privacy.estimate.sampling import Sampling
from privacy.reconstruct import reconstruct
from privacy.records import Records
from tests.cases import every
from tests.mining import by_cells, designs
from tests.mining.designs import KINDS, design_of, records_of
from tests.privacy.channels import NAMED

_N = 1_500
_BLOCKS: dict[str, list[dict[str, Any]]] = {name: [block] for name, block in NAMED.items()}
_BLOCKS |= {name: blocks for name, (blocks, bins) in by_cells.KINDS.items() if not bins}
_BLOCKS |= designs.KINDS
_LIST = "a one-of block with a threshold"  # has figures where it has all words of each kind
_OF_THREE = [",".join(words) for words in combinations(("a", "!b", "c", "d"), 3)]
_WORDS = [{"word": word, "least": 2, "base": 0.04, "own": 0.2} for word in _OF_THREE]
_BLOCKS[_LIST] = [NAMED[_LIST] | {"words": NAMED[_LIST]["words"][:4] + _WORDS}]
# Where figures by cells differ from counts, and by how many standard errors at most. All other shares are equal.
# Counts weigh each direct answer by the other direct answers, which leaves no bias; cells weigh each group once for all
# parts of a pattern, or the sides of a rule would not add up.
_APART = {("combined", AVAILABLE): 0.6, ("combined", COMPLETE): 0.5}


def _records(kind: str) -> Records:
    """Records of people of whom more answer directly where the first items of a block were asked."""
    design, chance = Design.parse({"direct": True, "blocks": _BLOCKS[kind]}), np.random.default_rng(7)
    lean = chance.random((_N, 1))
    truth = np.column_stack([(lean[:, 0] + chance.random(_N)) / 2 * len(item.options) for item in design.items]).astype(
        design.code_type
    )
    return disguise(design, truth, chance.random(_N) < 0.3, words_from_seed(6))


def _mined(records: Records, request: MiningRequest, sampling: Sampling | None) -> dict[str, float]:
    """The supports of all itemsets that are found, by their text."""
    found = mine([(records.codes, records.direct)], records.design, request, sampling=sampling)
    itemsets = json.loads("".join(document(columns_of(found))))["itemsets"]
    return {",".join(row["items"]): row["support"] for row in itemsets}


@pytest.mark.parametrize(("kind", "estimator", "cases"), every(7, product(_BLOCKS, ESTIMATORS, CASES)))
def test_counts_samples_of_equal_weights_and_mining_give_one_share(kind: str, estimator: str, cases: str) -> None:
    """Itemsets of up to three answers, of every kind of block, by every estimator and each way to take cases."""
    records = _records(kind)
    if estimator == "pooled" and records.design.by_record:
        pytest.skip("The pooled estimator cannot weigh records that are read whole.")
    request = MiningRequest(0.02, 0.1, 3, False, estimator, "bitset", cases)
    alike = Sampling.from_columns({"w": np.full(_N, 3.0)}, _N, Sample(weights="w"))

    mined, weighed = (_mined(records, request, sampling) for sampling in (None, alike))
    texts = sorted(mined.keys() & weighed.keys())
    counted, sampled = (
        report.patterns
        for report in (
            reconstruct(records, texts, estimator=estimator, cases=cases),
            reconstruct(records, texts, sample=alike, estimator=estimator, cases=cases),
        )
    )

    assert len(texts) > 1
    apart = _APART.get((estimator, cases), 0.0)
    for own, of_sample in zip(counted, sampled, strict=True):
        others = [of_sample.support, weighed[own.pattern], mined[own.pattern]]
        assert others == pytest.approx([own.support] * 3, abs=1e-11 + apart * (own.se or 0.0)), own.pattern
        if not records.design.by_record:  # else all itemsets are mined by cells, those of other blocks, too
            assert mined[own.pattern] == pytest.approx(own.support, abs=1e-11)


@pytest.mark.parametrize("kind", [name for name, (_, bins) in by_cells.KINDS.items() if bins])
def test_bins_have_one_share_with_and_without_equal_weights(kind: str) -> None:
    """Itemsets with bins are mined alone: with weights that are all 1 they have the share that they have without."""
    records = by_cells.simulate_records(kind, _N)
    request = MiningRequest(0.02, 0.1, 2, bins=by_cells.KINDS[kind][1], engine="bitset")

    plain, weighed = (_mined(records, request, sampling) for sampling in (None, Sampling.simple(_N)))

    assert len(plain) > 3
    assert weighed == pytest.approx(plain, abs=1e-11)


# A support is one figure, whichever command prints it.


@pytest.mark.parametrize(("kind", "estimator"), every(4, product(KINDS, ESTIMATORS)))
def test_an_itemset_has_one_support_error_and_interval(kind: str, estimator: str) -> None:
    """Two surfaces of one product never print two figures for one question: those that are mined are those that
    `reconstruct` tells, and a rule A ⇒ C has those of the itemset A∪C, to the last digit.
    """
    design = design_of(kind)
    codes, direct = records_of(design)
    request = MiningRequest(0.15, 0, estimator=estimator, engine="bitset")
    columns = columns_of(mine([(codes, direct)], design, request))
    itemsets = json.loads("".join(document(columns)))["itemsets"]
    texts = [",".join(row["items"]) for row in itemsets]

    report = reconstruct(Records(design, codes, direct), texts, estimator=estimator)

    ours = [(row["support"], row["se"], *row["ci"]) for row in itemsets]
    theirs = [(row.support, row.se, *(row.ci or ())) for row in report.patterns]
    near = 0.005 if kind == "sampled flips beside a coin" else 0  # two ways to a moment of those who were asked
    np.testing.assert_allclose(ours, theirs, rtol=near, atol=1e-12)
    for figure in ("support", "support se", "support low", "support high"):
        same = columns.itemsets[figure.split()[-1]][columns.itemset]
        assert columns.rules[figure] == pytest.approx(same, rel=1e-9, abs=1e-12)
