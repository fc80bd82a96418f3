"""Two waves as versions of one survey: the first makes sets of answers likely, the second asks other people."""

import csv
import io
import json
import re
import subprocess
import sys
from copy import deepcopy
from dataclasses import replace
from functools import cache
from html import unescape
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import numpy as np
import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

import candor
from privacy.design import Design
from privacy.design.rationals import ONE
from privacy.disguise import disguise
from privacy.disguise.random_words import words_from_seed
from privacy.errors import EntryError
from privacy.output import format_count
from privacy.records import Records
from privacy.records.packing import pack, unpack
from surveys.domain.drafts import history
from surveys.domain.drafts.changes import apply
from surveys.domain.drafts.history import Editor
from surveys.domain.drafts.protect import HAND, PROPOSAL, judge_document, usual
from surveys.domain.exchange import natural
from surveys.domain.exchange.formats import FORMATS, Content
from surveys.domain.exports import codebook
from surveys.domain.exports.ddi import ddi
from surveys.domain.messages.invite import invite
from surveys.domain.messages.submission import Stored
from surveys.domain.people.roles import Action
from surveys.domain.questionnaire.check import refusals
from surveys.domain.questionnaire.closing import close, end_version
from surveys.domain.questionnaire.compose import compose_design
from surveys.domain.questionnaire.document import Document, Draft, empty, questions, read_document
from surveys.domain.questionnaire.guess import guess_of
from surveys.domain.questionnaire.publish import publish
from surveys.domain.questionnaire.reworded import questions_reworded
from surveys.domain.rehearsal import ask as rehearsing
from surveys.domain.rehearsal.fill import fill
from surveys.domain.responses.disclosure import is_settled
from surveys.domain.responses.seal import append, seal
from surveys.features.second_wave import report as second_wave, staff as second
from surveys.features.second_wave.figures import list_after
from surveys.models import DemoTruth, Survey, SurveyVersion
from surveys.percent import NO_FIGURE, percent_alone
from surveys.results import report, study_pack
from surveys.results.answers import answers
from surveys.results.figures import Figure, describe_disguise
from surveys.results.report import data_of, part
from surveys.studio import alternatives, rail, verdict
from surveys.studio.protection import forecast_context, questions_context
from tests.cases import every
from tests.surveys.inbox import wait
from tests.surveys.making import edit_draft, make_survey, set_question, set_questions, write
from tests.surveys.results.shown import figures_of_picture
from tests.surveys.sending import send, submission
from tests.surveys.staff import somebody

pytestmark = pytest.mark.django_db

HELP_BY_HAND = (
    "The blocks are made by hand, and the list of a second wave is proposed by the site. “Take the proposal” at "
    "Protect, under “For experts”, makes one possible, also once this version has ended."
)


@pytest.fixture
def ann() -> Editor:
    return Editor(User.objects.filter(is_superuser=True).first() or somebody(), "tab-1", 10**6)


@pytest.fixture
def survey() -> Survey:
    """Five rare answers by one word each, and three thousand people expected."""
    survey = Survey.objects.create(slug="new", title="New", least=20)
    history.begin(survey, deepcopy(document_of()))
    return survey


@cache
def document_of() -> Document:
    asked = "\n".join(f"Have you ever done thing {letter}?" for letter in "abcde")
    document = empty("New", ["en"]) | {"protection": usual(), "expected": 3_000}
    for change in ({"do": "add", "type": "yesno", "lines": asked, "sensitive": True},
                   {"do": "protect", "field": "way", "value": "word"}):  # fmt: skip
        document = apply(Survey(least=20), document, change)
    return document | {name: {"en": name} for name in ("heading", "who", "why", "consent", "closing")}


@pytest.fixture
def first(survey: Survey) -> SurveyVersion:
    """The first wave, with the answers of 3 000 people, of whom the first two questions are commonest."""
    version = publish(survey)
    answer(version, 3_000, seed=1)
    survey.refresh_from_db()
    return version


def do(survey: Survey, by: Editor, name: str, /, **said: Any) -> dict[str, Any]:
    return history.change(survey, by, {"do": name, **said}).document


def people(count: int, seed: int) -> np.ndarray:
    chance = np.random.default_rng(seed)
    truth = (chance.random((count, 5)) < 0.3 / np.arange(1, 6)).astype(np.uint8)
    truth[:, 1] |= truth[:, 0] & (chance.random(count) < 0.5)
    return truth


@cache
def sent(design: Design, count: int, seed: int, directly: int) -> tuple[np.ndarray, np.ndarray]:
    truth = people(count, seed)
    return truth, pack(disguise(design, truth, np.arange(count) < directly, words_from_seed(seed)))


def answer(version: SurveyVersion, count: int, seed: int, directly: int = 0) -> np.ndarray:
    truth, records = sent(version.design, count, seed, directly)
    append(version, records, [b""] * count)
    return truth


def names(survey: Survey) -> list[str]:
    return [one["id"] for one in questions(read_document(survey))]


def take(survey: Survey, by: Editor, version: SurveyVersion) -> dict[str, Any]:
    return do(survey, by, "after", value=list_after(version))


def test_the_second_list_has_every_answer_and_the_sets_that_the_first_wave_makes_likely(
    survey: Survey, ann: Editor, first: SurveyVersion
) -> None:
    """It is the library's for the same figures, people and γ; other people or another number of sets make another."""
    document = take(survey, ann, first)
    (block,) = document["blocks"]
    design = compose_design(Draft.load(survey))
    report = {"patterns": [
        {"pattern": name, "support": share, "se": error}
        for name, (share, error) in document["protection"]["after"]["shares"].items()
    ]}  # fmt: skip
    expected = candor.wave(report, 3_000, top=16, both=names(survey), design=first.design)

    assert block["kind"] == "named-words"
    assert block["settings"]["words"][:6] == [*names(survey), ",".join(names(survey)[:2])]
    assert {word["word"] for word in design.to_json()["blocks"][0]["words"]} == {
        word["word"] for word in expected.to_json()["blocks"][0]["words"]
    }
    assert 18.9 < design.gamma <= 19
    fewer = do(survey, ann, "after", value="", top=4)["blocks"][0]["settings"]["words"]
    assert len(fewer) < len(block["settings"]["words"])
    given_up = do(survey, ann, "after", value="")
    assert (given_up["blocks"][0]["kind"], given_up["protection"].get("after")) == ("one-of", None)


def test_a_forecast_takes_the_shares_of_the_first_wave(survey: Survey, ann: Editor, first: SurveyVersion) -> None:
    """Not the guess of five percent; an answer that it did not tell keeps its guess."""
    guessed = guess_of(Draft.load(survey))
    take(survey, ann, first)
    do(survey, ann, "add", type="yesno", lines="Have you ever done thing z?", sensitive=True)
    draft = Draft.load(survey)
    *items, added = compose_design(draft).items
    by_first = draft.document["protection"]["after"]["shares"]

    foreseen = [guess_of(draft).shares(item)[1] for item in items]

    assert foreseen == pytest.approx([max(by_first[item.id][0], 0.001) for item in items], rel=0.01)
    assert {guessed.shares(item)[1] for item in items} == {guess_of(draft).shares(added)[1]} == {0.05}


