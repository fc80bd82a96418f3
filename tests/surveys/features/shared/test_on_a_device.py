"""Several people after each other on one device, in Chromium, with and without a network."""

import json
from base64 import b64decode
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone
from playwright.sync_api import Browser, Page, Route, expect
from pytest_django.live_server_helper import LiveServer

from surveys.domain.messages.boxes import open_box, private_key, public_point
from surveys.domain.messages.invite import make_key
from surveys.domain.questionnaire.closing import close
from surveys.domain.questionnaire.publish import publish
from surveys.models import Survey, SurveyVersion
from tests.cases import first
from tests.servers import PATIENCE, wait_until
from tests.surveys.features.interviews.asking import press
from tests.surveys.inbox import responses_waiting
from tests.surveys.making import add_question, make_survey

FIRST, SECOND = "73519", "28461"  # what two people answer without a disguise
READY = "Ready for the next person"
NEXT = "Clear for the next person"
WAITS = "Your answers wait here, encrypted, for the network."
KEPT = "[JSON.stringify([{...localStorage}, {...sessionStorage}]), document.documentElement.outerHTML]"
Axe = Callable[[Page], list[str]]


@pytest.fixture
def version() -> SurveyVersion:
    survey = make_survey("counter", direct=False)
    add_question(survey, "number", at=0, type="number", min="0", max="99999", required=True)
    version = publish(survey)
    make_key(survey)
    return version


def usual_link(live: LiveServer, version: SurveyVersion) -> str:
    return f"{live.url}/s/counter/#v={version.sha256}"


def open_device(page: Page, live: LiveServer, version: SurveyVersion, heading: str = READY) -> None:
    page.goto(f"{usual_link(live, version)}&p={public_point(version.survey)}")
    is_ready(page, heading)


def is_ready(page: Page, heading: str = READY) -> None:
    expect(page.get_by_role("heading", level=1)).to_have_text(heading)


def answer(page: Page, number: str) -> None:
    """From consent to Send."""
    press(page, "I agree – begin")
    page.locator("input.field").fill(number)
    for question in page.locator("fieldset").all():
        question.get_by_text("Yes", exact=True).click()
    press(page, "Continue")
    press(page, "Disguise and send")
    page.get_by_role("heading", name="Thank you").wait_for()


def answer_on_device(page: Page, number: str) -> None:
    press(page, "Begin")
    answer(page, number)


def numbers(version: SurveyVersion) -> list[str]:
    return sorted(str(json.loads(one.open)["number"]) for one in responses_waiting(version))


def kept(page: Page) -> tuple[str, str]:
    """What the browser keeps, and what the page holds; other storage has nothing."""
    stored, shown = page.evaluate(KEPT)
    assert page.evaluate("indexedDB.databases()") == []
    assert page.evaluate("caches.keys()") == []
    return stored, shown


def boxes(page: Page) -> list[dict[str, str]]:
    entries = page.evaluate("Object.entries(localStorage)")
    assert all(place.startswith("candor-box /s/counter/ ") for place, _text in entries)
    return [json.loads(text) for _place, text in entries]


def nothing_is_left_of_the_first(page: Page) -> None:
    assert [FIRST in text or '"record"' in text for text in kept(page)] == [False, False]


def come(version: SurveyVersion, *expected: str) -> None:
    """Wait for these answers, each once."""
    wait_until(lambda: len(numbers(version)) >= len(expected), PATIENCE, "the responses")
    assert numbers(version) == [*expected]


