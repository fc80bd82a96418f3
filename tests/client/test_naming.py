"""A questionnaire of whose answers a set is sent: what a respondent reads of it at every step."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page

from privacy.design import Design
from tests.client.explaining import draw, limit_on, practise, promise_on
from tests.client.questionnaires import definition, text
from tests.client.wire import Wire, activate, begin, heading, send, speak


def choices(*names: str, options: int, **block: Any) -> dict[str, Any]:
    """Choices of so many letters, of which a set is sent."""
    letters = "abcdefghij"[:options]
    items = [{"id": name, "options": [*letters]} for name in names]
    labels = [{"value": letter, "label": text(f"Choice {letter}", f"选项{letter}")} for letter in letters]
    question = {"type": "choice", "sensitive": True, "options": labels}
    asked = [question | {"id": name, "text": text(f"Which {name} do you prefer?", name)} for name in names]
    design = {"candor": 1, "direct": False, "blocks": [block | {"items": items}]}
    return definition(design, *([one] for one in asked))


def test_the_first_page_says_how_often_yours_are_named(page: Page, open_survey: Callable[..., Wire]) -> None:
    """Both directions of chance, and how it happens; nothing says that answers are changed."""
    open_survey(choices("party", "paper", options=10, **{"by-gamma": 9, "names": 10}))

    assert promise_on(page)[0] == (
        "Your device names up to 10 of the 100 pairs of answers. Yours is among them for 50 of 100 people; any other "
        "pair for 9 of 100."
    )
    assert "So nobody can be certain of any of these answers." in promise_on(page)
    assert "Your device may change your answers before it sends them." not in promise_on(page)
    assert page.get_by_text("At Send your device draws a set of answers and sends its number.").count() == 1


@pytest.mark.parametrize("language", ["zh-hans"])
def test_it_is_said_in_the_language_of_the_page(page: Page, open_survey: Callable[..., Wire], language: str) -> None:
    """One question: of its ten answers three are named."""
    speak(page, language)
    open_survey(choices("party", options=10, **{"by-gamma": 2.718281828, "names": 3}))

    assert "您的设备从 10 个回答中最多列出 3 个。每 100 人中，有 51 人自己的回答在其中" in promise_on(page)[0]


def test_the_receipt_has_the_number_of_the_set(page: Page, open_survey: Callable[..., Wire]) -> None:
    """What is sent writes it in the columns of what was asked; the site takes it, and the receipt says it."""
    source = choices("party", "paper", options=4, **{"by-gamma": 9, "names": 2})
    page.add_init_script("crypto.getRandomValues = (words) => words.fill(7)")
    wire = open_survey(source)
    begin(page)
    while heading(page) != "Check your answers":
        activate(page.get_by_role("radio", name="Choice c"))
        activate(page.get_by_role("button", name="Continue"))
    send(page)
    page.get_by_role("heading", level=1, name="Thank you").wait_for()
    record = json.loads(wire.posts[0])["record"]
    (block,) = Design.parse(source["design"]).blocks

    # 16 cells on 17 points: word 7 is below p; near is 7 mod 2, far 7 mod 15, the step 1 + 7 mod 8; 10 is cc.
    number = 7 * 17 + (10 - 8 * 1) % 17
    assert record == [number % 12, number // 12]
    assert block.can_send(record)
    assert page.locator(".sent li").first.text_content() == f"A set of answers: number {number}"
    assert page.locator(".sent li").count() == 1
    assert limit_on(page) == ("50%", "90%")


def test_practice_shows_a_set(page: Page, open_survey: Callable[..., Wire]) -> None:
    """What would be stored of a practised answer is the number of a set, and no answer."""
    open_survey(choices("party", options=10, **{"by-gamma": 2.718281828, "names": 3}))
    practise(page)
    practised = page.get_by_role("radiogroup", name="Which letter do you like best?")
    activate(practised.get_by_role("radio", name="A"))
    ((said, stored),) = draw(practised)

    assert said == "A"
    assert stored.startswith("A set of answers: number ")