def test_a_published_second_wave_names_the_first(survey: Survey, ann: Editor, first: SurveyVersion) -> None:
    """Its devices know by the hash whose people do not answer; a version without a first wave says nothing of it."""
    take(survey, ann, first)
    version = publish(survey)

    assert (version.parsed.source.get("after"), first.parsed.source.get("after")) == (first.sha256, None)
    assert "after" not in json.loads(bytes(first.definition))


def test_protect_shows_both_sides_of_the_price(survey: Survey, ann: Editor, first: SurveyVersion) -> None:
    """Which sets come and how exactly, what each answer loses for it, and who may not answer; the same once chosen."""
    document = read_document(survey)
    (offered,) = second.prices(survey, document)
    chosen = take(survey, ann, first)
    context = forecast_context(Draft.load(survey))
    can, cannot = second.sentences(Draft.load(survey))
    others = second.prices(survey, chosen)

    assert offered.title == "a second wave, for sets of answers that version 1 makes likely"
    (gained,), (lost, reason) = offered.gains, offered.costs
    assert gained == can[0]
    assert "sets of two or three answers, each known to ±" in gained
    assert "points instead of ±" in lost
    assert [reason] == cannot
    assert reason.endswith("Who answered version 1 does not answer again.")
    assert not [said for said in context["cannot"] if "expect no rules" in said]
    assert json.loads(offered.change) == {"do": "after", "value": 1}
    assert [json.loads(one.change) for one in others] == [
        {"do": "after", "value": "", "top": 8},
        {"do": "after", "value": "", "top": 32},
        {"do": "after", "value": ""},
    ]
    assert [[said.startswith("shares ±") for said in side] for side in (others[-1].gains, others[-1].costs)] == [
        [True],
        [],
    ]
    assert verdict.context(Draft.load(survey))["off"] == ["Groups: you did not ask."]


def test_what_the_first_wave_chose_is_no_tick_and_no_price(survey: Survey, ann: Editor, first: SurveyVersion) -> None:
    """Whether sets are told was decided with the list, which has more of them than are looked for."""
    do(survey, ann, "protect", field="pairs", value=True)
    before = _ticks_and_prices(survey)
    take(survey, ann, first)
    after = _ticks_and_prices(survey)
    longer = [one.title for one in second.prices(survey, read_document(survey)) if "look for" in one.title]

    assert [ticks for ticks, _ in (before, after)] == [["shares", "pairs", "groups"], ["shares", "groups"]]
    assert ["only how common each thing is" in titles for _, titles in (before, after)] == [True, False]
    assert longer == ["look for 8 sets, in a list of more", "look for 32 sets, in a list of more"]


def _ticks_and_prices(survey: Survey) -> tuple[list[str], list[str]]:
    ticks = [what for what, *_ in questions_context(Draft.load(survey))["tell"]]
    document = read_document(survey)
    return ticks, [title for title, _ in alternatives._changes(survey, document, judge_document(survey, document))]


@pytest.mark.parametrize(("expected", "sure"), [(19, 50), (19, 10), (1, 10), (25, 10)])
def test_so_few_people_are_no_reason_to_tick_sets(
    survey: Survey, ann: Editor, first: SurveyVersion, expected: int, sure: int
) -> None:
    """Where no share is reported, or no set is known to a point, neither a tick nor a price promises one."""
    take(survey, ann, first)
    do(survey, ann, "protect", field="sure", value=sure)
    do(survey, ann, "survey", field="expected", value=str(expected))
    can, cannot = second.sentences(Draft.load(survey))
    prices = [said for one in second.prices(survey, read_document(survey)) for said in (*one.gains, *one.costs)]

    assert can == []
    assert cannot[-1].startswith("Version 1 chooses the sets")
    assert not [said for said in prices if "known to nothing" in said]


@pytest.mark.parametrize("state", ["unpublished", "unsealed"])
def test_no_second_wave_is_offered_where_none_can_be_made(survey: Survey, state: str) -> None:
    """Without sealed answers."""
    if state == "unsealed":
        publish(survey)
        survey.refresh_from_db()

    assert second.prices(survey, read_document(survey)) == []


def test_the_page_takes_the_list_of_a_version_on_request(
    survey: Survey, ann: Editor, first: SurveyVersion, client: Client
) -> None:
    """As one change, which undo takes back; a survey without sealed answers refuses it, and so does a second wave."""
    client.force_login(ann.user)
    wanted = {"do": "after", "value": 1}
    before = read_document(survey)["blocks"]

    taken = post(client, survey, wanted)
    blocks = read_document(survey)["blocks"]
    history.undo(survey, replace(ann, step="protect"))

    assert (taken.status_code, blocks[0]["kind"]) == (200, "named-words")
    assert read_document(survey)["blocks"] == before
    take(survey, ann, first)
    answer(publish(survey), 300, seed=2)
    refused = [post(client, one, wanted) for one in (survey, Survey.objects.create(slug="x", title="X"))]
    assert [(one.status_code, one.json()["refused"]) for one in refused] == [
        (422, "No responses are sealed yet; there is nothing to show.")
    ] * 2


def post(client: Client, survey: Survey, change: dict[str, Any]) -> Any:
    number = survey.draft.number if hasattr(survey, "draft") else 0
    sent = {"base": number + 100, "tab": "t", "step": "protect", "change": change}
    return client.post(f"/staff/studio/{survey.pk}/change/", json.dumps(sent), content_type="application/json")


@pytest.mark.parametrize(
    ("after", "sentence"),
    [
        ({"version": "x"}, "this is no list of a second wave."),
        ({"version": "x" * 64, "of": 1, "top": 8, "shares": {}}, "this is no list of a second wave."),
        ({"version": "a" * 64, "of": 1, "top": 8, "shares": []}, "this is no list of a second wave."),
        ({"version": "a" * 64, "of": 1, "top": 0, "shares": {}}, "0 is not from 1 to 64."),
        ({"version": "a" * 64, "of": 1, "top": 8, "shares": {"a": [0.1, 0]}}, "a share has an error above 0."),
        ({"version": "a" * 64, "of": 1, "top": 8, "shares": {"a": 0.1}}, "a share has an error above 0."),
    ],
)
def test_what_is_no_list_of_a_second_wave_is_refused(
    survey: Survey, ann: Editor, after: dict[str, Any], sentence: str
) -> None:
    """Each fault in a sentence, by any way in."""
    with pytest.raises(EntryError) as refused:
        do(survey, ann, "after", value=after)
    assert str(refused.value).endswith(sentence)


def test_a_new_question_is_a_word_of_the_second_wave_and_in_no_set(
    survey: Survey, ann: Editor, first: SurveyVersion
) -> None:
    """The first wave asked nothing of it; a question that goes takes its words along."""
    take(survey, ann, first)
    old = names(survey)
    added = do(survey, ann, "add", type="yesno", lines="Have you ever done thing z?", sensitive=True)
    new = next(name for name in names(survey) if name not in old)
    words = added["blocks"][0]["settings"]["words"]
    left = do(survey, ann, "delete", question=old[0])["blocks"][0]["settings"]["words"]

    assert [word for word in words if new in word.split(",")] == [new]
    assert [word for word in left if old[0] in word.split(",")] == []


