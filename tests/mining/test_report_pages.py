"""The admin's view: asking for a run, seeing where it stands, reading, filtering and exporting its findings."""

import csv
import io
import json
import re
from dataclasses import replace
from datetime import timedelta
from html import unescape
from itertools import product

import numpy as np
import pytest
from django.contrib.auth.models import Permission
from django.core.management import call_command
from django.db import connection
from django.http import QueryDict
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from mining.domain import report
from mining.domain.files import round_summary
from mining.domain.request import estimate_seconds
from mining.engines.columns import Columns
from mining.engines.reasons import CHOICES, REFUSALS
from mining.models import MiningRun, RuleReview
from privacy.output import format_count
from privacy.plan.verdict import PAIRS
from privacy.reconstruct import metrics
from privacy.reconstruct.pairs import Pairs
from surveys.domain.drafts.protect import judge_document
from surveys.domain.questionnaire.document import read_document
from surveys.domain.questionnaire.forecast import judge_pairs_of_version
from surveys.domain.questionnaire.promise import gamma_in_words
from surveys.models import Survey
from surveys.results.sharing import share
from tests.cases import first
from tests.mining.designs import MLXTEND
from tests.mining.surveys import end_run, finished_run, mined_run, queued_run, sealed_survey
from tests.surveys.making import make_survey

# All columns of the table of rules, of which the page shows those that people read.
EVERY = [metric.key for metric in (*metrics.SHRUNKEN, *metrics.RULE_METRICS)]
SHRUNKEN = ("shrunken support", "shrunken confidence", "shrunken lift")


@pytest.fixture
def as_stored(monkeypatch):
    """Rules between two answers say what the run has stored: its survey has more pairs than a report looks at."""
    monkeypatch.setattr("mining.domain.files.pairs_of", lambda _data: Pairs(()))


@pytest.fixture
def run_with_result():
    """A run with its result."""
    return finished_run()


def every_so_many_rules(run, step):
    """The columns of the run with a part of its rules, which are shown on fewer pages."""
    columns = Columns.from_bytes(bytes(run.result.columns))
    return replace(
        columns,
        itemset=columns.itemset[::step].copy(),
        antecedent=columns.antecedent[::step].copy(),
        rules={name: values[::step].copy() for name, values in columns.rules.items()},
    )


def page_of(admin_client, run, **query):
    return admin_client.get(run.get_absolute_url(), query)


def test_the_form_starts_a_run_and_leads_to_it(admin_client, survey):
    """A valid request makes a run; the same once more leads to the same page."""
    answers = [start(admin_client, survey) for _ in range(2)]
    run = MiningRun.objects.get()
    assert [(answer.status_code, answer.url) for answer in answers] == [(302, run.get_absolute_url())] * 2
    assert (run.min_support, run.min_confidence, run.requested_by.username) == (0.1, 0.5, "admin")


def start(client, survey, **asked):
    """Ask for a search in the form of the survey."""
    usual = {"min_support": "0.1", "min_confidence": "0.5", "max_length": "3"}
    return client.post(
        reverse("mining_start", args=[survey.pk]), {"estimator": "stratified", "engine": "auto"} | usual | asked
    )


def test_sure_pairs_come_first_and_are_those_of_the_report(admin_client):
    """What needs no search is read before the form, in the sentences of the report."""
    survey = sealed_survey(5000, closed=True)
    page = admin_client.get(reverse("mining_start", args=[survey.pk]))
    report = admin_client.get(reverse("studio:results", args=[survey.versions.get().pk])).content.decode()
    said = [pair["sentence"] for pair in page.context["shown"]["said"]]
    assert said
    assert [sentence in report for sentence in said] == [True] * len(said)
    text = page.content.decode()
    assert text.index(said[-1]) < text.index("Look for more")


def test_each_preset_says_what_it_looks_for_and_fills_the_form(admin_client):
    """A press on one sets the thresholds below it; the first is chosen, also where an address names none of them."""
    address = reverse("mining_start", args=[sealed_survey(200).pk])
    filled = {}
    for name in ("three", "rare", "negated", "unknown"):
        page = admin_client.get(address, {"look": name})
        fields = ("min_support", "max_length", "negated")
        filled[name] = [bool(page.context["form"][field].value()) if field == "negated" else
                        page.context["form"][field].value() for field in fields]  # fmt: skip
        assert page.content.decode().count('class="option" href="?look=') == 3
    assert filled == {
        "three": [0.1, 3, False],
        "rare": [0.03, 3, False],
        "negated": [0.1, 2, True],
        "unknown": [0.1, 3, False],
    }


