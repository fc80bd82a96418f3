"""From how many people on a survey shows something: one sentence on every page, and forecasts that keep to it."""

import re
from fractions import Fraction
from html import unescape

import numpy as np
import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from privacy.disguise import disguise
from privacy.disguise.table import words_from_seed
from privacy.errors import EntryError
from privacy.records.packing import pack
from surveys.domain.people.roles import Action
from surveys.domain.questionnaire.closing import close
from surveys.domain.questionnaire.document import Draft
from surveys.domain.questionnaire.minimum import Minimum, minimum_of_draft, minimum_of_version
from surveys.domain.questionnaire.publish import publish
from surveys.domain.responses.seal import append
from surveys.models import Survey, SurveyVersion
from surveys.results.answers import answers
from surveys.results.report import data_of
from surveys.studio import rail
from tests.surveys.making import add_question, make_survey, set_block, set_questions, write
from tests.surveys.results.making import answer, draft
from tests.surveys.staff import somebody

SENTENCE = (
    "Fewer than 20 people with disguised answers: nothing is ever shown, neither figures nor files. From 20 on, "
    "disguised answers are shown once the survey is closed; everything else from 100 people on."
)


@pytest.fixture
def a_class(client: Client) -> Survey:
    """A survey of a class of 60 that nobody may answer directly."""
    user: User = somebody()
    client.force_login(user)
    return draft(expected=60, direct=False, override_by="Tests", override_reason="two blocks")


def text_of(client: Client, survey: Survey, name: str) -> str:
    return text_at(client, reverse(f"studio:{name}", args=[survey.pk]))


def text_at(client: Client, address: str) -> str:
    page = client.get(address, follow=True).content.decode()
    return " ".join(unescape(re.sub("<[^>]+>", " ", page)).split())


def test_every_page_prints_one_sentence_of_a_class_of_sixty(client: Client, a_class: Survey) -> None:
    """Before publishing and afterwards; and none says that a report needs a hundred people."""
    before = {name: text_of(client, a_class, name) for name in ("protect", "publish", "protocol", "preregistration")}
    publish(a_class)
    after = {name: text_of(client, a_class, name) for name in ("fieldwork", "report", "protocol")}

    assert [SENTENCE in page for page in (*before.values(), *after.values())] == [True] * 7
    for page in (*before.values(), *after.values()):
        assert "needs at least 100" not in page
        assert "no share could be reported" not in page


def test_field_counts_the_answers_that_each_question_needs(client: Client, a_class: Survey) -> None:
    """Each person is asked one of three questions: a hundred of each take 300 answers, and twenty take 60. Results
    name the same number.
    """
    set_block(a_class, settings={"keep": 0.3, "theta": 0.6, "ask": 1})
    version = publish(a_class)
    answer(version, 80, direct=0)
    with pytest.raises(EntryError, match=r"^Fewer than 300 answers may be counted so far, too few to report on\.$"):
        data_of(version)
    answer(version, 62, direct=0)
    page = text_of(client, a_class, "fieldwork")

    assert "while it collects, from about 300 answers on." in page
    assert "At most 200 answers are missing until reports begin." in page
    assert "60 answers disguised answers are shown once it is closed" in page
    assert "There are enough" not in page


@pytest.fixture
def sampled(client: Client) -> Survey:
    """Ten disguised questions, of which each person is asked two: 20 people of each take 100 answers, 100 take 500."""
    client.force_login(somebody())
    names = tuple(f"q{number}" for number in range(10))
    survey = make_survey(names=names, direct=False, expected=60, override_by="Tests", override_reason="one block")
    set_block(survey, settings={"keep": 0.3, "theta": 0.6, "ask": 2})
    set_questions(survey, no_skip="they may leave")
    return survey


def publish_answered(survey: Survey, people: int) -> SurveyVersion:
    """Its version, in which so many people with nothing to tell answered with disguise."""
    version = publish(survey)
    truth = np.zeros((people, 10), np.uint8)
    append(version, pack(disguise(version.design, truth, np.zeros(people, bool), words_from_seed(7))), [b""] * people)
    return version


