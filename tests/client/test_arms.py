"""Two strengths of one disguise: what people read, what the device draws, and what leaves."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page

from privacy.design import Design
from tests.cases import first
from tests.client.questionnaires import ONE_COIN, one_coin
from tests.client.wire import Wire, local_storage

# The weaker arm keeps every answer, the stronger one none, and noise says no: each but once in 2**31 draws.
SURE = {"keep": 1 - 2**-32, "stronger": {"keep": 2**-31}}
USUAL = {"keep": 0.5, "stronger": {"keep": 0.2}}


def in_arms(block: dict[str, Any], theta: float = 2**-31) -> dict[str, Any]:
    items = [{"id": item["id"], "theta": theta} for item in ONE_COIN["blocks"][0]["items"]]  # type: ignore[index]
    design = Design.parse({"blocks": [block | {"items": items}]})
    return one_coin() | {"design": json.loads(design.canonical()), "arms": True}


def answer(page: Page) -> None:
    page.get_by_role("button", name="I agree – begin").click()
    page.locator(".question").first.wait_for()
    for number in range(3):
        page.locator(".question").nth(number).get_by_text("Yes", exact=True).click()
    page.get_by_role("button", name="Continue").click()
    page.get_by_role("button", name="Disguise and send").click()
    page.get_by_role("heading", level=1, name="Thank you").wait_for()


@pytest.mark.long
def test_the_first_page_says_that_chance_draws_the_strength(page: Page, open_survey: Callable[..., Wire]) -> None:
    """And that what it says holds for the weaker one."""
    open_survey(in_arms(USUAL, 0.6))
    said = page.locator(".protection").inner_text()
    assert "Each device uses one of two disguises at random, and the site sees which." in said
    # The figures are those of the weaker arm: (1 − .5)·.4 = 20 % of people who would say yes.
    assert "Of 10 people who would say “Yes”, the site stores about 2 as “No”." in said.replace("\n", " ")


@pytest.mark.long
def test_the_record_is_disguised_by_the_arm_that_it_says(page: Page, open_survey: Callable[..., Wire]) -> None:
    """What leaves is of the arm that stands beside it, and the receipt says which one it was, also after a reload."""
    wire = open_survey(in_arms(SURE))
    answer(page)
    body = json.loads(wire.posts[-1])
    arm = body["open"]["arm"]
    assert body["record"] == {"weaker": [1, 1, 1], "stronger": [0, 0, 0]}[arm]
    assert [entry["arm"] for entry in local_storage(page).values()] == [arm]
    said = f"Your device chose the {arm} disguise at random"
    assert page.get_by_text(said).count() == 1
    page.reload()
    page.get_by_role("heading", level=1, name="Thank you").wait_for()
    assert page.get_by_text(said).count() == 1


@pytest.mark.parametrize(
    ("word", "arm"), first(1, [(2**31 - 1, "weaker"), (2**31, "stronger"), (0, "weaker"), (2**32 - 1, "stronger")])
)
def test_one_word_draws_the_arm(evaluate: Callable[..., Any], word: int, arm: str) -> None:
    """By its highest bit, as in Python; the design of that arm is a plain one, with its own chances."""
    design = in_arms(USUAL, 0.6)["design"]
    function = "({drawArm}, [design, word]) => drawArm(design, () => word)"
    drawn = evaluate("features/checks/arms.js", function, [design, word])
    assert drawn["arm"] == arm
    assert drawn["armed"]["blocks"][0]["keep"] == {"weaker": 2**31, "stronger": round(0.2 * 2**32)}[arm]


def test_a_second_disguise_that_is_weaker_is_refused(page: Page, open_survey: Callable[..., Wire]) -> None:
    """The promise would not hold for a person who drew it."""
    source = in_arms(USUAL, 0.6)
    source["design"]["blocks"][0]["stronger"]["keep"] = 2**32 - 1
    open_survey(source)
    page.get_by_role("heading", level=1, name="This questionnaire cannot be shown").wait_for()


@pytest.mark.long
@pytest.mark.parametrize("language", first(1, ["zh-hans", "en"]))
def test_the_receipt_is_accessible(page: Page, open_survey: Callable[..., Wire], axe: Any, language: str) -> None:
    """By axe, on a phone, in both languages."""
    page.set_viewport_size({"width": 390, "height": 844})
    open_survey(in_arms(USUAL, 0.6))
    answer(page)
    page.get_by_role("combobox").select_option(language)
    page.locator("section.protection").wait_for()
    assert axe(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
