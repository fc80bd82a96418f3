"""Two joins, one result: with mlxtend's join of Apriori the search finds the same itemsets and rules."""

import subprocess
import sys
from dataclasses import replace
from importlib.util import find_spec
from itertools import product
from types import ModuleType

import numpy as np
import pytest

from mining.engines import mine as engine, mine as mining_module, reference
from mining.engines.columns import columns_of
from mining.engines.exports import document
from mining.engines.findings import Mined, findings
from mining.engines.literals import literals_of
from mining.engines.mine import MOST_JOINED, choose_engine, mine
from mining.engines.reasons import CHOICES
from mining.engines.request import MiningRequest
from mining.engines.rules import own_rules
from privacy.choices import AVAILABLE, CASES, COMPLETE, ESTIMATORS
from privacy.design import Design
from privacy.errors import InputError
from privacy.estimate.sample import Sample
from privacy.estimate.sampling import Sampling
from tests.cases import every
from tests.mining import by_cells
from tests.mining.designs import KINDS, design_of, records_of, yes_no
from tests.mining.parts import everything_of
from tests.servers import ROOT

BLOCKS = {name: (blocks, "") for name, blocks in KINDS.items()} | by_cells.KINDS


def design_and_records(kind: str, n: int) -> tuple[Design, tuple[np.ndarray, np.ndarray]]:
    if kind in by_cells.KINDS:
        records = by_cells.simulate_records(kind, n)
        return records.design, (records.codes, records.direct)
    design = design_of(kind)
    return design, records_of(design, n)


@pytest.mark.parametrize(("kind", "estimator", "cases"), every(13, product(BLOCKS, ESTIMATORS, CASES)))
def test_mlxtend_joins_the_same_itemsets_and_rules(kind: str, estimator: str, cases: str) -> None:
    """Of every kind, estimator and way to take cases, with weights and without: the same result, byte by byte."""
    bins, (design, records) = BLOCKS[kind][1], design_and_records(kind, 1_500)
    if estimator == "pooled" and (design.by_record or bins):
        pytest.skip("The pooled estimator works for coins and flips alone.")
    for sampling in (None, Sampling.from_columns({"w": np.linspace(1, 3, 1_500)}, 1_500, Sample(weights="w"))):
        one, other = (
            mine(
                [records],
                design,
                MiningRequest(0.1, 0.3, 4, True, estimator, name, cases, bins=bins),
                sampling=sampling,
            )
            for name in ("bitset", "mlxtend")
        )

        assert (one.engine, other.engine) == ("bitset", "mlxtend")
        assert sum(len(level.items) for level in one.lattice.levels[1:]) > 3
        assert "".join(document(columns_of(one))) == "".join(document(columns_of(other)))


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
def test_a_search_that_finds_single_items_alone_has_a_result(support: float, length: int, design: Design) -> None:
    """Where no pair is frequent, or nothing at all, both joins give the single items, if any, and no rule."""
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


# The rules of a site are made by mlxtend where it takes a second at most, and are ours to the last digit.


ASKED = MiningRequest(0.1, 0.3, 3, negated=True, engine="bitset")
MORE = [COMPLETE, AVAILABLE]


def rules_of_both(kind: str, request: MiningRequest = ASKED) -> tuple[Mined, Mined]:
    """By our rules, and by mlxtend's."""
    design, records = design_and_records(kind, 700)
    own, mlxtend = (findings([records], design, request, mlxtend_rules=by) for by in (False, True))
    return own, mlxtend


def without_maker(result: Mined) -> list[object]:
    result.summary.pop("rules_by", None)
    return everything_of(result)


OF_EACH = [*product(KINDS, ESTIMATORS, MORE), *product(by_cells.KINDS, ["stratified"], [AVAILABLE])]


@pytest.mark.parametrize(("kind", "estimator", "cases"), every(40, OF_EACH))
def test_every_design_has_the_same_rules_to_the_last_digit(kind: str, estimator: str, cases: str) -> None:
    """Rules, metrics, errors, tests, redundancy and files, whatever disguised the answers, and with any weights."""
    own, mlxtend = rules_of_both(kind, replace(ASKED, estimator=estimator, cases=cases, bins=BLOCKS[kind][1]))

    assert mlxtend.summary["rules_by"] == "rules mlxtend"
    assert "rules_by" not in own.summary
    assert len(own.columns.itemset) > 0
    assert without_maker(own) == without_maker(mlxtend)


@pytest.mark.parametrize("length", [2, 3, 4])
def test_whatever_the_supports_are_both_make_the_same_rules(length: int) -> None:
    """Estimates below 0 and above 1, ties and zeros, in several tables; each figure bit by bit."""
    chance, count = np.random.default_rng(length), reference._AT_ONCE // 3**length + 150
    supports = chance.choice([-0.1, 0.0, 0.25, 0.5, 1.0, 1.2], (2**length, count))
    supports[:, 150:] = chance.random((2**length, count - 150))
    least = chance.choice([0.0, 0.3, 0.5, 1.0], count)

    rows, masks, own = own_rules(supports, least)
    by_rows, by_masks, figures = reference.mlxtend_rules(supports, least)

    assert len(rows) > 300
    assert (rows.tolist(), masks.tolist()) == (by_rows.tolist(), by_masks.tolist())
    assert list(own) == list(figures)
    for name, values in own.items():
        np.testing.assert_array_equal(values, figures[name], err_msg=name)


def test_both_ways_make_no_rule_where_there_is_none() -> None:
    supports, least = np.full((4, 2), 0.5), np.full(2, 2.0)
    for make in (own_rules, reference.mlxtend_rules):
        rows, masks, figures = make(supports, least)
        assert (len(rows), len(masks), {len(values) for values in figures.values()}) == (0, 0, {0})


@pytest.mark.parametrize("said", ["rules mlxtend", "rules many", "rules part", "rules missing"])
def test_ours_are_made_of_more_itemsets_where_a_support_is_missing_and_without_mlxtend(
    monkeypatch: pytest.MonkeyPatch, said: str
) -> None:
    """And the report says which of these it was."""
    count = rules_of_both("one block")[0].summary["itemsets"]
    by_mlxtend = reference.mlxtend_rules
    cases = {
        "rules mlxtend": (mining_module, "MOST_BY_MLXTEND", count),
        "rules many": (mining_module, "MOST_BY_MLXTEND", count - 1),
        "rules part": (reference, "mlxtend_rules", lambda supports, least: by_mlxtend(supports * np.nan, least)),
        "rules missing": (mining_module, "find_spec", lambda _name: None),
    }
    monkeypatch.setattr(*cases[said])
    own, mlxtend = rules_of_both("one block")
    assert mlxtend.summary["rules_by"] == said
    assert without_maker(own) == without_maker(mlxtend)
    assert said in CHOICES
