"""Where itemsets or rules contradict their parts, one sentence says so."""

import numpy as np
import pytest

from mining.engines.columns import Columns
from mining.engines.exports import itemsets_csv
from mining.engines.findings import findings
from mining.engines.request import MiningRequest
from mining.engines.warnings import sentences
from privacy.design import Design
from tests.cases import first
from tests.mining.designs import records_of, yes_no

SAMPLED = Design.parse({"direct": True, "blocks": [{"keep": 0.4, "ask": 2, "items": yes_no(*"abcd")}]})


@pytest.mark.parametrize(
    ("stored", "said"),
    [
        ({"count": 1}, "1 itemset or rule has a support above 1 or above that of a part of it, which noise can cause."),
        (
            {"count": 3, "rules": 2, "joint": True, "gap": 7.9},
            "5 itemsets or rules have supports above 1 or above those of their parts, which noise can cause.",
        ),
    ],
)
def test_one_sentence_says_how_many_contradict_their_parts(stored, said):
    """Also of a run that was stored while such itemsets had a second, fitted value."""
    assert sentences([{"code": "infeasible", **stored}], 100) == [said]


@pytest.mark.parametrize(
    ("cases", "estimator", "seed"),
    first(1, [("complete", "stratified", 0), ("complete", "pooled", 0), ("available", "combined", 1)]),
)
def test_a_rule_is_judged_by_its_own_sides(cases, estimator, seed):
    """Of complete cases the sides of a rule come from those asked all of it, not from all who were asked a side.

    Of available cases they are weighed apart in the combined estimator alone, which weighs the groups for every
    itemset again. A rule can be above 100 % where no itemset is larger than its parts; it is marked and counted, too.
    """
    records = records_of(SAMPLED, n=150, seed=seed)
    made = findings([records], SAMPLED, MiningRequest(0.1, 0.2, estimator=estimator, cases=cases))
    rules, itemsets = made.columns.rules, made.columns.itemsets
    apart = rules["infeasible"] & ~itemsets["infeasible"][made.columns.itemset]
    above = rules["support"] > np.minimum(rules["antecedent support"], rules["consequent support"]) + 1e-6
    assert apart.any()
    assert (above <= rules["infeasible"]).all()
    (warning,) = [one for one in made.summary["warnings"] if one["code"] == "infeasible"]
    assert warning["count"] == itemsets["infeasible"].sum() + apart.sum()


@pytest.mark.parametrize("estimator", first(1, ["stratified", "pooled"]))
def test_of_available_cases_a_rule_is_infeasible_as_its_itemset_is(estimator):
    """Its sides are the itemsets of the same names, so there is nothing else to judge it by."""
    columns = findings(
        [records_of(SAMPLED, n=150, seed=1)], SAMPLED, MiningRequest(0.1, 0.2, estimator=estimator)
    ).columns
    assert columns.rules["infeasible"].any()
    assert (columns.rules["infeasible"] == columns.itemsets["infeasible"][columns.itemset]).all()


def test_a_run_with_fitted_values_keeps_them_in_its_files():
    """A run that was stored with a second value of what contradicts its parts is read, and its files say what they
    said."""
    made = findings([records_of(SAMPLED, n=150, seed=1)], SAMPLED, MiningRequest(0.1, 0.2)).columns
    fitted = np.full(len(made.items), 0.25)
    stored = Columns.from_bytes(made.with_columns({"feasible": fitted}, {}).to_bytes())
    assert stored.itemsets["feasible"].tolist() == fitted.tolist()
    head, first, *_ = "".join(itemsets_csv(stored)).splitlines()
    assert (head.split(",")[-1], first.split(",")[-1]) == ('"feasible"', "0.25")
