"""Rules as sentences, what reviewers think of them, and two runs side by side."""

from html import unescape

import numpy as np
import pytest
from django.contrib.auth.models import Permission, User
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils.html import strip_tags

from mining.described_rules import describe_link, short_names
from mining.domain.report import arrange, rule_at, strongest
from mining.engines.columns import Columns
from mining.limits import say_raw
from mining.models import MiningRun, RuleReview
from privacy.design import Design
from surveys.models import Phrase, SharedReport, Survey
from surveys.questions.rows import SKIP
from surveys.results.sharing import share
from surveys.results.together import anchor_of
from surveys.results.words import words_of
from tests.cases import first
from tests.mining.surveys import mined_run, sealed_survey
from tests.surveys.results.making import survey_with_results


def sentence(row, words):
    """What is read of a rule, without the marks of a page."""
    return unescape(strip_tags(describe_link(row, words)["sentence"])).replace("\N{NO-BREAK SPACE}", " ")


def finish_run(survey, **parameters) -> MiningRun:
    return mined_run(survey, **{"min_support": 0.02, "min_confidence": 0.1, **parameters})


ROW = {
    "antecedent": ["drugs"],
    "consequent": ["cheating"],
    "reported_confidence": 0.568,
    "reported_confidence_low": 0.489,
    "reported_confidence_high": 0.651,
    "others": 0.352,
    "others_low": 0.301,
    "others_high": 0.399,
    "sure": True,
}
UNKNOWN = {"others": np.nan, "others_low": np.nan, "others_high": np.nan}


def version_with_phrases():
    version = survey_with_results(20)
    for item, words in (("drugs", ("used drugs", "用过毒品")), ("cheating", ("smoke <i>", "抽烟"))):
        words = dict(zip(("en", "zh-hans"), words, strict=True))
        Phrase.objects.create(survey=version.survey, item=item, value="1", words=words)
    return version


@pytest.mark.parametrize(
    ("changes", "said", "drawn"),
    [
        ({}, "Of those who used drugs, 57 % (49–65) also smoke <i>. Of the others, 35 % (30–40).", 2),
        (UNKNOWN, "Of those who used drugs, 57 % (49–65) also smoke <i>.", 1),
        (
            {"others": 0.52},
            "“used drugs” and “smoke <i>” go together surely; how strongly, this survey hardly tells.",
            0,
        ),
        (
            {"others": 0.52, "sure": False},
            "Of those who used drugs, 57 % (49–65) also smoke <i>. Of the others, 52 % (30–40).",
            2,
        ),
        (
            UNKNOWN | {"reported_confidence": np.nan, "reported_confidence_high": 1.0},
            "Of those who used drugs, 49–100 % also smoke <i>. This interval does not allow for luck, so there is no "
            "best guess.",
            1,
        ),
    ],
)
def test_a_rule_has_the_sentence_of_the_report(changes, said, drawn):
    """With the others as far as a result knows them, and no number that luck may have chosen; words are no markup."""
    link = describe_link(ROW | changes, words_of(version_with_phrases(), "en"))
    assert sentence(ROW | changes, words_of(Survey.objects.get().versions.get(), "en")) == said
    assert ("smoke &lt;i&gt;" in link["sentence"], len(link["bars"])) == (True, drawn)


@pytest.fixture
def reported():
    """A survey with three sure pairs, a run of it, and its version."""
    survey = sealed_survey(5000, closed=True)
    return finish_run(survey), survey.versions.get()


def test_the_page_of_a_run_begins_with_sentences_before_the_figures(admin_client, run):
    """Each rule of the page has its sentence, five of them open, and stands in the table in words of its questions."""
    page = admin_client.get(run.get_absolute_url())
    told = page.context["sentences"]
    assert [one["row"] for one in told] == page.context["rules"].rows
    assert all(one["sentence"].startswith("Of those who <b>answered") for one in told)
    assert (page.context["at_once"], page.context["more"]) == (told[:5], told[5:])
    html = page.content.decode()
    assert html.index('class="in-words"') < html.index('id="rules-table"') < html.index('id="pictures"')
    assert all(f"{if_} ⇒ {then}" in unescape(html) for if_, then in (one["named"] for one in told))
    assert "engine" not in html.split('id="rules"')[1].split("</section>")[0]