def test_where_each_person_is_asked_some_questions_all_pages_count_answers_alike(
    client: Client, sampled: Survey
) -> None:
    """The draft and the published survey, the sentence, the steps and Field's goals."""
    sentence = (
        "Each person is asked some of the disguised questions, so it takes about 100 answers until 20 people were "
        "asked each. From there on, their answers are shown once the survey is closed; while it collects, from about "
        "500 answers on. Everything else is shown from 100 people on."
    )
    before = {name: text_of(client, sampled, name) for name in ("protect", "publish", "fieldwork")}
    publish(sampled)
    after = {name: text_of(client, sampled, name) for name in ("fieldwork", "report")}

    assert [sentence in page for page in (before["protect"], before["publish"], *after.values())] == [True] * 4
    for page in (*before.values(), *after.values()):
        assert "from 500 answers on; disguised ones from 100 once closed" in page
    assert "500 answers reports begin" in after["fieldwork"]


def test_where_answers_may_be_read_early_undisguised_ones_begin_the_report(client: Client, sampled: Survey) -> None:
    """Of 240 people who were asked two of ten questions all pages show undisguised answers; disguised ones wait."""
    add_question(sampled, "sport", page=2, required=True)
    write(sampled, early=True)
    draft = Draft.load(sampled)
    version = publish(sampled)
    truth, lines = np.zeros((240, 10), np.uint8), [b'{"sport":"0"}', b'{"sport":"1"}'] * 120
    append(version, pack(disguise(version.design, truth, np.zeros(240, bool), words_from_seed(7))), lines)
    steps = {step.name: step.note for step in rail.steps(sampled, version, tuple(Action))}
    field, report, protocol = (text_of(client, sampled, name) for name in ("fieldwork", "report", "protocol"))
    asked = {one.name: one for one in answers(data_of(version), "en")}

    assert minimum_of_draft(draft) == minimum_of_version(version) == Minimum(20, 100, Fraction(1, 5), early=True)
    assert minimum_of_draft(draft).note == "from 100 answers on; disguised ones from 500, or from 100 once closed"
    assert minimum_of_draft(draft).sentence.endswith(
        "while it collects, from about 500 answers on. Everything else is shown from 100 people on; undisguised "
        "answers also while it collects."
    )
    assert steps["report"] == "can be read"
    assert [minimum_of_draft(draft).sentence in page for page in (field, protocol)] == [False, True]
    assert "100 answers reports begin" in field
    assert "500 answers disguised answers are shown" in field
    assert [any(display.shares_by_answer for display in asked[name].displays) for name in ("sport", "q0")] == [
        True,
        False,
    ]
    assert "Results" in report


@pytest.mark.parametrize(("people", "can_read"), [(60, False), (250, True)])
def test_a_closed_survey_of_some_questions_says_alike_on_all_pages_whether_it_shows_something(
    client: Client, sampled: Survey, people: int, can_read: bool
) -> None:
    """Of 60 people 12 were asked each question; the files have their disguised answers, as they have of any 20."""
    version = publish_answered(sampled, people)
    close(sampled)
    field, report = (text_of(client, sampled, name) for name in ("fieldwork", "report"))
    steps = {step.name: step.note for step in rail.steps(Survey.objects.get(), version, tuple(Action))}

    assert (steps["report"], steps["files"]) == ("can be read" if can_read else "too few answered", "can be taken")
    assert f"Report {steps['report']} Closed" in field
    assert f"Files {steps['files']} Erased" in field
    assert "eports begin" not in field
    assert ("There are enough for a report." in field, "Fewer came." in field) == (can_read, not can_read)
    refused = "No question was asked of 20 people with disguise, too few to report on: it takes about 100 answers."
    assert (refused in report) != can_read


@pytest.mark.parametrize(("people", "can_read"), [(420, False), (520, True)])
def test_the_start_page_leads_to_a_report_once_the_steps_say_that_it_can_be_read(
    client: Client, sampled: Survey, people: int, can_read: bool
) -> None:
    """While it collects it takes 500 answers, although a survey reports on 100 people."""
    version = publish_answered(sampled, people)
    home = text_at(client, reverse("studio:home"))
    steps = {step.name: step.note for step in rail.steps(sampled, version, tuple(Action))}

    assert (steps["report"] == "can be read", "Read the report" in home) == (can_read, can_read)
    assert ("Look at the field" in home) != can_read
    assert f"Collecting more than {people // 100 * 100} answers" in home


def test_a_quota_counts_the_answers_that_each_question_needs(client: Client, sampled: Survey) -> None:
    """It would close before a disguised question was asked of enough people."""
    Survey.objects.filter(pk=sampled.pk).update(quota=90)
    page = text_of(client, sampled, "publish")
    assert "It closes with 90 answers, and of fewer than 100 nothing is shown." in page
