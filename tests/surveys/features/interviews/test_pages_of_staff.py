"""Interviews on the pages of staff: who goes, the link, what comes back, and the last day of tablets."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from surveys.domain.people.roles import Role, give
from surveys.domain.questionnaire.closing import close, leave_to_tablets
from surveys.features.interviews import INTERVIEWS
from surveys.features.interviews.parcels import code_of
from surveys.models import Survey, SurveyVersion
from tests.surveys.features.interviews.tablets import interviews, parcel, send, version_with_interviews
from tests.surveys.making import make_survey, write
from tests.surveys.staff import browser_of, somebody


def interviewer_of(survey: Survey) -> Client:
    user = User.objects.create(username="asks", is_staff=True)
    give(survey, user, Role.INTERVIEWER)
    return browser_of(user)


def test_an_interviewer_sees_the_link_and_nothing_else(version: SurveyVersion) -> None:
    """Of this survey alone: its name, the link for tablets and the marks of the card."""
    other = version_with_interviews(slug="other")
    client = interviewer_of(version.survey)

    home = client.get("/staff/studio/").content.decode()
    page = client.get(f"/staff/studio/{version.survey.pk}/interviews/").content.decode()

    assert f'href="/staff/studio/{version.survey.pk}/interviews/"' in home
    assert "Other" not in home
    assert f"/i/#s=clinics&amp;v={version.sha256}&amp;k={code_of(version.survey)}" in page
    assert f"<code>{version.sha256[:4]} {version.sha256[4:8]}</code>" in page
    assert "what people draw with" not in page  # here devices draw
    refused = [f"/staff/studio/{version.survey.pk}/{name}/" for name in ("fieldwork", "people", "paper", "")]
    refused += [f"/staff/studio/{other.survey.pk}/interviews/"]
    assert [client.get(address.replace("//", "/")).status_code for address in refused] == [404] * 5


def test_a_survey_without_interviews_has_no_link() -> None:
    """Its interviewers, whose list of surveys leads there, read that it is not published with interviews yet."""
    survey = make_survey("without")
    page = interviewer_of(survey).get(f"/staff/studio/{survey.pk}/interviews/").content.decode()
    assert "It is not published with interviews yet: the link for tablets will be here then." in page
    assert ("/i/#" in page, "Put it on your tablet" in page) == (False, False)


def test_field_saves_the_choice_and_says_why_it_cannot_be() -> None:
    """Whether interviewers ask is part of what is published."""
    survey, client = make_survey("clinics", direct=True), browser_of(somebody())
    chosen = {"interviews": "on", "named": "on"}

    client.post(f"/staff/studio/{survey.pk}/interviews/choose/", chosen)
    field = client.get(f"/staff/studio/{survey.pk}/fieldwork/?way=interviews").content.decode()

    assert Survey.objects.get().draft.document["interviews"] == "named"
    assert "In an interview nobody answers directly" in field
    write(survey, direct=False)
    assert "In an interview" not in client.get(f"/staff/studio/{survey.pk}/fieldwork/").content.decode()


def test_field_shows_sums_in_full_twenties(version: SurveyVersion) -> None:
    """Never a name, and never how many exactly."""
    turned = {"refused": 31, "broken": 2, "absent": 0}
    send(version.survey, parcel(version, interviews(version, 2), turned=turned))

    page = browser_of(somebody()).get(f"/staff/studio/{version.survey.pk}/fieldwork/").content.decode()

    assert "<span>refused</span><b>20 or more</b>" in page
    assert "<span>broken off</span><b>fewer than 20</b>" in page


def test_the_survey_is_closed_for_all_but_its_tablets_until_a_day(version: SurveyVersion) -> None:
    """A day that cannot be is refused at its field, and the log says what was done."""
    client, last = browser_of(somebody()), timezone.localdate() + timedelta(days=9)
    address = f"/staff/studio/{version.survey.pk}/interviews/last/"

    late = client.post(address, {"last": last + timedelta(days=90)})
    assert (late.status_code, "is not within the next 60 days" in late.content.decode()) == (422, True)
    assert client.post(address, {"last": last}).status_code == 302

    survey = Survey.objects.get()
    assert (survey.tablets_alone_since, timezone.localdate(survey.closes_at)) == (
        timezone.localdate(),
        last + timedelta(days=1),
    )
    assert "closed for all but its tablets" in client.get(f"/staff/studio/{survey.pk}/fieldwork/").content.decode()
    assert "closed for all but its tablets" in client.get(f"/staff/studio/{survey.pk}/log/").content.decode()


def test_the_card_ends_with_the_survey(version: SurveyVersion) -> None:
    """Nobody puts a closed survey on a tablet; while tablets send, the card stays for who has it."""
    client, survey = browser_of(somebody()), version.survey

    def shown() -> list[bool]:
        page = client.get(f"/staff/studio/{survey.pk}/interviews/").content.decode()
        said = "Put it on your tablet", "Your card", "may send until", "its links no longer work"
        return [words in page for words in said]

    assert shown() == [True, True, False, False]
    leave_to_tablets(survey, timezone.localdate() + timedelta(days=9))
    assert shown() == [False, True, True, False]
    close(survey)
    assert shown() == [False, False, False, True]


def test_only_surveys_with_interviews_are_left_to_tablets() -> None:
    """Others close, or do not."""
    survey = make_survey("without")
    last = {"last": timezone.localdate()}
    page = browser_of(somebody()).post(f"/staff/studio/{survey.pk}/interviews/last/", last)

    assert (page.status_code, Survey.objects.get().closes_at) == (422, None)


@pytest.mark.parametrize(("chosen", "said"), [(True, "no"), ("named", "yes")])
def test_files_say_whether_an_interview_says_that_it_is_one(chosen: bool | str, said: str) -> None:
    """The codebook, the README of the study pack and the DDI file have the same two sentences."""
    assert INTERVIEWS.noted is not None
    assert INTERVIEWS.noted(version_with_interviews(chosen).parsed.source)[1:] == (
        "An interview says that it is one:",
        said,
    )