def test_a_search_finds_rules_by_the_words_of_their_questions(admin_client, run):
    """Short names are found too; what stands nowhere finds nothing."""
    Phrase.objects.create(survey=run.survey, item="q2", value="1", words={"en": "took Something"})

    def rules(text):
        return admin_client.get(run.get_absolute_url(), {"r-search": text}).context["rules"]

    everything = rules("").count
    found = rules("something")
    assert 0 < found.count < everything
    assert all("q2" in row["antecedent"] + row["consequent"] for row in found.rows)
    assert rules("q2?").count >= found.count
    assert rules("nowhere").count == 0


def test_reviews_are_kept_and_the_last_one_counts(admin_client, admin_user, run):
    """Accept, then doubt with a note: the doubt stands at the rule, the other one in its history."""
    columns = arrange(Columns.from_bytes(bytes(run.result.columns)))
    row = rule_at(columns, int(strongest(columns, 1)[0]))
    rule = f"{', '.join(row['antecedent'])} ⇒ {', '.join(row['consequent'])}"
    address = reverse("mining_run_review", args=[run.pk])
    for verdict, note in (("accept", ""), ("doubt", "Too few men.")):
        answer = admin_client.post(address, {"rule": rule, "verdict": verdict, "note": note, "query": "r-item=q2"})
        assert answer.url == f"{run.get_absolute_url()}?r-item=q2#r-{anchor_of(rule)}"
    told = next(one for one in admin_client.get(run.get_absolute_url()).context["sentences"] if one["short"] == rule)
    assert [(each.verdict, each.note, each.by) for each in told["reviews"]] == [
        ("doubt", "Too few men.", admin_user),
        ("accept", "", admin_user),
    ]


def test_a_sure_pair_is_reviewed_before_any_search(client, admin_user):
    """It is read beside it, in the report and by a later search; the note, and whose it is, stay inside."""
    survey = sealed_survey(5000, closed=True)
    version, address = survey.versions.get(), reverse("mining_start", args=[survey.pk])
    _shared, token = share(version, "Colleague", ["together"], 7, admin_user)
    client.force_login(admin_user)
    pair = client.get(address).context["shown"]["said"][0]
    asked = {"rule": pair["short"], "verdict": "doubt", "note": "Secret.", "query": "look=rare"}

    answer = client.post(reverse("mining_pair_review", args=[survey.pk]), asked)

    assert answer.url == f"{address}?look=rare#r-{pair['anchor']}"
    pages = (address, reverse("studio:results", args=[version.pk]), f"/r/{token}/")
    texts = [client.get(page).content.decode() for page in pages]
    texts.append(client.get(finish_run(survey).get_absolute_url()).content.decode())
    assert [text.count("A reviewer doubts this rule.") for text in texts] == [1] * 4
    assert ["Secret." in text for text in texts] == [True, False, False, True]
    assert f'id="r-{pair["anchor"]}"' in texts[0]


def test_what_is_no_sure_pair_is_not_reviewed(admin_client):
    """In a sentence on the page; of a survey with too few answers there is no such address."""
    survey, few = sealed_survey(5000, closed=True), sealed_survey(99, "few")
    asked = {"rule": "q0 ⇒ q9", "verdict": "accept"}
    page = admin_client.post(reverse("mining_pair_review", args=[survey.pk]), asked, follow=True)
    assert "This search found no rule “q0 ⇒ q9”." in page.content.decode()
    assert admin_client.post(reverse("mining_pair_review", args=[few.pk]), asked).status_code == 404
    assert not RuleReview.objects.exists()


@pytest.mark.parametrize(
    ("changes", "refusal"),
    first(
        1,
        [
            ({"rule": "a ⇒ b"}, "This search found no rule “a ⇒ b”."),
            ({"verdict": "perhaps"}, "Select a valid choice."),
            ({"verdict": "note"}, "Write a note, or choose a verdict."),
        ],
    ),
)
def test_a_review_that_makes_no_sense_is_refused(admin_client, changes, refusal, run):
    """In a sentence on the page; nothing is kept."""
    columns = arrange(Columns.from_bytes(bytes(run.result.columns)))
    row = rule_at(columns, 0)
    rule = f"{', '.join(row['antecedent'])} ⇒ {', '.join(row['consequent'])}"
    address = reverse("mining_run_review", args=[run.pk])
    page = admin_client.post(address, {"rule": rule, "verdict": "accept", "note": "", **changes}, follow=True)
    assert refusal in page.content.decode()
    assert not RuleReview.objects.exists()


