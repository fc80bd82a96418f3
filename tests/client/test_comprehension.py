"""The question about the disguise is true for every design, may be tried again or left out, and nobody learns of it."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page

from privacy.design import Design
from privacy.errors import EntryError
from surveys.definition import Definition
from tests.cases import first
from tests.client.explaining import TITLE, press, reach, why
from tests.client.questionnaires import (
    definition,
    everything,
    flips,
    one_coin,
    one_sided,
    six_with_lot,
    statements,
    yesno,
)
from tests.client.wire import Wire, activate, heading, local_storage

RIGHT, WRONG = "That is right. ", "No, it does not. You may try again. "


def no_is_hidden() -> dict[str, Any]:
    return one_sided("1", coin=True)


def pair_and_word() -> dict[str, Any]:
    """A list whose first question has no word of its own."""
    words = [{"word": "a,b", "base": 0.1, "own": 0.3}, {"word": "c", "base": 0.1, "own": 0.3}]
    items = [{"id": name, "harmless": "0"} for name in "abc"]
    design = {"candor": 1, "direct": False, "blocks": [{"one-of": 0.3, "items": items, "words": words}]}
    return definition(design, [yesno("a", "A?"), yesno("b", "B?"), yesno("c", "C?")])


def all_words() -> dict[str, Any]:
    """A list of three questions, all pairs of them, and a word of people with many answers."""
    words = [{"word": word, "base": 0.05, "own": 0.2} for word in ("a", "b", "c", "a,b", "a,c", "b,c")]
    items = [{"id": name, "harmless": "0"} for name in "abc"]
    block = {
        "one-of": 0.4,
        "items": items,
        "words": words,
        "losses": [{"length": 1, "base": 0.1, "own": 0.4, "full": 1}],
    }
    design = {"candor": 1, "direct": False, "blocks": [block]}
    return definition(design, [yesno("a", "A?"), yesno("b", "B?"), yesno("c", "C?")])


def ages() -> dict[str, Any]:
    """A survey whose only sensitive question has four options."""
    age = everything()["pages"][0]["questions"][1]
    items = [{"id": "age", "options": [one["value"] for one in age["options"]], "noise": [0.4, 0.2, 0.2, 0.2]}]
    return definition({"candor": 1, "direct": False, "blocks": [{"keep": 0.5, "items": items}]}, [age])


SAYS: dict[str, tuple[Callable[..., dict[str, Any]], str, str]] = {
    "one-sided": (
        one_sided,
        "Yes",
        f"{why(100, 25, 'Yes')} But a stored “No” is true here: that answer is not hidden.",
    ),
    "one-sided, no is hidden": (
        no_is_hidden,
        "No",
        f"{why(100, 25, 'No')} But a stored “Yes” is true here: that answer is not hidden.",
    ),
    "one coin": (one_coin, "Yes", why(100, 42, "Yes")),  # .7 · .6 = .42
    "flips": (flips, "Yes", why(100, 40, "Yes")),  # (.4 + 2 · .2) / 2
    "sampled": (six_with_lot, "Yes", why(100, 35, "Yes")),  # .7 · .5
    "options": (ages, "18-29", why(100, 20, "18-29")),  # .5 · .4
    "statements": (statements, "Strongly disagree", why(100, 16, "Strongly disagree")),  # .8 · .2
    "a pair and a word": (pair_and_word, "Yes", why(100, 10, "Yes")),
    "singles, pairs and a loss": (all_words, "Yes", why(100, 25, "Yes")),  # .05 + 2 · .05 + .1
}


@pytest.mark.parametrize("design", first(1, SAYS))
def test_the_question_and_its_explanation_are_true_for_the_design(
    page: Page, open_survey: Callable[..., Wire], design: str
) -> None:
    """It asks about an answer that is hidden, says how many others are stored so, and which answer is not hidden."""
    questionnaire, stored, explained = SAYS[design]
    open_survey({**questionnaire(), "comprehension": True})
    reach(page)
    asked = page.get_by_role("group").inner_text()
    assert f"The site has stored “{stored}”. Does the site know that this person would say “{stored}”?" in asked
    assert press(page, "Yes") == WRONG + explained
    assert press(page, "No") == RIGHT + explained


def test_nobody_learns_of_it(page: Page, open_survey: Callable[..., Wire]) -> None:
    """From Begin to the questions nothing is asked of anybody, and what is kept is the same whatever is pressed."""
    wire = open_survey(one_coin(comprehension=True))
    asked = len(wire.asked)
    reach(page)
    before = (local_storage(page), page.evaluate("[sessionStorage.length, document.cookie, history.state]"))
    press(page, "Yes")
    press(page, "No")
    activate(page.get_by_role("button", name="Continue"))
    page.get_by_role("heading", level=1, name="How do you want to answer?").wait_for()
    assert (local_storage(page), page.evaluate("[sessionStorage.length, document.cookie, history.state]")) == before
    assert wire.asked[asked:] == []


def test_it_can_be_left_out_and_stands_between_the_first_page_and_the_questions(
    page: Page, open_survey: Callable[..., Wire]
) -> None:
    """Continue needs no answer; Back from the questions leads to it, and from there to the first page."""
    open_survey(six_with_lot(comprehension=True))
    reach(page)
    activate(page.get_by_role("button", name="Continue"))
    page.locator(".question").first.wait_for()
    activate(page.get_by_role("button", name="Back"))
    assert heading(page) == TITLE
    page.evaluate("history.back()")
    page.get_by_role("button", name="I agree – begin").wait_for()


@pytest.mark.long
def test_a_survey_that_does_not_ask_it_does_not_load_it(page: Page, open_survey: Callable[..., Wire]) -> None:
    """It is off unless the definition says so."""
    wire = open_survey(six_with_lot())
    activate(page.get_by_role("button", name="I agree – begin"))
    page.locator(".question").first.wait_for()
    assert [address for _method, address, _body in wire.asked if "/comprehension/" in address] == []


@pytest.mark.long
def test_the_page_is_accessible(page: Page, open_survey: Callable[..., Wire], axe: Any) -> None:
    """By axe, with an explanation on it, on a phone and in Chinese."""
    page.set_viewport_size({"width": 390, "height": 844})
    open_survey(one_sided(comprehension=True))
    page.get_by_role("combobox").select_option("zh-hans")
    activate(page.get_by_role("button", name="我同意"))
    page.get_by_role("heading", level=1, name="一个关于伪装的问题").wait_for()
    assert press(page, "否").endswith("该回答不被隐藏。")
    assert axe(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_a_design_that_lets_somebody_be_sure_is_not_published_with_it() -> None:
    """Where γ is infinite and nothing bounds the odds, “nobody can be sure” would be false."""
    source = one_coin(comprehension=True)
    document = {"candor": 1, "blocks": [{"keep": 1.0, "items": [{"id": name, "theta": 0.5} for name in ("a", "b")]}]}
    source["design"] = Design.parse(document).document
    with pytest.raises(EntryError, match="disguise more, or leave the question out"):
        Definition.parse(source)