def test_a_preset_says_how_long_it_takes_by_past_searches(admin_client, survey):
    """As measured before the first one; a site on which one took a hundred times as long says so."""
    address = reverse("mining_start", args=[survey.pk])
    before = admin_client.get(address)
    run = mined_run(survey)
    MiningRun.objects.update(ended_at=run.started_at + timedelta(seconds=200))
    after, asked = admin_client.get(address), {"max_length": 3}
    assert [page.context["presets"][0][1] for page in (before, after)] == ["A few seconds.", "About 3 minutes."]
    assert estimate_seconds(run.snapshot, asked) == pytest.approx(200)
    MiningRun.objects.update(ended_at=run.started_at + timedelta(hours=1))
    assert "Probably too long: a search ends after 10 minutes." in admin_client.get(address).content.decode()


def test_both_engines_are_compared_once_both_have_searched(admin_client):
    """A press asks for the other one; then each page says that they found the same, or that one has an error."""
    mlxtend = mined_run(sealed_survey(1000, closed=True), engine="auto", negated=True)
    form = re.search(
        r'<form method="post" action="[^"]*together/".*?</form>',
        page_of(admin_client, mlxtend).content.decode(),
        re.DOTALL,
    )
    asked = dict(re.findall(r'name="(\w+)" value="([^"]*)"', form[0]))
    assert "Search by our own engine, too, and compare" in form[0]
    admin_client.post(reverse("mining_start", args=[mlxtend.survey.pk]), asked)
    ours = end_run(MiningRun.objects.get(engine="bitset"))
    said = f"Both engines found the same {ours.result.summary['rules']} rules."
    for run in (mlxtend, ours):
        text = page_of(admin_client, run).content.decode()
        apart = re.search(r"Their figures differ by (\S+) at the most", text)
        assert (said in text, float(apart[1]) < 1e-9, "and compare" in text) == (True, True, False)
    fewer = every_so_many_rules(ours, 2)
    type(ours.result).objects.filter(run=ours).update(columns=fewer.to_bytes())
    assert "so one of them has an error" in page_of(admin_client, mlxtend).content.decode()


def test_the_thresholds_are_folded_until_one_is_refused(admin_client, survey):
    """Who takes a preset sees no field; who is refused sees the one it is about."""
    pages = (admin_client.get(reverse("mining_start", args=[survey.pk])), start(admin_client, survey, min_support="0"))
    assert ['<details class="fold" open><summary>' in page.content.decode() for page in pages] == [False, True]


def test_a_survey_without_answers_leads_to_its_report(admin_client):
    """Which says when there will be something."""
    survey = make_survey("empty")
    page = admin_client.get(reverse("mining_start", args=[survey.pk]))
    assert page.url == reverse("studio:report", args=[survey.pk])


def test_the_last_result_is_read_while_another_search_goes_on(admin_client, run_with_result):
    """Its strongest rules stand below the progress of the new one; they go when that one has its own."""
    waiting = queued_run(run_with_result.survey, min_support=0.2)
    page = page_of(admin_client, waiting).content.decode()
    assert page.index('id="state"') < page.index("Until then: the result of")
    assert page.count('class="in-words"') > 0
    end_run(waiting)
    assert "Until then" not in page_of(admin_client, waiting).content.decode()


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({}, ("mlxtend", "joined")),
        ({"engine": "bitset"}, ("bitset", "asked")),
        ({"engine": "mlxtend", "estimator": "combined"}, ("mlxtend", "asked")),
    ],
)
def test_a_result_says_which_engine_has_searched_and_why(admin_client, asked, said):
    """By what the form asked for, and in a sentence on its page."""
    start(admin_client, sealed_survey(1000, closed=True), **asked)

    run = MiningRun.objects.get()
    end_run(run)
    summary = MiningRun.objects.get().result.summary
    assert (summary["engine"], summary["why"]) == said
    assert CHOICES[said[1]] in admin_client.get(run.get_absolute_url()).content.decode()


def test_an_engine_that_is_not_there_is_refused_before_the_start(admin_client, monkeypatch):
    """Without mlxtend nobody waits for a run to hear that: said at the field."""
    monkeypatch.setattr("mining.engines.mine.find_spec", lambda _: None)
    page = start(admin_client, sealed_survey(200, closed=True), engine="mlxtend")

    assert page.context["form"].errors == {"engine": [REFUSALS["missing"]]}
    assert not MiningRun.objects.exists()


