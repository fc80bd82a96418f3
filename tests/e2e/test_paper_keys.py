"""Sheets of paper by keyboard alone: one key an answer, Enter ends a sheet, and some are entered twice."""

import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from privacy.own_draw.ready import draw_of
from surveys.features.paper import staff
from surveys.features.paper.form import form_of
from surveys.features.paper.printing import stack_of
from surveys.models import Inbox, PaperBatch, TypedSheets
from tests.e2e.walking import sign_in
from tests.surveys.features.paper.sheets_of import BORN, crosswise, publish_paper, take_few

QUICK = 60  # milliseconds between two keys of somebody who types digits without looking


@pytest.fixture(autouse=True)
def two_sheets(monkeypatch: pytest.MonkeyPatch) -> None:
    """These tests type a few sheets; that fewer than twenty wait is tested without a browser."""
    take_few(monkeypatch, 2)


def by_note(*names: str) -> dict[str, Any]:
    """Two questions with digits of one number, which a lot turns: ten kinds of sheets."""
    draw = draw_of("unrelated", "digit", 7, 2, "note", lot=True)
    return {"by": "person", "draw": draw, "items": [{"id": name} for name in names]}


def by_day(name: str) -> dict[str, Any]:
    """Two looks, and no lot of days."""
    return {"by": "person", "draw": draw_of("extended", "day", 8, 1, "mother"), "items": [{"id": name}]}


def begin(page: Page, live: LiveServer, pk: int, sheets: int) -> None:
    """The page has the focus where a stack is counted, and Enter begins."""
    page.goto(live.url + reverse("studio:paper", args=[pk]))
    page.keyboard.type(str(sheets))
    page.keyboard.press("Enter")


@pytest.mark.long
def test_a_lot_is_typed_as_it_is_printed(page: Page, live_server: LiveServer) -> None:
    """Two digits where there are ten lots or more; what is missing is named with its lot, look and page."""
    version = publish_paper([by_note("stolen", "lied"), by_day("copied")], BORN, least=20)
    form = form_of(version)
    third = form.lots[2]
    sign_in(page, live_server)
    begin(page, live_server, version.survey.pk, 20)
    expect(page.locator("#now")).to_have_text("lot (01–20)")
    page.keyboard.type("21")
    expect(page.locator("#status")).to_have_text("First type the lot of this sheet as it is printed, 01 to 20.")
    page.keyboard.press("Backspace")
    page.keyboard.type("03")
    expect(page.locator("#now")).to_have_text(f"born (1–2) · lot 03, look {third.look + 1}, page 1")
    page.keyboard.type("1")
    page.keyboard.press("Enter")

    said = f"Next is “stolen” (lot 03, look {third.look + 1}, page 2): 1 of 4 answers are typed."
    expect(page.locator("#status")).to_contain_text(said)
    assert stack_of(form, third, "en")["name"] == "03"


def keep(page: Page, key: str) -> None:
    """Press a key that ends a sheet, and wait until the site has it."""
    with page.expect_response("**/paper/typed/"):
        page.keyboard.press(key)


