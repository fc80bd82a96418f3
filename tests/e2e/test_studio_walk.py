"""A survey in the studio, from a written draft to its end, in a browser: published, answered by invitation, closed."""

import csv
import io

import pytest
from allauth.mfa.totp.internal.auth import TOTP
from django.contrib.auth.models import User
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from surveys.domain.people.roles import Role, give
from surveys.domain.responses.seal import seal_closed
from surveys.models import Invitation, Snapshot, SpentToken, Survey
from tests.client.wire import begin, say, send
from tests.config.signing_in import RIGHT, SECRET, now
from tests.surveys.making import NAMES, make_survey

pytestmark = pytest.mark.django_db(transaction=True)


def answer(page: Page, link: str) -> None:
    """From the link of an invitation to the receipt."""
    page.goto(link)
    begin(page)
    for name in NAMES:
        say(page, f"{name}?", "No")
    page.get_by_role("button", name="Continue").click()
    send(page)
    expect(page.get_by_role("heading", name="Thank you")).to_be_visible()


def test_from_a_draft_to_three_answers_by_invitation_and_the_end(
    live: LiveServer, page: Page, browser: Browser, app_codes: None
) -> None:
    """With a second factor. The first of three who are invited comes twice, and counts once; names stay with her."""
    owner = User.objects.create_user("ann", password=RIGHT, is_staff=True)
    TOTP.activate(owner, SECRET)
    survey = make_survey(access=Survey.Access.INVITATION, direct=False)
    survey.questions.update(no_skip="Nobody is in danger by these three.")
    give(survey, owner, Role.OWNER)

    page.goto(f"{live.url}/studio/")
    page.get_by_label("Username").fill("ann")
    page.get_by_label("Password").fill(RIGHT)
    page.get_by_role("button", name="Log in").click()
    page.locator("input[name=code]").fill(now())
    page.get_by_role("button", name="Log in", exact=True).click()
    page.get_by_role("link", name="Go on: Study").click()
    page.get_by_role("link", name="Publish", exact=True).click()
    expect(page.get_by_text("freeze under a hash that stands in every link")).to_be_visible()
    page.get_by_role("button", name="Publish", exact=True).click()
    expect(page.get_by_text("Version 1 is published.")).to_be_visible()

    page.get_by_label("Name of the batch").fill("ward 7")
    page.get_by_label("Who is invited").fill("Ada\nBo\nCai")
    with page.expect_download() as saving:
        page.get_by_role("button", name="Make the links and save them").click()
    rows = list(csv.DictReader(io.StringIO(saving.value.path().read_bytes().decode("utf-8-sig"))))
    assert [row["name"] for row in rows] == ["Ada", "Bo", "Cai"]

    for row in rows:
        device = browser.new_context(locale="en-GB")
        answer(device.new_page(), row["link"])
        device.close()
    again = browser.new_context(locale="en-GB")
    visitor = again.new_page()
    visitor.goto(rows[0]["link"])
    visitor.get_by_role("button", name="I agree – begin").click()
    expect(visitor.get_by_text("This invitation has been used")).to_be_visible()
    again.close()

    page.reload()
    expect(page.get_by_text("None that could be shown yet.")).to_be_visible()
    page.get_by_role("link", name="Close the survey").click()
    expect(page.get_by_text("it cannot be opened again or changed")).to_be_visible()
    page.get_by_role("button", name="Close the survey").click()
    expect(page.get_by_text("The survey is closed.", exact=False).first).to_be_visible()
    seal_closed()

    assert (Snapshot.objects.get().respondents, SpentToken.objects.count(), Invitation.objects.count()) == (3, 3, 3)
    page.reload()
    expect(page.get_by_text("up to 100 answers")).to_be_visible()
    expect(page.get_by_role("button", name="Begin the next round")).to_have_count(0)  # she may not begin surveys
