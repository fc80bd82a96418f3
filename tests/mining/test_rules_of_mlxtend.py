"""The rules of a site are made by mlxtend where it takes a second at most, and are ours to the last digit."""

from itertools import product

import numpy as np
import pytest

from mining.engines import mine as mining_module, reference
from mining.engines.findings import Mined, findings
from mining.engines.reasons import CHOICES
from mining.engines.request import MiningRequest
from mining.engines.rules import own_rules
from privacy.choices import AVAILABLE, COMPLETE, ESTIMATORS
from privacy.design import Design
from tests.cases import every
from tests.mining import by_cells
from tests.mining.designs import KINDS, design_of, records_of
from tests.mining.parts import everything_of

ASKED = MiningRequest(0.1, 0.3, 3, negated=True, engine="bitset")
MORE = [COMPLETE, AVAILABLE]


def rules_of_both(design: Design, request: MiningRequest = ASKED, n: int = 700) -> tuple[Mined, Mined]:
    """By our rules, and by mlxtend's."""
    records = records_of(design, n)
    own, mlxtend = (findings([records], design, request, mlxtend_rules=by) for by in (False, True))
    return own, mlxtend


def without_maker(result: Mined) -> list[object]:
    result.summary.pop("rules_by", None)
    return everything_of(result)


@pytest.mark.parametrize(("kind", "estimator", "cases"), every(40, list(product(KINDS, ESTIMATORS, MORE))))
def test_every_design_has_the_same_rules_to_the_last_digit(kind: str, estimator: str, cases: str) -> None:
    """Rules, metrics, errors, tests, redundancy and files, whatever disguised the answers, and with any weights."""
    request = MiningRequest(0.1, 0.3, 3, negated=True, estimator=estimator, engine="bitset", cases=cases)
    own, mlxtend = rules_of_both(design_of(kind), request)

    assert mlxtend.summary["rules_by"] == "rules mlxtend"
    assert "rules_by" not in own.summary
    assert len(own.columns.itemset) > 0
    assert without_maker(own) == without_maker(mlxtend)


@pytest.mark.parametrize("kind", every(4, by_cells.KINDS))
def test_numbers_places_and_orders_have_the_same_rules_too(kind: str) -> None:
    records = by_cells.simulate_records(kind, 700)
    request = MiningRequest(0.25, 0.3, engine="bitset", bins=by_cells.KINDS[kind][1])
    own, mlxtend = (
        findings([(records.codes, records.direct)], records.design, request, mlxtend_rules=by) for by in (False, True)
    )
    assert mlxtend.summary["rules_by"] == "rules mlxtend"
    assert without_maker(own) == without_maker(mlxtend)


@pytest.mark.parametrize("length", [2, 3, 4])
def test_whatever_the_supports_are_both_make_the_same_rules(length: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Estimates below 0 and above 1, ties and zeros, in several tables; each figure bit by bit."""
    monkeypatch.setattr(reference, "_AT_ONCE", 1000)
    chance = np.random.default_rng(length)
    supports = chance.choice([-0.1, 0.0, 0.25, 0.5, 1.0, 1.2], (2**length, 300))
    supports[:, 150:] = chance.random((2**length, 150))
    least = chance.choice([0.0, 0.3, 0.5, 1.0], 300)

    rows, masks, own = own_rules(supports, least)
    by_rows, by_masks, figures = reference.mlxtend_rules(supports, least)

    assert len(rows) > 300
    assert (rows.tolist(), masks.tolist()) == (by_rows.tolist(), by_masks.tolist())
    assert list(own) == list(figures)
    for name, values in own.items():
        np.testing.assert_array_equal(values, figures[name], err_msg=name)


def test_no_rule_is_no_rule_of_either() -> None:
    supports, least = np.full((4, 2), 0.5), np.full(2, 2.0)
    for make in (own_rules, reference.mlxtend_rules):
        rows, masks, figures = make(supports, least)
        assert (len(rows), len(masks), {len(values) for values in figures.values()}) == (0, 0, {0})


@pytest.mark.parametrize("said", ["rules mlxtend", "rules many", "rules part", "rules missing"])
def test_ours_are_made_of_more_itemsets_where_a_support_is_missing_and_without_mlxtend(
    monkeypatch: pytest.MonkeyPatch, said: str
) -> None:
    """And the report says which of these it was."""
    design = design_of("one block")
    count = rules_of_both(design)[0].summary["itemsets"]
    by_mlxtend = reference.mlxtend_rules
    cases = {
        "rules mlxtend": (mining_module, "MOST_BY_MLXTEND", count),
        "rules many": (mining_module, "MOST_BY_MLXTEND", count - 1),
        "rules part": (reference, "mlxtend_rules", lambda supports, least: by_mlxtend(supports * np.nan, least)),
        "rules missing": (mining_module, "find_spec", lambda _name: None),
    }
    monkeypatch.setattr(*cases[said])
    own, mlxtend = rules_of_both(design)
    assert mlxtend.summary["rules_by"] == said
    assert without_maker(own) == without_maker(mlxtend)
    assert said in CHOICES
