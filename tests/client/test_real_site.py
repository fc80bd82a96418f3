"""The respondent's page on the real site: what the page sends the server takes, and nothing else is stored."""

import json
import re
from datetime import UTC, datetime

import pytest
from playwright.sync_api import Browser, Page
from pytest_django.live_server_helper import LiveServer

from privacy.records.packing import unpack
from surveys.domain.messages.invite import invite
from surveys.domain.questionnaire.closing import close
from surveys.domain.questionnaire.publish import publish, trial
from surveys.models import Inbox, SpentToken, Submission, Survey, SurveyVersion, TrialResponse
from tests.browsers import page_alone
from tests.client.wire import begin, local_storage, say, send
from tests.surveys.inbox import responses_waiting
from tests.surveys.making import add_block, add_question, make_survey, write

pytestmark = pytest.mark.django_db(transaction=True)


def visit(page: Page, live: LiveServer, version: SurveyVersion, secret: str = "") -> list[str]:
    """Open the survey by its link; returns the list that every request of the page is added to."""
    asked: list[str] = []
    page.context.on(
        "request", lambda request: asked.append(f"{request.method} {request.url} {request.post_data or ''}")
    )
    invitation = f"&i={secret}" if secret else ""
    page.goto(f"{live.url}/s/{version.survey.slug}/#v={version.sha256}{invitation}")
    page.get_by_role("heading", level=1).wait_for()
    return asked


def answer(page: Page, *answers: str) -> None:
    for question, given in zip(("drugs?", "cheating?", "theft?"), answers, strict=True):
        say(page, question, given)
    page.get_by_role("button", name="Continue").click()


def test_what_arrives_is_what_the_receipt_page_shows(page: Page, live: LiveServer) -> None:
    """One row in the inbox, the disguised record bit by bit, and a receipt that the server knows."""
    version = publish(make_survey())
    asked = visit(page, live, version)
    begin(page)
    answer(page, "Yes", "No", "Yes")
    send(page)
    page.get_by_role("heading", name="Thank you").wait_for()
    shown = [row.locator("td").first.inner_text() for row in page.locator("tbody tr:has(th)").all()]
    page.get_by_role("button", name="Ask the server").click()
    page.get_by_text("The server holds this response.").wait_for()
    (waits,) = responses_waiting(version)
    arrived = unpack(version.design, waits.record)
    assert [["No", "Yes"][code] for code in arrived.codes[0]] == shown
    assert [request for request in asked if not request.split()[1].startswith(live.url)] == []


@pytest.mark.long
def test_every_type_of_question_is_taken(page: Page, live: LiveServer) -> None:
    """Choice, scale, several, sampled and flip blocks, and all open types, as the admin publishes them."""
    survey = make_survey(names=(), direct=True)
    add_block(survey, "flips", "flip", {"flips": [0.4, 0.4, 0.2]})
    ages = (("young", "Young"), ("old", "Old"), ("secret", "Secret"))
    add_question(survey, "age", block="all", type="choice", shuffle=True, options=ages)
    add_question(survey, "drinks", block="flips", type="several", options=(("beer", "Beer"), ("wine", "Wine")))
    survey.override_by, survey.override_reason = "A. Tester", "To see every type."
    survey.save()
    add_question(survey, "mood", type="scale", min="1", max="5", page=2)
    add_question(survey, "hours", type="number", min="0", max="80", page=2)
    add_question(survey, "since", type="date", page=2)
    add_question(survey, "remark", type="text", max="300", page=2)
    version = publish(survey)
    asked = visit(page, live, version)
    begin(page)
    say(page, "age?", "Old")
    page.get_by_role("checkbox", name="Wine").check()
    page.get_by_role("button", name="Continue").click()
    say(page, "mood?", "4")
    page.get_by_label("hours?").fill("12,5")
    page.get_by_label("since?").fill("2020-09-01")
    page.get_by_label("remark?").fill("“quoted” \\ and 中文")
    page.get_by_role("button", name="Continue").click()
    send(page)
    page.get_by_role("heading", name="Thank you").wait_for()
    (waits,) = responses_waiting(version)
    sent = json.loads(next(request for request in asked if request.startswith("POST")).split(" ", 2)[2])
    assert sent["open"] == {"mood": "4", "hours": 12.5, "since": "2020-09-01", "remark": "“quoted” \\ and 中文"}
    assert "中文" in waits.open.decode()