def test_a_stack_is_entered_by_keyboard_also_after_the_page_was_left(page: Page, live_server: LiveServer) -> None:
    """A wrong key is refused, the last field taken back, a sheet set aside, one entered again, and all are sent.

    What was typed is there again; the stored stack is forgotten, and so is one thrown away.
    """
    version = publish_paper(crosswise("copied", "stolen"), BORN)
    pk = version.survey.pk
    sign_in(page, live_server)
    begin(page, live_server, pk, 3)
    page.keyboard.type("13")
    expect(page.locator("#status")).to_have_text("No such box: 1 to 2.")
    page.keyboard.type("1")
    page.keyboard.press("Backspace")
    page.keyboard.press("Enter")
    expect(page.locator("#status")).to_contain_text("Next is “copied” (page 1): 1 of 3 answers are typed.")
    page.keyboard.type("22")
    page.keyboard.press("Enter")
    keep(page, "-")
    token = page.locator("[name=token]").input_value()
    page.goto(live_server.url + reverse("studio:fieldwork", args=[pk]))
    page.goto(live_server.url + reverse("studio:paper", args=[pk]))
    expect(page.locator("[name=token]")).to_have_value(token)  # so that no second window stores the stack again
    expect(page.locator("#status")).to_have_text("Kept: 2 of 3 sheets. Go on, or throw away what you typed.")
    page.keyboard.press("Enter")
    page.keyboard.type("211")
    keep(page, "Enter")
    expect(page.locator("#status")).to_contain_text("Second entry, sheet")
    page.reload()
    page.keyboard.press("Enter")
    expect(page.locator("#status")).to_contain_text("Second entry, sheet")
    second = "122" if "sheet 1 " in (page.locator("#status").text_content() or "") else "212"
    page.keyboard.type(second)
    keep(page, "Enter")
    expect(page.locator("#status")).to_have_text("All 3 sheets are typed: 2 to store, 1 set aside.")
    page.keyboard.press("Enter")  # the button that stores has the focus
    if second == "212":
        page.get_by_role("radio", name="1 One yes, one no typed first").first.check()
        page.get_by_role("button", name="Store the stack").click()
    expect(page.get_by_text("Paper: 2 sheets were entered.")).to_be_visible()
    batch = PaperBatch.objects.get()
    assert (batch.counted, batch.aside, batch.compared, batch.differing) == (3, 1, 2, int(second == "212"))
    assert Inbox.objects.count() == 2
    assert not TypedSheets.objects.exists()

    begin(page, live_server, pk, 3)
    page.keyboard.type("122")
    keep(page, "Enter")
    page.reload()
    page.get_by_role("button", name="Throw away what I typed").click()
    expect(page.locator("#status")).to_have_text("")
    assert not TypedSheets.objects.exists()


@pytest.mark.long
def test_sheets_are_taken_back_the_last_one_first(page: Page, live_server: LiveServer) -> None:
    """By the button or its keys: of the second entry, one of the first, one set aside; what was typed is not shown."""
    version = publish_paper(crosswise("copied"))
    sign_in(page, live_server)
    begin(page, live_server, version.survey.pk, 3)
    back, status = page.locator("#back"), page.locator("#status")
    assert back.is_hidden()
    page.keyboard.type("1")
    keep(page, "Enter")
    keep(page, "-")
    page.keyboard.type("2")
    keep(page, "Enter")
    place = int((status.text_content() or "").split("sheet ")[1].split()[0])
    page.keyboard.type("1" if place == 1 else "2")
    keep(page, "Enter")
    expect(status).to_contain_text("All 3 sheets are typed")

    expect(back).to_have_text(f"Take sheet {place} back")
    keep(page, "Control+z")
    expect(status).to_contain_text(f"Second entry, sheet {place} ")
    page.reload()  # what was taken back is gone for good
    page.keyboard.press("Enter")
    expect(status).to_contain_text(f"Second entry, sheet {place} ")
    said = []
    for _again in range(3):
        said.append(back.text_content())
        with page.expect_response("**/paper/typed/"):
            back.click()
    assert said == ["Take sheet 3 back", "Take sheet 2 back", "Take sheet 1 back"]
    expect(status).to_contain_text("Sheet 1 of 3.")
    expect(page.locator("#boxes")).to_have_value("")
    assert back.is_hidden()
    assert not TypedSheets.objects.exists()


def test_the_page_says_that_nothing_is_kept_of_who_was_signed_out(page: Page, live_server: LiveServer) -> None:
    """The site answers with the page on which one signs in, and that is no answer that something was kept."""
    version = publish_paper(crosswise("copied"))
    sign_in(page, live_server)
    begin(page, live_server, version.survey.pk, 3)
    page.context.clear_cookies(name="staff_session")
    page.keyboard.type("1")
    page.keyboard.press("Enter")

    expect(page.locator("#unkept")).to_contain_text("the last sheet is not kept")
    assert not TypedSheets.objects.exists()


def wrong(page: Page) -> tuple[int, int]:
    """The sheet that the page asks for, counted from the top, and how many are left."""
    place, left = re.findall(r"\d+", page.locator("#status").text_content() or "")
    return int(place), int(left)