def test_a_way_past_a_question_leaves_its_share_where_it_was(survey: Survey, ann: Editor, first: SurveyVersion) -> None:
    """Yes is the same word beside "prefer not to say", which is in no set; other questions alone give no list."""
    take(survey, ann, first)
    words = do(survey, ann, "skip", **{"for": "all", "value": True})["blocks"][0]["settings"]["words"]
    one, two, *_ = names(survey)
    for name in names(survey):
        do(survey, ann, "delete", question=name)
    left = do(survey, ann, "add", type="yesno", lines="Did you do y?\nDid you do z?", sensitive=True)

    assert f"{one}=1,{two}=1" in words
    assert len([word for word in words if word.endswith("=secret")]) == 5
    assert left["blocks"][0]["kind"] == "one-of"


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"words": []}, "Name the words of the list, such as theft; theft,fraud."),
        ({"words": ["theft"]}, "No word speaks of 'bribe'; leave it out, or add a word."),
        ({"words": ["theft", "bribe", "theft"]}, "The word theft stands twice."),
        ({"words": ["theft", "arson"]}, "'arson' names no answer of this block"),
        ({"words": ["theft,!theft", "bribe"]}, "'theft,!theft' names an item twice."),
        ({"word_cap": 0.5}, "0.5 is below 1 word."),
        ({"word_cap": None}, "Word_cap is missing."),
        ({"list_gamma": 1}, "1 is not above 1; at 1 nothing can be learned."),
        ({"losses": [1, 1]}, "Words of 2 answers leave no record for a loss word"),
    ],
)
def test_a_setting_of_named_words_that_cannot_be_is_refused(settings: dict[str, Any], sentence: str) -> None:
    """One sentence says why."""
    survey = make_survey(names=("theft", "bribe"), direct=False)
    own = {"list_gamma": 19, "word_cap": 2, "words": ["theft", "bribe", "theft,bribe"], **settings}
    document = read_document(survey)
    document["blocks"] = [document["blocks"][0] | {"kind": "named-words", "settings": own}]
    (refusal,) = refusals(Draft.from_document(survey, document))

    assert refusal.sentence.startswith(sentence)


def test_named_words_have_equal_chances_and_keep_the_promise() -> None:
    """Words in any order of their answers, and a loss word of each length that has a number."""
    survey = make_survey(names=("theft", "bribe", "fraud", "arson"), direct=False)
    own = {"list_gamma": 19, "word_cap": 1.5, "words": [*"tbfa"], "losses": [1.5, 0]}
    own["words"] = ["theft", "bribe", "fraud", "arson", "bribe,theft"]
    document = read_document(survey)
    document["blocks"] = [document["blocks"][0] | {"kind": "named-words", "settings": own}]
    design = compose_design(Draft.from_document(survey, document))
    (block,) = design.document["blocks"]

    assert [word["word"] for word in block["words"]] == ["theft", "bribe", "fraud", "arson", "theft,bribe"]
    assert len({(word["base"], word["own"]) for word in block["words"]}) == 1
    assert [(loss["length"], loss["full"]) for loss in block["losses"]] == [(1, 1.5)]
    assert 18.9 < design.gamma <= 19
    assert sum(word["base"] for word in block["words"]) < ONE


@pytest.mark.parametrize("name", ["json", "xlsform"])
def test_a_file_keeps_the_words_of_a_second_wave(survey: Survey, ann: Editor, first: SurveyVersion, name: str) -> None:
    """With cap and loss words, as all of the list that is proposed."""
    document = take(survey, ann, first)
    form = FORMATS[name]
    assert form.write is not None

    content = Content(form.write(document), json.loads(form.write(document)) if name == "json" else None)
    again = form.read(content, "Again").document

    (block,), (kept,) = document["blocks"], again["blocks"]
    assert (kept["kind"], kept["questions"]) == (block["kind"], block["questions"])
    assert kept["settings"].pop("list_gamma") == pytest.approx(block["settings"]["list_gamma"], rel=1e-12)
    assert kept["settings"].items() <= block["settings"].items()
    assert {"words", "word_cap", "losses"} <= kept["settings"].keys()


def test_a_second_wave_that_becomes_another_survey_says_what_it_loses_and_can_be_published(
    survey: Survey, ann: Editor, first: SurveyVersion, client: Client
) -> None:
    """Its first wave is no version of the other one: the import says so, and a copy leaves it out; the words stay."""
    client.force_login(ann.user)
    document = take(survey, ann, first)
    file = natural.write_document(document)
    looked = client.post("/staff/studio/import/", {"file": SimpleUploadedFile("second.json", file)})
    client.post("/staff/studio/import/accept/", {"read": looked.context["read"]})
    client.post(f"/staff/studio/{survey.pk}/copy/")
    designs = []
    for other in Survey.objects.exclude(pk=survey.pk):
        designs.append(publish(other).parsed)

    assert looked.context["notes"] == [
        (
            "protection.after",
            "the first wave is a version of another survey: its list of words stays, as one that is made by hand.",
        )
    ]
    assert len(designs) == 2
    assert {(one.source.get("after"), one.design) for one in designs} == {(None, compose_design(Draft.load(survey)))}


def test_the_report_tells_sets_by_the_second_wave_and_answers_by_both(
    survey: Survey, ann: Editor, first: SurveyVersion, client: Client
) -> None:
    """Figures are those of `candor.likeliest`; the parts lead nobody to a figure of sets by the first version."""
    take(survey, ann, first)
    version = publish(survey)
    truth = answer(version, 6_000, seed=2)
    Survey.objects.filter(pk=survey.pk).update(closed_at="2026-01-01T00:00Z")
    version.refresh_from_db()
    data, before = data_of(version), data_of(first)
    shown = part(data, "second", lambda _: True)
    assert shown is not None
    sets, both = shown.context()["figures"]
    found = candor.likeliest(data.sealed, 1000, first=before.sealed, both=names(survey))
    (pair,) = (one for one in found.itemsets if set(one.items) == set(names(survey)[:2]))
    client.force_login(ann.user)
    page = client.get(f"/staff/studio/versions/{version.pk}/results/").content.decode()

    assert sets.title == "Sets of answers, by version 2 alone"
    assert both.title == "Single answers, by versions 1 and 2 together"
    assert len(both.table.rows) == 5
    for figure in (sets, both):
        assert figures_of_picture(figure.svg) == [row[1] for row in figure.table.rows][:12]
    assert pair.support in sets.table.raw
    assert both.table.raw == tuple(one.support for one in found.itemsets if one.both)
    assert pair.ci[0] < truth[:, :2].all(axis=1).mean() < pair.ci[1]
    assert sets.title in page
    assert part(before, "second", lambda _: True) is None
    (share,) = list_after(version)["shares"][names(survey)[0]][:1]
    (alone,) = (one for one in candor.likeliest(data.sealed, 1000).itemsets if one.items == (names(survey)[0],))
    assert share == pytest.approx(alone.support)  # the rest of the report has what is given back, too


