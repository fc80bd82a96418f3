"""The whole way, all real: from a respondent's first click to a mined rule, and nothing true leaves the page."""

import json
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from playwright.sync_api import Browser, Page, Request, expect

from surveys.domain.demo import surveys as demo
from surveys.domain.responses import seal
from surveys.models import SurveyVersion
from tests.cases import first
from tests.client.wire import begin, say, send
from tests.surveys.sending import send as post, submission

# Every word of randomness the page asks for; the coin then falls on noise, which says yes three times.
SAME_WORDS = """
crypto.getRandomValues = (array) => {
  new Uint8Array(array.buffer, array.byteOffset, array.byteLength).fill(0xf0);
  return array;
};
"""
Sent = tuple[str, str, str | None]


def load(slug: str) -> SurveyVersion:
    """The version of a demo; those before it are made, those after it are not."""
    return next(survey for survey, _new in demo.load() if survey.slug == slug).versions.get()


@pytest.fixture
def published(transactional_db: None) -> SurveyVersion:
    return load("demo")


def watch(page: Page) -> list[Sent]:
    """Everything that leaves the page from now on: method, address, body."""
    left: list[Sent] = []

    def note(request: Request) -> None:
        left.append((request.method, request.url, request.post_data))

    page.context.on("request", note)
    return left


def respond(page: Page, address: str, *answers: str) -> list[Sent]:
    """Answer the demo's three questions up to the receipt; returns all that left the page."""
    left = watch(page)
    page.goto(address)
    begin(page)
    for question, answer in zip(("illegal drugs", "exam", "shop"), answers, strict=True):
        say(page, question, answer)
    page.get_by_role("button", name="Continue").click()
    send(page)
    page.get_by_role("heading", name="Thank you").wait_for()
    return left


def test_from_the_first_click_to_a_rule(
    published: SurveyVersion,
    live: str,
    worker: object,
    page: Page,
    client: Client,
) -> None:
    """A respondent answers, the responses are sealed, an admin mines them and reads rules with error and W."""
    origin = str(live)
    left = respond(page, f"{origin}/s/demo/#v={published.sha256}", "Yes", "No", "Yes")
    (body,) = [body for method, _, body in left if method == "POST"]
    sent = json.loads(body or "")
    assert (sent["direct"], sent["open"], set(sent["record"]) <= {0, 1}) == (0, {}, True)
    assert [address for _, address, _ in left if not address.startswith(f"{origin}/")] == []

    for _ in range(39):  # a batch is twenty, and twenty stay back
        assert post(client, "demo", submission(published)).status_code == 201
    seal.seal_all()

    User.objects.create_superuser("admin", password="walk-to-a-rule")
    visited = watch(page)
    page.goto(f"{origin}/staff/studio/{published.survey_id}/together/")
    page.get_by_label("Username").fill("admin")
    page.get_by_label("Password").fill("walk-to-a-rule")
    page.get_by_role("button", name="Log in").click()
    page.get_by_text("Set it yourself").click()
    page.get_by_label("Minimum support").fill("0.05")
    page.get_by_label("Minimum confidence").fill("0.3")
    page.get_by_role("button", name="Search", exact=True).click()
    page.get_by_text("In figures").press("Enter")
    page.locator("#rules-table").wait_for()

    rows = page.locator("#rules-table tbody tr")
    expect(rows.first).to_contain_text("⇒")
    expect(page.get_by_text("The answers of this survey are simulated.")).to_be_visible()
    page.get_by_text("How this was made, and what it cannot show").press("Enter")
    expect(page.get_by_text("They may be off by up to 0.25 percentage points, because 20 visitors")).to_be_visible()
    page.get_by_role("columnheader", name="shrunken lift", exact=True).get_by_role("link").press("Enter")
    expect(page.get_by_role("columnheader", name="shrunken lift", exact=True)).to_have_attribute(
        "aria-sort", "descending"
    )
    expect(page.get_by_role("columnheader", name="shrunken lift", exact=True).get_by_role("link")).to_be_focused()
    assert "8\u202f020" in page.locator("#summary").text_content()
    assert [address for _, address, _ in visited if not address.startswith(f"{origin}/")] == []


