"""One sentence, one figure: the same pair has one share and one interval wherever people meet it."""

import csv
import io
import json
import re
from collections.abc import Iterable, Mapping
from html import unescape
from typing import Any

import numpy as np
import pytest
from django.test import Client
from django.urls import reverse

import candor
from config.signin import tokens
from mining.engines.columns import Columns
from mining.models import MiningResult, MiningRun
from surveys.percent import whole_percent
from surveys.results import sharing, together
from surveys.results.report import data_of
from tests.cases import first
from tests.mining.surveys import mined_run, sealed_survey
from tests.surveys.features.own.pressing import answered

LIST = {"kind": "one-of", "list_gamma": 39, "cap": 5, "longest": 2}
SIDES = ("antecedent", "consequent")
ITEMS = 5


def mine_survey(block=None, **parameters) -> MiningRun:
    survey = sealed_survey(6000, items=ITEMS, block=block or {"keep": 0.6}, closed=True)
    return mined_run(survey, **({"min_support": 0.005, "min_confidence": 0.01} | parameters))


def said_in(page: str) -> dict[tuple[str, str], tuple[str, str]]:
    """The share and the interval of each pair in the sentences of a report."""
    text = re.sub(r"</?b>", "", re.sub(r"\s", " ", unescape(page)))
    answered = "answered “Yes” to “(\\w+)\\?”"
    pattern = rf"Of those who {answered}, (?:about )?(\d+) % \((\d+–\d+)\) also {answered}"
    return {(a, c): (share, ends) for a, share, ends, c in re.findall(pattern, text)}


def answers(rule: Mapping[str, Any]) -> tuple[list[str], list[str]]:
    return tuple(rule[side].split(",") if isinstance(rule[side], str) else rule[side] for side in SIDES)


def of_pairs(rules: Iterable[Mapping[str, Any]]) -> dict[tuple[str, str], Mapping[str, Any]]:
    """The rules between two answers, by these."""
    both = ((answers(rule), rule) for rule in rules)
    return {(given[0], said[0]): rule for (given, said), rule in both if len(given + said) == 2}


def of_file(rule: Mapping[str, Any]) -> list[float]:
    names = ("shrunken confidence", "others")
    return [float(rule[name + end]) for name in names for end in ("", " low", " high")]


def of_json(rule: Mapping[str, Any]) -> list[float]:
    own = rule["shrunken"]
    return [figure for name in ("confidence", "others") for figure in (own[name], *own["ci"][name])]


@pytest.mark.parametrize("block", first(1, [None, LIST]))
def test_report_tab_link_files_api_and_library_print_one_figure_of_a_pair(admin_client, client, admin_user, block):
    """Share and interval, to the last digit where they have digits, and one verdict: what the report calls sure."""
    run = mine_survey(block)
    version = run.snapshot.version
    data = data_of(version)
    pairs, names = together.pairs_of(data), [item.id for item in version.design.items]
    sure = {frozenset(names[column] for column, _ in pair.answers): pairs.say(pair) for pair in pairs.sure}
    _shared, token = sharing.share(version, "Colleague", ["together", f"rules-{run.pk}"], 30, admin_user)
    pages = [admin_client.get(reverse("studio:results", args=[version.pk])), client.get(f"/r/{token}/")]
    key = {"Authorization": f"Bearer {tokens.make(admin_user, 'files', ['read'], 30)[1]}"}
    result = Client().get(f"/api/runs/{run.pk}/files/result.json", headers=key)
    table = b"".join(admin_client.get(f"/staff/runs/{run.pk}/rules.csv").streaming_content).decode()
    rows = [one["row"] for one in admin_client.get(run.get_absolute_url()).context["sentences"]]
    mine = candor.mine(data.for_patterns, 0.005, 0.01, least=data.least)

    by_json = of_pairs(json.loads(b"".join(result.streaming_content))["rules"])
    by_file = of_pairs(csv.DictReader(io.StringIO(table)))
    by_library = of_pairs(mine.rules.to_dict("records"))
    on_page = of_pairs(rows)
    in_words = [said_in(page.content.decode()) for page in pages]
    assert len(sure) > 2
    assert in_words[0] == in_words[1]
    assert len(in_words[0]) > 0
    for said in sure.values():
        of_report = [end for one in (said.those, said.others) for end in (one.value, one.low, one.high)]
        rule = tuple(names[column] for column in (said.given[0], said.said[0]))
        for figures in (of_json(by_json[rule]), of_file(by_file[rule]), of_file(by_library[rule])):
            assert figures == pytest.approx(of_report, abs=1e-12)
        if rule in in_words[0]:
            written = f"{whole_percent(said.those.low)}–{whole_percent(said.those.high)}"
            assert in_words[0][rule] == (whole_percent(said.those.value), written)
        if rule in on_page:
            shown = [on_page[rule][f"reported_confidence{end}"] for end in ("", "_low", "_high")]
            assert shown == pytest.approx(np.clip(of_report[:3], 0, 1).tolist(), abs=1e-12)
    for rules in (by_json, by_file, by_library, on_page):
        assert {frozenset(rule) for rule, one in rules.items() if float(one["q"]) <= 0.05} <= {*sure}
    for rules in (by_json, by_file, by_library):
        assert {frozenset(rule) for rule, one in rules.items() if float(one["q"]) <= 0.05} == {*sure}


