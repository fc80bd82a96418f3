"""The report says how far its figures can be trusted: who followed, forged responses, and what the crowd hides."""

import re
from typing import Any

import numpy as np
from django.urls import reverse

from privacy.guarantee.crowd import promise_of_crowd
from privacy.guarantee.forged import effects_of_forgery
from privacy.output import format_count
from privacy.records import Records
from privacy.records.packing import pack
from surveys.domain.questionnaire.document import Draft
from surveys.domain.questionnaire.minimum import minimum_of_draft
from surveys.domain.questionnaire.planned_tests import round_epsilon
from surveys.domain.questionnaire.promise import protection
from surveys.domain.questionnaire.publish import publish
from surveys.domain.responses import seal
from surveys.models import Survey, SurveyVersion
from surveys.results.report import data_of, topics as topics_of
from surveys.results.sections import TrustTopic
from surveys.studio import checklist
from tests.surveys.making import make_survey, set_block, town_survey
from tests.surveys.results.making import survey_with_results
from tests.surveys.staff import somebody, visit


def topics(version: SurveyVersion) -> list[TrustTopic]:
    page: dict[str, Any] = visit(somebody("view"), reverse("studio:results", args=[version.pk])).context_data
    parts = {part.key: context for part, context, _pictures in page["parts"]}
    listed: list[TrustTopic] = parts["trust"]["topics"]
    return listed


def test_what_forged_responses_move_is_told() -> None:
    """A row for one, two and three answers, with the figures of `candor guarantee`, rounded up."""
    version = survey_with_results()
    band = topics(version)[1]
    one = effects_of_forgery(version.design, len(data_of(version).for_patterns))[0]
    assert band.table is not None
    assert [row[0] for row in band.table.rows] == ["1", "2", "3"]
    assert band.table.rows[0][3] == str(one.needed(0.05))
    assert float(band.table.rows[0][1].split()[0]) >= 100 * one.shift


def test_responses_that_follow_the_design_leave_no_trace() -> None:
    """A test of the answers of each block, and a verdict that does not promise too much."""
    topic = topics(survey_with_results())[0]
    assert topic.table is not None
    assert len(topic.table.rows) == 2
    assert topic.sentences == ()
    assert topic.finding.startswith("The answers fit the design, but no pair of questions shows")


def test_words_in_the_table_of_traces_are_no_figures() -> None:
    """They begin where lines do, and go on in the next line: the table does not become wider than its page."""
    address = reverse("studio:results", args=[survey_with_results().pk])
    page = visit(somebody("view"), address).render().content.decode()
    said = "whether the disguise can give these answers"
    assert set(re.findall(f'<td class="([a-z]+)"[^>]*>{said}</td>', page)) == {"prose"}


def test_what_forgers_leave_is_said() -> None:
    """Everybody sends the same record of a list of words: the table names it, and the sentence does."""
    survey = make_survey("listed", tuple(f"q{number}" for number in range(5)), direct=False)
    set_block(survey, kind="one-of", settings={"list_gamma": 9, "cap": 2, "longest": 2})
    version = publish(survey)
    codes = np.tile(np.array((1, 1, 1, 0, 0), version.design.code_type), (1000, 1))
    seal.append(version, pack(Records(version.design, codes, np.zeros(1000, bool))), [b"{}"] * 1000)

    topic = topics_of(data_of(version))[0]

    assert topic.table is not None
    assert (topic.table.rows[0][2], topic.grave) == ("rows that no device makes", True)
    assert topic.sentences[0].startswith("The answers do not fit the design, whatever people said (farthest off: rows")


def test_the_questionnaire_decides_whether_a_crowd_is_promised() -> None:
    """Undisguised answers may single out a person; texts do not count, because they stand beside nothing."""
    said = [topics_of(data_of(survey_with_results(people, slug=f"s{people}"))) for people in (1500, 200)]
    for crowd in (listed[-1] for listed in said):
        assert crowd.sentences[0].startswith("Undisguised answers (faculty, ways, mood, hours, born, views) are stored")
        assert len(crowd.sentences) == 2


def test_without_open_answers_the_crowd_is_all_who_answered_disguised() -> None:
    """ε is that of the shuffled records."""
    survey = make_survey("apart", ("drugs", "cheating"))
    version = publish(survey)
    codes = np.zeros((1500, 2), version.design.code_type)
    seal.append(version, pack(Records(version.design, codes, np.zeros(1500, bool))), [b""] * 1500)
    Survey.objects.filter(pk=survey.pk).update(closed_at="2026-01-01T00:00Z")
    version.refresh_from_db()
    crowd = promise_of_crowd(version.design, 1500)
    said = topics(version)[-1].sentences
    assert said[0].startswith("Somebody who sees the disguised answers of 1\u202f500 people")
    assert f"ε = {round_epsilon(crowd.epsilon)} allows" in said[0]


def test_a_plan_trusts_figures_as_far_as_the_report_of_the_planned_people() -> None:
    """One in five answers directly, as planned: both are about the others alone."""
    survey = make_survey("apart", ("drugs", "cheating", "theft"), direct=True, expected=2000)
    draft = Draft.load(survey)
    planned = " ".join(checklist.say_trust(draft, protection(draft, minimum_of_draft(draft))))
    version = publish(survey)
    direct = np.arange(2000) < 400
    records = Records(version.design, np.zeros((2000, 3), version.design.code_type), direct)
    seal.append(version, pack(records), [b""] * 2000)
    Survey.objects.filter(pk=survey.pk).update(closed_at="2026-01-01T00:00Z")
    version.refresh_from_db()
    _followed, forged, *_others, crowd = topics(version)

    assert forged.table is not None
    moves = ", ".join(
        f"of {name} {row[1]}" for name, row in zip(("one answer", "two", "three"), forged.table.rows, strict=True)
    )
    assert f"at most: {moves}." in planned
    assert f"{format_count(1600)} disguised records" in planned
    assert crowd.finding.split()[2] == planned.split("promise each person ε = ")[1].split(",")[0]


def test_of_places_that_are_true_as_they_stand_nothing_is_promised() -> None:
    """What no figure of answers is about has no table, and a record that tells the truth is hidden by no crowd."""
    survey = town_survey()
    version = publish(survey)
    codes = np.full((120, 1), 81, version.design.code_type)
    seal.append(version, pack(Records(version.design, codes, np.zeros(120, bool))), [b""] * 120)
    Survey.objects.filter(pk=survey.pk).update(closed_at="2026-01-01T00:00Z")
    version.refresh_from_db()
    followed, band, _promise, crowd = topics(version)
    assert (band.table, len(band.sentences)) == (None, 1)
    assert "how far one moves a number or a place" in band.sentences[0]
    assert (followed.sentences, followed.table) == ((), None)
    assert followed.finding == "Nothing shows here whether people and devices followed the design."
    assert crowd.sentences[0] == (
        "What the disguise of home does not protect, such as a place outside all zones, may be stored as it is. No "
        "crowd hides that, so the crowd adds no promise. The odds of what is protected grow at most by the factor 7.39."
    )
