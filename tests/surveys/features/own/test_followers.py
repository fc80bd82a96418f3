"""Who follows a draw of their own, in the report: corrected shares first, bounds where nothing tells more."""

import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from django.test import RequestFactory

from privacy.errors import EntryError
from privacy.records import Records
from privacy.records.packing import pack
from surveys.domain.drafts.changes import apply
from surveys.domain.messages.submission import Stored
from surveys.domain.questionnaire.check import missing
from surveys.domain.questionnaire.document import Draft, read_document, store
from surveys.domain.questionnaire.publish import publish
from surveys.domain.rehearsal.fill import open_lines
from surveys.domain.responses import seal
from surveys.features.own.report import PART
from surveys.features.own.staff import PART as STAFF
from surveys.models import PublishedDraft, Survey, SurveyVersion
from surveys.results.reading import ReportData
from surveys.results.report import ANSWERS, data_of, topics
from surveys.shared_report import as_readers_see_it
from tests.cases import first
from tests.surveys.features.own.pressing import CARELESS, PEOPLE, SHARE, answered
from tests.surveys.inbox import wait
from tests.surveys.making import edit_draft, make_survey, words, write

pytestmark = pytest.mark.django_db


def shown(version: SurveyVersion) -> dict[str, Any]:
    (part,) = PART.parts(data_of(version))
    assert part.key == "followers"
    return dict(part.context())


def percent(text: str) -> float:
    return float(text.removesuffix(" %").removeprefix("about ")) / 100


def test_two_looks_correct_and_show_as_pressed_beside() -> None:
    """The share of the others first, within 4.5 of its errors; a fifth do not follow; and what nothing finds."""
    found = shown(answered(("a",)))

    corrected, pressed = found["figures"][0].table.rows
    assert (corrected[1], pressed[1]) == ("those who follow the draw", "as pressed by all")
    error = percent(corrected[4].removeprefix("± "))
    assert abs(percent(corrected[2]) - SHARE) < 4.5 * error
    assert abs(percent(pressed[2]) - (0.8 * SHARE + 0.2 * 0.5)) < 4.5 * error  # half of what is pressed speaks for yes
    many, proves, hides, assumed = found["sentences"]
    share = float(many.split(" %")[0]) / 100
    assert abs(share - CARELESS) < 0.1
    assert "at most" in proves
    assert hides.endswith("Read the low end of a share as “at least”.")
    assert assumed.startswith("Assumed: who does not follow")


def test_while_it_collects_there_are_bounds_and_nothing_is_corrected() -> None:
    """The looks are undisguised answers, which nobody sees before the survey is closed."""
    found = shown(answered(("a",), closed=False))

    between, pressed = found["figures"][0].table.rows
    low, high = (percent(one.replace("%", " %").replace("  ", " ").strip()) for one in between[2].split(" – "))
    assert low < high
    assert (between[1], between[4], pressed[1]) == ("those who follow the draw", "–", "as pressed by all")
    assert found["sentences"][0].startswith("One question that nobody affirms cannot tell how many do not follow")


def test_a_group_by_one_draw_has_bounds_that_hold_the_share() -> None:
    """Three questions by a die and coins, and the question that is never true by a birthday."""
    found = shown(answered(("a", "b", "c")))

    rows = [row for row in found["figures"][0].table.rows if row[1] == "those who follow the draw"]
    assert [row[0] for row in rows] == ["a? Yes", "b? Yes", "c? Yes"]
    for row in rows:
        low, high = (
            percent(one.replace("%", " %").replace("  ", " ").strip()) for one in row[3].removesuffix(" %").split("–")
        )
        assert low <= SHARE <= high


def test_without_a_question_that_is_never_true_the_report_says_that_nothing_shows_it() -> None:
    assert shown(answered(("a",), never=False))["sentences"] == [
        "No question here shows who follows the draw, so figures are as pressed by all."
    ]


@pytest.mark.parametrize("answers", first(1, [0, 1]))
def test_a_fact_of_an_earlier_version_is_refused_whether_or_not_anybody_answered(answers: int) -> None:
    """In the same words, or the refusal would tell it; they name the fact as the list of Protect does."""
    survey = study("first", name="Ärzte Bern")
    write(survey, panel=None)
    version = publish(survey)
    wait(version, [Stored(b"\0", b"{}")] * answers)
    write(survey, consent=words("I agree, again."))

    with pytest.raises(EntryError, match="version 1 asks with the fact “the day of a birthday"):
        publish(survey)