@pytest.mark.parametrize("changes", [False, True])
def test_no_set_of_the_report_is_more_common_than_a_part_of_it(
    survey: Survey, ann: Editor, first: SurveyVersion, changes: bool
) -> None:
    """As it came out one is; files have that, too. Also where a question was changed, which both do not tell."""
    take(survey, ann, first)
    if changes:
        set_question(survey, names(survey)[-1], text={"en": "Have you done thing e for a friend?"})
    version = publish(survey)
    answer(version, 400, seed=1)
    Survey.objects.filter(pk=survey.pk).update(closed_at="2026-01-01T00:00Z")
    version.refresh_from_db()
    shown = part(data_of(version), "second", lambda _: True)
    assert shown is not None

    sets, both = shown.context()["figures"]

    def above(sets: dict[str, float], single: dict[str, float]) -> list[str]:
        return [one for one, own in sets.items() for part in one.split(" and ") if own > single.get(part, 1.0) + 1e-9]

    def printed(figure: Figure) -> dict[str, float]:
        return {row[0]: float(row[1].removeprefix("about ").removesuffix(" %")) / 100 for row in figure.table.rows}

    def raw(figure: Figure) -> dict[str, float]:
        return dict(zip((row[0] for row in figure.table.rows), figure.table.raw, strict=True))

    assert above(raw(sets), raw(both))
    assert above(printed(sets), printed(both)) == []


@pytest.mark.parametrize("before", [False, True], ids=["coarse", "reported before"])
def test_both_waves_less_one_tell_nothing_about_few_direct_people(survey: Survey, ann: Editor, before: bool) -> None:
    """Of 25 who answered the first wave directly, seven said yes: no figure differs where nobody did, or all others.

    Where the first wave was reported by the older rule, which counts them, no figure is of the disguised of both waves.
    """
    with edit_draft(survey) as document:
        document["direct"] = True
    first = publish(survey)
    answer(first, 3_000, seed=1, directly=25)
    survey.refresh_from_db()
    take(survey, ann, first)
    version = publish(survey)
    answer(version, 6_000, seed=2)
    Survey.objects.filter(pk=survey.pk).update(closed_at="2026-01-01T00:00Z", coarse_from=2 if before else None)
    own, earlier_one = (data_of(SurveyVersion.objects.get(pk=one.pk)) for one in (version, first))

    def shown(yes: int) -> dict[str, object]:
        """What is printed where so many of the direct people say yes to each question."""
        codes = earlier_one.sealed.codes.copy()
        codes[earlier_one.sealed.direct] = (np.arange(25) < yes)[:, np.newaxis]
        made = replace(earlier_one, sealed=Records(earlier_one.sealed.design, codes, earlier_one.sealed.direct))
        figures = {figure.title: figure.table for figure in second_wave.figures(own, made, "en")}
        return figures | {one.name: one.displays for one in answers(made, "en")}

    seven = shown(7)
    assert ("Single answers, by versions 1 and 2 together" in seven) != before
    if not before:
        assert [shown(yes) for yes in (0, 19, 25)] == [seven] * 3


def test_a_question_changed_between_the_waves_is_told_by_the_second_alone(
    survey: Survey, ann: Editor, first: SurveyVersion, client: Client
) -> None:
    """Protect and the list before publishing say which it is, the report tells the others by both versions, and
    the figure over time says what the first version asked.
    """
    client.force_login(ann.user)
    take(survey, ann, first)
    address, (changed, *others) = f"/staff/studio/{survey.pk}", names(survey)
    sentence = "“Have you done thing a for a friend?” was changed after version 1"
    pages = ("protect", "publish")
    before = [sentence in client.get(f"{address}/{page}/").content.decode() for page in pages]
    set_question(survey, changed, text={"en": "Have you done thing a for a friend?"})
    after = [sentence in client.get(f"{address}/{page}/").content.decode() for page in pages]
    version = publish(survey)
    answer(version, 6_000, seed=2)
    Survey.objects.filter(pk=survey.pk).update(closed_at="2026-01-01T00:00Z")
    version.refresh_from_db()
    shown = part(data_of(version), "second", lambda _: True)
    assert shown is not None
    context = shown.context()
    sets, both = context["figures"]
    over_time = part(data_of(version), "versions", lambda _: True)
    assert over_time is not None
    said = {figure.name: figure.said for figure in over_time.context()["figures"]}

    assert (before, after) == ([False, False], [True, True])
    assert len(both.table.rows) == len(others)
    assert not any("thing a" in row[0] for row in both.table.rows)
    assert any("thing a for a friend" in row[0] for row in sets.table.rows)
    assert context["sentences"][-1] == (
        "“Have you done thing a for a friend?” was changed after version 1, so its figures are of version 2 alone."
    )
    assert said == dict.fromkeys(others, "") | {
        changed: "Version 1 asked this otherwise: “Have you ever done thing a?”. Part of the change may come from that."
    }


@pytest.mark.parametrize(
    ("now", "changed"),
    [
        ({"text": {"en": "Theft?", "zh-hans": "盗窃？"}}, False),
        ({"text": {"en": "Theft or fraud?", "zh-hans": "盗窃？"}}, True),
        ({"options": [{"value": "a", "label": {"en": "Once", "zh-hans": "一次"}}]}, True),
        ({"required": True}, False),
    ],
)
def test_only_what_people_read_in_a_language_of_both_versions_makes_a_question_another(
    now: dict[str, Any], changed: bool
) -> None:
    """A language that comes later does not, nor how it is asked; a version without a common language asks otherwise."""
    before = {"id": "theft", "text": {"en": "Theft?"}, "options": [{"value": "a", "label": {"en": "Ever"}}]}
    written = {"text": {"en": "Theft?", "zh-hans": "盗窃？"}}
    label = {"label": {"en": "Ever", "zh-hans": "曾经"}}
    later = before | written | {"options": [{"value": "a", **label}]} | now
    one, two, three = (
        {"languages": tags, "pages": [{"questions": [entry]}]}
        for tags, entry in ((["en"], before), (["en", "zh-hans"], later), (["zh-hans"], later))
    )

    assert (questions_reworded(one, two), questions_reworded(one, three)) == (
        {"theft"} if changed else set(),
        {"theft"},
    )


def test_the_pack_of_a_second_wave_tells_every_word(
    survey: Survey, ann: Editor, first: SurveyVersion, tmp_path: Path
) -> None:
    """words.csv has the list, and from it the script gives the shares of the report, sets too, with their errors."""
    take(survey, ann, first)
    version = publish(survey)
    answer(version, 2_000, seed=2)
    close(survey)
    version.refresh_from_db()
    data = data_of(version)
    study_pack.write(tmp_path / "pack.zip", data.snapshot)
    with ZipFile(tmp_path / "pack.zip") as archive:
        archive.extractall(tmp_path)
    (folder,) = tmp_path.glob("*/scripts")
    script = [sys.executable, "reproduce.py"]
    done = subprocess.run(script, cwd=folder, capture_output=True, text=True, check=True)
    printed = {name: figures[:2] for name, *figures in (line.split("\t") for line in done.stdout.splitlines())}

    for row in candor.likeliest(data.sealed, 1000).itemsets:
        name = ",".join(row.items) + "=1" * (len(row.items) == 1)
        assert [*map(float, printed.pop(name))] == pytest.approx([row.support, row.se], abs=1e-9)
    assert {*printed} == {f"{name}=0" for name in names(survey)}


