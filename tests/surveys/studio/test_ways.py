"""How people come: each way opens into its own steps, and what people will meet is tried without storing anything."""

import re
from typing import Any
from urllib.parse import urldefrag

import pytest
from django.apps import apps
from django.contrib.admin.models import LogEntry
from django.core import mail
from django.test import Client
from django.utils import timezone
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from surveys.domain.messages.invite import invite
from surveys.domain.messages.submission import Refused
from surveys.domain.questionnaire.closing import close
from surveys.domain.questionnaire.publish import publish
from surveys.domain.responses.receive import receive
from surveys.models import Invitation, Mailing, Survey, SurveyVersion
from surveys.results.answers import answers
from surveys.results.report import data_of
from surveys.studio.verdict import range_of_points
from tests.cases import first
from tests.mining.surveys import sealed_survey
from tests.surveys.making import add_question, edit_draft, make_survey, write
from tests.surveys.staff import somebody
from tests.surveys.studio.conftest import Walk, on_a_phone

PANEL = {"by": "prolific", "name": "Prolific", "number": "PROLIFIC_PID", "sent": "SENT", "out": "OUT", "full": "FULL"}


@pytest.fixture
def ann(client: Client) -> Client:
    user = somebody()
    user.email = "ann@example.org"
    user.save()
    client.force_login(user)
    return client


def invited() -> Survey:
    survey = make_survey(access="invitation")
    publish(survey)
    return survey


def from_a_panel() -> SurveyVersion:
    survey = make_survey(access="invitation")
    options = [("young", "Young"), ("old", "Old"), ("older", "Older")]
    own = {"page": 1, "required": True, "enough": {"older": 30}}
    add_question(survey, "age", type="choice", options=options, out=["young"], **own)
    with edit_draft(survey) as document:
        (page,) = document["pages"]
        by_kind = [[one for one in page["questions"] if (one["id"] == "age") == early] for early in (True, False)]
        document["pages"] = [{**page, "number": place + 1, "questions": own} for place, own in enumerate(by_kind)]
    write(survey, panel=PANEL, direct=False)
    return publish(survey)


def states(client: Client, survey: Survey) -> dict[str, str]:
    page = client.get(f"/staff/studio/{survey.pk}/fieldwork/").context
    return {one["way"].name: str(one["way"].state.words) for one in page["come"]}


def start(client: Client, survey: Survey, way: str, case: str = "first") -> Any:
    return client.post(f"/staff/studio/{survey.pk}/test/", {"way": way, "case": case})


def rows() -> dict[str, list[Any]]:
    """All that is stored of everything, but for sessions and the day of the last test."""
    kept = {}
    for model in apps.get_models():
        fields = [field.attname for field in model._meta.concrete_fields if field.attname != "tested"]
        if model._meta.managed and "session" not in model._meta.label_lower:
            kept[model._meta.label] = sorted(map(repr, model._base_manager.values_list(*fields)))
    return kept


def test_each_way_says_how_far_it_is(survey: Survey, ann: Client) -> None:
    """A way that is chosen names what it lacks, and its steps lead there; others are not used."""
    unused = dict.fromkeys(("list", "mail", "paid", "inside", "paper", "interviews", "shared", "arms"), "not used")
    assert states(ann, survey) == unused | {"link": "to be published"}
    shown = ann.get(f"/staff/studio/{survey.pk}/fieldwork/").content.decode()
    assert f'<a class="button small" href="/staff/studio/{survey.pk}/publish/">' in shown
    publish(survey)
    write(survey, frames=["https://www.example.edu"])
    assert states(ann, survey) == unused | {"link": "in use", "inside": "to be published"}
    publish(survey)
    assert states(ann, survey) == unused | {"link": "in use", "inside": "in use"}


def test_one_way_is_open_at_a_time(ann: Client) -> None:
    """The one that is used, or that somebody asks for, or whose form was refused."""
    survey = invited()

    def opened(page: str) -> list[str]:
        return re.findall(r'<details name="come" id="(\w+)"[^>]* open>', page)

    address = f"/staff/studio/{survey.pk}"
    seen = [opened(ann.get(f"{address}/fieldwork/{asked}").content.decode()) for asked in ("", "?way=paid", "?way=x")]
    refused = ann.post(f"{address}/frames/", {"sites": "http://no"}).content.decode()
    assert (seen, opened(refused)) == ([["list"], ["paid"], ["list"]], ["inside"])


def test_who_comes_is_chosen_at_the_way_and_holds_from_the_next_version_on(survey: Survey, ann: Client) -> None:
    """What is published stays as it is."""
    first_version = publish(survey)
    ann.post(f"/staff/studio/{survey.pk}/who-comes/", {"access": "invitation"})
    assert (states(ann, survey)["link"], first_version.parsed.access) == ("in use", "open")
    assert publish(survey).parsed.access == "invitation"
    assert (states(ann, survey)["link"], states(ann, survey)["list"]) == ("not used", "no links yet")