@pytest.mark.parametrize(("source", "said"), [("phone", ["A fact serves one version"]), ("die", [])])
def test_a_draft_whose_facts_will_be_taken_says_so_before_it_is_published(source: str, said: list[str]) -> None:
    """A die serves any number of versions."""
    survey = study("first")
    with edit_draft(survey) as document:
        for block in document["blocks"]:
            block["settings"] |= {"source": source}

    assert [sentence.partition(":")[0] for sentence, _at in STAFF.remarks(Draft.load(survey))] == said


PANEL = {"by": "redirect", "name": "Volunteers", "number": "", "sent": "C7K2QD9P", "out": "", "full": ""}


def study(slug: str, **panel: str) -> Survey:
    """A draft to which a panel sends people, who draw with the fact that is proposed."""
    survey = make_survey(slug=slug, names=("b",), direct=False)
    own = apply(survey, read_document(survey), {"do": "draws", "value": "by-person"})
    store(survey, own | {"panel": PANEL | panel})
    return survey


@pytest.mark.parametrize(
    ("name", "is_refused"),
    [(" ÄRZTE\u00a0 Bern", True), ("Ärzte Bern 2", False)],
    ids=["other spelling", "other panel"],
)
def test_a_fact_serves_one_answer_in_all_studies_of_a_panel(name: str, is_refused: bool) -> None:
    """The same people come to both studies, however its name is spelled, and before anybody has answered either."""
    first = publish(study("first", name="Ärzte Bern"))
    PublishedDraft.objects.filter(version=first).delete()  # older sites kept none

    if is_refused:
        with pytest.raises(EntryError, match="another study here asks people of"):
            publish(study("other", name=name))
    else:
        assert publish(study("other", name=name)).number == 1


def test_a_platform_has_one_crowd_also_once_a_study_is_closed() -> None:
    """Whatever studies call it; that a closed study was never answered does not show."""
    prolific = {"by": "prolific", "number": "PROLIFIC_PID"}
    first = publish(study("first", name="Prolific", **prolific))

    for slug in ("other", "third"):
        with pytest.raises(EntryError, match="another study here asks people of “Prolific UK”"):
            publish(study(slug, name="Prolific UK", **prolific))
        Survey.objects.filter(pk=first.survey_id).update(closed_at="2026-01-01T00:00Z")


@pytest.mark.parametrize("names", [("copied",), ("copied", "stolen")])
def test_controls_correct_and_the_never_true_question_stands_beside(names: tuple[str, ...]) -> None:
    """Of each draw, with two looks or without: a fifth do not follow, found to 3 points; shares lie near .3."""
    context = shown(answered(names, controls=True))
    first = context["sentences"][0]

    assert percent(first.split(" of these people")[0]) == pytest.approx(CARELESS, abs=0.03)
    assert ("That is by two controls." in context["sentences"][1]) == (len(names) == 1)
    assert "at most" in context["sentences"][1 + (len(names) == 1)]


@pytest.mark.parametrize("names", [("copied",), pytest.param(("copied", "stolen"), marks=pytest.mark.long)])
def test_the_report_does_not_tell_who_failed_both_controls(names: tuple[str, ...]) -> None:
    """Nor in which look: people who sent the same change their answers to one of them, and nothing shown changes."""
    data = data_of(answered(names, controls=True))
    assert data.answers
    known, sent = data.answers.columns, data.for_patterns.codes @ [1, 3, 9][: len(names) + 1]
    order = np.lexsort((np.random.default_rng(3).random(PEOPLE), sent))
    codes = np.empty(PEOPLE, np.int32)
    codes[np.argsort(sent, kind="stable")] = known["reads-2"].codes[order]
    otherwise = replace(known["reads-2"], codes=codes)
    moved = replace(data, answers=replace(data.answers, columns={**known, "reads-2": otherwise}))

    def failed_both(of: ReportData) -> int:
        assert of.answers
        first, second = (of.answers.column(name).map(str) for name in ("reads", "reads-2"))
        return int(((first == "0") & (second == "1")).sum())

    assert failed_both(data) > failed_both(moved) + 20
    assert [one.context() for one in PART.parts(moved)] == [one.context() for one in PART.parts(data)]