def test_papers_and_files_say_what_a_second_wave_tells_and_why(
    survey: Survey, ann: Editor, first: SurveyVersion, client: Client
) -> None:
    """Preregistration and protocol: its sets, whose figures chose them, what both versions tell; codebook, DDI and
    pack: the list and the first wave. Nothing of it is said of the first wave, nor what invited people do not read.
    """
    client.force_login(ann.user)
    take(survey, ann, first)
    publishing = client.get(f"/staff/studio/{survey.pk}/publish/").content.decode()
    version = publish(survey)
    answer(version, 3_000, seed=2)
    close(survey)
    design = compose_design(Draft.load(survey)).to_json()["blocks"][0]
    papers = {
        (paper, number): unescape(client.get(f"/staff/studio/{survey.pk}/{paper}/?of={number}").content.decode())
        for paper in ("preregistration", "protocol")
        for number in (1, 2)
    }
    (can,), _ = second.sentences(Draft.load(survey))
    codes = json.loads(codebook.as_text(version.snapshots.get()))
    described = ddi(version.snapshots.get()).decode()
    readme = study_pack.protocol(version.snapshots.get())

    assert f"What {format_count(3000)} respondents will be able to tell" in publishing
    assert can in unescape(publishing.partition("will be able to tell")[2])
    for paper in ("preregistration", "protocol"):
        assert "second wave" not in papers[paper, 1]
        assert "The figures of version 1 chose its sets of answers" in papers[paper, 2]
        assert f"This version alone tells the sets of its list, and no other sets: {can}." in papers[paper, 2]
        assert "Single answers are in the lists of version 1 and of this one" in papers[paper, 2]
    assert papers["preregistration", 2].count("thing a? Yes and Have you ever") > 1
    row = papers["protocol", 2].partition("The whole record</th>")[2].partition("</tr>")[0]
    assert re.fullmatch(r"\d+(\.\d+)?", re.findall("<td>([^<]*)</td>", row)[-2])
    assert "The page asks all whom no lot has kept for it." in papers["protocol", 2]
    assert codes["words"] == [word["word"] for word in design["words"]]
    assert codes["after"] == first.sha256
    assert "This is a second wave" in codebook.as_html(version.snapshots.get())
    assert f"The words of the list that devices had: {'; '.join(codes['words'])}." in described
    assert all(f"The earlier version: {first.sha256}." in text for text in (described, readme))
    assert f"--pattern {names(survey)[0]}\n" in readme


def test_the_report_of_a_second_wave_bounds_no_forgery_and_says_its_cap_in_words(
    survey: Survey, ann: Editor, first: SurveyVersion
) -> None:
    """A table of dashes would be no bound; captions have the cap of Protect's experts."""
    document = take(survey, ann, first)
    answer(publish(survey), 3_000, seed=2)
    data = data_of(survey.versions.get(number=2))
    topic = next(one for one in report.topics(data) if one.heading == "Forged responses")
    cap = document["blocks"][0]["settings"]["word_cap"]

    assert topic.table is None
    assert "is not bounded beforehand" in " ".join(topic.sentences)
    caption = describe_disguise(data.version, names(survey))
    assert caption.startswith(f"cap = {cap:.4g} words, words = ")
    assert "loss words = " in caption


def test_papers_promise_both_versions_only_where_they_ask_alike(
    survey: Survey, ann: Editor, first: SurveyVersion, client: Client
) -> None:
    """With "prefer not to say" added, the report tells single answers by the second version alone."""
    client.force_login(ann.user)
    take(survey, ann, first)
    do(survey, ann, "skip", **{"for": "all", "value": True})
    page = client.get(f"/staff/studio/{survey.pk}/preregistration/?of=draft").content.decode()

    assert second.explain_apart(first) in page
    assert "both tell their shares together" not in page


def test_a_rehearsal_of_a_second_wave_shows_the_truth_beside_and_names_no_number(
    survey: Survey, ann: Editor, first: SurveyVersion
) -> None:
    """The version that simulated people answer has the number 1, which in the survey is that of the first wave."""
    take(survey, ann, first)
    apart = rehearsing.begin(survey, 3_000)
    fill(apart.pk)
    data = data_of(apart.versions.get())
    truth = DemoTruth.objects.get(version=data.version)
    codes = unpack(data.version.design, truth.answers, may_be_complete=True).codes
    shown = part(data, "second", lambda _: True)
    assert shown is not None
    (sets,) = shown.context()["figures"]
    pair = "Have you ever done thing a? Yes and Have you ever done thing b? Yes"

    assert sets.table.head[-1] == "simulated truth"
    assert [row[-1] for row in sets.table.rows if row[0] == pair] == [percent_alone(codes[:, :2].all(axis=1).mean())]
    assert "version 1" not in " ".join([sets.title, *shown.context()["sentences"]])


def test_the_first_table_of_a_second_wave_is_one_that_its_list_tells(
    survey: Survey, ann: Editor, first: SurveyVersion, client: Client
) -> None:
    """Beside "prefer not to say" a set has a word for two yeses alone; that cell has a figure, and others none."""
    client.force_login(ann.user)
    take(survey, ann, first)
    do(survey, ann, "skip", **{"for": "all", "value": True})
    version = publish(survey)
    yes, no = (version.design.items[0].options.index(value) for value in "10")
    truth = np.where(people(6_000, seed=2) == 1, yes, no).astype(version.design.code_type)
    append(version, pack(disguise(version.design, truth, np.zeros(6_000, bool), words_from_seed(2))), [b""] * 6_000)
    close(survey)
    page = client.get(f"/staff/studio/versions/{version.pk}/results/table/")
    (figure,) = page.context["part"].context()["figures"]

    assert "why_not" not in page.context
    assert [row[:2] for row in figure.table.rows if row[5] != NO_FIGURE] == [("Yes", "Yes")]


@pytest.mark.parametrize(("directly", "sources"), [(1_000, ["3 000"]), (4_000, [])])
def test_sets_are_told_of_those_who_sent_a_word(
    survey: Survey, ann: Editor, first: SurveyVersion, directly: int, sources: list[str]
) -> None:
    """Who answered directly is in no figure of sets, nor in the number of people below it."""
    take(survey, ann, first)
    do(survey, ann, "survey", field="direct", value=True)
    version = publish(survey)
    answer(version, 4_000, seed=2, directly=directly)
    Survey.objects.filter(pk=survey.pk).update(closed_at="2026-01-01T00:00Z")
    version.refresh_from_db()
    shown = part(data_of(version), "second", lambda _: True)
    assert shown is not None
    figures = shown.context()["figures"]
    assert [re.findall(r"\d[\d\s]*000", figure.caption)[-1].replace("\u202f", " ") for figure in figures[:1]] == sources


def test_a_first_wave_of_coins_chooses_sets_too(ann: Editor, client: Client) -> None:
    """Any disguise tells shares. Then the second wave tells answers, too: lists and coins are not put together."""
    survey = make_survey(names=("theft", "bribe", "fraud", "arson"), direct=False, least=20)
    set_questions(survey, no_skip="Plain yes or no.")
    version = publish(survey)
    chance = np.random.default_rng(1)
    records = disguise(version.design, (chance.random((2_000, 4)) < 0.3).astype(np.uint8), np.zeros(2_000, bool),
                       words_from_seed(1))  # fmt: skip
    append(version, pack(records), [b""] * 2_000)
    survey.refresh_from_db()
    take(survey, ann, version)
    later = publish(survey)
    records = disguise(later.design, np.zeros((2_000, 4), np.uint8), np.zeros(2_000, bool), words_from_seed(2))
    append(later, pack(records), [b""] * 2_000)
    later.refresh_from_db()
    shown = part(data_of(later), "second", lambda _: True)

    assert shown is not None
    assert [one.name for one in shown.context()["figures"]] == ["sets"]


