"""Kinds of sheets, and when paper is decided on: said before a version is published."""

import json

import pytest
from django.test import Client

from surveys.domain.drafts.changes import apply
from surveys.domain.questionnaire.document import Draft, read_document, store
from surveys.domain.questionnaire.publish import publish
from surveys.features.paper.form import form_of
from surveys.features.paper.kinds import pane, remarks
from surveys.models import Survey
from tests.surveys.making import edit_draft, make_survey
from tests.surveys.staff import somebody

pytestmark = pytest.mark.django_db
TEN = (
    "On paper this makes 10 kinds of sheets, and each must be that of 100 people or more: print "
    "1\N{NARROW NO-BREAK SPACE}000 sheets or more."
)
NOW = "Decide on paper now: once this is published, paper takes a new version."


@pytest.fixture
def survey() -> Survey:
    """Two questions with a digit by lot, planned for 500 people."""
    survey = make_survey(names=("copied", "stolen"), direct=False)
    change(survey, {"do": "draws", "value": "by-person"})
    change(survey, {"do": "survey", "field": "expected", "value": "500"})
    return survey


def change(survey: Survey, said: dict[str, object]) -> None:
    store(survey, apply(survey, read_document(survey), said))


def test_protect_says_before_publishing_how_many_sheets_paper_takes(survey: Survey) -> None:
    """Ten digits that a lot turns are ten kinds; each offer makes as many as it says, and fewer."""
    shown = pane(Draft.load(survey))

    assert (shown["said"], shown["few"], shown["decided"]) == (TEN, "You plan for 500 people.", NOW)
    assert len(shown["fewer"]) == 4
    for offer in shown["fewer"]:
        change(survey, json.loads(offer["change"]))
        assert pane(Draft.load(survey))["said"] == offer["said"] == "All sheets are alike."


def test_who_plans_for_enough_people_needs_no_other_draw(survey: Survey) -> None:
    """A thousand people are a hundred for each kind."""
    change(survey, {"do": "survey", "field": "expected", "value": "1000"})
    shown = pane(Draft.load(survey))

    assert (shown["few"], shown["fewer"]) == ("", [])


def test_publish_says_that_paper_is_decided_on_now(survey: Survey) -> None:
    """Before it is ticked; then that the planned people are too few for the kinds of sheets."""
    assert list(remarks(Draft.load(survey))) == [(NOW, "protect")]
    change(survey, {"do": "survey", "field": "paper", "value": True})
    assert list(remarks(Draft.load(survey))) == [(f"{TEN} You plan for 500 people.", "protect")]


def test_paper_after_publishing_takes_a_new_version(client: Client, survey: Survey) -> None:
    """With other facts. Protect and Field say so; once the new version is published nobody need decide."""
    publish(survey)
    said = "Version 1 is without paper, which takes a new version."
    client.force_login(somebody())
    field = client.get(f"/staff/studio/{survey.pk}/fieldwork/?way=paper").content.decode()
    assert pane(Draft.load(survey))["decided"] == said
    assert said in field

    change(survey, {"do": "survey", "field": "paper", "value": True})
    with edit_draft(survey) as document:
        for block, fact in zip(document["blocks"], ("bill", "mother"), strict=True):
            block["settings"]["fact"] = fact
    version = publish(survey)
    assert pane(Draft.load(survey))["decided"] == ""
    assert len(form_of(version).lots) == 10


def test_the_refusal_to_print_too_few_sheets_says_the_same(client: Client, survey: Survey) -> None:
    """One sentence before and after publishing, also on paper: a page that is refused prints it and no sheet."""
    change(survey, {"do": "survey", "field": "paper", "value": True})
    publish(survey)
    client.force_login(somebody())
    answer = client.get(f"/staff/studio/{survey.pk}/paper/print/?sheets=500")
    _desk, printed = answer.content.decode().split("</header>")

    assert (answer.status_code, TEN in printed, "foot" in printed) == (422, True, False)


def test_where_the_device_draws_paper_is_not_spoken_of() -> None:
    """A sheet disguises nothing."""
    survey = make_survey(direct=False)
    assert pane(Draft.load(survey)) == {}
    with edit_draft(survey) as document:
        document["pages"] = [{**document["pages"][0], "questions": []}]
        document["blocks"] = []
    assert list(remarks(Draft.load(survey))) == []
