"""A metric is declared once; columns, files, the report's table, its headings and its form follow."""

import csv
import io
import json

import numpy as np
import pytest

from candor import compare
from mining.engines.exports import document, itemsets_csv, rules_csv
from mining.engines.findings import findings
from mining.engines.request import MiningRequest
from privacy.reconstruct import metrics
from privacy.reconstruct.metrics import ITEMSET_METRICS, PERCENT, RULE_METRICS, Metric, Sides
from privacy.records import Records, write_records
from privacy.result import TextColumns
from tests.mining.designs import MLXTEND, records_of
from tests.mining.surveys import mined_run, sealed_survey

ADDED = Metric(
    "added value",
    "added value",
    PERCENT,
    lambda rules: rules.confidence - rules.c,
    with_error=True,
    slopes=lambda rules: (1 / rules.a, -rules.confidence / rules.a, -1.0),
    at_most="added value at most",
    printed=5,
)

RELATIVE = Metric(
    "relative error",
    "relative error",
    PERCENT,
    lambda itemsets: itemsets["se"] / itemsets["support"],
    smallest_first=True,
    printed=3,
)


@pytest.fixture
def one_metric_more(monkeypatch):
    """One metric more than mlxtend has: what the antecedent adds to the share of the consequent."""
    monkeypatch.setattr(metrics, "RULE_METRICS", (*RULE_METRICS, ADDED))


def a_run():
    """Not `finished_run`, which other tests find again: with the metrics that are declared here."""
    survey = sealed_survey(5000, closed=True)
    return mined_run(survey, min_support=0.02, min_confidence=0.1, negated=True)


def test_mlxtends_metrics_come_first_and_in_its_order():
    """By its names, so that who knows them finds them."""
    assert tuple(metric.key for metric in metrics.metrics_of_supports())[: len(MLXTEND)] == MLXTEND


@pytest.mark.parametrize("engine", ["bitset", "mlxtend"])
def test_a_declared_metric_is_in_every_file_and_in_the_frame_with_its_error(one_metric_more, engine, design):
    """CSV, JSON and GraphML, whichever engine found the rules; its error is the one that its slopes give. The table
    that is printed has it where the metric says so."""
    mined = findings([records_of(design)], design, MiningRequest(0.1, 0.4, engine=engine))
    columns, rules = mined.columns, mined.columns.rules
    assert {"added value", "added value se", "added value low", "added value high"} <= {*mined.rules.columns}
    (table,) = (part for part in mined.contents() if isinstance(part, TextColumns) and part.headings[0] == "rule")
    assert table.headings == [
        *("rule", "confidence*", "low*", "high*", "lift*", "support*"),
        *("raw confidence", "raw se", "q", "added value"),
    ]
    assert {row[-1] for row in table.rows} <= {*mined.rules["added value"]}
    assert rules["added value"] == pytest.approx(rules["confidence"] - rules["consequent support"])
    assert (rules["added value se"] > 0).all()
    assert (rules["added value low"] < rules["added value"]).all()
    assert (rules["added value"] < rules["added value high"]).all()
    rows = list(csv.DictReader(io.StringIO("".join(rules_csv(columns)))))
    assert [float(row["added value"]) for row in rows] == rules["added value"].tolist()
    written = json.loads("".join(document(columns)))["rules"]
    assert [rule["added value"] for rule in written] == rules["added value"].tolist()
    assert [rule["se"]["added value"] for rule in written] == rules["added value se"].tolist()


def test_a_declared_metric_is_compared_with_its_error(one_metric_more, shell, tmp_path, design):
    """`candor compare` offers it; its figure and its error are those of mining, however respondents were drawn."""
    codes, direct = records_of(design)
    records = Records(design, codes, direct)
    rule = findings([(codes, direct)], design, MiningRequest(0.1, 0.4, engine="bitset")).rules.iloc[0]
    text = f"{rule['antecedent']} => {rule['consequent']}"
    (told,) = compare(records, [text], measure="added value").figures
    assert told.estimate.estimate == pytest.approx(rule["added value"])
    assert told.estimate.se == pytest.approx(rule["added value se"], rel=0.05)
    write_records(records, tmp_path / "records.csv")
    (tmp_path / "design.json").write_bytes(design.canonical())
    files = [str(tmp_path / name) for name in ("records.csv", "design.json")]
    (printed,) = shell.json("compare", *files, "--figure", text, "--measure", "added value", "--json")["figures"]
    assert printed["estimate"] == pytest.approx(told.estimate.estimate)


