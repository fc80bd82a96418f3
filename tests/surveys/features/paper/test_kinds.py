"""Kinds of sheets, and when paper is decided on: said before a version is published."""

import json

import pytest
from django.test import Client

from surveys.domain.drafts.changes import apply
from surveys.domain.questionnaire.document import Draft, read_document, store
from surveys.domain.questionnaire.publish import publish
from surveys.features.paper.form import form_of
from surveys.features.paper.printing import pane, remarks
from surveys.models import Survey
from tests.surveys.making import edit_draft, make_survey
from tests.surveys.staff import somebody

TWO = "On paper this makes 2 kinds of sheets, and each must be that of 100 people or more: print 200 sheets or more."
NOW = "Decide on paper now: once this is published, paper takes a new version."


@pytest.fixture
def survey() -> Survey:
    """One question with two lists of days, planned for 150 people."""
    survey = make_survey(names=("copied",), direct=False)
    change(survey, {"do": "draws", "value": "by-person"})
    change(survey, {"do": "draw", "block": "block 1", "value": "day-of-two-lists"})
    change(survey, {"do": "survey", "field": "expected", "value": "150"})
    return survey


def change(survey: Survey, said: dict[str, object]) -> None:
    store(survey, apply(survey, read_document(survey), said))


def test_protect_says_before_publishing_how_many_sheets_paper_takes(survey: Survey) -> None:
    """Two lists are two kinds; each offer makes as many as it says, and fewer."""
    shown = pane(Draft.load(survey))

    assert (shown["said"], shown["few"], shown["decided"]) == (TWO, "You plan for 150 people.", NOW)
    assert len(shown["fewer"]) == 2
    for offer in shown["fewer"]:
        change(survey, json.loads(offer["change"]))
        assert pane(Draft.load(survey))["said"] == offer["said"] == "All sheets are alike."


def test_who_plans_for_enough_people_needs_no_other_draw(survey: Survey) -> None:
    """Two hundred people are a hundred for each kind."""
    change(survey, {"do": "survey", "field": "expected", "value": "200"})
    shown = pane(Draft.load(survey))

    assert (shown["few"], shown["fewer"]) == ("", [])


def test_publish_says_that_paper_is_decided_on_now(survey: Survey) -> None:
    """Before it is ticked; then that the planned people are too few for the kinds of sheets."""
    assert list(remarks(Draft.load(survey))) == [(NOW, "protect")]
    change(survey, {"do": "survey", "field": "paper", "value": True})
    assert list(remarks(Draft.load(survey))) == [(f"{TWO} You plan for 150 people.", "protect")]


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
        for block, fact in zip(document["blocks"], ("friend", "cousin", "teacher"), strict=True):
            block["settings"]["fact"] = fact
    version = publish(survey)
    assert pane(Draft.load(survey))["decided"] == ""
    assert len(form_of(version).lots) == 2


def test_the_refusal_to_print_too_few_sheets_says_the_same(client: Client, survey: Survey) -> None:
    """One sentence before and after publishing, also on paper: a page that is refused prints it and no sheet."""
    change(survey, {"do": "survey", "field": "paper", "value": True})
    publish(survey)
    client.force_login(somebody())
    answer = client.get(f"/staff/studio/{survey.pk}/paper/print/?sheets=150")
    _desk, printed = answer.content.decode().split("</header>")

    assert (answer.status_code, TWO in printed, "foot" in printed) == (422, True, False)


def test_where_the_device_draws_paper_is_not_spoken_of() -> None:
    """A sheet disguises nothing."""
    survey = make_survey(direct=False)
    assert pane(Draft.load(survey)) == {}
    with edit_draft(survey) as document:
        document["pages"] = [{**document["pages"][0], "questions": []}]
        document["blocks"] = []
    assert list(remarks(Draft.load(survey))) == []
