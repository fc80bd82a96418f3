"""What `candor mine` prints and writes, and how it refuses."""

import csv
import json
import os
import re
import subprocess
import sys
import tracemalloc
from dataclasses import replace
from xml.etree import ElementTree

import numpy as np
import pytest

from candor.commands import main
from mining.domain.request import minable
from mining.engines.exports import document, graphml, itemsets_csv, rules_csv
from mining.engines.findings import LUCK, findings
from mining.engines.request import MiningRequest
from privacy.design import Design
from privacy.records import write_records
from privacy.result import WIDTH
from surveys.domain.responses.snapshots import records
from tests.cases import first
from tests.mining.designs import MLXTEND, records_of, yes_no
from tests.mining.surveys import sealed_survey
from tests.servers import ROOT

THRESHOLDS = ["--min-support", "0.05", "--min-confidence", "0.3"]


@pytest.fixture
def files(db, tmp_path, request):
    """A survey, of 3 000 respondents unless a test asks for others, and its records and design as files."""
    survey = sealed_survey(getattr(request, "param", 3000), closed=True, least=20)
    snapshot = minable(survey)
    write_records(records(snapshot), tmp_path / "records.csv")
    (tmp_path / "design.json").write_text(json.dumps(snapshot.version.design.to_json()))
    return tmp_path


def candor(capsys, files, *arguments):
    status = main(["mine", str(files / "records.csv"), str(files / "design.json"), *arguments])
    said = capsys.readouterr()
    return status, said.out, said.err


def test_the_table_is_for_people(files, capsys):
    """Without --json there are two tables, and a line that says what is hidden and which engine worked."""
    status, out, _ = candor(capsys, files, *THRESHOLDS, "--negated")
    assert status == 0
    assert " => " in out
    flat = " ".join(out.split("\n"))
    assert "are not listed, because they are redundant: a rule with fewer conditions is as strong." in flat
    assert "(engine bitset: Outside a site Candor's own search is taken, which is faster.)" in flat
    below = out[out.index(LUCK[:40]) :]
    assert max(map(len, below.splitlines())) <= WIDTH < len(LUCK)


def test_warnings_are_said_in_words_where_there_is_no_site(files):
    """Few records: how many were direct, what is left out, and what the figures are worth, by an installed command."""
    head, *rows = files.joinpath("records.csv").read_text().splitlines(True)
    few = sorted(rows)[::34]  # sealing has shuffled them: the first ones would be others in every run
    files.joinpath("few.csv").write_text(head + "".join(few))
    command = ["mine", str(files / "few.csv"), str(files / "design.json"), *THRESHOLDS]
    code = f"from candor.commands import main; main({command}); main({[*command, '--least', '20']})"
    environment = {name: value for name, value in os.environ.items() if name != "DJANGO_SETTINGS_MODULE"}
    said = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment, cwd=ROOT
    ).stdout
    assert re.match("89 records, [0-9]+ of them direct and left out; stratified estimator\n", said)
    assert "No itemset reaches this support.\n" in said
    unwrapped = said.replace("\n", " ")
    assert (
        "3 itemsets are left out, with every longer itemset that contains one of them: fewer than 100 "
        "respondents" in unwrapped
    )
    assert "There are too few respondents for these parameters" in unwrapped
    assert max(map(len, said.splitlines())) <= WIDTH


def test_what_is_certain_is_told_without_a_word_on_stderr(tmp_path, capsys):
    """200 direct respondents who all say yes to everything: a consequent with a support of 1 divides by 0."""
    (tmp_path / "ones.csv").write_text("direct,a,b\n" + "1,1,1\n" * 200)
    block = {"keep": 0.4, "items": [{"id": name, "theta": 0.5} for name in "ab"]}
    (tmp_path / "design.json").write_text(json.dumps({"candor": 1, "direct": True, "blocks": [block]}))
    main(["mine", str(tmp_path / "ones.csv"), str(tmp_path / "design.json"), *THRESHOLDS, "--json"])
    said = capsys.readouterr()
    assert [rule["certainty"] for rule in json.loads(said.out)["rules"]] == [0, 0]
    assert said.err == ""


def test_a_condition_estimated_at_nothing_is_compared_without_a_word_on_stderr(tmp_path, capsys):
    """A quarter says yes to a, as noise alone would have it: a confidence given a divides by 0."""
    rows = ["0,1,1,1"] * 250 + ["0,0,1,1"] * 200 + ["0,0,1,0"] * 200 + ["0,0,0,1"] * 100 + ["0,0,0,0"] * 250
    (tmp_path / "records.csv").write_text("\n".join(["direct,a,b,c", *rows]) + "\n")
    block = {"keep": 0.5, "items": [{"id": name, "theta": 0.5} for name in "abc"]}
    (tmp_path / "design.json").write_text(json.dumps({"candor": 1, "blocks": [block]}))
    asked = ["--min-support", "0.02", "--min-confidence", "0.1", "--json"]
    main(["mine", str(tmp_path / "records.csv"), str(tmp_path / "design.json"), *asked])
    said = capsys.readouterr()
    assert any(rule["antecedent support"] == 0 for rule in json.loads(said.out)["rules"])
    assert said.err == ""


@pytest.mark.parametrize(("name", "what"), [("records.csv", "records"), ("design.json", "design")])
def test_rules_never_replace_what_they_are_mined_from(files, capsys, name, what):
    """A slip in the name of the output must not cost the records, nor the design that alone explains them."""
    before = (files / name).read_bytes()
    status, out, err = candor(capsys, files, *THRESHOLDS, "-o", str(files / name))
    assert (status, out, (files / name).read_bytes()) == (2, "", before)
    assert err == f"candor mine: {files / name}: writing here would replace the {what}.\n"


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--min-support", "0", "--min-confidence", "0.5"], "--min-support: 0 is not a share above 0 and up to 1."),
        ([*THRESHOLDS, "--max-length", "9"], "--max-length: 9 is not from 1 to 6."),
    ],
)
def test_refusals_are_one_line_and_status_2(files, capsys, arguments, sentence):
    """Bad input: one sentence on stderr, nothing on stdout, nothing written."""
    status, out, err = candor(capsys, files, *arguments, "-o", str(files / "rules.csv"))
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert sentence in err
    assert not (files / "rules.csv").exists()


# What is written for other programs is the whole result, under the names it has here, and never held as one text.


GRAPH = "{http://graphml.graphdrawing.org/xmlns}"


@pytest.fixture(scope="module")
def columns():
    """So few records that some figures are infeasible."""
    design = Design.parse({"direct": True, "blocks": [{"keep": 0.3, "items": yes_no(*"abcdef")}]})
    records = records_of(design, 150)
    return findings([records], design, MiningRequest(0.05, 0.1, negated=True)).columns


def test_json_holds_every_column(columns):
    """Those of docs/command-line.md as it names them: error and interval in objects, every other under its name."""
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
