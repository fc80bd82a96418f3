"""People from a panel, as a researcher sets them up: which one, its codes, and the link that Field gives."""

import pytest
from django.test import Client

from surveys.domain.questionnaire.document import read_document
from surveys.domain.questionnaire.publish import publish
from surveys.models import Survey
from tests.surveys.making import make_survey

CHOSEN = {"by": "prolific", "sent": "C7K2QD9P", "out": "CSCREEN1", "full": "CFULL111", "once": "on"}


def test_a_panel_that_is_ready_needs_its_codes_alone(ann: Client, survey: Survey) -> None:
    """Its name and its parameter are known; Field has the link to give to it, with the ends below."""
    assert ann.post(f"/staff/studio/{survey.pk}/panel/", CHOSEN).status_code == 302
    version = publish(survey)
    page = ann.get(f"/staff/studio/{survey.pk}/fieldwork/").content.decode()
    assert f"/s/study/#v={version.sha256}&amp;PROLIFIC_PID={{{{%PROLIFIC_PID%}}}}" in page
    assert all(CHOSEN[outcome] in page for outcome in ("sent", "out", "full"))
    assert version.parsed.let_in_by == "PROLIFIC_PID"


@pytest.mark.parametrize(
    ("once", "said"),
    [
        ({"once": "on"}, "The provider's numbers let people in: give the provider its link."),
        ({}, "Hand out the link."),
    ],
)
def test_the_start_page_sends_nobody_to_invitations_of_a_panel(
    ann: Client, survey: Survey, once: dict[str, str], said: str
) -> None:
    """It has none: the number lets each person in, or the link alone does."""
    chosen = {name: value for name, value in CHOSEN.items() if name != "once"}
    ann.post(f"/staff/studio/{survey.pk}/panel/", {**chosen, **once})
    publish(survey)

    assert [task.facts for task in ann.get("/staff/studio/").context["tasks"]] == [[said]]


@pytest.mark.long
def test_a_panel_without_admission_leaves_the_survey_open(ann: Client, survey: Survey) -> None:
    """Its number then serves the way back alone, and no key is made."""
    ann.post(f"/staff/studio/{survey.pk}/panel/", {**CHOSEN, "once": ""})
    version = publish(survey)
    assert (version.parsed.access, version.parsed.let_in_by) == ("open", None)


def test_an_end_that_is_wrong_is_refused_at_its_field(ann: Client, survey: Survey) -> None:
    """In a sentence with what was typed, and nothing changes."""
    page = ann.post(f"/staff/studio/{survey.pk}/panel/", {**CHOSEN, "out": "http://panel.example"}).content.decode()
    assert "“http://panel.example” is no address: https://, no spaces" in page
    assert read_document(survey)["panel"] is None


@pytest.mark.long
def test_without_a_panel_the_survey_is_open_again(ann: Client, survey: Survey) -> None:
    """Nobody needs a number then."""
    ann.post(f"/staff/studio/{survey.pk}/panel/", CHOSEN)
    ann.post(f"/staff/studio/{survey.pk}/panel/", {"by": ""})
    assert (read_document(survey)["panel"], read_document(survey)["access"]) == (None, "open")


def test_saving_none_where_there_was_none_lets_nobody_else_in(ann: Client) -> None:
    """An invitation is still needed: a person who only looks at the page changes nothing."""
    survey = make_survey("invited", access="invitation")
    assert ann.post(f"/staff/studio/{survey.pk}/panel/", {"by": ""}).status_code == 302
    assert read_document(survey)["access"] == "invitation"


def test_another_panel_brings_its_own_name_and_parameter(ann: Client, survey: Survey) -> None:
    """Those that the form shows of the former one go with it; one's own words stay."""
    address = f"/staff/studio/{survey.pk}/panel/"
    ann.post(address, CHOSEN)
    ann.post(address, {**CHOSEN, "by": "cloudresearch", "name": "Prolific", "number": "PROLIFIC_PID"})
    switched = read_document(survey)["panel"]
    ann.post(address, {**CHOSEN, "by": "mturk", "name": "Our panel", "number": "who"})
    own = read_document(survey)["panel"]
    assert (switched["name"], switched["number"]) == ("CloudResearch", "participantId")
    assert (own["name"], own["number"]) == ("Our panel", "who")


@pytest.mark.parametrize("end", ["DONE55", "https://panel.example/back?id={number}"])
def test_an_end_is_shown_that_is_a_code_or_an_address_alone(ann: Client, survey: Survey, end: str) -> None:
    """Before it is published, and in Field: of a panel that takes either."""
    entered = {"by": "redirect", "name": "Ours", "number": "pid", "sent": end, "out": end, "full": end}
    assert ann.post(f"/staff/studio/{survey.pk}/panel/", entered).status_code == 302
    before = ann.get(f"/staff/studio/{survey.pk}/publish/")
    publish(survey)
    after = ann.get(f"/staff/studio/{survey.pk}/fieldwork/")

    for page in (before, after):
        assert (page.status_code, page.content.decode().count(f'gets</dt><dd dir="ltr">{end}</dd>')) == (200, 3)