def test_only_reviewers_review(client, run):
    """403 for who may only look at runs, and no form is shown to them; a visitor is asked to sign in."""
    address = reverse("mining_run_review", args=[run.pk])
    assert client.post(address).status_code == 302
    reader = User.objects.create_user("reader", is_staff=True)
    reader.user_permissions.set(Permission.objects.filter(codename="view_miningrun"))
    client.force_login(reader)
    assert client.post(address, {"verdict": "accept"}).status_code == 403
    assert address not in client.get(run.get_absolute_url()).content.decode()


@pytest.mark.long
def test_the_page_asks_the_database_as_often_for_three_reviews_as_for_one(admin_client, run):
    """The rules of a page and their reviews are one query each."""
    admin_client.get(run.get_absolute_url())  # what a process reads once
    counts = []
    for count in (1, 2):
        for _ in range(count):
            RuleReview.objects.create(run=run, rule="q0 ⇒ q1", verdict="accept", at=run.requested_at)
        with CaptureQueriesContext(connection) as queries:
            admin_client.get(run.get_absolute_url())
        counts.append(len(queries))
    assert counts[0] == counts[1]


def test_who_shares_a_report_chooses_what_becomes_of_rejected_rules(client, admin_user, reported):
    """Left out unless somebody wants them last and marked in words; *See it as a reader does* shows the same page."""
    run, version = reported
    columns = arrange(Columns.from_bytes(bytes(run.result.columns)))
    sides = [columns.sides(place) for place in strongest(columns, 2).tolist()]
    strong, next_ = (short_names({"antecedent": a, "consequent": c}) for a, c in sides)
    for rule, verdict in ((strong, "reject"), (strong, "note"), (next_, "accept")):
        RuleReview.objects.create(run=run, rule=rule, verdict=verdict, note="Secret.", at=run.requested_at)
    client.force_login(admin_user)
    address = reverse("studio:results-share", args=[version.pk])
    asked = {"label": "Colleague", "days": 7, "parts": [f"rules-{run.pk}-all"]}

    for chosen, marks in (("", 0), ("marked", 1)):
        looked = client.post(address, asked | {"rejected": chosen, "look": "1"}).content.decode()
        made = client.post(address, asked | {"rejected": chosen})
        read = client.get(made.context["link"]).content.decode()
        for page in (looked, read):
            assert page.count("A reviewer rejected this rule.") == marks
            assert ("1 rule that a reviewer rejected is left out." in " ".join(page.split())) == (marks == 0)
            assert page.count("A reviewer accepted this rule.") == 1
            assert "Secret." not in page
        if marks:
            assert read.index("A reviewer accepted") < read.index("A reviewer rejected")
    assert SharedReport.objects.count() == 2


@pytest.mark.parametrize(("chosen", "shown"), [("", 2), ("marked", 3)])
def test_pairs_of_rejected_rules_are_left_out_or_marked_with_these(client, admin_user, chosen, shown, reported):
    """Of three sure pairs one is rejected, in one of its directions; the counts are of what the page shows."""
    run, version = reported
    for verdict in ("accept", "reject", "note"):  # the last verdict counts
        RuleReview.objects.create(run=run, rule="q1 ⇒ q0", verdict=verdict, at=run.requested_at)
    client.force_login(admin_user)
    asked = {"label": "Colleague", "days": 7, "parts": ["together-all"], "rejected": chosen}
    made = client.post(reverse("studio:results-share", args=[version.pk]), asked)
    page = " ".join(client.get(made.context["link"]).content.decode().split())
    assert page.count('<div class="duo"') == shown
    assert f"{shown} pairs are sure." in page
    assert ("1 rule that a reviewer rejected is left out." in page, "No other pair is sure." in page) == (
        shown == 2,
        shown == 3,
    )
    marks = [place for place, one in enumerate(page.split('<div class="duo"')) if "rejected this rule." in one]
    assert marks == [2] * (shown - 2)