# Every run sees that bins are mined (tests/test_option_effects.py), and true (test_bins).
@pytest.mark.long
def test_numbers_and_places_are_mined_in_bins(admin_client):
    """Of the demo of both: asked for in the form, told in the report with the truth, in words of the questionnaire."""
    call_command("load_demo", verbosity=0)
    survey = Survey.objects.get(slug="demo-town")
    asked = {"min_support": "0.02", "min_confidence": "0.1", "bins": "drinks=5,15;home=zones"}
    assert start(admin_client, survey, **asked).status_code == 302
    run = MiningRun.objects.get()
    end_run(run)

    page = page_of(admin_client, run)

    shown = unescape(page.content.decode())
    assert "drinks=5,15;home=zones" in shown
    assert "answered “15…60” to “How many glasses of alcohol do you drink in a usual week?”" in shown
    columns = Columns.from_bytes(bytes(MiningRun.objects.get().result.columns))
    apart = (columns.itemsets["support"] - columns.itemsets["truth"]) / columns.itemsets["se"]
    assert np.abs(apart).max() < 4.5


@pytest.mark.parametrize(
    ("bins", "refusal"),
    first(
        1,
        [
            ("", "asks only for numbers and places; give bins to mine them."),
            ("drinks=5.5", "5.5 is no step of 'drinks' above 0 and up to 60."),
            ("drinks", "'drinks' is not written like age=18,30,50 or home=zones."),
        ],
    ),
)
def test_bins_are_refused_at_their_field(admin_client, bins, refusal):
    call_command("load_demo", verbosity=0)
    page = start(admin_client, Survey.objects.get(slug="demo-town"), bins=bins)
    assert refusal in page.context["form"].errors["bins"][0]
    assert not MiningRun.objects.exists()


@pytest.mark.parametrize(
    ("field", "value", "refusal"),
    [
        ("min_support", "0", "0 is not a share above 0 and up to 1."),
        ("min_support", "nan", "Enter a number."),
        ("min_confidence", "1.5", "1.5 is not a share from 0 to 1."),
        ("max_length", "7", "7 is not from 1 to 6."),
    ],
)
def test_the_form_refuses_at_the_field(admin_client, field, value, refusal):
    """What makes no sense comes back at its field, marked for those who do not see it, and makes no run."""
    page = start(admin_client, sealed_survey(200), **{field: value})
    assert page.context["form"].errors == {field: [refusal]}
    assert re.findall(r'name="(\w+)"[^>]*aria-invalid="true"', page.content.decode()) == [field]
    assert not MiningRun.objects.exists()


def test_a_survey_with_few_respondents_is_refused(admin_client):
    """The smallest number of respondents holds here, too; there is no form then."""
    page = start(admin_client, sealed_survey(99))
    assert page.context["refused"] == "Study: fewer than 100 people have answered, too few to report on."
    assert ("Look for more" in page.content.decode(), MiningRun.objects.exists()) == (False, False)


@pytest.mark.parametrize("address", ["abc", "99999999999999999999999", "0"])
def test_a_run_there_is_not_is_not_found(admin_client, address):
    """Whatever stands in the address, and whatever is asked of it."""
    for page in ("change/", "progress/", "rules.csv"):
        assert admin_client.get(f"/staff/runs/{address}/{page}", follow=True).status_code == 404


def test_what_nobody_has_looked_at_stands_first_in_the_list(admin_client, run_with_result):
    """Of each survey its newest result: how many rules it has, and how many somebody has looked at."""
    for respondents in (100, 99):  # never searched; of the second no search is possible
        sealed_survey(respondents, f"with-{respondents}")
    other = sealed_survey(200, "other")
    looked_at = mined_run(other)
    queued_run(other, min_support=0.2)  # it has no result
    for verdict in ("accept", "doubt"):
        RuleReview.objects.create(run=looked_at, rule="q0 ⇒ q1", verdict=verdict, at=looked_at.requested_at)
    page = admin_client.get(reverse("mining_runs"))
    rows = [(survey.slug, run and (run.pk, int(run.found)), survey.looked_at) for survey, run in page.context["rows"]]
    assert rows == [
        ("with-99", None, 0),
        ("with-100", None, 0),
        ("study", (run_with_result.pk, run_with_result.result.summary["rules"]), 0),
        ("other", (looked_at.pk, looked_at.result.summary["rules"]), 1),
    ]
    without_search = reverse("mining_start", args=[Survey.objects.get(slug="with-100").pk])
    assert f'href="{without_search}"' in page.content.decode()


def test_the_list_of_runs_does_not_read_their_results(admin_client, run_with_result):
    """Columns of many megabytes stay where they are, and more runs take no more queries."""
    with CaptureQueriesContext(connection) as one:
        admin_client.get(reverse("mining_runs"))
    for support in (0.2, 0.3):
        queued_run(run_with_result.survey, min_support=support)
    with CaptureQueriesContext(connection) as three:
        admin_client.get(reverse("mining_runs"))
    assert len(three) == len(one)
    assert not any('"columns"' in query["sql"] for query in three)