@pytest.mark.parametrize(
    "options",
    first(
        1, [{"negated": True}, {"min_support": 0.15}, {"max_length": 2}, {"max_length": 4}, {"estimator": "combined"}]
    ),
)
def test_no_run_changes_what_is_said_of_a_pair(options):
    """Neither thresholds, nor the longest itemset, nor another estimator."""

    def figures(**asked):
        found = candor.mine(data.for_patterns, **({"min_support": 0.005, "min_confidence": 0.01} | asked), least=20)
        kept = of_pairs(found.rules.to_dict("records"))
        return {rule: [*of_file(one), one["p"], one["q"]] for rule, one in kept.items()}

    data = data_of(sealed_survey(6000, items=ITEMS, block={"keep": 0.6}, closed=True).versions.get())
    usual, other = figures(), figures(**options)
    both = {*usual} & {*other}
    assert both
    assert {rule: pytest.approx(usual[rule], abs=1e-12) for rule in both} == {rule: other[rule] for rule in both}


def test_a_run_of_before_says_of_pairs_what_the_report_says(admin_client):
    """It has stored figures of its own search; pages and files have those of the report in their place."""
    run = mine_survey()
    stored = Columns.from_bytes(bytes(run.result.columns))
    expected = stored.rules["shrunken confidence"].copy()
    pair = (stored.items[stored.itemset] >= 0).sum(axis=1) == 2
    rules = {name: values.copy() for name, values in stored.rules.items() if not name.startswith("others")}
    rules["shrunken confidence"][pair], rules["q"][pair] = 0.99, 0.001
    before = Columns(stored.labels, stored.items, stored.itemsets, stored.itemset, stored.antecedent, rules)
    MiningResult.objects.filter(run=run).update(columns=before.to_bytes())

    table = b"".join(admin_client.get(f"/staff/runs/{run.pk}/rules.csv").streaming_content).decode()
    shown = np.array([float(line["shrunken confidence"] or "nan") for line in csv.DictReader(io.StringIO(table))])
    page = admin_client.get(run.get_absolute_url())

    np.testing.assert_allclose(shown, expected, atol=1e-12)
    assert 0.99 not in [one["row"]["shrunken_confidence"] for one in page.context["sentences"]]


@pytest.mark.long
def test_who_mines_the_records_has_the_report_s_figures_where_a_question_is_never_true():
    """The family is all pairs of the records, that question among them, which files have too; no page lists it."""
    data = data_of(answered(("a", "b", "c")))
    pairs, names = together.pairs_of(data), [item.id for item in data.sealed.design.items]
    mined = of_pairs(candor.mine(data.for_patterns, 0.005, 0.01, least=data.least).rules.to_dict("records"))

    listed = together.pairs_to_list(data)

    assert "moon" in names
    assert {names[column] for pair in listed for column, _ in pair.answers} == {"a", "b", "c"}
    for pair in listed:
        said = pairs.say(pair)
        rule = mined[names[said.given[0]], names[said.said[0]]]
        shares = [end for one in (said.those, said.others) for end in (one.value, one.low, one.high)]
        assert [*of_file(rule), rule["q"]] == pytest.approx([*shares, pair.corrected], abs=1e-12)