def stops_on_another_device(browser: Browser, live: LiveServer, version: SurveyVersion, secret: str) -> None:
    with page_alone(browser) as other:
        visit(other, live, version, secret)
        other.get_by_role("button", name="I agree – begin").click()
        other.get_by_role("heading", name="This invitation has been used").wait_for()


def test_an_invitation_is_good_for_one_response(page: Page, browser: Browser, live: LiveServer) -> None:
    """The blind signature of the site verifies on the site; the same link on another device stops."""
    version = publish(make_survey(access="invitation"))
    ((secret, _),) = invite(version.survey, "first", 1)
    asked = visit(page, live, version, secret)
    begin(page)
    answer(page, "No", "No", "No")
    send(page)
    page.get_by_role("heading", name="Thank you").wait_for()
    assert (Inbox.objects.count(), SpentToken.objects.count()) == (1, 1)
    assert [request.split()[1].rpartition("/")[2] for request in asked if request.startswith("POST")] == [
        "invitations",
        "responses",
    ]
    stops_on_another_device(browser, live, version, secret)


@pytest.mark.long
def test_an_invitation_to_a_study_is_good_for_one_response_in_all_arms(
    page: Page, browser: Browser, live: LiveServer
) -> None:
    """The arm takes what the first survey has signed; on another device, which draws again, the same link stops."""
    first = make_survey(access="invitation")
    arm = publish(make_survey(slug="arm", access="invitation", study={"of": "study"}))
    write(first, study={"here": 1, "arms": [{"slug": "arm", "version": arm.sha256, "parts": 10**9}]})
    version = publish(first)
    ((secret, _),) = invite(first, "first", 1)
    asked = visit(page, live, version, secret)
    page.wait_for_url("**/s/arm/#*")
    begin(page)
    answer(page, "Yes", "No", "No")
    send(page)
    page.get_by_role("heading", name="Thank you").wait_for()
    (token,) = SpentToken.objects.values_list("survey", flat=True)
    assert (Inbox.objects.get().version, token) == (arm, first.pk)
    assert [request.split()[1].partition("/s/")[2] for request in asked if request.startswith("POST")] == [
        "study/invitations",
        "arm/responses",
    ]
    stops_on_another_device(browser, live, version, secret)


@pytest.mark.long
def test_a_trial_is_marked_and_kept_apart(page: Page, live: LiveServer) -> None:
    """The draft in the real page, at an address of its own: nothing of it reaches the inbox."""
    tried = trial(make_survey())
    page.goto(f"{live.url}/t/{tried.code}/test/#v={tried.sha256}")
    page.get_by_text("A test: nothing sent here counts.").wait_for()
    begin(page)
    answer(page, "Yes", "Yes", "Yes")
    send(page)
    page.get_by_role("button", name="Ask the server").click()
    page.get_by_text("The server holds this response.").wait_for()
    assert (TrialResponse.objects.count(), Inbox.objects.count()) == (1, 0)


@pytest.mark.long
def test_an_old_version_is_refused_with_a_clear_page(page: Page, live: LiveServer) -> None:
    """Who answered while the questionnaire changed hears of it, and that nothing was stored."""
    version = publish(make_survey())
    visit(page, live, version)
    begin(page)
    answer(page, "No", "No", "No")
    publish_another(version.survey)
    send(page)
    page.get_by_role("heading", name="The questionnaire has changed").wait_for()
    assert (Inbox.objects.count(), Submission.objects.count()) == (0, 0)


def publish_another(survey: Survey) -> None:
    write(survey, why={"en": "For another reason."})
    publish(survey)


def go_on(page: Page) -> None:
    """To the new version by the same invitation, and through it."""
    page.get_by_role("button", name="See the new version").click()
    page.get_by_text("For another reason.").wait_for()
    assert page.get_by_text("We cannot check this link").is_visible()


@pytest.mark.long
def test_an_invitation_whose_version_changed_before_send_is_good_for_the_new_one(page: Page, live: LiveServer) -> None:
    """No new link is needed, the first refusal is announced as a disclosure, and one response is stored."""
    version = publish(make_survey(access="invitation"))
    asked = visit(page, live, version, invite(version.survey, "first", 1)[0].secret)
    begin(page)
    answer(page, "No", "No", "No")
    publish_another(version.survey)
    send(page)
    page.get_by_role("heading", name="The questionnaire has changed").wait_for()
    go_on(page)
    assert page.get_by_text("This is a second disclosure").is_visible()
    begin(page)
    answer(page, "No", "No", "No")
    send(page)
    page.get_by_role("heading", name="Thank you").wait_for()
    assert (Inbox.objects.count(), SpentToken.objects.count()) == (1, 1)
    assert sum(request.split()[1].endswith("/invitations") for request in asked) == 1