@pytest.mark.parametrize("way", first(0, ["keyboard", "pointer"]))
def test_from_a_number_and_a_place_to_the_heat_map(live: str, browser: Browser, client: Client, way: str) -> None:
    """With keys alone, or by pointer: answered, sealed, and read as a histogram and a map with their tables."""
    version = load("demo-town")
    page = browser.new_context(locale="en-GB", reduced_motion="reduce").new_page()
    page.goto(f"{live}/s/demo-town/#v={version.sha256}")
    act = by_keys if way == "keyboard" else by_pointer
    act(page, "button", "I agree – begin")
    act(page, "textbox", "How many glasses of alcohol do you drink in a usual week?", "34")
    act(page, "button", "Continue")
    if way == "keyboard":
        by_keys(page, "slider", "From left to right", "Home", "ArrowRight")
        by_keys(page, "slider", "From bottom to top", "Home", "ArrowUp", "ArrowUp")
        expect(page.get_by_text("Column 2 of 60, row 3 of 48, outside the shaded zones.")).to_be_visible()
    else:
        page.locator("svg.map").click()
        expect(page.get_by_text("Column 31 of 60, row 2", exact=False).first).to_be_visible()
    act(page, "button", "Continue")
    act(page, "button", "Disguise and send")
    expect(page.get_by_role("heading", name="Thank you")).to_be_visible()
    for _ in range(39):  # a batch is twenty, and twenty stay back
        assert post(client, "demo-town", submission(version)).status_code == 201
    seal.seal_all()

    User.objects.create_superuser("admin", password="walk-to-a-map")
    page.goto(f"{live}/staff/studio/versions/{version.pk}/results/")
    act(page, "textbox", "Username", "admin")
    act(page, "textbox", "Password", "walk-to-a-map")
    act(page, "button", "Log in")

    page.get_by_text("For analysts", exact=True).click()
    drinks, home = (page.locator(".by-question .stack", has=page.locator(f"#q-{name}")) for name in ("drinks", "home"))
    expect(drinks).to_contain_text("n = 10\u202f020")
    expect(drinks.locator("svg rect")).to_have_count(20)
    expect(drinks.locator("tbody tr")).to_have_count(20)
    expect(home.locator(".drawing svg rect[stroke-dasharray]")).to_have_count(2)
    expect(home.locator("tbody tr").first).to_contain_text("zone 1100–1900, 1000–1800")
    expect(home).to_contain_text("away from true ones (root mean square)")
    page.context.close()


def by_pointer(page: Page, role: Any, name: str, *given: str) -> None:
    element = page.get_by_role(role, name=name).last
    element.click()
    for text in given:
        element.fill(text)


def by_keys(page: Page, role: Any, name: str, *given: str) -> None:
    """Go on from field to field until it has the focus; then press it, move it, or write in it."""
    element = page.get_by_role(role, name=name).last
    element.wait_for()
    for _ in range(60):
        if element.evaluate("element => element === document.activeElement"):
            break
        page.keyboard.press("Tab")
    expect(element).to_be_focused()
    if role == "button":
        page.keyboard.press("Enter")
    for text in given:
        if role == "slider":
            page.keyboard.press(text)
        else:
            page.keyboard.type(text)


@pytest.mark.long
def test_opposite_truths_send_the_same_bytes(published: SurveyVersion, live: str, browser: Browser) -> None:
    """With the same random words, whose coin falls on noise, all yes and all no leave the same traffic behind.

    Whatever else left the page, a cookie, a field, an address, would have to differ; the truth is in none of it. Files
    that are asked for at once come in any order.
    """
    traffic = []
    for answer in ("Yes", "No"):
        context = browser.new_context(locale="en-GB")
        context.add_init_script(SAME_WORDS)
        page = context.new_page()
        traffic.append(respond(page, f"{live}/s/demo/#v={published.sha256}", answer, answer, answer))
        context.close()
    assert sorted(traffic[0], key=str) == sorted(traffic[1], key=str)
    (body,) = [body for method, _, body in traffic[0] if method == "POST"]
    assert json.loads(body or "")["record"] == [1, 1, 1]
