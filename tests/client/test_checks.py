"""A lot draws who is asked directly, and an answer of known share is named."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page

from tests.client.questionnaires import one_coin
from tests.client.wire import Wire, activate, local_storage, refusal

NEARLY_ALL, HARDLY_ANY = 2**32 - 1, 1  # each misses once in four thousand million draws
TITLE = "You were drawn: would you answer directly?"


def begin(page: Page) -> None:
    activate(page.get_by_role("button", name="I agree – begin"))


def answer(page: Page, times: int = 3) -> None:
    page.locator(".question").first.wait_for()
    for number in range(times):
        activate(page.locator(".question").nth(number).get_by_text("Yes", exact=True))
    activate(page.get_by_role("button", name="Continue"))


def last_body(wire: Wire) -> dict[str, Any]:
    body: dict[str, Any] = json.loads(wire.posts[-1])
    return body


def test_the_first_page_says_that_a_lot_draws_and_with_what_chance(
    page: Page, open_survey: Callable[..., Wire]
) -> None:
    """Before anything is drawn; nothing is kept yet."""
    open_survey(one_coin(lot=858993459))
    assert page.get_by_text("20% of all people").count() == 1
    assert local_storage(page) == {}


def test_who_is_drawn_is_asked_to_answer_directly(page: Page, open_survey: Callable[..., Wire]) -> None:
    """Before the first question; the record then says direct, and nothing of the lot."""
    wire = open_survey(one_coin(lot=NEARLY_ALL))
    begin(page)
    page.get_by_role("heading", level=1, name=TITLE).wait_for()
    activate(page.get_by_role("button", name="Answer directly"))
    answer(page)
    activate(page.get_by_role("button", name="Send", exact=True))
    page.get_by_role("heading", level=1, name="Thank you").wait_for()
    body = last_body(wire)
    assert set(body) == {"version", "key", "direct", "record", "open", "pad"}
    assert (body["direct"], body["record"]) == (1, [1, 1, 1])


def test_who_is_drawn_may_decline(page: Page, open_survey: Callable[..., Wire]) -> None:
    """The record is a disguised one as any other, and what stays on the device does not say that somebody declined."""
    wire = open_survey(one_coin(lot=NEARLY_ALL))
    begin(page)
    activate(page.get_by_role("button", name="Disguise my answers"))
    answer(page)
    activate(page.get_by_role("button", name="Disguise and send"))
    page.get_by_role("heading", level=1, name="Thank you").wait_for()
    assert last_body(wire)["direct"] == 0
    assert "lot" not in json.dumps(local_storage(page))


@pytest.mark.long
def test_who_is_not_drawn_is_not_offered_it(page: Page, open_survey: Callable[..., Wire]) -> None:
    """The questions follow the first page, and Back leads there."""
    open_survey(one_coin(lot=HARDLY_ANY))
    begin(page)
    page.locator(".question").first.wait_for()
    activate(page.get_by_role("button", name="Back"))
    page.get_by_role("button", name="I agree – begin").wait_for()


def test_the_lot_is_drawn_once(page: Page, open_survey: Callable[..., Wire]) -> None:
    """It is kept from Begin on: a reload draws nothing again, and a refused response neither."""
    open_survey(one_coin(lot=NEARLY_ALL), reply=refusal(422))
    begin(page)
    page.get_by_role("heading", level=1, name=TITLE).wait_for()
    drawn = [entry["lot"] for entry in local_storage(page).values()]
    activate(page.get_by_role("button", name="Disguise my answers"))
    answer(page)
    activate(page.get_by_role("button", name="Disguise and send"))
    page.get_by_role("heading", name="The response was not accepted").wait_for()
    assert (drawn, [entry["lot"] for entry in local_storage(page).values()]) == ([True], [True])


@pytest.mark.long
@pytest.mark.parametrize("language", ["zh-hans", "en"])
def test_the_choice_is_accessible(page: Page, open_survey: Callable[..., Wire], axe: Any, language: str) -> None:
    """By axe, on a phone, in both languages."""
    page.set_viewport_size({"width": 390, "height": 844})
    open_survey(one_coin(lot=NEARLY_ALL))
    page.get_by_role("combobox").select_option(language)
    activate(page.locator("button.main"))
    page.get_by_role("heading", level=1, name={"en": TITLE, "zh-hans": "您被抽中"}[language]).wait_for()
    assert axe(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