@pytest.mark.long
def test_an_invitation_that_was_begun_goes_on_with_a_version_that_came_meanwhile(page: Page, live: LiveServer) -> None:
    """The check mark stops the page; who has begun here may go on with the new version, and has disclosed nothing."""
    version = publish(make_survey(access="invitation"))
    visit(page, live, version, invite(version.survey, "first", 1)[0].secret)
    begin(page)
    publish_another(version.survey)
    page.reload()
    page.get_by_role("heading", name="A newer version has replaced this one").wait_for()
    go_on(page)
    assert page.get_by_text("This is a second disclosure").count() == 0
    begin(page)
    answer(page, "No", "No", "No")
    send(page)
    page.get_by_role("heading", name="Thank you").wait_for()
    assert (Inbox.objects.count(), SpentToken.objects.count()) == (1, 1)


def test_a_closed_survey_shows_its_own_text_in_the_readers_language(page: Page, live: LiveServer) -> None:
    """To who comes too late, in place of an empty refusal."""
    version = publish(make_survey(closed={"en": "Results in May.", "zh-hans": "五月公布结果。"}))
    close(version.survey)
    visit(page, live, version)
    assert page.get_by_text("Results in May.").is_visible()
    page.get_by_role("combobox").select_option("zh-hans")
    page.get_by_role("heading", name="本调查已结束").wait_for()
    assert page.get_by_text("五月公布结果。").is_visible()


def test_a_survey_that_is_not_open_yet_says_from_when(page: Page, live: LiveServer) -> None:
    """In the reader's own time."""
    version = publish(make_survey(opens_at=datetime(2999, 5, 4, 12, tzinfo=UTC)))
    visit(page, live, version)
    assert page.get_by_role("heading", name="This survey is not open yet").is_visible()
    assert re.search(r"It opens: .*2999", page.locator("main").inner_text())


@pytest.mark.long
def test_a_closed_survey_says_so_to_who_is_late(page: Page, live: LiveServer) -> None:
    """The record that came too late is erased from the device; random numbers are all that stays."""
    version = publish(make_survey())
    visit(page, live, version)
    begin(page)
    answer(page, "No", "No", "No")
    close(Survey.objects.get())
    send(page)
    page.get_by_role("heading", name="This survey is closed").wait_for()
    page.reload()
    page.get_by_role("heading", name="This survey is closed").wait_for()
    (entry,) = local_storage(page).values()
    assert entry.keys() == {"path", "gamma", "whole", "state", "key", "asked"}


def test_a_panels_participant_who_has_answered_gets_receipt_and_code_whichever_link_they_open(
    page: Page, live: LiveServer
) -> None:
    """After a new version, too: by the old link and by the new one, though their number works for none any more."""
    panel = {"by": "prolific", "name": "Prolific", "number": "PROLIFIC_PID", "sent": "C7K2QD9P", "out": "", "full": ""}
    version = publish(make_survey(access="invitation", panel=panel, direct=False))
    address = f"{live.url}/s/study/?PROLIFIC_PID=5f1a2b#v="
    page.goto(f"{address}{version.sha256}")
    begin(page)
    answer(page, "No", "No", "No")
    send(page)
    page.get_by_role("heading", name="Thank you").wait_for()
    receipts = page.locator("code.receipt").all_inner_texts()
    assert receipts[0] == "C7K2QD9P"
    publish_another(version.survey)

    said = []
    for link in (version, version.survey.versions.latest("number")):
        page.goto("about:blank")
        page.goto(f"{address}{link.sha256}")
        page.locator("code.receipt").first.wait_for()
        said.append((page.get_by_role("heading", level=1).inner_text(), page.locator("main .lead").inner_text()))
        assert sorted(page.locator("code.receipt").all_inner_texts()) == sorted(receipts)
        assert page.get_by_role("button", name="See the new version").count() == 0
    assert [title for title, _ in said] == ["A newer version has replaced this one", "A response is already stored"]
    assert all("Your answers have arrived." in lead for _, lead in said)
