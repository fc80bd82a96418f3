"""Two engines, one result: the reference engine finds the same itemsets and rules."""

import json
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest

from mining.engines.columns import columns_of
from mining.engines.exports import document
from mining.engines.mine import mine
from mining.engines.reasons import REFUSALS
from mining.engines.request import MiningRequest
from privacy.design import Design
from privacy.errors import InputError
from tests.cases import first
from tests.mining.designs import KINDS, MLXTEND, design_of, records_of, yes_no
from tests.servers import ROOT

ONE_BLOCK = ("one block", "a choice in the block")
SEVERAL_BLOCKS = ("two blocks", "a block per item")


def both(design, records, *values, **named):
    return [mine([records], design, MiningRequest(*values, **named, engine=engine)) for engine in ("bitset", "mlxtend")]


def supports_of_itemsets(mined):
    """Every itemset that is reported, of every length, with its support."""
    return {
        tuple(itemset): support
        for level in mined.lattice.levels
        for itemset, support in zip(
            level.items[level.accepted].tolist(), level.supports.support[level.accepted].tolist(), strict=True
        )
    }


def same(bitset, mlxtend):
    one, other = supports_of_itemsets(bitset), supports_of_itemsets(mlxtend)
    assert list(one) == list(other)
    assert list(one.values()) == pytest.approx(list(other.values()), rel=1e-9)
    assert bitset.rules.itemset.tolist() == mlxtend.rules.itemset.tolist()
    assert bitset.rules.antecedent.tolist() == mlxtend.rules.antecedent.tolist()
    for name, values in bitset.rules.values.items():
        expected = mlxtend.rules.values[name]
        if name == "conviction":  # at a confidence of 1 it is infinite but for rounding
            values, expected = 1 / values, 1 / expected
        np.testing.assert_allclose(values, expected, rtol=1e-9, atol=1e-12, err_msg=name)


@pytest.mark.parametrize("negated", [False, True])
@pytest.mark.parametrize("estimator", ["stratified", "pooled"])
@pytest.mark.parametrize("kind", ONE_BLOCK)
def test_one_block_gives_the_same_rules_with_a_direct_group(kind, estimator, negated):
    """One block and a direct group: same itemsets, rules, twelve metrics, errors, p and q."""
    design = design_of(kind)
    bitset, mlxtend = both(design, records_of(design), 0.1, 0.4, 4, negated, estimator)

    same(bitset, mlxtend)
    assert len(bitset.rules) > 10
    assert set(MLXTEND) <= bitset.rules.values.keys()


@pytest.mark.parametrize("kind", SEVERAL_BLOCKS)
def test_several_blocks_give_the_same_rules(kind):
    """Several blocks: the same without a direct group, and with one when the groups are pooled."""
    alone = design_of(kind, direct=False)
    same(*both(alone, records_of(alone), 0.15, 0.4, 3, False, "stratified"))
    beside = design_of(kind)
    same(*both(beside, records_of(beside), 0.15, 0.4, 3, False, "pooled"))


def test_a_tie_with_the_threshold_is_kept_by_both():
    """n = 10 000, k = .2, p = .3, θ = .6, s = .1: an item seen 3 800 times and a pair seen 2 456 times tie exactly."""
    design = Design.parse({"direct": True, "model": "improved-grouped", "p": 0.3, "theta": 0.6, "items": ["a", "b"]})
    codes = np.zeros((10_000, 2), dtype=np.uint8)
    codes[:2456] = 1
    codes[2456:3800, 0] = 1
    codes[3800 : 3800 + 1344, 1] = 1
    direct = np.zeros(10_000, dtype=bool)
    direct[::5] = True

    bitset, mlxtend = both(design, (codes, direct), 0.1, 0.1, 2, False, "pooled")

    same(bitset, mlxtend)
    assert [level.accepted.tolist() for level in bitset.lattice.levels] == [[True, True], [True]]


SAMPLED_KINDS = [(kind, "stratified", "sampled") for kind in KINDS if "sampled" in kind]