def test_two_people_without_a_network_are_stored_once_each_when_it_is_back(
    page: Page, live: LiveServer, version: SurveyVersion
) -> None:
    """The first waits for nobody and holds nobody up. What waits is encrypted to the site and has one length; neither
    page, storage, Back, another tab nor a reload tells anything of who came before.
    """
    open_device(page, live, version)
    press(page, "Begin")
    page.context.set_offline(True)
    answer(page, FIRST)
    expect(page.locator(".lead")).to_contain_text(WAITS)
    nothing_is_left_of_the_first(page)
    page.evaluate("history.back()")
    is_ready(page)
    page.evaluate("history.back()")
    is_ready(page)
    nothing_is_left_of_the_first(page)
    answer_on_device(page, SECOND)
    waiting = boxes(page)
    assert (len(waiting), len({len(one["box"]) for one in waiting})) == (2, 1)
    private = private_key(version.survey)
    opened = [open_box(private, version.sha256, b64decode(one["box"])) for one in waiting]
    assert sorted(json.loads(one or b"")["open"]["number"] for one in opened) == [int(SECOND), int(FIRST)]
    press(page, NEXT)
    is_ready(page)

    page.context.set_offline(False)
    come(version, SECOND, FIRST)
    page.wait_for_function("() => localStorage.length === 0")
    tab = page.context.new_page()
    open_device(tab, live, version)
    nothing_is_left_of_the_first(tab)
    page.reload()
    is_ready(page)
    come(version, SECOND, FIRST)


@pytest.mark.long
def test_what_waited_is_sent_after_the_page_was_closed_and_a_lost_reply_stores_nothing_twice(
    page: Page, live: LiveServer, version: SurveyVersion
) -> None:
    """The site stores the box, its reply is lost, and the page is closed: who opens the link next sends it again."""
    sent = []

    def lose(route: Route) -> None:
        sent.append(route.fetch().status)
        route.abort()

    page.route("**/boxes", lose)
    open_device(page, live, version)
    answer_on_device(page, FIRST)
    come(version, FIRST)
    assert (sent, len(boxes(page))) == ([201], 1)
    other = page.context.new_page()
    page.close()
    with other.expect_response("**/boxes") as again:
        open_device(other, live, version)
    other.wait_for_function("() => localStorage.length === 0")
    assert again.value.status == 200
    nothing_is_left_of_the_first(other)
    come(version, FIRST)


def test_a_page_that_nobody_touches_clears_itself(browser: Browser, live: LiveServer, version: SurveyVersion) -> None:
    """After 30 seconds the last page, after five minutes one with answers; its language is the first one again."""
    context = browser.new_context(locale="de-DE")
    page = context.new_page()
    page.clock.install()
    german = "Bereit für die nächste Person"
    open_device(page, live, version, german)
    page.get_by_role("combobox").select_option("en")
    press(page, "Begin")
    press(page, "I agree – begin")
    page.locator("input.field").fill(FIRST)
    page.clock.run_for(299_000)
    expect(page.locator("input.field")).to_have_value(FIRST)
    page.clock.run_for(2_000)
    is_ready(page, german)
    nothing_is_left_of_the_first(page)
    page.get_by_role("combobox").select_option("en")
    answer_on_device(page, SECOND)
    expect(page.locator(".lead")).to_contain_text("Your answers have arrived.")
    page.clock.run_for(25_000)
    press(page, "Write down my receipt first")
    page.clock.run_for(25_000)
    expect(page.locator("code.receipt")).to_be_visible()
    page.clock.run_for(6_000)
    is_ready(page, german)
    assert "code" not in page.locator("main").inner_html()
    come(version, SECOND)
    context.close()


def test_what_comes_while_a_survey_pauses_waits_until_it_opens(
    page: Page, live: LiveServer, version: SurveyVersion
) -> None:
    open_device(page, live, version)
    Survey.objects.update(opens_at=timezone.now() + timedelta(hours=1))
    answer_on_device(page, FIRST)
    expect(page.locator(".lead")).to_contain_text(WAITS)
    assert (numbers(version), len(boxes(page))) == ([], 1)
    Survey.objects.update(opens_at=None)
    page.evaluate("dispatchEvent(new Event('online'))")
    come(version, FIRST)


