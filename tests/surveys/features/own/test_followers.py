"""Who follows a draw of their own, in the report: corrected shares first, bounds where nothing tells more."""

import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from django.test import RequestFactory

from privacy.errors import EntryError
from privacy.following.careless import DEPART, FIT
from privacy.records import Records
from privacy.records.packing import pack
from surveys.domain.drafts.changes import apply
from surveys.domain.messages.submission import Stored
from surveys.domain.questionnaire.document import Draft, read_document, store
from surveys.domain.questionnaire.publish import publish
from surveys.domain.responses import seal
from surveys.features.own.staff import PART as STAFF
from surveys.models import PublishedDraft, Survey, SurveyVersion
from surveys.results import following
from surveys.results.following import judge_following
from surveys.results.report import ANSWERS, data_of, topics
from surveys.shared_report import as_readers_see_it
from tests.cases import first
from tests.surveys.features.own.pressing import CARELESS, SHARE, answered
from tests.surveys.inbox import wait
from tests.surveys.making import edit_draft, make_survey, words, write


def shown(version: SurveyVersion) -> dict[str, Any]:
    """The context of the part that says who followed."""
    (part,) = following.parts(data_of(version))
    return dict(part.context())


def percent(text: str) -> float:
    return float(text.removesuffix(" %").removeprefix("about ")) / 100


@pytest.mark.parametrize("names", [("copied",), ("copied", "stolen")])
@pytest.mark.parametrize("closed", [False, True])
def test_the_pair_tells_who_does_not_follow_their_draw_and_what_the_others_say(
    names: tuple[str, ...], closed: bool
) -> None:
    """A fifth do not follow, found to 4 points; shares are within 4.5 errors of .3, also while it collects."""
    version = answered(names, closed=closed)
    facts = [block.draw.facts for block in version.design.blocks if block.draw]
    found = shown(version)
    rows = [row for row in found["figures"][0].table.rows if row[1] == "those who follow"]

    assert sum(map(len, facts)) == len(frozenset().union(*facts))
    many, _twice, hides, assumed, *_order = found["sentences"]
    assert percent(many.removeprefix("About ").split(" of these people")[0]) == pytest.approx(CARELESS, abs=0.04)
    assert len(rows) == len(names)
    assert all(abs(percent(row[2]) - SHARE) < 4.5 * percent(row[4].removeprefix("± ")) for row in rows)
    assert hides.endswith("read the low end of a share as “at least”.")
    assert assumed.startswith("Assumed: somebody who does not follow the design")


def test_without_a_pair_the_report_says_that_nothing_shows_who_follows() -> None:
    version = answered(("a", "b"), pair=False)

    assert following.parts(data_of(version)) == []
    assert judge_following(data_of(version)).sentence.sentence == FIT


def test_a_version_of_before_that_asks_one_question_alone_tests_it_and_counts_nobody() -> None:
    """More affirm what nobody does than can, if everybody follows."""
    version = answered(("a", "b"))
    source = {name: entry for name, entry in version.parsed.source.items() if name != "careless"}
    data = data_of(version)
    data.version.__dict__["parsed"] = replace(version.parsed, source=source)
    data.memory.clear()

    found = judge_following(data)

    assert (found.sentence.sentence, found.share, found.departing[-1].of) == (DEPART, None, "anchor")


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


@pytest.mark.parametrize("follows", [True, False])
def test_the_pair_is_no_result_but_an_alarm(follows: bool) -> None:
    """It leads no report. Where people do not follow, one sentence comes first, and every other part says the same."""
    survey = make_survey(names=("a",), direct=False)
    store(survey, apply(survey, read_document(survey), {"do": "draws", "value": "by-person"}))
    version, random = publish(survey), np.random.default_rng(98)
    draws = [block for block in version.design.blocks for _item in block.items]
    truth = np.array([{"a": SHARE, "water": 1.0}.get(item.id, 0.0) for item in version.design.items])
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
    (topic,) = (one for one in topics(data) if one.heading == "Whether people and devices followed the design")
    if follows:
        assert answers["alarms"] == []
        assert topic.finding.startswith(("Everybody may have followed the design", "About "))
        return
    (alarm,) = answers["alarms"]
    assert alarm.endswith("Do not trust these figures.")
    assert (topic.finding, topic.grave, shown(version)["sentences"]) == (alarm, True, [alarm])
    page = as_readers_see_it(RequestFactory().get("/"), version, ["answers", "trust"]).rendered_content
    assert page.index("Do not trust these figures") < page.index(
        "What all who answered pressed is in the dark bar 19 times in 20"
    )
