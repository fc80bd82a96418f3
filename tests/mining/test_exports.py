"""What is written for other programs is the whole result, under the names it has here, and never held as one text."""

import csv
import json
import tracemalloc
from dataclasses import replace
from xml.etree import ElementTree

import numpy as np
import pytest

from mining.engines.exports import document, graphml, itemsets_csv, rules_csv
from mining.engines.findings import findings
from mining.engines.request import MiningRequest
from privacy.design import Design
from tests.cases import first
from tests.mining.designs import MLXTEND, records_of, yes_no

GRAPH = "{http://graphml.graphdrawing.org/xmlns}"


@pytest.fixture(scope="module")
def columns():
    """So few records that some figures are infeasible."""
    design = Design.parse({"direct": True, "blocks": [{"keep": 0.3, "items": yes_no(*"abcdef")}]})
    records = records_of(design, 150)
    return findings([records], design, MiningRequest(0.05, 0.1, negated=True)).columns


def test_json_holds_every_column(columns):
    """Those of docs/formats.md as it names them, error and interval in objects, every other one under its own name."""
    whole = json.loads("".join(document(columns, engine="bitset")))
    assert whole["engine"] == "bitset"
    assert list(whole["itemsets"][0])[:4] == ["items", "support", "se", "ci"]
    assert set(columns.itemsets) - set(whole["itemsets"][0]) == {"low", "high"}
    rule = whole["rules"][0]
    assert list(rule)[:11] == [
        "antecedent", "consequent", "support", "confidence", "lift", "leverage", "se", "ci", "p", "q", "shrunken",
    ]  # fmt: skip
    inside = {f"{name} {end}" for name in rule["se"] for end in ("se", "low", "high")}
    inside |= {name for name in columns.rules if name.startswith(("shrunken ", "others"))}
    assert set(columns.rules) - set(rule) == inside
    assert set(MLXTEND) <= set(rule)


def test_csv_holds_every_column(columns):
    """A column each, named as in the result; mlxtend's twelve metrics by mlxtend's names."""
    (first, *_) = csv.DictReader(rules_csv(columns))
    assert set(first) == {"antecedent", "consequent", *columns.rules}
    assert list(first)[2:14] == list(MLXTEND)
    (first, *_) = csv.DictReader(itemsets_csv(columns))
    assert set(first) == {"itemset", "length", *columns.itemsets}


def test_csv_is_utf_8_without_a_mark(columns):
    """As all files of the product: the first column keeps its name for whatever program reads it."""
    labelled = replace(columns, labels=tuple(f"题{label}" for label in columns.labels))
    written = "".join(itemsets_csv(labelled)).encode()
    assert written.startswith(b'"itemset","length","support"')
    assert "题a".encode() in written


def test_graphml_holds_every_column_of_the_rules(columns):
    """Numbers as numbers, flags as booleans, nothing where there is no value."""
    graph = ElementTree.fromstring("".join(graphml(columns)))
    keys = {key.get("id"): (key.get("attr.name"), key.get("attr.type")) for key in graph.iter(f"{GRAPH}key")}
    assert {name for name, _ in keys.values()} == {"kind", "label", *columns.rules}
    assert (keys["redundant"], keys["p"]) == (("redundant", "boolean"), ("p", "double"))
    (rule, *_) = [node for node in graph.iter(f"{GRAPH}node") if node.get("id") == "r0"]
    data = {entry.get("key"): entry.text for entry in rule.iter(f"{GRAPH}data")}
    assert data["redundant"] in ("true", "false")
    assert float(data["p"]) == columns.rules["p"][0]


@pytest.mark.parametrize("written", first(1, [rules_csv, document, graphml]))
def test_a_large_result_is_never_held_as_text(columns, written):
    """4 000 rules are more than a megabyte of text; what is held while they are written is much less."""
    times = 4000 // len(columns.itemset) + 1
    many = replace(
        columns,
        itemset=np.tile(columns.itemset, times),
        antecedent=np.tile(columns.antecedent, times),
        rules={name: np.tile(values, times) for name, values in columns.rules.items()},
    )
    tracemalloc.start()
    size = sum(len(text) for text in written(many))
    held = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert size > 1_500_000
    assert held < 600_000