@pytest.mark.parametrize("negated", [True, False])
def test_other_thresholds_begin_with_those_of_the_run(admin_client, negated):
    """The form that the page of a run leads to is filled in with what this one was asked, and no preset is chosen."""
    run = mined_run(sealed_survey(200), min_support=0.02, negated=negated, estimator="combined")
    run.refresh_from_db()  # SQLite gives a number that it has just inserted as an integer, where it can
    link = re.search('href="([^"]*)#more">Search', page_of(admin_client, run).content.decode())[1]
    page = admin_client.get(unescape(link))
    form = page.context["form"]
    assert [chosen for _preset, _takes, chosen in page.context["presets"]] == [False] * 3
    shown = {name: form[name].value() for name in run.parameters}
    assert shown == {name: str(value) for name, value in run.parameters.items()} | {"negated": shown["negated"]}
    assert ("checked" in str(form["negated"])) is negated


def test_the_report_says_what_was_asked_by_whom_and_when(admin_client, admin_user, run_with_result):
    """Every parameter, the person, and the times it was asked, begun and ended."""
    MiningRun.objects.filter(pk=run_with_result.pk).update(requested_by=admin_user)
    page = page_of(admin_client, run_with_result).content.decode()
    facts = dict(re.findall(r"<div><dt>(.*?)</dt><dd>(.*?)</dd>", page.split('id="asked"')[1].split("</dl>")[0]))
    asked = {"minimum support": "0.02", "minimum confidence": "0.1", "longest itemset": "3", "with negations": "yes"}
    cases = "available: everyone who was asked a part of it"
    asked |= {"estimator": "stratified", "engine": "automatic", "cases": cases}
    assert list(facts.items())[: len(asked)] == list(asked.items())
    assert list(facts)[len(asked) :] == ["snapshot", "asked by", "asked", "started", "ended"]
    assert facts["asked by"] == "admin"


@pytest.mark.parametrize(("language", "between"), [("en", " "), ("zh-CN", "")])
def test_the_report_repeats_the_promise_that_the_protocol_makes(admin_client, run_with_result, language, between):
    """Word for word, in the reader's language; γ stands below it."""
    headers = {"Accept-Language": language}
    of_survey = admin_client.get(reverse("studio:protocol", args=[run_with_result.survey.pk]), headers=headers)
    page = admin_client.get(run_with_result.get_absolute_url(), headers=headers).content.decode()
    gamma = gamma_in_words(run_with_result.result.summary["guarantee"]["gamma"])
    said = between.join([of_survey.context["promise"], *of_survey.context["covered"]])
    assert f'<dd>{said} <small class="soft">{gamma}</small></dd>' in page


def test_how_many_people_links_need_is_that_of_all_pages_wherever_a_run_is_read(run_with_result):
    """In API and files; what the engine made of its own parameters is no second answer, nor is that for itemsets."""
    found = [{"code": "no rules", "chance": 0.4, "needed": 390}, {"code": "weak", "count": 3, "of": 9, "needed": 4000}]
    aim = judge_pairs_of_version(run_with_result.snapshot.version, run_with_result.result.summary["n"])
    run_with_result.result.summary["warnings"] = found
    summary = round_summary(run_with_result.result.summary, run_with_result.snapshot)

    assert summary["warnings"] == [
        {"code": "no rules", "chance": aim.figure, "needed": aim.needed},
        {"code": "weak", "count": 3, "of": 9},
    ]


def test_an_older_result_is_not_shown_as_that_of_a_cancelled_run(admin_client, run_with_result):
    """Run again and cancelled: the result stands, under a sentence that says where it comes from."""
    sentence = "These results are from an earlier search with the same parameters"
    assert sentence not in page_of(admin_client, run_with_result).content.decode()
    for action in ("again", "cancel"):
        admin_client.post(reverse(f"mining_run_{action}", args=[run_with_result.pk]))
        assert sentence in page_of(admin_client, run_with_result).content.decode()


def test_the_report_shows_rules_with_their_error(admin_client, run_with_result):
    """Every row of the first table holds what the columns hold."""
    page = page_of(admin_client, run_with_result)
    columns = Columns.from_bytes(bytes(run_with_result.result.columns))
    rows = page.context["rules"].rows
    assert page.status_code == 200
    assert page.context["rules"].count == int((~columns.rules["redundant"]).sum())
    assert (
        f"{100 * rows[0]['shrunken_confidence']:.1f} ± {100 * rows[0]['shrunken_confidence_se']:.1f} %"
        in page.content.decode()
    )


