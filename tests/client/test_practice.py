"""The practice question shows the disguise at work, and leaves nothing behind."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page

from tests.client.questionnaires import definition, everything, one_coin, one_sided, sampled, yesno
from tests.client.wire import Wire, heading, kept

PRACTICE = "Try the disguise"
# How often each answer is stored as yes, of so many draws, with the survey's own block.
DRAWS = """async (times) => {
  const [yes, no] = document.querySelectorAll('[role=group] button');
  for (let time = 0; time < times; time++) { yes.click(); no.click(); }
}"""


def practise(page: Page) -> None:
    page.get_by_role("button", name=PRACTICE).click()
    page.get_by_role("heading", level=1, name=PRACTICE).wait_for()


def counts(page: Page) -> list[list[int]]:
    """[stored as yes, stored as no] of those who say yes, and of those who say no."""
    rows = page.locator("tbody tr").all()
    return [[int(cell) for cell in row.locator("td").all_inner_texts()] for row in rows]


def ages() -> dict[str, Any]:
    """A survey whose only sensitive question has four options."""
    age = yesno("age", "How old are you?", type="choice")
    age["options"] = everything()["pages"][0]["questions"][1]["options"]
    items = [{"id": "age", "options": [one["value"] for one in age["options"]], "noise": [0.25] * 4}]
    return definition({"candor": 1, "direct": False, "blocks": [{"keep": 0.3, "items": items}]}, [age])


def flips() -> dict[str, Any]:
    design = {"candor": 1, "direct": False, "blocks": [{"flips": [0.4, 0.4, 0.2], "items": [{"id": "a"}, {"id": "b"}]}]}
    return definition(design, [yesno("a", "A?"), yesno("b", "B?")])


def test_an_answer_shows_what_would_be_stored(page: Page, open_survey: Callable[..., Wire]) -> None:
    """Each press draws once, says so, and is counted."""
    open_survey()
    practise(page)
    group = page.get_by_role("group", name="Did you eat breakfast today?")
    group.get_by_role("button", name="Yes").click()
    said = page.get_by_role("status").inner_text()
    assert said in ("You said Yes. The site would store: Yes.", "You said Yes. The site would store: No.")
    stored_as_yes = said.endswith("Yes.")
    assert counts(page) == [[int(stored_as_yes), int(not stored_as_yes)], [0, 0]]


@pytest.mark.parametrize(
    ("questionnaire", "yes", "no"),
    [
        (one_coin, 0.3 + 0.7 * 0.6, 0.7 * 0.6),
        pytest.param(flips, 0.6, 0.4, marks=pytest.mark.long),
        pytest.param(sampled, 0.3 + 0.7 * 0.5, 0.7 * 0.5, marks=pytest.mark.long),
        (one_sided, 1.0, 0.25),
        pytest.param(ages, 0.75, 0.25, marks=pytest.mark.long),  # no question of it has yes and no: a coin that is said
    ],
    ids=["one coin", "flips", "sampled", "one-sided", "no yes or no"],
)
def test_it_draws_with_the_chances_of_the_survey(
    page: Page, open_survey: Callable[..., Wire], questionnaire: Callable[[], dict[str, Any]], yes: float, no: float
) -> None:
    """2 000 draws of each answer come as often as declared, within five standard errors."""
    open_survey(questionnaire())
    practise(page)
    page.evaluate(DRAWS, 2000)
    shares = [stored_as_yes / 2000 for stored_as_yes, _stored_as_no in counts(page)]
    assert shares == pytest.approx([yes, no], abs=5 * (0.25 / 2000) ** 0.5)
    is_own = page.get_by_text("Your device draws with the chances of a question of this survey.").is_visible()
    assert is_own == (questionnaire is not ages)


def test_nothing_of_it_is_sent_or_kept(page: Page, open_survey: Callable[..., Wire]) -> None:
    """No request, no storage; the questions that were drawn for the response stay as they were drawn."""
    wire = open_survey(sampled())
    drawn = page.get_by_text("This device drew").inner_text()
    practise(page)
    asked = len(wire.asked)
    page.evaluate(DRAWS, 5)
    assert (len(wire.asked), kept(page)) == (asked, {})
    page.get_by_role("button", name="Back to the first page").click()
    assert page.get_by_text("This device drew").inner_text() == drawn


def test_it_can_be_skipped_and_left_by_back(page: Page, open_survey: Callable[..., Wire]) -> None:
    """Begin stands beside it; the browser's Back leads to the first page."""
    open_survey(one_coin())
    assert page.get_by_role("button", name="I agree – begin").is_visible()
    practise(page)
    page.evaluate("history.back()")
    page.get_by_role("button", name="I agree – begin").wait_for()
    assert heading(page) == "Student life and health"


def test_the_practice_page_is_accessible(page: Page, open_survey: Callable[..., Wire], axe: Any) -> None:
    """By axe, with a result on it, on a phone and in Chinese."""
    page.set_viewport_size({"width": 390, "height": 844})
    open_survey()
    page.get_by_role("combobox").select_option("zh-hans")
    page.get_by_role("button", name="试试伪装").click()
    page.get_by_role("button", name="是", exact=True).press("Enter")
    assert axe(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