def test_a_version_ends_while_its_survey_goes_on(
    survey: Survey, ann: Editor, first: SurveyVersion, client: Client
) -> None:
    """It takes nothing more, what was sealed is all that there will be, and the next version begins as ever."""
    client.force_login(ann.user)
    asked = [client.get("/s/new/questionnaire").status_code]
    assert not is_settled(first.snapshots.get())
    page = client.post(f"/staff/studio/{survey.pk}/end-version/", follow=True).content.decode()
    first.refresh_from_db()
    asked.append(client.get("/s/new/questionnaire").status_code)
    refused = send(Client(), "new", submission(first))

    assert asked == [200, 410]
    assert (refused.status_code, refused.json()["error"]) == (410, "closed")
    assert is_settled(first.snapshots.get())
    assert "Version 1 has ended" in page
    assert "between two versions" in page.casefold()
    assert "between two versions" in client.get("/staff/studio/").content.decode().casefold()
    survey.refresh_from_db()
    assert survey.closed_at is None
    take(survey, ann, first)
    publish(survey)
    assert client.get("/s/new/questionnaire").status_code == 200


def test_an_ended_version_seals_its_last_few_and_invites_nobody(client: Client, ann: Editor) -> None:
    """Three who wait are sealed at once; a link would lead to a version that takes no answers."""
    client.force_login(ann.user)
    survey = invited()
    version = survey.versions.get()
    secret = invite(survey, "all", 4)[0].secret
    wait(version, [Stored(pack(disguise(version.design, np.zeros((3, 3), np.uint8), np.zeros(3, bool),
                                        words_from_seed(1)))[place].tobytes(), b"") for place in range(3)])  # fmt: skip
    seal(version)
    assert not version.snapshots.exists()
    end_version(survey)
    seal(version)
    sent = {"version": version.sha256, "invitation": secret, "blinded": "A" * 512}
    refused = Client().post("/s/invited/invitations", json.dumps(sent), content_type="application/json")

    assert version.snapshots.get().respondents == 3
    assert (refused.status_code, refused.json()["error"]) == (410, "closed")
    with pytest.raises(EntryError, match="The last version takes no more answers"):
        invite(survey, "more", 1)


@pytest.mark.parametrize("state", ["unpublished", "closed"])
def test_nothing_ends_twice(client: Client, ann: Editor, state: str) -> None:
    """A draft has nothing to end, and a closed survey has no next version."""
    client.force_login(ann.user)
    survey = make_survey()
    if state == "closed":
        publish(survey)
        close(survey)
    page = client.post(f"/staff/studio/{survey.pk}/end-version/", follow=True).content.decode()
    survey.refresh_from_db()

    said = {"unpublished": "This survey was never published.", "closed": "This survey is closed."}
    assert said[state] in page
    assert survey.newest == (1 if state == "closed" else None)


def test_what_an_open_link_cannot_know_is_said_before_publishing_and_beside_it(
    survey: Survey, ann: Editor, first: SurveyVersion, client: Client
) -> None:
    """The page of the fieldwork and the list before publishing; nothing of it is said of the first wave."""
    client.force_login(ann.user)
    address = f"/staff/studio/{survey.pk}"
    sentence = "An open link cannot know who"
    before = [sentence in client.get(f"{address}/{page}/").content.decode() for page in ("publish", "fieldwork")]
    take(survey, ann, first)
    listed = sentence in client.get(f"{address}/publish/").content.decode()
    publish(survey)

    assert before == [False, False]
    assert listed
    assert sentence in client.get(f"{address}/fieldwork/").content.decode()


def invited(slug: str = "invited") -> Survey:
    survey = make_survey(slug, access=Survey.Access.INVITATION)
    publish(survey)
    return survey


def rows_of(client: Client, survey: Survey, **fields: Any) -> list[dict[str, str]]:
    file = client.post(f"/staff/studio/{survey.pk}/invite/", {"label": "all", **fields})
    assert file.status_code == 200
    return list(csv.DictReader(io.StringIO(file.content.decode())))


def test_a_lot_keeps_people_for_the_second_wave_with_half_a_link(client: Client, ann: Editor) -> None:
    """The file alone says who waits, and its lines are in no order; every invitation is drawn before the first wave."""
    client.force_login(ann.user)
    survey = invited()
    rows = rows_of(client, survey, count=200, later=70)
    waves = "".join(row["wave"] for row in rows)
    (batch,) = survey.invitation_batches.all()

    assert (waves.count("1"), waves.count("2")) == (60, 140)
    assert [row["link"].startswith("&i=") for row in rows] == [wave == "2" for wave in waves]
    assert (batch.count, batch.waiting, batch.invitations.count()) == (200, 140, 200)
    assert waves not in ("1" * 60 + "2" * 140, "2" * 140 + "1" * 60)


def by_invitation(survey: Survey, later: int) -> dict[bool, str]:
    """Four people are invited, so many of 100 of them for a second wave: an invitation of each kind."""
    write(survey, access=Survey.Access.INVITATION)
    survey.refresh_from_db()
    publish(survey)
    return {waits: secret for secret, waits in invite(survey, "all", 4, later)}


def follow(survey: Survey, by: Editor) -> None:
    """The first wave ends, and the list of the second is published."""
    version = end_version(survey)
    shares = {name: [0.1, 0.01] for name in names(survey)}
    do(survey, by, "after", value={"version": version.sha256, "of": 1, "top": 2, "shares": shares})
    survey.refresh_from_db()
    publish(survey)


def test_a_second_wave_follows_a_version_of_its_own_survey(survey: Survey, ann: Editor) -> None:
    """Of another survey nobody could know who answered the first wave; nothing is published."""
    shares = {name: [0.1, 0.01] for name in names(survey)}
    do(survey, ann, "after", value={"version": "a" * 64, "of": 1, "top": 2, "shares": shares})
    survey.refresh_from_db()

    with pytest.raises(EntryError, match="The first wave is a version of another survey"):
        publish(survey)

    assert not survey.versions.exists()


def buys(survey: Survey, secret: str) -> int:
    version = survey.versions.latest("number")
    blinded = Client().post(
        f"/s/{survey.slug}/invitations",
        json.dumps({"version": version.sha256, "invitation": secret, "blinded": "A" * 510 + "Eg"}),
        content_type="application/json",
    )
    return blinded.status_code


