"""A survey on paper by keyboard alone, in one browser: from *New survey* to the figures of its report."""

import random
import re
from collections.abc import Callable

import pytest
from django.urls import reverse
from playwright.sync_api import Locator, Page, Response, expect
from pytest_django.live_server_helper import LiveServer

from surveys.domain.responses.seal import seal
from surveys.models import SurveyVersion, TypedSheets
from tests.e2e.walking import sign_in
from tests.servers import PATIENCE

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.long]
SHEETS = 40  # of each of three stacks
TEXTS = {"Title for respondents": "Honest exams", "Who asks": "We", "Why, and what": "To know.", "^Consent": "I agree."}


def press(one: Locator, key: str = "Enter") -> None:
    one.first.focus()
    one.page.keyboard.press(key)


def write(page: Page, one: Locator, text: str) -> None:
    press(one, "Control+a")
    page.keyboard.type(text)
    page.keyboard.press("Tab")
    page.wait_for_timeout(300)
    expect(page.locator("#state")).to_have_text("All changes are saved.")


def draft(page: Page) -> None:
    """One question with its reason, and the texts of the opening page."""
    press(page.get_by_role("button", name="New survey"))
    expect(page.locator("#add-lines")).to_be_enabled()  # keys reach nothing before
    if page.locator("#add-skip").is_checked():
        press(page.locator("#add-skip"), "Space")
    page.locator("#add-lines").focus()
    page.keyboard.type("Have you copied?")
    page.keyboard.press("Enter")
    page.locator(".page .q").wait_for()
    press(page.locator("#opening summary"))
    for label, text in TEXTS.items():
        write(page, page.locator("#opening").get_by_label(re.compile(label)), text)
    reason = page.get_by_label("Why it is left out")
    for _again in range(PATIENCE):  # the page may open the question itself, which would close it again
        if reason.is_visible():
            break
        press(page.locator(".page .q > summary"))
        page.wait_for_timeout(1000)
    write(page, reason, "Who skips leaves.")


def protect(page: Page) -> None:
    """People draw themselves, also on paper; then it is published."""
    press(page.get_by_role("link", name="Next: Protect"))
    page.locator("#expected").wait_for()
    write(page, page.locator("#expected"), "200")
    press(page.locator("details", has=page.locator("#panel-draws")).locator("summary"))
    press(page.locator("[name=draws][value=by-person]"), "Space")
    press(page.locator("[value=day-of-two-lists]"), "Space")
    expect(page.locator("#panel-paper")).to_contain_text("On paper this makes 2 kinds of sheets")
    press(page.locator("details", has=page.locator("#panel-paper")).locator("summary"))
    press(page.locator("#panel-paper input"), "Space")
    expect(page.locator("#panel-paper")).not_to_contain_text("Decide on paper now")
    press(page.get_by_role("link", name=re.compile("^Publish")))
    press(page.get_by_role("link", name="Set it"))
    page.locator("#id_keep_until").focus()
    page.keyboard.type("01012099")
    press(page.get_by_role("button", name="Save the dates"))
    press(page.get_by_role("link", name="Next: Publish"))
    page.get_by_role("button", name="Publish …").click()
    press(page.get_by_role("button", name="Publish it"))
    expect(page.get_by_text("Version 1 was published.")).to_be_visible()


def sheet(chance: random.Random) -> str:
    """The lot, and what somebody crosses who follows it: one in five copied, none was on the Moon."""
    lot = chance.choice((1, 2))
    crosses = [((chance.random() < 8 / 30.4) != (lot == 2)) != yes for yes in (chance.random() < 0.2, False, True)]
    return str(lot) + "".join("1" if differs else "2" for differs in crosses)


def keeps(sheets: int) -> Callable[[Response], bool]:
    """What was typed is kept after each sheet, one request after another: whether this one has so many."""
    return lambda answer: len((answer.request.post_data_json or {}).get("first", ())) == sheets


def enter(page: Page, sheets: list[str]) -> None:
    """A stack, left in the middle; of the sample one answer is typed wrongly."""
    address = page.url
    page.keyboard.type(str(len(sheets)))
    page.keyboard.press("Enter")
    for place, one in enumerate(sheets):
        page.keyboard.type(one)
        if place == len(sheets) // 2:
            with page.expect_response(keeps(place + 1)):
                page.keyboard.press("Enter")
            page.goto(address)
            expect(page.locator("#status")).to_contain_text(f"Kept: {place + 1} of {len(sheets)} sheets.")
        page.keyboard.press("Enter")
    status, slip = page.locator("#status"), True
    while "Second entry" in (said := status.text_content() or ""):
        again = sheets[int(said.split("sheet ")[1].split()[0]) - 1]
        page.keyboard.type(again[:-1] + "21"[int(again[-1]) - 1] if slip else again)
        page.keyboard.press("Enter")
        slip = False
    press(page.locator("#store"))
    page.get_by_role("radio", name="typed first").check()
    page.get_by_role("button", name="Store the stack").click()
    expect(page.get_by_text(f"Paper: {len(sheets)} sheets were entered.")).to_be_visible()


def test_a_survey_on_paper_is_made_by_keyboard_from_its_draft_to_its_report(
    page: Page, live_server: LiveServer
) -> None:
    """Seed 7, three stacks of forty: the report has all of them, and corrects figures for the slips that it found."""
    sign_in(page, live_server)
    draft(page)
    protect(page)
    version, chance = SurveyVersion.objects.get(), random.Random(7)
    field = live_server.url + reverse("studio:fieldwork", args=[version.survey_id]) + "?way=paper#paper"
    page.goto(field)
    press(page.locator("#paper").get_by_role("link", name="Sheets"))
    expect(page.locator(".foot strong")).to_have_text(["lot 1", "lot 1", "lot 2", "lot 2"])  # two pages each
    for _stack in range(3):
        page.goto(field)
        press(page.get_by_role("link", name="Enter paper answers"))
        page.locator("#boxes").wait_for()
        enter(page, [sheet(chance) for _ in range(SHEETS)])
    assert not TypedSheets.objects.exists()

    page.goto(field)
    expect(page.locator("#paper")).to_contain_text("Until it is closed, full hundreds of sheets count.")
    press(page.get_by_role("button", name="Close the survey …"))
    press(page.get_by_role("button", name="Close it for good"))
    expect(page.get_by_text("The survey was closed.")).to_be_visible()
    seal(version)
    press(page.get_by_role("link", name=re.compile("^Results")))
    expect(page.get_by_text("120 people answered.")).to_be_visible()
    expect(page.locator("main")).to_contain_text("Of 36 answers that were entered twice, 3 differ")