def test_a_rule_without_a_figure_has_its_interval_in_sentence_and_table(admin_client, run_with_result, as_stored):
    """As every rule of an older run: no point in words, picture or table, unless the raw columns are asked for."""
    columns = Columns.from_bytes(bytes(run_with_result.result.columns))
    for key in metrics.shrunken_keys():
        del columns.rules[key]
    type(run_with_result.result).objects.update(columns=columns.to_bytes())
    page = page_of(admin_client, run_with_result)
    html = page.content.decode()
    assert len(page.context["sentences"]) == 10
    for one in page.context["sentences"]:
        (_name, those), *others = one["bars"]
        assert (those.position, others, "This interval does not allow for luck" in one["sentence"]) == ("", [], True)
        low, high = (100 * min(max(one["row"][f"confidence_{end}"], 0), 1) for end in ("low", "high"))
        assert f'"><span class="interval">{low:.1f} … {high:.1f} %</span></td>' in html


def test_the_rules_that_can_be_trusted_most_come_first(admin_client, run_with_result, as_stored):
    """Those beyond chance and feasible before all others, however confident; then by the lower end of the interval."""
    columns = every_so_many_rules(run_with_result, 4)
    kept = ~columns.rules["redundant"]
    longer = (columns.items[columns.itemset] >= 0).sum(axis=1) > 2
    highest = np.argmax(np.where(kept & longer, columns.rules["confidence"], -1))
    columns.rules["confidence"][highest], columns.rules["infeasible"][highest] = 1.3, True
    type(run_with_result.result).objects.update(columns=columns.to_bytes())
    count = page_of(admin_client, run_with_result).context["rules"].pages
    pages = [page_of(admin_client, run_with_result, **{"r-page": place + 1}).context["rules"] for place in range(count)]
    rows = [row for page in pages for row in page.rows]
    doubtful = [not row["sure"] for row in rows]
    assert (len(rows), doubtful) == (kept.sum(), sorted(doubtful))
    for kind in (True, False):
        low = [row["reported_confidence_low"] for row, doubted in zip(rows, doubtful, strict=True) if doubted is kind]
        assert low == sorted(low, reverse=True)
    assert highest not in report.strongest(columns, len(rows))
    assert page_of(admin_client, run_with_result).context["trusted"] == doubtful.count(False)


def test_a_page_without_a_rule_to_trust_says_so_and_draws_none(admin_client, run_with_result, as_stored):
    """Rules that chance can have made are listed, under a warning, and no picture makes them look like findings."""
    columns = Columns.from_bytes(bytes(run_with_result.result.columns))
    columns.rules["q"][:] = 0.06
    type(run_with_result.result).objects.update(columns=columns.to_bytes())
    page = page_of(admin_client, run_with_result)
    assert page.context["rules"].rows
    text = page.content.decode()
    assert "None of these rules can be trusted" in text
    assert "We found no rules to trust. That does not mean there are none." in text
    aim = judge_pairs_of_version(run_with_result.snapshot.version, 5000)
    said = " ".join(["answered." if aim.met else "are too few.", *map(str, (*aim.said, *aim.means))])
    assert f"5\u202f000 people {said}" in text.replace("\u00a0", " ")
    assert ("exceed chance, of" in text, "owe part of it to luck" in text) == (False, False)
    assert [label for label, _address, _here in page.context["drawings"]] == ["Answers together"]


@pytest.mark.parametrize(
    ("asked", "fits"),
    [
        ({"r-antecedent": "q0"}, lambda rule: "q0" in rule["antecedent"]),
        ({"r-consequent": "!q1"}, lambda rule: "!q1" in rule["consequent"]),
        ({"r-item": "q2"}, lambda rule: "q2" in rule["antecedent"] + rule["consequent"]),
        ({"r-length": "3"}, lambda rule: len(rule["antecedent"] + rule["consequent"]) == 3),
        ({"r-max_q": "0.01"}, lambda rule: rule["q"] <= 0.01),
    ],
    ids=["left", "right", "either side", "length", "q"],
)
def test_rules_can_be_filtered(admin_client, run_with_result, asked, fits):
    """By item on either side, by length, by q; redundant ones are hidden by default."""
    rules = page_of(admin_client, run_with_result, **asked).context["rules"]
    everything = page_of(admin_client, run_with_result, **{"r-redundant": "on"}).context["rules"]
    assert everything.count == run_with_result.result.summary["rules"] > rules.count > 0
    assert all(fits(rule) for rule in rules.rows)


def headings(page, table):
    """Of every column that sorts a table: its anchor, where its link leads, and how the table is sorted by it."""
    head = page.content.decode().split(f'id="{table}-table"')[1].split("</thead>")[0]
    cells = re.findall(r'<th scope="col"(.*?)</th>', head, re.DOTALL)[1:]
    columns = []
    for cell in cells:
        anchor, link = re.search(r'<a id="(.*?)" href="(.*?)"', cell).groups()
        sort = re.search(r'aria-sort="(.*?)"', cell)
        columns.append((anchor, unescape(link), sort and sort[1]))
    return columns