def test_each_wave_counts_its_own_answers_against_its_own_number(
    survey: Survey, ann: Editor, first: SurveyVersion, client: Client
) -> None:
    """What Protect expects of the second moves nothing of the first; the steps of the second wait for its people."""
    client.force_login(ann.user)
    address = f"/staff/studio/{survey.pk}"

    def came() -> tuple[Any, Any, int, str]:
        page = client.get(f"{address}/fieldwork/").context
        steps = rail.steps(Survey.objects.get(pk=survey.pk), survey.versions.last(), {*Action})
        (field,) = (step for step in steps if step.name == "fieldwork")
        number = page["sealed"] and page["sealed"].number
        return page["expected"], number, sum(one["past"] for one in page["goals"]), field.note

    waves = [came()]
    take(survey, ann, first)
    do(survey, ann, "survey", field="expected", value="5000")
    protect = client.get(f"{address}/protect/").content.decode()
    waves.append(came())
    version = publish(survey)
    waves.append(came())
    answer(version, 700, seed=2)
    waves.append(came())

    assert waves == [
        (3_000, 2_900, 1, "more than 2\u202f900 answers"),  # that reports begin is past
        (3_000, 2_900, 1, "more than 2\u202f900 answers"),
        (5_000, None, 0, "collecting"),
        (5_000, 600, 1, "more than 600 answers"),
    ]
    assert "In this second wave, not counting those of the first." in protect


def test_who_waits_answers_in_the_second_wave_alone(survey: Survey, ann: Editor) -> None:
    """Before it the site does not know their invitation."""
    secret = by_invitation(survey, 50)[True]
    before = buys(survey, secret)
    follow(survey, ann)

    assert (before, buys(survey, secret)) == (403, 200)


def test_nobody_joins_a_second_wave_for_which_people_wait(survey: Survey, ann: Editor, client: Client) -> None:
    """Somebody who knows the figures of the first would choose them; the page makes links of those who waited whole."""
    client.force_login(ann.user)
    by_invitation(survey, 50)
    follow(survey, ann)
    page = client.get(f"/staff/studio/{survey.pk}/fieldwork/").content.decode()
    asked = client.post(f"/staff/studio/{survey.pk}/invite/", {"label": "more", "count": 5})

    assert (asked.status_code, survey.invitation_batches.count()) == (422, 1)
    with pytest.raises(EntryError, match="nobody else can be invited"):
        invite(survey, "more", 1)
    assert "Links for those who waited" in page
    assert f"#v={survey.versions.latest('number').sha256}&amp;w=2" in page
    assert "who of those invited" not in client.get(f"/staff/studio/{survey.pk}/publish/").content.decode()
    assert 'id="invite"' not in page


def test_every_page_of_a_second_wave_plans_for_those_who_wait(survey: Survey, ann: Editor, client: Client) -> None:
    """And says how many they are. A plan for more is worth a second look; the offer foresees what so few tell."""
    client.force_login(ann.user)
    write(survey, access=Survey.Access.INVITATION)
    survey.refresh_from_db()
    version = publish(survey)
    invite(survey, "all", 100, 50)
    invite(survey, "late", 10, 50)
    answer(version, 400, seed=1)
    survey.refresh_from_db()
    end_version(survey)
    address, sentence = (
        f"/staff/studio/{survey.pk}",
        "55 people wait for this second wave, and nobody else can be invited.",
    )
    (offered,) = second.prices(survey, read_document(survey))
    history.change(survey, ann, second.PART.prepare["after"](survey, json.loads(offered.change)))
    draft = Draft.load(survey)
    can, cannot = second.sentences(draft)
    protect, listed = (client.get(f"{address}/{page}/") for page in ("protect", "publish"))
    shown = questions_context(draft)["expected"], listed.context["list"].read["respondents"]
    pages = [page.content.decode() for page in (protect, listed)]
    do(survey, ann, "survey", field="expected", value="56")
    remarks = [list(second.PART.remarks(one)) for one in (draft, Draft.load(survey))]
    history.undo(survey, ann)
    publish(survey)
    field = client.get(f"{address}/fieldwork/")

    assert (*shown, field.context["expected"]) == (55, 55, 55)
    assert [sentence in page for page in (*pages, field.content.decode())] == [True] * 3
    assert sentence in offered.costs
    assert (offered.gains, can) == ([], [])
    assert offered.costs[0] == cannot[0]
    assert re.fullmatch(r"\d+ sets of two or three answers, each known to ±[2-9]\d points", cannot[0])
    assert remarks == [[], [(sentence, "protect")]]


def test_a_plan_for_those_who_waited_is_named_once_the_link_is_open(survey: Survey, ann: Editor) -> None:
    """The list was taken for them; whatever else is planned needs no second look."""
    write(survey, access=Survey.Access.INVITATION)
    survey.refresh_from_db()
    version = publish(survey)
    invite(survey, "all", 100, 50)
    answer(version, 400, seed=1)
    survey.refresh_from_db()
    end_version(survey)
    do(survey, ann, "after", value=list_after(version), people=50)
    do(survey, ann, "survey", field="access", value=Survey.Access.OPEN)
    with CaptureQueriesContext(connection) as asked:
        (_open, (said, place)) = second.PART.remarks(Draft.load(survey))
    do(survey, ann, "survey", field="expected", value="300")
    planned = [one for one, _place in second.PART.remarks(Draft.load(survey))]

    assert said == "It is planned for the 50 people who waited. With an open link others may come, too."
    assert place == "protect"
    assert sum("invitationbatch" in query["sql"] for query in asked) == 1
    assert said not in planned


def test_a_second_wave_with_an_open_link_names_nobody_who_waits(survey: Survey, ann: Editor, client: Client) -> None:
    """Neither its offer nor its plan nor a page: everybody can answer, and as many are planned for as before."""
    client.force_login(ann.user)
    write(survey, access=Survey.Access.INVITATION)
    survey.refresh_from_db()
    version = publish(survey)
    invite(survey, "all", 100, 50)
    answer(version, 400, seed=1)
    survey.refresh_from_db()
    end_version(survey)
    planned = read_document(survey)["expected"]
    do(survey, ann, "survey", field="access", value=Survey.Access.OPEN)
    (offered,) = second.prices(survey, read_document(survey))
    history.change(survey, ann, second.PART.prepare["after"](survey, json.loads(offered.change)))
    address, sentence = f"/staff/studio/{survey.pk}", "nobody else can be invited."
    pages = [client.get(f"{address}/{page}/").content.decode() for page in ("protect", "publish")]
    survey.refresh_from_db()
    publish(survey)
    pages.append(client.get(f"{address}/fieldwork/").content.decode())

    assert read_document(survey)["expected"] == planned
    assert [sentence in page for page in (*pages, *offered.costs)] == [False] * (3 + len(offered.costs))


def test_without_a_lot_before_it_a_second_wave_invites_as_any_version(
    survey: Survey, ann: Editor, client: Client
) -> None:
    """Others than those of the first; none of them can wait for a wave that is there. Field, mail and the list before
    publishing say that the site cannot know who answered the first.
    """
    client.force_login(ann.user)
    by_invitation(survey, 0)
    address = f"/staff/studio/{survey.pk}"
    said = ["no lot has kept" in client.get(f"{address}/{page}/").content.decode() for page in ("fieldwork", "mail")]
    follow(survey, ann)
    said += ["no lot has kept" in client.get(f"{address}/{page}/").content.decode() for page in ("fieldwork", "mail")]
    listed = client.get(f"{address}/publish/").content.decode()
    page = client.get(f"{address}/fieldwork/").content.decode()

    assert said == [False, False, True, True]
    assert "who of those invited answered version 1" in listed
    assert 'name="label"' in page
    assert 'name="later"' not in page
    assert len(invite(survey, "others", 3)) == 3
    with pytest.raises(EntryError, match="nobody can wait for it any more"):
        invite(survey, "later", 4, 50)