@pytest.mark.parametrize("used", [0, 1, 3])
def test_no_way_says_how_many_of_its_people_came(ann: Client, used: int) -> None:
    """The page is the same whether somebody has used their invitation or not."""
    survey = invited()
    invite(survey, "Class", 3)
    before = ann.get(f"/staff/studio/{survey.pk}/fieldwork/").content.decode()
    for one in Invitation.objects.all()[:used]:
        Invitation.objects.filter(pk=one.pk).update(blinded=b"1" * 32)
    after = ann.get(f"/staff/studio/{survey.pk}/fieldwork/").content.decode()
    token = re.compile(r'name="csrfmiddlewaretoken" value="\w+"')
    assert token.sub("", before) == token.sub("", after)


@pytest.mark.parametrize("way", first(2, ["link", "list", "paid", "inside"]))
def test_a_test_stores_the_day_alone(ann: Client, way: str) -> None:
    """No response, no invitation, no number of a panel, no line of the log: every table is as before."""
    if way == "paid":
        survey = from_a_panel().survey
    else:
        survey = make_survey(access="invitation" if way == "list" else "open")
        write(survey, frames=["https://www.example.edu"])
        publish(survey)
    before = rows()
    address, _hash = urldefrag(start(ann, survey, way)["Location"])
    everybody = Client()
    if way == "inside":
        page = ann.get(address).content.decode()
        address, _hash = urldefrag(re.findall(r'<iframe class="held" src="([^"]*)"', page)[0])
    definition = ann.get(f"{address}questionnaire").json()
    sent = everybody.post(f"{address}responses", b"{}", content_type="application/json")
    signed = everybody.post(f"{address}invitations", {"blinded": "Ag"}, content_type="application/json")
    everybody.get(f"{address}groups")

    assert (definition["trial"], sent.status_code, signed.status_code) == (True, 201, 200)
    assert rows() == before
    today = {"on": timezone.localdate().isoformat(), "version": 1}
    assert Survey.objects.get(pk=survey.pk).tested == {way: today}
    assert "Tested on " in ann.get(f"/staff/studio/{survey.pk}/fieldwork/?way={way}").content.decode()
    assert LogEntry.objects.filter(change_message__contains="est").count() == 0


def test_a_response_to_a_test_is_refused_as_a_real_one(ann: Client) -> None:
    """Its questionnaire has another hash, and its key signs for no survey."""
    survey = invited()
    address, _hash = urldefrag(start(ann, survey, "list")["Location"])
    tried = ann.get(f"{address}questionnaire").json()
    published = survey.versions.get().parsed.source
    assert tried["key"] != published["key"]
    assert {**tried, "trial": None, "key": None} == {**published, "trial": None, "key": None}
    with pytest.raises(Refused):
        receive(survey.slug, b'{"version": "%s"}' % (b"0" * 64))


def test_after_the_next_version_it_is_tested_again(survey: Survey, ann: Client) -> None:
    """The page says that the last test was of what was before."""
    publish(survey)
    start(ann, survey, "link")
    write(survey, heading={"en": "Other"})
    publish(survey)
    page = ann.get(f"/staff/studio/{survey.pk}/fieldwork/").context
    assert [one["tone"] for one in page["come"] if one["way"].name == "link"] == ["todo"]


def test_a_draft_that_lacks_something_says_what_in_place_of_a_test(ann: Client) -> None:
    """And no day is kept."""
    survey = make_survey("empty", names=())
    answer = start(ann, survey, "link")
    assert answer["Location"] == f"/staff/studio/{survey.pk}/fieldwork/?way=link#link"
    assert Survey.objects.get().tested is None


@pytest.mark.parametrize(("way", "case"), [("letters", "first"), ("link", "nobody"), ("", "")])
def test_what_is_no_way_is_not_tried(ann: Client, way: str, case: str) -> None:
    assert start(ann, invited(), way, case).status_code == 404


def test_a_link_that_is_tried_twice_is_refused_on_the_second_device(ann: Client) -> None:
    """As it will be; the first device is let in."""
    address = f"/staff/studio/{invited().pk}/preview/as"
    first_device, second = (
        ann.post(f"{address}/{case}/invitations", {"blinded": "Ag"}, content_type="application/json")
        for case in ("first", "again")
    )

    assert (first_device.status_code, second.status_code, second.json()) == (200, 409, {"error": "spent"})