@pytest.mark.long
def test_what_a_closed_survey_no_longer_takes_goes(page: Page, live: LiveServer, version: SurveyVersion) -> None:
    """Also where nobody had the page open when it closed: it would lie on the device for ever."""
    open_device(page, live, version)
    press(page, "Begin")
    page.context.set_offline(True)
    answer(page, FIRST)
    assert len(boxes(page)) == 1
    other = page.context.new_page()
    page.close()
    close(version.survey)
    other.context.set_offline(False)
    open_device(other, live, version, "This survey is closed")
    assert (boxes(other), numbers(version)) == ([], [])


@pytest.mark.parametrize("wakes", ["", "document.dispatchEvent(new Event('visibilitychange', {bubbles: true}))"])
def test_a_device_that_slept_shows_nothing_of_who_was_there(
    page: Page, live: LiveServer, version: SurveyVersion, wakes: str
) -> None:
    """Its timers stood still meanwhile, with answers on the page: the clock says how long nobody touched it."""
    page.clock.install()
    open_device(page, live, version)
    press(page, "Begin")
    press(page, "I agree – begin")
    page.locator("input.field").fill(FIRST)
    page.clock.pause_at(datetime.now(UTC) + timedelta(minutes=1))
    page.clock.set_system_time(datetime.now(UTC) + timedelta(hours=8))
    expect(page.locator("input.field")).to_have_value(FIRST)
    page.evaluate(wakes or "0")
    page.clock.run_for(2_000)
    is_ready(page)
    nothing_is_left_of_the_first(page)


def test_leaving_quickly_clears_for_the_next_person(page: Page, live: LiveServer, version: SurveyVersion) -> None:
    """By its button or the key, which leads everybody else to an empty page."""
    open_device(page, live, version)
    press(page, "Begin")
    press(page, "I agree – begin")
    page.locator("input.field").fill(FIRST)
    press(page, "Leave quickly")
    is_ready(page)
    nothing_is_left_of_the_first(page)
    press(page, "Begin")
    for _press in range(3):
        page.keyboard.press("Escape")
    is_ready(page)


def test_what_the_browser_kept_while_it_was_one_persons_is_gone(
    page: Page, live: LiveServer, version: SurveyVersion
) -> None:
    """A record that had arrived is no longer there, and one that waited is encrypted and sent."""
    page.route("**/responses", lambda route: route.abort())
    page.goto(usual_link(live, version))
    press(page, "I agree – begin")
    page.locator("input.field").fill(FIRST)
    for question in page.locator("fieldset").all():
        question.get_by_text("Yes", exact=True).click()
    press(page, "Continue")
    press(page, "Disguise and send")
    page.get_by_text("They have not arrived yet.").wait_for()
    device = page.context.new_page()
    open_device(device, live, version)
    nothing_is_left_of_the_first(device)
    come(version, FIRST)
    device.goto(usual_link(live, version))
    device.get_by_role("button", name="I agree – begin").wait_for()


@pytest.mark.parametrize("scheme", first(1, ["light", "dark"]))
def test_it_is_usable_by_keys_narrow_and_without_sight(
    browser: Browser, live: LiveServer, version: SurveyVersion, axe: Axe, scheme: Any, tmp_path: Path
) -> None:
    """axe-core finds nothing on its own pages, nothing scrolls sideways at 320 px, and Next person is the first button
    of the last page.
    """
    context = browser.new_context(locale="en-GB", viewport={"width": 320, "height": 640}, color_scheme=scheme)
    page, problems = context.new_page(), []

    def look(step: str) -> None:
        page.screenshot(path=tmp_path / f"{step}-{scheme}.png", full_page=True)
        wide = page.evaluate("document.documentElement.scrollWidth")
        problems.extend([*axe(page), *([f"{step} is {wide} wide"] if wide > 320 else [])])

    open_device(page, live, version)
    look("ready")
    page.locator("main button").first.press("Enter")
    look("welcome")
    assert "until it arrives. Only the site can read it." in page.locator("main > .quiet").last.inner_text()
    answer(page, FIRST)
    look("thanks")
    expect(page.locator("main button").first).to_have_text(NEXT)
    for _press in range(9):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.textContent") == NEXT:
            break
    page.keyboard.press("Enter")
    is_ready(page)
    context.close()
    assert problems == []
