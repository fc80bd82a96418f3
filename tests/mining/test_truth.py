"""W, the distance of an estimate from the truth, is shown where the truth is known, and says how exactly it is."""

import numpy as np
import pytest

from mining.described_rules import describe_link
from mining.domain.report import arrange, rule_at
from mining.engines.columns import Columns
from mining.models import MiningResult
from privacy.disguise import disguise
from privacy.disguise.table import words_from_seed
from privacy.records import Records
from privacy.records.packing import pack
from surveys.domain.questionnaire.publish import publish
from surveys.domain.responses.seal import append
from surveys.models import DemoTruth
from surveys.percent import whole_percent
from surveys.results.words import words_of
from tests.mining.surveys import mined_run
from tests.surveys.making import make_survey

SIMULATED = 2000


def run_with(visitors, items=3, **asked):
    """A finished run on a demo that so many visitors, who do everything, answered; and the answers of them all."""
    names = tuple(f"q{place}" for place in range(items))
    version = publish(make_survey("demo", names, simulated=True, least=20, override_by="Tests", override_reason="many"))
    chance = np.random.default_rng(1)
    often = np.where(chance.random((SIMULATED, 1)) < 0.4, 0.7, 0.2)
    answers = (chance.random((SIMULATED, items)) < often).astype(np.uint8)
    everybody = np.concatenate([answers, np.ones((visitors, items), np.uint8)])
    direct = chance.random(len(everybody)) < 0.2
    append(version, pack(disguise(version.design, everybody, direct, words_from_seed(1))), [b""] * len(everybody))
    truth = pack(Records(version.design, answers, direct[:SIMULATED])).tobytes()
    DemoTruth.objects.create(version=version, answers=truth)
    run = mined_run(version.survey, **{"min_support": 0.05, "min_confidence": 0.2, **asked})
    return run, everybody


def shares(columns, answers):
    return [answers[:, columns.literals(place)].all(axis=1).mean() for place in range(len(columns.items))]


def test_w_is_the_distance_from_the_truth_of_the_simulated_people():
    """Of every itemset and rule, its raw and shrunken confidence, where they alone answered; no word is said of it."""
    run, answers = run_with(visitors=0)
    result = MiningResult.objects.get(run=run)
    columns = arrange(Columns.from_bytes(bytes(result.columns)))
    true = np.array(shares(columns, answers))
    true_of = true[columns.itemset]  # each rule
    assert columns.itemsets["w"] == pytest.approx(abs(columns.itemsets["support"] - true), abs=1e-12)
    assert columns.rules["w"] == pytest.approx(columns.itemsets["w"][columns.itemset], abs=1e-12)
    names = [f"q{place}" for place in range(3)]
    given = [
        answers[:, [names.index(x) for x in columns.sides(at)[0]]].all(axis=1).mean() for at in range(len(true_of))
    ]
    for name in ("confidence", "shrunken confidence"):
        assert columns.rules[f"{name} w"] == pytest.approx(abs(columns.rules[name] - true_of / given), abs=1e-12)
    assert "visitors" not in [warning["code"] for warning in result.summary["warnings"]]


def test_the_others_of_a_rule_are_all_without_one_of_its_conditions():
    """Of two answers and of more: the sentence has their truth, and nine in ten of the intervals hold it."""
    run, answers = run_with(visitors=0, items=4)
    columns = arrange(Columns.from_bytes(bytes(MiningResult.objects.get(run=run).columns)))
    words, held = words_of(run.snapshot.version, "en"), []
    for place in range(len(columns.itemset)):
        row = rule_at(columns, place)
        given, said = (
            answers[:, [int(name[1:]) for name in row[side]]].all(axis=1) for side in ("antecedent", "consequent")
        )
        true = said[~given].mean()
        held.append(row["others_low"] <= true <= row["others_high"])
        shares = [whole_percent(share) for share in (said[given].mean(), true)]
        assert describe_link(row, words)["true"] == "In truth {} % and {} %.".format(*shares)
    assert {len(columns.names(one)) for one in columns.itemset.tolist()} == {2, 3}
    assert np.mean(held) > 0.8


@pytest.mark.long
def test_w_is_known_of_every_itemset_however_many_there_are():
    """Of more than 20 000, of every length, with negations."""
    run, answers = run_with(0, items=16, min_support=0.001, min_confidence=1, max_length=4, negated=True)
    columns = arrange(Columns.from_bytes(bytes(MiningResult.objects.get(run=run).columns)))
    assert len(columns.items) > 20_000
    literals = np.stack([answers, 1 - answers], axis=2).reshape(SIMULATED, -1)  # q0, !q0, q1, …
    for length in (1, 2, 3, 4):
        for place in np.flatnonzero(columns.itemsets["length"] == length)[::500].tolist():
            assert columns.itemsets["truth"][place] == literals[:, columns.literals(place)].all(axis=1).mean()


def test_a_few_visitors_put_w_off_by_no_more_than_is_said(admin_client):
    """The report names them and the bound, their share; against the truth of everybody the bound holds."""
    run, everybody = run_with(visitors=20)
    page = admin_client.get(run.get_absolute_url())
    columns = arrange(Columns.from_bytes(bytes(MiningResult.objects.get(run=run).columns)))
    exact = abs(columns.itemsets["support"] - shares(columns, everybody))
    assert abs(columns.itemsets["w"] - exact).max() <= 20 / 2020
    assert page.context["warnings"][-1] == (
        "Distances are from the truth of the 2\u202f000 simulated respondents. They may be off by up to 0.99 "
        "percentage points, because 20 visitors also answered and their truth is unknown."
    )


def test_with_more_visitors_w_is_left_out(admin_client):
    """Neither column nor picture compares with a truth that is no longer that of the respondents."""
    run, _ = run_with(visitors=21)
    page = admin_client.get(run.get_absolute_url())
    assert page.context["warnings"][-1] == (
        "Distances from the truth are left out: that of the 2\u202f000 simulated respondents is known, but not that of "
        "the 21 visitors who also answered."
    )
    headings = {heading.label for heading in page.context["itemset_headings"]}
    assert headings.isdisjoint({"truth", "distance from the truth"})
    assert "truth (simulated)" not in page.content.decode()
