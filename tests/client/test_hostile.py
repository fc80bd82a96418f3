"""A questionnaire that breaks what the page promises, as a site could serve it that means harm."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page

from tests.cases import first
from tests.client.questionnaires import definition, one_coin, open_question, text, yesno
from tests.client.wire import Wire, begin, heading

COIN = {"candor": 1, "direct": False, "blocks": [{"keep": 0.3, "items": [{"id": "drugs", "theta": 0.6}]}]}
PANEL = {"name": "Panel", "number": "PID", "ends": {}}


def from_address(parameter: str) -> dict[str, Any]:
    options = [{"value": value, "label": text(value)} for value in ("anna", "ben")]
    asked = open_question("who", "choice", "Who", "谁", options=options, parameter=parameter)
    return definition(COIN, [asked, yesno("drugs", "Drugs?")], panel=PANEL)


def with_block(**fields: Any) -> dict[str, Any]:
    source = one_coin(lot=2**30)
    source["design"]["blocks"][0].update(fields)
    return source


HOSTILE = {
    "a sensitive answer that ends the visit": lambda: definition(
        COIN, [yesno("drugs", "Drugs?", out=["1"])], panel=PANEL
    ),
    "an invitation as an answer": lambda: from_address("i"),
    "the panel's number as an answer": lambda: from_address("PID"),
    "a colour that is none": lambda: one_coin(looks={"accent": {"light": "url(//x.example/)", "dark": "#000000"}}),
}


@pytest.mark.parametrize("name", first(2, [*HOSTILE]))
def test_a_questionnaire_that_breaks_the_promise_is_not_shown(
    page: Page, open_survey: Callable[..., Wire], name: str
) -> None:
    open_survey(HOSTILE[name]())
    page.get_by_role("heading", level=1, name="This questionnaire cannot be shown").wait_for()


def test_items_of_the_questionnaire_are_those_of_its_questions(page: Page, open_survey: Callable[..., Wire]) -> None:
    """What it says of them itself is not read: an answer without a code would be seen by what is not sent."""
    open_survey(one_coin(items=[]))
    begin(page)
    page.locator(".question").first.wait_for()


def test_the_page_says_its_promise_in_its_own_words(page: Page, open_survey: Callable[..., Wire]) -> None:
    """A questionnaire has words for languages that the page does not speak; the looks of the promise are the page's."""
    looks = {"accent": {"light": "#aa0000", "dark": "#ffaaaa", "ink": "#ffffff"}}
    open_survey(one_coin(texts={"en": {"begin": "Go"}, "en-gb": {"begin": "Go"}}, looks=looks))
    assert page.get_by_role("button", name="I agree – begin").count() == 1
    assert heading(page) == "Student life and health"
    assert page.evaluate("document.documentElement.style.getPropertyValue('--ink')") == ""