def test_what_a_reviewer_said_of_a_pair_is_in_the_report_and_the_shared_link(client, admin_user, reported):
    """Once, at its sentence, without the note; the last verdict counts, on whichever of its two rules."""
    run, version = reported
    for rule, verdict in (("q1 ⇒ q0", "accept"), ("q1 ⇒ q0", "doubt"), ("q1, q2 ⇒ q0", "accept")):
        RuleReview.objects.create(run=run, rule=rule, verdict=verdict, note="Secret.", at=run.requested_at)
    _shared, token = share(version, "Colleague", ["together"], 7, admin_user)
    client.force_login(admin_user)
    report = client.get(reverse("studio:results", args=[version.pk])).content.decode()
    pages = (
        report.partition('id="together"')[2].partition("</section>")[0],
        client.get(f"/r/{token}/").content.decode(),
    )
    for page in pages:
        said = [page.count(f"A reviewer {words} this rule.") for words in ("doubts", "accepted", "rejected")]
        assert (said, "Secret." in page) == ([1, 0, 0], False)


def test_a_report_whose_rules_are_all_left_out_does_not_say_that_none_was_found(client, admin_user, reported):
    """It says how many are left out, and nothing else."""
    run, version = reported
    columns = arrange(Columns.from_bytes(bytes(run.result.columns)))
    for place in strongest(columns, 100).tolist():
        a, c = columns.sides(place)
        rule = short_names({"antecedent": a, "consequent": c})
        RuleReview.objects.create(run=run, rule=rule, verdict="reject", at=run.requested_at)
    _shared, token = share(version, "Colleague", [f"rules-{run.pk}"], 7, admin_user)
    page = client.get(f"/r/{token}/").content.decode()
    assert "rules that a reviewer rejected are left out." in page
    assert "We found no" not in page


@pytest.mark.parametrize(("yes", "said"), [(0.233, True), (0.167, False)])
def test_a_run_says_that_its_supports_are_raw_where_those_of_one_question_exceed_all(yes, said):
    """The report fits the shares of 83.3 % no and 23.3 % yes; where no share is impossible, the supports are these."""
    item = {"id": "notes", "options": ["1", "0", SKIP], "noise": [0.4, 0.4, 0.2]}
    design = Design.parse({"blocks": [{"keep": 0.5, "items": [item]}]})
    itemsets = {"length": np.array([1, 1]), "support": np.array([0.833, yes])}
    none = np.zeros(0, np.int64)
    columns = Columns(("notes=0", "notes=1"), np.array([[0], [1]]), itemsets, none, none, {})
    assert [one[:26] for one in say_raw(design, columns)] == ["Supports are raw estimates"] * said


def test_the_report_of_a_survey_tells_the_rules_of_its_newest_run(client, admin_user, reported):
    """To staff who may see runs, and behind a link that was shared; not to others."""
    run, version = reported
    report = reverse("studio:results", args=[version.pk])
    looker = User.objects.create_user("looker", is_staff=True)
    looker.user_permissions.set(Permission.objects.filter(codename="view_survey"))
    client.force_login(looker)
    assert "Rules that a search found" not in client.get(report).content.decode()
    client.force_login(admin_user)
    assert "Of those who <b>answered" in client.get(report).content.decode()
    client.logout()
    _shared, token = share(version, "Colleague", [f"rules-{run.pk}"], 7, admin_user)
    page = client.get(f"/r/{token}/").content.decode()
    assert "Of those who <b>answered" in page
    assert "/staff/admin/" not in page


# A survey that protects nobody, published with a signed override, can still be mined, and its report says so.


@pytest.mark.parametrize("estimator", first(1, ["stratified", "combined", "pooled"]))
@pytest.mark.parametrize("block", first(1, [{"theta": 0.0}, {"keep": 1.0}, {"theta": 1.0}]))
def test_the_report_says_in_words_that_there_is_no_protection(admin_client, block, estimator):
    """A coin that always keeps the truth, or noise that says only one thing: γ is infinite, in either language."""
    run = mined_run(sealed_survey(500, block=block), estimator=estimator, negated=True)
    for language, sentence in (
        ("en", "A disguised record can give the true answers away: there is no protection."),
        ("zh-CN", "伪装后的记录可能泄露真实回答：没有保护。"),
    ):
        page = admin_client.get(run.get_absolute_url(), headers={"Accept-Language": language})
        assert page.status_code == 200
        assert f"<dd>{sentence}</dd>" in page.content.decode()
    for name in ("rules.csv", "itemsets.csv", "result.json"):
        assert admin_client.get(f"/staff/runs/{run.pk}/{name}").getvalue()
    assert admin_client.get("/staff/runs/").status_code == 200
