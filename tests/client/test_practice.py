"""The practice question shows the disguise at work, and leaves nothing behind."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page

from tests.client.explaining import draw, practise
from tests.client.questionnaires import everything, flips, one_coin, one_sided, six_with_lot
from tests.client.wire import Wire, activate, heading, local_storage


@pytest.mark.long
def test_an_answer_shows_what_would_be_stored(page: Page, wire: Wire) -> None:
    """It is given as in the survey; each press draws once, says so, and is counted."""
    practise(page)
    practised = page.get_by_role("radiogroup", name="Did you eat breakfast today?")
    assert draw(practised) == {}
    assert page.get_by_role("status").inner_text() == "Please answer this question."
    activate(practised.get_by_role("radio", name="Yes"))
    counts = draw(practised)
    said = page.get_by_role("status").inner_text()
    assert said in ("You said: Yes. The site would store: Yes.", "You said: Yes. The site would store: No.")
    assert counts == {("Yes", said[-4:-1].strip()): 1}


@pytest.mark.long
@pytest.mark.parametrize(
    ("questionnaire", "yes", "no"),
    [
        (one_coin, 0.3 + 0.7 * 0.6, 0.7 * 0.6),
        (flips, 0.6, 0.4),
        (six_with_lot, 0.3 + 0.7 * 0.5, 0.7 * 0.5),
        (one_sided, 1.0, 0.25),
    ],
    ids=["one coin", "flips", "sampled", "one-sided"],
)
def test_yes_and_no_are_drawn_with_the_chances_of_the_survey(
    page: Page, open_survey: Callable[..., Wire], questionnaire: Callable[[], dict[str, Any]], yes: float, no: float
) -> None:
    """2 000 draws of each answer come as often as declared, within five standard errors."""
    open_survey(questionnaire())
    practise(page)
    practised = page.get_by_role("radiogroup", name="Did you eat breakfast today?")
    for answer in ("Yes", "No"):
        activate(practised.get_by_role("radio", name=answer))
        counts = draw(practised, 2000)
    shares = [counts.get((answer, "Yes"), 0) / 2000 for answer in ("Yes", "No")]
    assert shares == pytest.approx([yes, no], abs=5 * (0.25 / 2000) ** 0.5)
    assert page.get_by_text("Your device draws with the chances of this survey’s own questions.").is_visible()


@pytest.mark.long
def test_every_type_of_the_survey_is_practised_with_its_own_controls_and_chances(
    page: Page, open_survey: Callable[..., Wire]
) -> None:
    """As many options, steps and boxes as the survey's questions have; 2 000 draws of each come as declared.

    Under one coin of .3: yes stays in .3 + .7 · .6, the first of four options in .3 + .7 · .3, a step in .3 + .7 · .2;
    of two boxes, turned over by flips, each stays in .6.
    """
    open_survey(everything())
    practise(page)
    assert page.locator("main .question").count() == 4
    choice = page.get_by_role("radiogroup", name="Which letter do you like best?")
    assert choice.locator("label").all_inner_texts() == ["A", "B", "C", "D"]
    scale = page.get_by_role("radiogroup", name="How much do you like breakfast, from 1 to 5?")
    assert scale.get_by_role("radio").count() == 5
    several = page.get_by_role("group", name="Which letters do you like?")
    assert several.locator("label").all_inner_texts() == ["A", "B"]

    activate(choice.get_by_role("radio", name="A"))
    activate(scale.get_by_role("radio", name="3"))
    activate(several.get_by_role("checkbox", name="B"))
    chosen, stepped, ticked = (draw(practised, 2000) for practised in (choice, scale, several))

    assert {said for said, _stored in ticked} == {"A: No", "B: Yes"}
    shares = [chosen["A", "A"], stepped["3", "3"], ticked["A: No", "No"], ticked["B: Yes", "Yes"]]
    assert [share / 2000 for share in shares] == pytest.approx(
        [0.3 + 0.7 * 0.3, 0.3 + 0.7 * 0.2, 0.6, 0.6], abs=5 * (0.25 / 2000) ** 0.5
    )


def test_nothing_of_it_is_sent_or_kept(page: Page, open_survey: Callable[..., Wire]) -> None:
    """No request, no storage; the questions that were drawn for the response stay as they were drawn."""
    wire = open_survey(six_with_lot())
    drawn = page.get_by_text("This device chose").inner_text()
    practise(page)
    asked = len(wire.asked)
    practised = page.get_by_role("radiogroup", name="Did you eat breakfast today?")
    activate(practised.get_by_role("radio", name="No"))
    draw(practised, 5)
    assert (len(wire.asked), local_storage(page)) == (asked, {})
    activate(page.get_by_role("button", name="Back to the first page"))
    assert page.get_by_text("This device chose").inner_text() == drawn


def test_it_can_be_skipped_and_left_by_back(page: Page, open_survey: Callable[..., Wire]) -> None:
    """Begin stands beside it; the browser's Back leads to the first page."""
    open_survey(one_coin())
    assert page.get_by_role("button", name="I agree – begin").is_visible()
    practise(page)
    page.evaluate("history.back()")
    page.get_by_role("button", name="I agree – begin").wait_for()
    assert heading(page) == "Student life and health"


@pytest.mark.long
def test_the_practice_page_is_accessible(page: Page, open_survey: Callable[..., Wire], axe: Any) -> None:
    """By axe, with a result on it, on a phone and in Chinese."""
    page.set_viewport_size({"width": 390, "height": 844})
    open_survey()
    page.get_by_role("combobox").select_option("zh-hans")
    activate(page.get_by_role("button", name="试试伪装"))
    activate(page.get_by_role("radio", name="是", exact=True))
    page.get_by_role("button", name="显示将存储的内容").press("Enter")
    assert axe(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