@pytest.mark.long
@pytest.mark.parametrize(("table", "start"), first(1, product(["rules", "itemsets"], range(3))))
def test_every_column_sorts_its_table_when_its_heading_is_followed(admin_client, run_with_result, table, start):
    """Both ways up, by plain links; the heading says in which order the table stands, and only one does.

    A third of the columns in each case: every run follows those of rules from the first one on.
    """
    opened = page_of(admin_client, run_with_result, **{"r-columns": EVERY})
    for place, (anchor, _, _) in [*enumerate(headings(opened, table))][start::3]:
        seen = []
        page = opened
        for _ in range(2):
            _, link, _ = headings(page, table)[place]
            page = admin_client.get(run_with_result.get_absolute_url() + link.partition("#")[0])
            values = [row[anchor[2:].replace("-", "_")] for row in page.context[table].rows]
            order = headings(page, table)[place][2]
            assert values == sorted(values, reverse=order == "descending")
            assert link.endswith(f"#{anchor}")
            assert [sort for *_, sort in headings(page, table) if sort] == [order]
            seen.append(order)
        assert sorted(seen) == ["ascending", "descending"]


def test_every_metric_has_its_column(admin_client, run_with_result):
    """mlxtend's metrics but representativity, which is always 1, shrunken figures, p and q; a cell for each heading."""
    page = page_of(admin_client, run_with_result, **{"r-columns": EVERY})
    names = [anchor[2:].replace("-", " ") for anchor, _, _ in headings(page, "rules")]
    assert sorted(names) == sorted({*MLXTEND, *SHRUNKEN, "p", "q"} - {"representativity"})
    for table in ("rules", "itemsets"):
        row = page.content.decode().split(f'id="{table}-table"')[1].split("<tbody>")[1].split("</tr>")[0]
        assert row.count("<td") == len(headings(page, table))


def test_sorting_keeps_the_filters_of_both_tables_and_begins_at_the_first_page(admin_client, run_with_result):
    """The address changes in its order alone; a filter keeps the order, and what is asked of the other table."""
    asked = {"r-redundant": "on", "r-item": "q2", "r-page": "2", "i-length": "2", "i-order": "observed"}
    page = page_of(admin_client, run_with_result, **asked)
    links = {anchor: QueryDict(link[1:].partition("#")[0]) for anchor, link, _ in headings(page, "rules")}
    kept = {"r-redundant": "on", "r-item": "q2", "i-length": "2", "i-order": "observed"}
    assert links["r-shrunken-lift"].dict() == kept | {"r-order": "shrunken lift"}
    assert page.context["rule_kept"] == [("i-length", "2"), ("i-order", "observed")]
    assert page.context["itemset_kept"] == [
        ("r-redundant", "on"),
        ("r-item", "q2"),
        ("r-page", "2"),
        ("i-order", "observed"),
    ]


def test_pages_of_a_table_are_cut_and_keep_their_filters(admin_client, run_with_result):
    """Ten rows at a time; the second page goes on where the first ends, under the same filter."""
    asked = {"r-redundant": "on", "r-order": "confidence"}
    first = page_of(admin_client, run_with_result, **asked)
    second = page_of(admin_client, run_with_result, **asked, **{"r-page": "2"})
    assert len(first.context["rules"].rows) == 10
    assert second.context["rules"].rows[0]["confidence"] <= first.context["rules"].rows[-1]["confidence"]
    assert "?r-redundant=on&amp;r-order=confidence&amp;r-page=2#rules" in first.content.decode()
    assert page_of(admin_client, run_with_result, **{"r-page": "999"}).status_code == 200


def test_who_may_only_look_is_offered_no_search(client, django_user_model):
    """They read the sure pairs; a request that is sent all the same is refused."""
    survey = sealed_survey(5000, closed=True)
    client.force_login(person_with(django_user_model, "view"))
    page = client.get(reverse("mining_start", args=[survey.pk]))
    assert (page.status_code, "Sure pairs" in page.content.decode()) == (200, True)
    assert "Look for more" not in page.content.decode()
    assert (start(client, survey).status_code, MiningRun.objects.exists()) == (403, False)


def person_with(django_user_model, *rights):
    user = django_user_model.objects.create_user("person", is_staff=True)
    user.user_permissions.set(Permission.objects.filter(codename__in=[f"{right}_miningrun" for right in rights]))
    return user


@pytest.mark.parametrize(
    "rights",
    [
        ("view",),
        ("view", "add", "delete"),
        pytest.param(("view", "add"), marks=pytest.mark.long),
        pytest.param(("view", "delete"), marks=pytest.mark.long),
    ],
)
def test_the_page_of_a_run_offers_what_its_reader_may_do(client, django_user_model, run_with_result, rights):
    """Who may delete but not start runs finds the link to delete, and no button to run again."""
    client.force_login(person_with(django_user_model, *rights))
    page = page_of(client, run_with_result).content.decode()
    offered = {
        "add": reverse("mining_run_again", args=[run_with_result.pk]),
        "delete": reverse("mining_run_delete", args=[run_with_result.pk]),
    }
    assert {right for right, address in offered.items() if f'"{address}"' in page} == set(rights) - {"view"}