def test_controls_are_no_answers_about_people_and_those_of_a_rehearsal_know_them() -> None:
    """The report lists the other questions alone; simulated people all give the right answers."""
    version = answered(("copied",), controls=True)
    (common,) = ANSWERS.offered(data_of(version))
    (line,) = open_lines(version.parsed.open_questions, 1, np.random.default_rng(1), {"reads": 1, "reads-2": 0})

    assert [question.name for question, _figures in common.context()["questions"]] == ["copied"]
    assert json.loads(line) == {"reads": "1", "reads-2": "0"}


def test_controls_wait_until_the_survey_is_closed() -> None:
    """They are undisguised answers; until then the question that is never true gives bounds."""
    assert "cannot tell" in shown(answered(("copied",), controls=True, closed=False))["sentences"][0]


@pytest.mark.parametrize("names", [("copied",), ("copied", "stolen")])
def test_a_question_that_is_always_true_makes_two_anchors(names: tuple[str, ...]) -> None:
    """With draws of their own on the way of a site: a fifth do not follow, and shares are near .3 (4.5 errors)."""
    version = answered(names, always=True)
    facts = [block.draw.facts for block in version.design.blocks if block.draw]
    context = shown(version)
    rows = [row for row in context["figures"][0].table.rows if row[1] == "those who follow the draw"]

    assert len(facts) == 3
    assert sum(map(len, facts)) == len(frozenset().union(*facts))
    assert percent(context["sentences"][0].split(" of these people")[0]) == pytest.approx(CARELESS, abs=0.04)
    assert len(rows) == len(names)
    assert all(abs(percent(row[2]) - SHARE) < 4.5 * percent(row[4].removeprefix("± ")) for row in rows)


def test_a_question_of_known_answer_in_the_draw_of_others_is_no_survey_yet() -> None:
    """Its answer is known, so it would tell theirs; the sentence says what to do."""
    survey = make_survey(names=("a",), direct=False)
    document = apply(survey, read_document(survey), {"do": "careless", "value": True})
    store(survey, apply(survey, document, {"do": "draws", "value": "by-person"}))

    assert any("needs a draw of its own" in str(one) for one in missing(Draft.load(survey)))


@pytest.mark.parametrize("follows", [True, False])
def test_a_question_that_is_never_true_is_no_result_but_an_alarm(follows: bool) -> None:
    """It leads no report. Where people affirm it, a warning comes first, and no other part says that all is well."""
    survey = make_survey(names=("a",), direct=False)
    store(survey, apply(survey, read_document(survey), {"do": "draws", "value": "by-person"}))
    version, random = publish(survey), np.random.default_rng(98)
    draws = [block for block in version.design.blocks for _item in block.items]
    truth = np.array([item.id == "a" and SHARE for item in version.design.items], float)
    kept = np.array([random.random(2000) < block.keep / 2**32 for block in draws]).T  # type: ignore[attr-defined]
    codes = np.where(kept, random.random((2000, len(draws))) < truth, random.random((2000, len(draws))) < 0.5)
    if not follows:  # nearly everybody presses the first button, whatever is asked
        codes = random.random((2000, len(draws))) < 0.9
    lines = [json.dumps({"look": "opposite" if at % 2 else "fact"}).encode() for at in range(2000)]
    turned = any(block.draw and block.draw.way.look for block in draws)
    records = Records(version.design, codes.astype(np.uint8), np.zeros(2000, bool))
    seal.append(version, pack(records), lines if turned else [b""] * 2000)
    Survey.objects.update(closed_at="2026-01-01T00:00Z")
    version.refresh_from_db()
    data = data_of(version)

    (part,) = ANSWERS.offered(data)
    answers = part.context()
    assert [question.name for question, _figures in answers["questions"]] == ["a"]
    (traces,) = (one for one in topics(data) if one.heading == "Traces of forgeries")
    if follows:
        assert (answers["alarms"], traces.finding) == ([], "no sign of many")
        return
    (alarm,) = answers["alarms"]
    assert alarm.startswith("Do not trust these figures: people did not follow their draw. “Have you ever been to the")
    assert traces.finding != "no sign of many"
    page = as_readers_see_it(RequestFactory().get("/"), version, ["answers", "trust"]).rendered_content
    assert page.index("Do not trust these figures") < page.index("19 times in 20")