@pytest.mark.parametrize(
    ("kind", "estimator", "reason"),
    [
        *SAMPLED_KINDS,
        ("flips", "stratified", "coinless"),
        ("two blocks", "stratified", "several"),
        ("one block", "combined", "combined"),
    ],
)
def test_the_reference_engine_declines_with_the_reason_that_auto_names(kind, estimator, reason):
    """Asked for, mlxtend refuses in one sentence what it cannot do; `auto` takes the other engine for that reason."""
    design = design_of(kind)
    records = records_of(design)
    with pytest.raises(InputError) as refused:
        mine([records], design, MiningRequest(0.1, 0.5, estimator=estimator, engine="mlxtend"))
    assert str(refused.value) == f"{REFUSALS[reason]} Use the bitset engine."
    mined = mine([records], design, MiningRequest(0.1, 0.5, estimator=estimator))
    assert (mined.engine, mined.why) == ("bitset", reason)


def test_the_reference_engine_declines_where_few_records_leave_no_threshold():
    """Coins of their own, forty records: the noise of a part is more than the smallest support asked for."""
    design = design_of("a block per item", direct=False)
    with pytest.raises(InputError) as refused:
        mine([records_of(design, 40)], design, MiningRequest(0.01, 0.5, engine="mlxtend"))
    assert str(refused.value) == f"{REFUSALS['few']} Use the bitset engine."


def test_auto_takes_the_reference_engine_while_the_job_is_small():
    """Up to 100 000 answers mlxtend does it, beyond the bit columns; an engine that is asked for is taken for that."""
    design = design_of("one block")
    codes, direct = records_of(design)

    def engine_for(times, engine="auto"):
        mined = mine([(codes, direct)] * times, design, MiningRequest(0.1, 0.5, engine=engine))
        return mined.engine, mined.why

    assert engine_for(1) == ("mlxtend", "small")
    assert engine_for(7) == ("bitset", "large")
    assert engine_for(1, "bitset") == ("bitset", "asked")


@pytest.mark.parametrize("seed", first(3, range(12)))
def test_whatever_is_asked_both_engines_answer_alike(seed):
    """Random designs of one block, thresholds from nothing frequent to all of it, every length, few records or many."""
    rng = np.random.default_rng(seed)
    for _ in range(10):
        design = design_of(rng.choice(ONE_BLOCK), direct=bool(rng.integers(2)))
        records = records_of(design, n=int(rng.choice([30, 300, 1000])), seed=int(rng.integers(1000)))
        support, confidence = rng.choice([0.2, 0.5, 0.8, 0.9, 0.99, 1.0]), rng.choice([0, 0.5, 1.0])
        length = int(rng.integers(1, 5))
        asked = MiningRequest(
            support, confidence, length, bool(rng.integers(2)), str(rng.choice(["stratified", "pooled"]))
        )
        try:
            reference = mine([records], design, replace(asked, engine="mlxtend"))
        except InputError:
            continue  # it says why it declines, of which the tests below tell
        bitset = mine([records], design, replace(asked, engine="bitset"))
        same(bitset, reference)


@pytest.mark.parametrize(("support", "length"), [(0.999, 3), (0.5, 1)])
def test_nothing_but_single_items_is_an_answer(support, length):
    """Where no pair is frequent, or nothing at all, both engines give the single items, if any, and no rule."""
    design = design_of("one block")
    for mined in both(design, records_of(design), support, 0.4, length):
        whole = json.loads("".join(document(columns_of(mined))))
        assert {len(itemset["items"]) for itemset in whole["itemsets"]} == ({1} if support == 0.5 else set())
        assert whole["rules"] == []


def test_auto_weighs_what_the_disguise_lets_through():
    """Few answers, but of 60 items half a million itemsets may pass one threshold: `auto` takes the bit columns."""
    design = Design.parse(
        {"blocks": [{"keep": 0.3, "items": yes_no(*(f"q{place}" for place in range(60)), theta=0.6)}]}
    )
    records = (np.random.default_rng(1).random((1600, 60)) < 0.6).astype(np.uint8), np.zeros(1600, dtype=bool)
    assert mine([records], design, MiningRequest(0.3, 0.9, 4)).engine == "bitset"
    assert mine([records], design, MiningRequest(0.3, 0.9, 2)).engine == "mlxtend"


def test_what_mlxtend_cannot_take_does_not_load_it():
    """Loading pandas and mlxtend takes longer than most jobs, and a flip block is no job for them."""
    code = """
import sys
from mining.engines.mine import mine
from mining.engines.request import MiningRequest
from tests.mining.designs import design_of, records_of
design = design_of("flips")
assert mine([records_of(design)], design, MiningRequest(0.1, 0.5)).engine == "bitset"
print(sorted({"pandas", "mlxtend"} & set(sys.modules)))
"""
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT).stdout
    assert said == "[]\n"