@pytest.mark.long
def test_ten_slips_in_a_stack_of_thirty_are_settled_by_keyboard(
    page: Page,
    live_server: LiveServer,
    axe: Callable[[Page], list[str]],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    """A sheet is taken back, two are set aside, fourteen come again, and the page of what differs is for everybody.

    Of the ten that differ six are as they were typed first, three as second, and one shows neither.
    """
    monkeypatch.setattr(staff, "SAMPLE", 2)
    version = publish_paper(crosswise("copied", "stolen"), BORN)
    sign_in(page, live_server)
    begin(page, live_server, version.survey.pk, 30)
    for place in range(1, 31):
        if place in (5, 17):
            page.keyboard.press("-")
            continue
        if place == 24:  # sheet 23 was typed twice: the second time it is taken back
            page.keyboard.type("222")
            page.keyboard.press("Enter")
            page.keyboard.press("Control+z")
        page.keyboard.type("121" if place % 2 else "212")
        page.keyboard.press("Enter")
    slips = []
    while "Second entry" in (page.locator("#status").text_content() or ""):
        place, left = wrong(page)
        typed = "121" if place % 2 else "212"
        if left <= 10:
            slips.append(place)
            typed = typed[:-1] + "21"[int(typed[-1]) - 1]
        page.keyboard.type(typed)
        page.keyboard.press("Enter")
    page.screenshot(path=tmp_path / "typed.png", full_page=True)
    page.keyboard.press("Enter")

    expect(page.get_by_role("heading", level=1)).to_have_text("10 answers differ")
    expect(page.locator("h2")).to_have_text([f"Sheet {place} from the top" for place in slips])
    page.screenshot(path=tmp_path / "differ.png", full_page=True)
    assert axe(page) == []
    page.set_viewport_size({"width": 320, "height": 800})
    page.screenshot(path=tmp_path / "differ-phone.png", full_page=True)
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    page.get_by_role("link", name="Back to the sheets").click()
    page.get_by_role("button", name="Go on").click()
    expect(page.locator("#store")).to_be_visible()
    expect(page.locator("#back")).to_be_hidden()  # what differs counts as it was typed
    page.keyboard.press("Control+z")
    page.screenshot(path=tmp_path / "back.png", full_page=True)
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Store the stack").press("Enter")
    assert not Inbox.objects.exists()  # the browser leads to the first that nobody has settled
    page.locator("input[type=radio]").first.focus()
    for number in range(10):
        page.keyboard.press("Space")
        for _way in range(0 if number < 6 else 1 if number < 9 else 2):
            page.keyboard.press("ArrowDown")
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")  # the button that stores

    expect(page.get_by_text("Paper: 27 sheets were entered.")).to_be_visible()
    page.screenshot(path=tmp_path / "stored.png", full_page=True)
    batch = PaperBatch.objects.get()
    assert (batch.counted, batch.aside, batch.compared, batch.differing) == (30, 3, 28, 10)
    assert not TypedSheets.objects.exists()


@pytest.mark.long
def test_a_form_of_ten_answers_takes_less_than_five_seconds(page: Page, live_server: LiveServer) -> None:
    """Forty sheets, key by key, with a pause between two keys; the page adds little to it, and four come again."""
    version = publish_paper(crosswise(*(f"q{number}" for number in range(10))))
    sign_in(page, live_server)
    begin(page, live_server, version.survey.pk, 40)
    started = time.monotonic()
    for number in range(40):
        page.keyboard.type(f"{number:010b}".replace("0", "2"), delay=QUICK)
        page.keyboard.press("Enter")
    seconds = (time.monotonic() - started) / 40
    times = 0
    while "Second entry" in (page.locator("#status").text_content() or ""):
        place = int((page.locator("#status").text_content() or "").split("sheet ")[1].split()[0])
        page.keyboard.type(f"{place - 1:010b}".replace("0", "2"))
        page.keyboard.press("Enter")
        times += 1

    page.keyboard.press("Enter")  # the button that stores
    expect(page.get_by_text("Paper: 40 sheets were entered.")).to_be_visible()
    batch = PaperBatch.objects.get()
    assert (times, batch.compared, batch.differing) == (4, 40, 0)
    assert seconds < 5