def test_exports_hold_the_whole_result(admin_client, run_with_result):
    """CSV has a line per rule or itemset, JSON is the document of the command."""

    def export(name):
        answer = admin_client.get(reverse("mining_run_export", args=[run_with_result.pk, name]))
        assert answer.status_code == 200
        return b"".join(answer.streaming_content).decode()

    summary = run_with_result.result.summary
    assert len(list(csv.DictReader(io.StringIO(export("rules.csv"))))) == summary["rules"]
    assert len(list(csv.DictReader(io.StringIO(export("itemsets.csv"))))) == summary["itemsets"]
    document = json.loads(export("result.json"))
    assert (len(document["rules"]), len(document["itemsets"])) == (summary["rules"], summary["itemsets"])
    assert document["rules"][0].keys() >= {"antecedent", "consequent", "support", "se", "ci", "p", "q"}
    assert admin_client.get(reverse("mining_run_export", args=[run_with_result.pk, "secrets.csv"])).status_code == 404


@pytest.mark.parametrize(("simulated", "of"), [(True, "-simulated"), (False, "")])
def test_a_file_of_simulated_answers_is_named_so(admin_client, simulated, of):
    """A file leaves the page that says so; its name goes with it. Counts in it are whole numbers."""
    done = finished_run(simulated=simulated)
    survey = done.survey
    answer = admin_client.get(reverse("mining_run_export", args=[done.pk, "itemsets.csv"]))
    rows = list(csv.DictReader(io.StringIO(b"".join(answer.streaming_content).decode())))
    assert answer["Content-Disposition"] == f'attachment; filename="{survey.slug}{of}-run-{done.pk}-itemsets.csv"'
    assert {row["n"] for row in rows} == {"5000"}


@pytest.mark.parametrize("place", range(4))
def test_each_picture_has_an_address(admin_client, run_with_result, place):
    """A tab leads to each, with every filter kept; it is drawn for a desk and for a phone, and no other one is."""
    opened = page_of(admin_client, run_with_result, **{"r-item": "q2"})
    queries = [query for _label, query, _here in opened.context["drawings"]]
    assert ["r-item=q2" in query for query in queries] == [True] * 4
    page = admin_client.get(f"{run_with_result.get_absolute_url()}?{queries[place]}").content.decode()
    assert page.split('id="pictures"')[1].split('id="itemsets"')[0].count("<svg") == 2


def test_what_is_infeasible_is_marked(admin_client, run_with_result, as_stored):
    """In rules and itemsets alike, where the columns say so and nowhere else."""
    columns = every_so_many_rules(run_with_result, 4)
    columns.rules["infeasible"][:] = columns.itemsets["infeasible"][:] = False
    columns.rules["others"][:] = np.nan  # of a rule between two answers the pair decides
    columns.rules["redundant"][0], columns.rules["infeasible"][0], columns.itemsets["infeasible"][0] = False, True, True
    type(run_with_result.result).objects.update(columns=columns.to_bytes())
    asked = {"r-redundant": "on", "r-columns": "confidence"}
    count = page_of(admin_client, run_with_result, **asked).context["rules"].pages
    pages = [page_of(admin_client, run_with_result, **asked, **{"r-page": place + 1}) for place in range(count)]
    rules, itemsets = zip(*(page.content.decode().split('id="itemsets-table"') for page in pages), strict=True)
    assert "".join(rules).count('<span class="chip warn">infeasible</span>') == 2  # at its sentence, and in the table
    assert itemsets[0].count('<span class="chip warn">infeasible</span>') == 1


def test_progress_is_shown_while_a_run_is_open(admin_client):
    """The page polls a small document that says where the run stands; an ended run does not poll."""
    run = queued_run(sealed_survey(200))
    address = reverse("mining_run_progress", args=[run.pk])
    assert f'data-progress="{address}"' in page_of(admin_client, run).content.decode()
    assert admin_client.get(address).json()["open"] is True
    end_run(run)
    assert admin_client.get(address).json()["open"] is False
    assert "data-progress" not in page_of(admin_client, run).content.decode()


def test_runs_can_be_cancelled_and_run_again(admin_client):
    """Both are posts that lead back to the run."""
    run = queued_run(sealed_survey(200))
    assert admin_client.post(reverse("mining_run_cancel", args=[run.pk])).url == run.get_absolute_url()
    run.refresh_from_db()
    assert run.state == "cancelled"
    admin_client.post(reverse("mining_run_again", args=[run.pk]))
    run.refresh_from_db()
    assert run.state == "queued"
    assert admin_client.get(reverse("mining_run_cancel", args=[run.pk])).status_code == 405


