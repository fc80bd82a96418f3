"""The order of questions and pages that a device draws."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page

from tests.cases import first
from tests.client.questionnaires import definition, open_question, yesno
from tests.client.wire import Wire, activate, arrive, begin, heading

COIN = {"candor": 1, "blocks": [{"keep": 0.3, "items": [{"id": "drugs", "theta": 0.6}]}]}
IN_ORDER = [["a", "b"], ["drugs", "c"], ["d", "e"]]


def questionnaire() -> dict[str, Any]:
    """Two pages that move around one that stays; the first has its two questions in any order."""
    asked = {name: open_question(name, "yesno", name, name) for name in "abcde"} | {"drugs": yesno("drugs", "drugs")}
    source = definition(COIN, *[[asked[name] for name in names] for names in IN_ORDER])
    source["pages"][0] |= {"shuffle": True, "moves": True}
    source["pages"][2] |= {"moves": True}
    return source


def visit(page: Page, open_survey: Callable[..., Wire]) -> list[list[str]]:
    """The questions of each page in one visit, which the review has in the same order, and what is sent has not."""
    wire = open_survey(questionnaire())
    begin(page)
    pages = []
    while heading(page) != "Check your answers":
        groups = page.get_by_role("radiogroup").all()
        pages.append([(group.get_attribute("id") or "").removeprefix("q-") for group in groups])
        for group in groups:
            activate(group.get_by_role("radio").first)
        activate(page.get_by_role("button", name="Continue"))

    assert page.locator("dt > span:first-child").all_inner_texts() == [name for names in pages for name in names]
    arrive(page)
    assert list(json.loads(wire.posts[0])["open"]) == ["a", "b", "c", "d", "e"]
    page.evaluate("localStorage.clear()")
    page.goto("about:blank")
    return pages


def test_the_device_draws_an_order_and_sends_none(page: Page, open_survey: Callable[..., Wire]) -> None:
    """The page that stays is between the two that move, each with its own questions."""
    first, second, third = visit(page, open_survey)
    assert second == ["drugs", "c"]
    assert sorted([sorted(first), sorted(third)]) == [["a", "b"], ["d", "e"]]


@pytest.mark.long
def test_each_order_comes(page: Page, open_survey: Callable[..., Wire]) -> None:
    """Two places of the page with two orders: without one of the four after 60 visits 1 time in 10⁷."""
    seen = set[str]()
    for _ in range(60):
        first, _second, third = visit(page, open_survey)
        seen.add("".join(first + third))
        if len(seen) > 3:
            break

    assert seen == {"abde", "bade", "deab", "deba"}


@pytest.mark.parametrize("draws", first(1, [3, 6]))
def test_a_part_such_as_other_stays_after_those_in_a_drawn_order(
    page: Page, open_survey: Callable[..., Wire], draws: int
) -> None:
    """Of a question with several answers, too, and two such parts in their own order; by chance alone in one of 8·10³
    runs of three draws, one of 6·10⁷ of six."""
    items = [{"id": name, "label": {"en": name, "zh-hans": name}} for name in ("other", "none", "one", "two", "three")]
    items[0]["last"] = items[1]["last"] = True
    names = [f"which{draw}" for draw in range(draws)]
    several = [open_question(name, "several", name, name, items=items, shuffle=True) for name in names]
    open_survey(definition(COIN, several, [yesno("drugs", "drugs")]))
    begin(page)
    labels = [page.get_by_role("group", name=name).locator("label").all_inner_texts() for name in names]
    ends = {tuple(shown[-2:]) for shown in labels}

    assert ends == {("other", "none")}
