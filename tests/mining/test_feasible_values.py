"""Beside an estimate that no population could have stands the most likely one that a population could."""

from types import SimpleNamespace

import numpy as np
import pytest

from mining.engines import fitted_itemsets
from mining.engines.columns import columns_of
from mining.engines.findings import findings
from mining.engines.fitted_itemsets import with_feasible
from mining.engines.mine import mine
from mining.engines.request import MiningRequest
from mining.engines.warnings import sentences
from privacy.design import Design
from tests.cases import first
from tests.mining.designs import records_of, yes_no


def mine_records(design, records, *thresholds, **named):
    """What is mined of records so few that supports come out above those of their parts; also records in batches."""
    batches = records if isinstance(records, list) else [records]
    done = mine(batches, design, MiningRequest(*thresholds, **named, engine="bitset"))
    columns = columns_of(done)
    assert columns.itemsets["infeasible"].sum() > 3
    return done, columns


@pytest.fixture
def noisy():
    design = Design.parse({"direct": True, "blocks": [{"keep": 0.3, "items": yes_no(*"abcdef")}]})
    records = records_of(design, 150)
    return records, *mine_records(design, records, 0.05, 0.1, negated=True)


def test_the_seconds_of_findings_are_those_of_all_its_work(noisy, monkeypatch):
    """Fitting feasible values, which may take longer than mining, counts too."""
    clock = [0.0]

    def fitting(*arguments):
        clock[0] += 40
        return with_feasible(*arguments)

    monkeypatch.setattr("mining.engines.findings.with_feasible", fitting)
    monkeypatch.setattr("mining.engines.findings.time", SimpleNamespace(perf_counter=lambda: clock[0]))
    records, done, _ = noisy
    request = MiningRequest(0.05, 0.1, negated=True)
    assert findings([records], done.literals.design, request).summary["seconds"] == 40


@pytest.mark.parametrize(("most_cells", "joint"), [(1 << 20, True), (1, False)])
def test_feasible_values_stand_beside_what_is_infeasible_alone(noisy, monkeypatch, most_cells, joint):
    """They are shares, rules' confidences too, whether fitted together or each alone; elsewhere there is none."""
    monkeypatch.setattr(fitted_itemsets, "MOST_CELLS", most_cells)
    _, done, raw = noisy
    columns, fitted = with_feasible(done, raw, "stratified")
    infeasible = columns.itemsets["infeasible"]
    assert fitted.joint == joint
    assert (~np.isnan(columns.itemsets["feasible"])).tolist() == infeasible.tolist()
    within = columns.rules["infeasible"]
    assert (infeasible[columns.itemset] <= within).all()
    assert (~np.isnan(columns.rules["feasible support"])).tolist() == within.tolist()
    confidence = columns.rules["feasible confidence"][within]
    assert ((confidence >= 0) & (confidence <= 1 + 1e-9)).all()


@pytest.mark.long
def test_fourteen_items_are_fitted_together():
    """No infeasible itemset is fitted above one that it contains, though they have 16 384 combinations of answers."""
    names = [f"q{place}" for place in range(14)]
    design = Design.parse({"blocks": [{"model": "flip", "gamma": 9, "radius": 2, "items": names}]})
    records = records_of(design, 400, 0)
    done, raw = mine_records(design, records, 0.05, 0.5)
    columns, fitted = with_feasible(done, raw, "stratified")
    assert fitted.joint
    values = {
        frozenset(columns.literals(place)): columns.itemsets["feasible"][place]
        for place in np.flatnonzero(columns.itemsets["infeasible"]).tolist()
    }
    assert len(frozenset.union(*values)) > 12
    above = [(part, whole) for whole in values for part in values if part < whole and values[whole] > values[part]]
    assert above == []


def test_a_table_that_memory_does_not_hold_leaves_each_to_itself(noisy, monkeypatch):
    """Where a run may take little memory, values are fitted alone, and the run goes on."""

    def too_large(*_):
        raise MemoryError

    monkeypatch.setattr(fitted_itemsets, "joint_fit", too_large)
    _, done, raw = noisy
    columns, fitted = with_feasible(done, raw, "stratified")
    assert not fitted.joint
    assert not np.isnan(columns.itemsets["feasible"][columns.itemsets["infeasible"]]).any()


@pytest.mark.parametrize(
    ("how", "said"),
    [
        ({"joint": True, "gap": None}, "fitted to all of them together. Support and"),
        ({"joint": True, "gap": 7.903}, "stopped early; the best fit has a log-likelihood higher by at most 7.9"),
        ({"joint": False, "gap": None}, "to that itemset alone, so these values need not fit each other."),
    ],
)
def test_the_report_says_how_values_were_fitted_and_what_stays_raw(how, said):
    """Together, together but ended early, or each alone; lift and leverage, errors and intervals are never feasible."""
    (sentence,) = sentences([{"code": "infeasible", "count": 3, **how}], 100)
    assert said in sentence
    assert sentence.endswith("lift and leverage, errors and intervals stay raw.")


@pytest.mark.parametrize(
    ("cases", "estimator", "seed"),
    first(1, [("complete", "stratified", 0), ("complete", "pooled", 0), ("available", "combined", 1)]),
)
def test_a_rule_is_judged_by_its_own_sides(cases, estimator, seed):
    """Of complete cases the sides of a rule come from those asked all of it, not from all who were asked a side.

    Of available cases they are weighed apart in the combined estimator alone, which weighs the groups for every
    itemset again. A rule can be above 100 % where no itemset is larger than its parts; it is marked, and has a feasible
    confidence.
    """
    design = Design.parse({"direct": True, "blocks": [{"keep": 0.4, "ask": 2, "items": yes_no(*"abcd")}]})
    records = records_of(design, n=150, seed=seed)
    made = findings([records], design, MiningRequest(0.1, 0.2, estimator=estimator, cases=cases))
    rules = made.columns.rules
    apart = rules["infeasible"] & ~made.columns.itemsets["infeasible"][made.columns.itemset]
    above = rules["support"] > np.minimum(rules["antecedent support"], rules["consequent support"]) + 1e-6
    assert apart.any()
    assert (above <= rules["infeasible"]).all()
    assert np.isfinite(rules["feasible confidence"][above]).all()
    assert (rules["feasible confidence"][above] <= 1 + 1e-9).all()
    assert np.isnan(made.columns.itemsets["feasible"][~made.columns.itemsets["infeasible"]]).all()
    assert any("above that of one of" in sentence for sentence in sentences(made.summary["warnings"], 150))


@pytest.mark.parametrize("estimator", first(1, ["stratified", "pooled"]))
def test_of_available_cases_a_rule_is_infeasible_as_its_itemset_is(estimator):
    """Its sides are the itemsets of the same names, so there is nothing else to judge it by."""
    design = Design.parse({"direct": True, "blocks": [{"keep": 0.4, "ask": 2, "items": yes_no(*"abcd")}]})
    columns = findings(
        [records_of(design, n=150, seed=1)], design, MiningRequest(0.1, 0.2, estimator=estimator)
    ).columns
    assert columns.rules["infeasible"].any()
    assert (columns.rules["infeasible"] == columns.itemsets["infeasible"][columns.itemset]).all()