def test_a_declared_metric_is_in_the_table_and_sorts_and_filters_it(one_metric_more, admin_client):
    """With its heading, its figure as it is to be written, and the field of its largest value."""
    run = a_run()
    asked = {"r-order": "added value", "r-max_added value": "0.05", "r-redundant": "on", "r-columns": "added value"}
    page = admin_client.get(run.get_absolute_url(), asked)
    values = [row["added_value"] for row in page.context["rules"].rows]
    assert values == sorted(values, reverse=True)
    assert 0 < max(values) <= 0.05
    assert [heading.sorted for heading in page.context["rule_headings"] if heading.label == "added value"] == [
        "descending"
    ]
    row = page.context["rules"].rows[0]
    written = f"{100 * row['added_value']:.1f} ± {100 * row['added_value_se']:.1f} %"
    assert f'<span class="value">{written}</span>' in page.content.decode()
    assert "added value at most" in page.content.decode()


@pytest.fixture
def added_to_itemsets(monkeypatch):
    """One figure more of every itemset: its error beside its support."""
    monkeypatch.setattr(metrics, "ITEMSET_METRICS", (*ITEMSET_METRICS, RELATIVE))


def test_a_declared_metric_of_itemsets_is_in_every_file_and_in_the_frame(added_to_itemsets, design):
    """CSV, JSON, the frame and the printed table have its column, where the declaration puts it."""
    mined = findings([records_of(design)], design, MiningRequest(0.1, 0.4, engine="bitset"))
    columns = mined.columns
    values = columns.itemsets["relative error"].tolist()
    assert values == (columns.itemsets["se"] / columns.itemsets["support"]).tolist()
    rows = list(csv.DictReader(io.StringIO("".join(itemsets_csv(columns)))))
    assert [float(row["relative error"]) for row in rows] == values
    assert list(rows[0]) == [
        *("itemset", "length", "support", "se", "low", "high", "n", "observed", "se_respondents"),
        *("relative error", "infeasible"),
    ]
    written = json.loads("".join(document(columns)))["itemsets"]
    assert [itemset["relative error"] for itemset in written] == values
    assert mined.itemsets["relative error"].tolist() == values
    table = next(part for part in mined.contents() if isinstance(part, TextColumns))
    assert table.headings[:5] == ["itemset", "n", "support", "se", "relative error"]
    assert [row[4] for row in table.rows] == values


@pytest.mark.parametrize("metric", RULE_METRICS, ids=lambda metric: metric.key)
def test_slopes_and_divisors_are_the_derivatives_of_the_formula(metric):
    """Against differences, where supports are like those of a survey."""
    a, c, both = np.array([0.3, 0.5]), np.array([0.4, 0.2]), np.array([0.2, 0.15])
    step = 1e-6
    if metric.slopes is not None:
        moved = [(a, c, both + step), (a + step, c, both), (a, c + step, both)]
        differences = [(metric.formula(Sides(*there)) - metric.formula(Sides(a, c, both))) / step for there in moved]
        for slope, difference in zip(metric.slopes(Sides(a, c, both)), differences, strict=True):
            assert np.broadcast_to(slope, a.shape) == pytest.approx(difference, rel=1e-4, abs=1e-5)
    if metric.divisor is not None:
        below, by_a, by_c = metric.divisor(Sides(a, c, both))
        assert both / below == pytest.approx(metric.formula(Sides(a, c, both)))
        for slope, there in ((by_a, (a + step, c, both)), (by_c, (a, c + step, both))):
            difference = (metric.divisor(Sides(*there))[0] - below) / step
            assert np.broadcast_to(slope, a.shape) == pytest.approx(difference, rel=1e-4, abs=1e-5)
