"""Pages around the surveys are for everybody's eyes, and in both languages."""

from collections.abc import Callable

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from tests.cases import first

Axe = Callable[[Page], list[str]]


def sign_in(page: Page, live: LiveServer) -> None:
    page.goto(f"{live.url}/staff/studio/")
    page.get_by_label("Username").fill("ann")
    page.get_by_label("Password").fill("correct horse")
    page.get_by_role("button", name="Log in").click()


@pytest.fixture
def administrator(transactional_db: None) -> User:
    return User.objects.create_superuser("ann", password="correct horse")


@pytest.mark.long
@pytest.mark.parametrize("scheme", first(1, ["dark", "light"]))
def test_it_is_open_to_everybody(
    administrator: User, live: LiveServer, browser: Browser, axe: Axe, scheme: str
) -> None:
    """axe-core finds nothing on the way in, on the own account and the list of people; no policy blocks anything."""
    complaints: list[str] = []
    context = browser.new_context(color_scheme=scheme, locale="en-GB")
    page = context.new_page()
    page.on("console", lambda message: complaints.append(message.text))
    page.goto(f"{live.url}/staff/studio/")
    problems = axe(page)
    sign_in(page, live)
    problems += axe(page)
    blocked = []
    for address in ("admin/account/", "people/", "system/"):
        page.goto(f"{live.url}/staff/{address}")
        blocked += complaints
        problems += axe(page)  # which itself tries styles here that the policy refuses
        complaints.clear()
    context.close()
    assert (problems, blocked) == ([], [])


@pytest.mark.long
def test_the_language_is_switched_in_place(administrator: User, live: LiveServer, page: Page) -> None:
    """One press, and the same page speaks Chinese; one more, and it speaks English again."""
    sign_in(page, live)
    page.goto(f"{live.url}/staff/people/")
    page.locator("header summary").click()
    page.get_by_role("button", name="简体中文").click()
    expect(page).to_have_url(f"{live.url}/staff/people/")
    expect(page.locator("html")).to_have_attribute("lang", "zh-hans")
    page.locator("header summary").click()
    page.get_by_role("button", name="English").click()
    expect(page.locator("html")).to_have_attribute("lang", "en")


def test_the_language_is_chosen_before_signing_in(live: LiveServer, page: Page) -> None:
    """Who cannot read the page that asks for a password cannot get past it; where they were going is kept."""
    page.goto(f"{live.url}/staff/admin/login/?next=/staff/people/")
    page.get_by_role("button", name="简体中文").click()
    expect(page).to_have_url(f"{live.url}/staff/admin/login/?next=/staff/people/")
    expect(page.locator("html")).to_have_attribute("lang", "zh-hans")
    expect(page.get_by_role("button", name="English")).to_be_visible()
