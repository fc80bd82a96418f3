"""An order of several answers on the respondent's page: by pressing, with a finger or a key, one after the other."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page

from tests.client.questionnaires import one_coin, open_question
from tests.client.wire import Wire, activate, arrive, begin, heading, say

GOODS = [("pay", "Pay", "工资"), ("time", "Time", "时间"), ("peace", "Peace", "安宁")]


def with_ranking(**fields: Any) -> dict[str, Any]:
    source = one_coin()
    items = [{"id": name, "label": {"en": english, "zh-hans": chinese}} for name, english, chinese in GOODS]
    ranking = open_question("goods", "ranking", "What matters most?", "什么最重要？", items=items) | fields
    source["pages"].append({"questions": [ranking]})
    return source


def to_the_ranking(page: Page) -> None:
    begin(page)
    for question in ("illegal drugs", "examination", "shop"):
        say(page, question, "No")
    activate(page.get_by_role("button", name="Continue"))
    page.get_by_role("checkbox", name="Pay").wait_for()


def test_an_order_is_pressed_corrected_and_sent_with_places(page: Page, open_survey: Callable[..., Wire]) -> None:
    """The page says the order as it grows; what is pressed again loses its place; the receipt says what was sent."""
    wire = open_survey(with_ranking())
    to_the_ranking(page)
    for name in ("Time", "Pay", "Peace", "Time"):
        page.get_by_role("checkbox", name=name).press("Space")
    assert page.get_by_role("status").inner_text() == "1. Pay, 2. Peace"
    activate(page.get_by_role("button", name="Continue"))
    assert page.locator(".error").inner_text() == "Please put all of them in order, or none."
    page.get_by_role("checkbox", name="Time").press("Space")
    activate(page.get_by_role("button", name="Continue"))
    page.get_by_role("heading", name="Check your answers").wait_for()
    assert page.get_by_text("1. Pay, 2. Peace, 3. Time").is_visible()
    arrive(page)
    page.get_by_text("Sent as given").click()
    assert page.get_by_text("1. Pay, 2. Peace, 3. Time").is_visible()
    (body,) = wire.posts
    assert json.loads(body)["open"] == {"goods": {"pay": "1", "peace": "2", "time": "3"}}


@pytest.mark.long
def test_an_order_may_be_left_out_unless_it_is_required(page: Page, open_survey: Callable[..., Wire]) -> None:
    """Taken back to nothing it is no answer."""
    open_survey(with_ranking(required=True))
    to_the_ranking(page)
    for _press in range(2):
        page.get_by_role("checkbox", name="Pay").press("Space")
    activate(page.get_by_role("button", name="Continue"))
    assert page.locator(".error").inner_text() == "Please answer this question."
    assert heading(page) == "Student life and health"