@pytest.mark.parametrize("fields", every(3, [{}, {"later": ""}, {"later": 0}]))
def test_without_a_second_wave_the_file_has_links_alone(client: Client, ann: Editor, fields: dict[str, Any]) -> None:
    """As before: one column."""
    client.force_login(ann.user)
    assert [[*row] for row in rows_of(client, invited(), count=3, **fields)] == [["link"]] * 3


@pytest.mark.parametrize("later", every(3, [-1, 91, "half"]))
def test_a_lot_that_leaves_nobody_is_refused(client: Client, ann: Editor, later: Any) -> None:
    """No invitations are made."""
    client.force_login(ann.user)
    survey = invited()
    refused = client.post(f"/staff/studio/{survey.pk}/invite/", {"label": "all", "count": 10, "later": later})

    assert (refused.status_code, survey.invitation_batches.count()) == (422, 0)


@pytest.mark.long
@pytest.mark.parametrize("page", ["fieldwork", "protect", "alternatives"])
def test_pages_ask_as_often_for_three_versions_as_for_one(
    survey: Survey, ann: Editor, client: Client, page: str
) -> None:
    """Of all earlier versions only the newest is read."""
    client.force_login(ann.user)
    asked = []
    for number in range(3):
        write(survey, heading={"en": f"Version {number}"})
        answer(publish(survey), 300, seed=number)
        if number:  # before, no version is an earlier one
            client.get(f"/staff/studio/{survey.pk}/{page}/")
            with CaptureQueriesContext(connection) as queries:
                assert client.get(f"/staff/studio/{survey.pk}/{page}/").status_code == 200
            asked.append(len(queries))

    assert asked[0] == asked[1]


def test_an_offer_that_is_refused_stands_there_with_its_reason(
    survey: Survey, ann: Editor, first: SurveyVersion
) -> None:
    """A number among the sensitive answers, or blocks made by hand: nothing vanishes without a word."""
    do(survey, ann, "add", type="number", lines="How many?", sensitive=True)
    (number,) = second.prices(survey, read_document(survey))
    history.undo(survey, ann)
    do(survey, ann, "block", place=0, field="cap", value="3")
    (by_hand,) = second.prices(survey, read_document(survey))

    assert {one.title for one in (number, by_hand)} == {"a second wave, not possible now"}
    assert {one.change for one in (number, by_hand)} == {""}
    assert number.costs == [
        "It sends one word about all sensitive answers: it needs two questions or more, and no number or place. The "
        "next version can do without these."
    ]
    assert by_hand.costs == [HELP_BY_HAND]


def test_field_says_before_the_lot_and_before_the_end_that_blocks_made_by_hand_have_no_second_wave(
    survey: Survey, ann: Editor, client: Client
) -> None:
    """With what would help, and how many answers are missing: nobody is kept waiting in vain."""
    do(survey, ann, "block", place=0, field="cap", value="3")
    write(survey, access=Survey.Access.INVITATION)
    survey.refresh_from_db()
    version = publish(survey)
    said = second.outlook(version, read_document(survey))
    answer(version, 400, seed=1)
    client.force_login(ann.user)
    page = client.get(f"/staff/studio/{survey.pk}/fieldwork/").content.decode()

    assert said.startswith(
        f"As the draft is now, no second wave can follow version 1. {HELP_BY_HAND} For a second wave"
    )
    assert "At most 20 are missing" in said
    fields, end = page.split('id="id_later"')
    assert HELP_BY_HAND in unescape(fields)
    assert f"can follow version 1. {HELP_BY_HAND}</p>" in unescape(end)


@pytest.mark.parametrize("by", [PROPOSAL, HAND])
def test_protect_shows_first_what_follows_a_version_that_was_ended(
    survey: Survey, ann: Editor, client: Client, first: SurveyVersion, by: str
) -> None:
    """The offer, or why there is none, stands before all other ways; while version 1 collects it is one of them."""
    client.force_login(ann.user)
    if by == HAND:
        do(survey, ann, "block", place=0, field="cap", value="3")
    before = client.get(f"/staff/studio/{survey.pk}/alternatives/").content.decode()
    end_version(survey)
    after = client.get(f"/staff/studio/{survey.pk}/alternatives/").content.decode()
    title = "A second wave, for sets" if by == PROPOSAL else "A second wave, not possible now"

    assert title not in before.partition("<h3>")[2].partition("</h3>")[0]
    assert title in before
    assert after.partition("<h3>")[2].startswith(title)
    assert ("&quot;after&quot;" in after.partition("</article>")[0]) == (by == PROPOSAL)


def test_field_promises_no_second_wave_that_protect_refuses(survey: Survey, ann: Editor, client: Client) -> None:
    """A version that ended with too few answers: both pages give the reason, and neither offers what cannot be."""
    answer(publish(survey), 15, seed=1)
    end_version(survey)
    survey.refresh_from_db()
    client.force_login(ann.user)
    (refused,) = second.prices(survey, read_document(survey))
    page = unescape(client.get(f"/staff/studio/{survey.pk}/fieldwork/").content.decode())

    assert (refused.costs[0] in page, "Protect offers the second wave, under" in page) == (True, False)


def test_too_few_answers_are_a_reason_that_is_said(survey: Survey) -> None:
    """Protect names it; before the version ends, Field says how many are missing, in hundreds."""
    Survey.objects.filter(pk=survey.pk).update(least=100)
    survey.refresh_from_db()
    version = publish(survey)
    before = second.outlook(version, read_document(survey))
    answer(version, 40, seed=1)
    survey.refresh_from_db()
    (refused,) = second.prices(survey, read_document(survey))
    after = second.outlook(version, read_document(survey))

    assert before.startswith(
        "For a second wave each question of version 1 must be asked of 20 people with disguise, which"
    )
    assert "about 20 answers. At most 20 are missing" in before
    assert (refused.change, refused.costs) == (
        "",
        ["Fewer than 100 answers may be counted so far, too few to report on."],
    )
    assert after == (
        "A second wave can follow: enough people have answered version 1 with disguise. More answers choose better "
        "sets."
    )


def test_a_first_wave_by_coins_says_what_cannot_be_joined(survey: Survey, ann: Editor) -> None:
    """On Protect before it is chosen and afterwards: 142 people, each asked some of the questions."""
    do(survey, ann, "protect", field="way", value="")
    do(survey, ann, "protect", field="asked", value=3)
    version = publish(survey)
    answer(version, 142, seed=1)
    survey.refresh_from_db()
    end_version(survey)
    (offered,) = second.prices(survey, read_document(survey))
    said = second.explain_apart(version)
    take(survey, ann, version)
    _can, cannot = second.sentences(Draft.load(survey))

    assert json.loads(offered.change) == {"do": "after", "value": 1}
    assert said.startswith("Version 1 asked in another way, and not by one word of a list about the same answers.")
    assert offered.costs[-1] == said
    assert said in cannot
