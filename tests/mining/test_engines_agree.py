"""Two joins, one result: with mlxtend's join of Apriori the search finds the same itemsets and rules."""

import subprocess
import sys
from importlib.util import find_spec
from itertools import product
from types import ModuleType

import numpy as np
import pandas as pd
import pytest
from mlxtend.frequent_patterns import apriori

from mining.engines import mine as engine
from mining.engines.columns import columns_of
from mining.engines.exports import document
from mining.engines.literals import literals_of
from mining.engines.mine import MOST_JOINED, choose_engine, mine
from mining.engines.request import MiningRequest
from privacy.choices import CASES, ESTIMATORS
from privacy.design import Design
from privacy.errors import InputError
from privacy.estimate.sample import Sample
from privacy.estimate.sampling import Sampling
from tests.cases import every
from tests.mining import by_cells
from tests.mining.designs import KINDS, design_of, records_of, yes_no
from tests.servers import ROOT

BLOCKS = {name: (blocks, "") for name, blocks in KINDS.items()} | by_cells.KINDS


@pytest.mark.parametrize(("kind", "estimator", "cases"), every(13, product(BLOCKS, ESTIMATORS, CASES)))
def test_mlxtend_joins_the_same_itemsets_and_rules(kind: str, estimator: str, cases: str) -> None:
    """Of every kind, estimator and way to take cases, with weights and without: the same result, byte by byte."""
    blocks, bins = BLOCKS[kind]
    design = Design.parse({"direct": True, "blocks": blocks})
    if estimator == "pooled" and (design.by_record or bins):
        pytest.skip("The pooled estimator works for coins and flips alone.")
    records = by_cells.simulate_records(kind, 1_500) if kind in by_cells.KINDS else None
    codes, direct = (records.codes, records.direct) if records else records_of(design, 1_500)
    for sampling in (None, Sampling.from_columns({"w": np.linspace(1, 3, 1_500)}, 1_500, Sample(weights="w"))):
        one, other = (
            mine(
                [(codes, direct)],
                design,
                MiningRequest(0.1, 0.3, 4, True, estimator, name, cases, bins=bins),
                sampling=sampling,
            )
            for name in ("bitset", "mlxtend")
        )

        assert (one.engine, other.engine) == ("bitset", "mlxtend")
        assert sum(len(level.items) for level in one.lattice.levels[1:]) > 3
        assert "".join(document(columns_of(one))) == "".join(document(columns_of(other)))


def test_every_itemset_of_mlxtends_apriori_is_found_under_one_coin() -> None:
    """apriori on the disguised records counts every itemset; inverted by hand, its supports are those that are found.

    P* = keep·s + (1 − keep)·Πθ under one coin for all answers (improved grouped unrelated-question model).
    """
    keep, theta = 0.5, 0.4
    design = Design.parse({"blocks": [{"keep": keep, "items": yes_no(*"abcd", theta=theta)}]})
    codes, direct = records_of(design)
    frame = pd.DataFrame(codes.astype(bool), columns=[*"abcd"])

    counted = apriori(frame, min_support=1 / len(codes), use_colnames=True)
    mined = mine([(codes, direct)], design, MiningRequest(0.1, 0.5, 4, engine="mlxtend"))

    by_hand = {
        tuple(sorted(itemset)): (share - (1 - keep) * theta ** len(itemset)) / keep
        for share, itemset in zip(counted["support"], counted["itemsets"], strict=True)
    }
    found = {
        tuple("abcd"[literal] for literal in items): support
        for level in mined.lattice.levels
        for items, support, accepted in zip(level.items.tolist(), level.supports.support, level.accepted, strict=True)
        if accepted
    }
    assert len(found) > 10
    assert found == pytest.approx({itemset: share for itemset, share in by_hand.items() if share >= 0.1}, abs=1e-8)


def test_on_a_site_auto_takes_mlxtend_by_what_is_asked_alone() -> None:
    """Up to 60 000 possible itemsets; beyond, and outside a site, the search joins by itself, and says why."""
    literals = literals_of(design_of("sampled coin"))
    many = literals_of(Design.parse({"blocks": [{"keep": 0.3, "items": yes_no(*(f"q{n}" for n in range(90)))}]}))
    asked = MiningRequest(0.1, 0.5, 3)

    assert 90 * 89 * 88 // 6 > MOST_JOINED > 90 * 89 // 2
    assert choose_engine(literals, asked, on_site=True) == ("mlxtend", "joined")
    assert choose_engine(many, asked, on_site=True) == ("bitset", "candidates")
    assert choose_engine(many, MiningRequest(0.1, 0.5, 2), on_site=True) == ("mlxtend", "joined")
    assert choose_engine(literals, asked, on_site=False) == ("bitset", "library")
    assert choose_engine(many, MiningRequest(0.1, 0.5, 3, engine="mlxtend"), on_site=True) == ("mlxtend", "asked")


def test_without_mlxtend_a_site_joins_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    """And who asks for mlxtend reads how to install it."""
    monkeypatch.setattr(engine, "find_spec", lambda name: None if name == "mlxtend" else find_spec(name))
    literals = literals_of(design_of("one block"))

    assert choose_engine(literals, MiningRequest(0.1, 0.5), on_site=True) == ("bitset", "missing")
    with pytest.raises(InputError, match=r"mlxtend is not installed; install it with .* Use the bitset engine\."):
        choose_engine(literals, MiningRequest(0.1, 0.5, engine="mlxtend"), on_site=True)


def test_an_mlxtend_without_the_join_gets_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its join is no exported name, so a later version may lack it."""
    monkeypatch.delitem(sys.modules, "mining.engines.reference", raising=False)
    monkeypatch.setitem(sys.modules, "mlxtend.frequent_patterns.apriori", ModuleType("apriori"))
    monkeypatch.delattr("mining.engines.reference", raising=False)
    design = design_of("one block")

    with pytest.raises(InputError, match=r"^This version of mlxtend has no join of Apriori that Candor knows"):
        mine([records_of(design)], design, MiningRequest(0.1, 0.5, engine="mlxtend"))


@pytest.mark.parametrize(("support", "length"), [(0.999, 3), (0.5, 1)])
def test_nothing_but_single_items_is_an_answer(support: float, length: int) -> None:
    """Where no pair is frequent, or nothing at all, both joins give the single items, if any, and no rule."""
    design = design_of("one block")
    for name in ("bitset", "mlxtend"):
        mined = mine([records_of(design)], design, MiningRequest(support, 0.4, length, engine=name))
        assert [int(level.accepted.sum()) for level in mined.lattice.levels[1:]] in ([], [0])
        assert len(mined.rules) == 0


def test_a_search_without_mlxtend_does_not_load_it() -> None:
    """Loading pandas and mlxtend takes longer than most jobs."""
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