def test_the_letter_is_tried_by_ones_own_address_alone(ann: Client, settings: Any) -> None:
    """Nobody on the list gets it; its link leads to the test."""
    survey = invited()
    assert ann.get(f"/staff/studio/{survey.pk}/fieldwork/").context["come"][2]["tested"].startswith("Cannot be tested")
    texts = {"invitation": {"en": {"subject": "Hello", "body": "Here: {link}"}}}
    Mailing.objects.create(survey=survey, page="https://x.example/", texts=texts, days=["2030-01-01"])
    settings.MAIL = {"backend": "django.core.mail.backends.locmem.EmailBackend"}
    start(ann, survey, "mail")
    (letter,) = mail.outbox
    assert (letter.to, letter.subject) == (["ann@example.org"], "Hello")
    assert f"/staff/studio/{survey.pk}/preview/as/first/#v=" in letter.body


# ---- after closing --------------------------------------------------------------------------------------------------


def test_once_closed_the_page_says_what_was_planned_how_people_came_and_what_now(ann: Client) -> None:
    """And no number of people beside a way that nobody counts."""
    survey = invited()
    invite(survey, "Class A", 160)
    close(survey)
    page = ann.get(f"/staff/studio/{survey.pk}/fieldwork/").content.decode()
    said = " ".join(re.sub("<[^>]*>", " ", page.partition("<main")[2]).split())
    for words in ("What you planned, and what came People 1 000 planned, none", "A list of invitations Class A (160)"):
        assert words in said.replace("\u202f", " ")
    assert "How will people come?" not in page
    assert "Test it" not in page


def test_once_closed_the_page_says_how_wide_the_intervals_of_the_report_are(ann: Client) -> None:
    """Beside what was planned; the narrowest and the widest, whatever the forecast was."""
    survey = sealed_survey(400, closed=True)
    sides = [
        max(one.value - max(one.low, 0), min(one.high, 1) - one.value)
        for question in answers(data_of(survey.versions.get()), "en")
        for display in question.displays
        for own in display.shares_by_answer
        if own.label == "Yes"
        for one in [own.share]
    ]
    planned = dict(ann.get(f"/staff/studio/{survey.pk}/fieldwork/").context["planned"])

    assert len(sides) == 3
    assert planned["Shares"].endswith(f"; in the report: {range_of_points(min(sides), max(sides))}")


# ---- in a browser ---------------------------------------------------------------------------------------------------


def begun(page: Page, live: LiveServer, address: str) -> Page:
    page.goto(live.url + address)
    page.get_by_role("button", name="Begin").click()
    return page


@pytest.mark.parametrize(("case", "end"), [("first", "OUT"), ("group", "FULL"), ("over", "FULL")])
def test_people_of_a_panel_meet_what_the_test_shows(live: LiveServer, signed_in: Page, case: str, end: str) -> None:
    """The first device is let in, the second is not; an answer sends away; a group and the survey are full. Nothing is
    stored, and each number of the panel could still come.
    """
    survey = from_a_panel().survey
    page, before = signed_in, rows()
    page.goto(f"{live.url}/staff/studio/{survey.pk}/fieldwork/?way=paid")
    with page.expect_popup() as popup:
        page.locator(f'#paid .test-it button[value="{case}"]').first.click()
    visit = popup.value
    if case != "over":
        visit.get_by_role("button", name="Begin").click()
        visit.get_by_text("Young" if case == "first" else "Older", exact=True).click()
        visit.get_by_role("button", name=re.compile("Next|Continue")).first.click()
    expect(visit.locator("code.receipt")).to_be_visible()

    assert visit.locator("code.receipt").text_content() == end
    assert rows() == before


@pytest.mark.long
@on_a_phone
def test_the_page_is_for_everybody(walk: Walk) -> None:
    """Each way open, and the page in whose frame the survey is tried; then closed."""
    survey = from_a_panel().survey
    address = f"/staff/studio/{survey.pk}"
    for way in ("link", "list", "mail", "paid", "inside"):
        walk.look(f"{address}/fieldwork/?way={way}")
    walk.look(f"{address}/preview/frame/")
    close(survey)
    walk.look(f"{address}/fieldwork/")


def test_who_wants_invitations_after_an_open_link_is_led_to_the_next_version(survey: Survey, ann: Client) -> None:
    """A version has either; the page says so before the choice, and after it offers to publish in place of the same
    button.
    """
    publish(survey)
    field, button = f"/staff/studio/{survey.pk}/fieldwork/", "Let in only those who are invited"
    before = ann.get(f"{field}?way=list").content.decode()
    assert "a version has either an open link" in before
    assert button in before
    assert "Links of this one" in before

    ann.post(f"/staff/studio/{survey.pk}/who-comes/", {"access": "invitation"})

    after = ann.get(f"{field}?way=list").content.decode()
    assert button not in after
    assert f'href="/staff/studio/{survey.pk}/publish/">Publish the next version' in after
