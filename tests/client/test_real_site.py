"""The respondent's page on the real site: what the page sends the server takes, and nothing else is stored."""

import re
from datetime import UTC, datetime

import pytest
from playwright.sync_api import Browser, Page
from pytest_django.live_server_helper import LiveServer

from surveys.domain.messages.invite import invite
from surveys.domain.questionnaire.closing import close
from surveys.domain.questionnaire.publish import publish, trial
from surveys.models import Inbox, SpentToken, Survey, SurveyVersion, TrialResponse
from tests.browsers import page_alone
from tests.client.wire import arrive, begin, say, send
from tests.surveys.making import make_survey, write


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


def stops_on_another_device(browser: Browser, live: LiveServer, version: SurveyVersion, secret: str) -> None:
    with page_alone(browser) as other:
        visit(other, live, version, secret)
        other.get_by_role("button", name="I agree – begin").click()
        other.get_by_role("heading", name="This invitation has been used").wait_for()


@pytest.mark.long
def test_an_invitation_to_a_study_is_good_for_one_response_in_all_arms(
    page: Page, browser: Browser, live: LiveServer
) -> None:
    """The arm takes what the first survey has signed; on another device, which draws again, the same link stops."""
    first = make_survey(access="invitation")
    arm = publish(make_survey(slug="arm", access="invitation", study={"of": "study"}))
    write(first, study={"here": 1, "arms": [{"slug": "arm", "version": arm.sha256, "parts": 10**9}]})
    version = publish(first)
    (secret,) = invite(first, "first", 1)
    asked = visit(page, live, version, secret)
    page.wait_for_url("**/s/arm/#*")
    begin(page)
    answer(page, "Yes", "No", "No")
    arrive(page)
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
    page.locator("summary").last.click()
    page.get_by_role("button", name="Ask the server").click()
    page.get_by_text("The server holds this response.").wait_for()
    assert (TrialResponse.objects.count(), Inbox.objects.count()) == (1, 0)


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
    asked = visit(page, live, version, invite(version.survey, "first", 1)[0])
    begin(page)
    answer(page, "No", "No", "No")
    publish_another(version.survey)
    send(page)
    page.get_by_role("heading", name="The questionnaire has changed").wait_for()
    go_on(page)
    assert page.get_by_text("This is a second disclosure").is_visible()
    begin(page)
    answer(page, "No", "No", "No")
    arrive(page)
    assert (Inbox.objects.count(), SpentToken.objects.count()) == (1, 1)
    assert sum(request.split()[1].endswith("/invitations") for request in asked) == 1


@pytest.mark.long
def test_an_invitation_that_was_begun_goes_on_with_a_version_that_came_meanwhile(page: Page, live: LiveServer) -> None:
    """The check mark stops the page; who has begun here may go on with the new version, and has disclosed nothing."""
    version = publish(make_survey(access="invitation"))
    visit(page, live, version, invite(version.survey, "first", 1)[0])
    begin(page)
    publish_another(version.survey)
    page.reload()
    page.get_by_role("heading", name="A newer version has replaced this one").wait_for()
    go_on(page)
    assert page.get_by_text("This is a second disclosure").count() == 0
    begin(page)
    answer(page, "No", "No", "No")
    arrive(page)
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


@pytest.mark.long
def test_a_survey_that_is_not_open_yet_says_from_when(page: Page, live: LiveServer) -> None:
    """In the reader's own time."""
    version = publish(make_survey(opens_at=datetime(2999, 5, 4, 12, tzinfo=UTC)))
    visit(page, live, version)
    assert page.get_by_role("heading", name="This survey is not open yet").is_visible()
    assert re.search(r"It opens: .*2999", page.locator("main").inner_text())


@pytest.mark.long
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
    arrive(page)
    receipts = page.locator("code.receipt").all_text_contents()
    assert receipts[0] == "C7K2QD9P"
    publish_another(version.survey)

    said = []
    for link in (version, version.survey.versions.latest("number")):
        page.goto("about:blank")
        page.goto(f"{address}{link.sha256}")
        page.locator("code.receipt").first.wait_for(state="attached")
        said.append((page.get_by_role("heading", level=1).inner_text(), page.locator("main .lead").inner_text()))
        assert sorted(page.locator("code.receipt").all_text_contents()) == sorted(receipts)
        assert page.get_by_role("button", name="See the new version").count() == 0
    assert [title for title, _ in said] == ["A newer version has replaced this one", "A response is already stored"]
    assert all("Your answers have arrived." in lead for _, lead in said)