@pytest.mark.long
def test_every_page_names_one_number_of_people_for_links(admin_client):
    """That of the verdict: on Protect and the steps, before publishing, in the protocol and the report."""
    survey = sealed_survey(300, items=10, expected=300)
    version = survey.versions.get()
    planned, reported = (judge_pairs_of_version(version, n) for n in (300, 200))  # it is open: hundreds
    draft = judge_document(survey, read_document(survey)).aim(PAIRS)
    of_draft, of_plan, of_report = (" ".join(map(str, one.said)) for one in (draft, planned, reported))
    needed = format_count(planned.needed)
    studio = f"/staff/studio/{survey.pk}"
    report = reverse("studio:results", args=[version.pk])
    for page in (f"{studio}/publish/", f"{studio}/preregistration/", report):
        said = {report: of_report, f"{studio}/publish/": of_draft}.get(page, of_plan)
        assert (page, said in admin_client.get(page).content.decode()) == (page, True)
    for page in (f"{studio}/", f"{studio}/protect/"):
        assert (page, f"pairs from {needed} people" in admin_client.get(page).content.decode()) == (page, True)
    for page in (f"{studio}/people/", f"{studio}/log/"):
        assert (page, f"{needed} are enough" in admin_client.get(page).content.decode()) == (page, True)
    goals = re.findall(r"<b>([^ ]+) answers</b>([^<]*)", admin_client.get(f"{studio}/fieldwork/").content.decode())
    assert (needed, "links are likely found") in [(people, said.strip(" :–—")) for people, said in goals]


def test_where_no_link_was_found_one_can_ask_again_and_look_at_all_pairs(admin_client, run_with_result, as_stored):
    """Both ways on work, on the page of the run and in the report: a next round, and every pair with its figures."""
    columns = Columns.from_bytes(bytes(run_with_result.result.columns))
    columns.rules["q"][:] = 0.06
    type(run_with_result.result).objects.update(columns=columns.to_bytes())
    version = run_with_result.snapshot.version
    pairs, again = (
        f"{run_with_result.get_absolute_url()}?i-length=2#itemsets",
        reverse("studio:copy", args=[version.survey_id]),
    )

    pages = [run_with_result.get_absolute_url(), reverse("studio:results", args=[version.pk])]
    texts = [admin_client.get(page).content.decode() for page in pages]

    assert [(f'href="{pairs}"' in text, f'action="{again}"' in text) for text in texts] == [(True, True)] * 2
    shown = admin_client.get(pairs).context["itemsets"]
    assert (
        shown.count
        == (report.arrange(Columns.from_bytes(bytes(run_with_result.result.columns))).itemsets["length"] == 2).sum()
        > 0
    )
    assert {len(row["items"]) for row in shown.rows} == {2}
    begun = admin_client.post(again, {"round": "next"}, follow=True)
    assert begun.status_code == 200
    assert Survey.objects.get(title__endswith=", next round").pk != version.survey_id


def test_a_rule_of_which_the_records_tell_nothing_is_not_listed(client, admin_user, run_with_result):
    """Not on the run's page, in the report, or in a shared one. All say how many, and the files keep these rules."""
    run, version = run_with_result, run_with_result.snapshot.version
    columns = Columns.from_bytes(bytes(run.result.columns))
    rules = np.flatnonzero(~columns.rules["redundant"])
    columns.rules["confidence low"][rules[1:]], columns.rules["confidence high"][rules[1:]] = -np.inf, np.inf
    type(run.result).objects.update(columns=columns.to_bytes())
    _shared, token = share(version, "Colleague", [f"rules-{run.pk}"], 7, admin_user)
    client.force_login(admin_user)

    page = page_of(client, run)

    pages = [page, client.get(reverse("studio:results", args=[version.pk])), client.get(f"/r/{token}/")]
    said = (
        f"{len(columns.itemset)} rules were found. {len(columns.itemset) - len(rules)} are not listed, because they "
        f"are redundant: a rule with fewer conditions is as strong. {len(rules) - 1} further rules"
        " are not listed, because the records do not bound their confidence:"
    )
    assert [said in one.content.decode() for one in pages] == [True] * 3
    assert [one["antecedent"] for one in page.context["rules"].rows] == [columns.sides(int(rules[0]))[0]]
    file = client.get(reverse("mining_run_export", args=[run.pk, "result.json"]))
    marks = [one["listed"] for one in json.loads(b"".join(file.streaming_content))["rules"]]
    assert (len(marks), marks.count(False)) == (len(columns.itemset), len(rules) - 1)
