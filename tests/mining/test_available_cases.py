"""Mining sampled designs by available cases: the sides of a rule are itemsets, and errors are those of many surveys."""

import json
from itertools import product

import numpy as np
import pytest

from mining.engines.columns import Columns, columns_of
from mining.engines.exports import itemsets_csv
from mining.engines.findings import findings
from mining.engines.mine import mine
from mining.engines.request import MiningRequest
from mining.engines.warnings import sentences
from mining.models import MiningRun
from privacy.design import Design
from privacy.disguise import disguise
from privacy.disguise.table import words_from_seed
from tests.cases import every, first
from tests.mining.designs import design_of, records_of, yes_no
from tests.mining.surveys import queued_run

KINDS = ["sampled coin", "sampled, a coin each", "sampled flips beside a coin", "sampled one-sided"]


@pytest.mark.parametrize(("estimator", "kind"), every(3, product(["stratified", "pooled"], KINDS)))
def test_a_side_of_a_rule_is_the_itemset_of_the_same_name(kind, estimator):
    """Both come from everyone who was asked it; of complete cases they are different people."""
    design = design_of(kind)
    mined = mine([records_of(design)], design, MiningRequest(0.01, 0.0, 3, estimator=estimator, engine="bitset"))
    columns = columns_of(mined)
    supports = {
        ",".join(columns.names(place)): columns.itemsets["support"][place] for place in range(len(columns.items))
    }
    compared = 0
    for place in range(len(columns.itemset)):
        for names, side in zip(columns.sides(place), ("antecedent", "consequent"), strict=True):
            assert columns.rules[f"{side} support"][place] == pytest.approx(supports[",".join(names)], abs=1e-12)
            compared += 1
    assert compared > 10


@pytest.mark.long
def test_errors_of_rules_are_those_of_many_surveys():
    """60 surveys, ask 4 of 8: confidence, lift and leverage vary by their printed standard errors, and these of
    available cases are the smaller ones."""
    design = Design.parse({"blocks": [{"keep": 0.5, "ask": 4, "items": [{"id": n, "theta": 0.5} for n in "abcdefgh"]}]})
    names = ("confidence", "lift", "leverage")
    by_cases = {"available": [], "complete": []}
    for survey in range(60):
        draws = np.random.default_rng(survey)
        truth = (draws.random((3000, 8)) < 0.2 + 0.5 * draws.random((3000, 1))).astype(np.uint8)
        codes = disguise(design, truth, np.zeros(3000, bool), words_from_seed(survey)).codes[:, :]
        for cases, rows in by_cases.items():
            request = MiningRequest(1e-9, 0.0, 3, engine="bitset", cases=cases)
            columns = columns_of(mine([(codes, np.zeros(3000, bool))], design, request))
            rule = next((k for k in range(len(columns.itemset)) if columns.sides(k) == (["a", "b"], ["c"])), None)
            if rule is not None:
                rows.append([columns.rules[key][rule] for name in names for key in (name, f"{name} se")])
    available, complete = (np.array(rows) for rows in by_cases.values())
    for place in range(len(names)):
        spread, printed = np.std(available[:, 2 * place]), np.median(available[:, 2 * place + 1])
        assert printed == pytest.approx(spread, rel=4.5 / np.sqrt(120))
        assert printed < 0.9 * np.median(complete[:, 2 * place + 1])


def test_a_run_of_before_takes_complete_cases_and_a_new_one_available_ones(survey):
    """What a run took is kept with it: run again it gives the figures that it gave; a new request is another run."""
    new, old = queued_run(survey), queued_run(survey, cases="complete")

    assert (new.cases, old.cases) == ("available", "complete")
    assert new.pk != old.pk
    assert str(old) == f"{new}, cases complete: only those who were asked all of it"
    assert MiningRun.objects.get(pk=old.pk).request.cases == "complete"
    assert json.loads(json.dumps(old.parameters))["cases"] == "complete"


def test_a_run_that_stored_the_errors_by_least_squares_still_says_them() -> None:
    assert sentences([{"code": "least squares", "items": 3, "part": 0.84}], 1000) == [
        "By least squares the standard errors of itemsets of 3 items would be 16 % smaller, but figures would not add "
        "up across itemsets, so they are not used here."
    ]


# Where itemsets or rules contradict their parts, one sentence says so.


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


def test_a_run_with_fitted_values_keeps_them_in_its_files():
    """A run that was stored with a second value of what contradicts its parts is read, and its files say what they
    said."""
    made = findings([records_of(SAMPLED, n=150, seed=1)], SAMPLED, MiningRequest(0.1, 0.2)).columns
    fitted = np.full(len(made.items), 0.25)
    stored = Columns.from_bytes(made.with_columns({"feasible": fitted}, {}).to_bytes())
    assert stored.itemsets["feasible"].tolist() == fitted.tolist()
    head, first, *_ = "".join(itemsets_csv(stored)).splitlines()
    assert (head.split(",")[-1], first.split(",")[-1]) == ('"feasible"', "0.25")
