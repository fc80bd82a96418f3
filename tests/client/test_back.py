"""The browser's Back is a step back inside the survey, and keeps nothing for it."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from tests.client.questionnaires import everything, six_with_lot
from tests.client.wire import (
    Wire,
    activate,
    answer_disguised,
    answer_one_coin,
    begin,
    entries,
    heading,
    respond_and_arrive,
    say,
)

CHOICE = "How do you want to answer?"
REVIEW = "Check your answers"


def go_back(page: Page, to: str) -> None:
    page.evaluate("history.back()")
    page.get_by_role("heading", level=1, name=to).wait_for()


def leave(page: Page) -> None:
    """Press Back where there is no step back."""
    page.evaluate("history.back()")
    page.wait_for_url("about:blank")


def ticked_labels(page: Page) -> list[str]:
    return page.locator("label:has(:checked)").all_inner_texts()


def test_a_page_that_is_kept_for_the_way_back_keeps_no_answer(page: Page, wire: Wire) -> None:
    """Somebody else may come back to it: nothing is asked, and nothing is seen."""
    begin(page)
    activate(page.get_by_role("radio", name="Yes").first)
    page.evaluate("dispatchEvent(new PageTransitionEvent('pagehide', {persisted: true}))")
    assert (page.locator("body").inner_text(), page.locator("input").count()) == ("", 0)
    page.reload()
    page.get_by_role("button", name="I agree – begin").wait_for()


def test_back_leads_one_step_back_with_all_answers_and_stores_nothing(page: Page, wire: Wire) -> None:
    """From the review to the questions, to the choice, to the first page; forward again all is as it was.

    No entry of the history holds an answer or says which step it was; at most one is added.
    """
    length = page.evaluate("history.length")
    store = "JSON.stringify([localStorage, sessionStorage, history.state])"
    begin(page)
    before = page.evaluate(store)
    answer_one_coin(page, "Yes", "No", "Yes")
    go_back(page, "Student life and health")
    assert page.evaluate(store) == before
    assert page.evaluate("[history.length, history.state]") == [length + 1, {"second": True}]
    assert ticked_labels(page) == ["Yes", "No", "Yes"]
    go_back(page, CHOICE)
    go_back(page, "Student life and health")
    begin(page)
    assert ticked_labels(page) == ["Yes", "No", "Yes"]


def test_back_from_the_first_page_leaves(page: Page, open_survey: Callable[..., Wire]) -> None:
    """A person who has not begun, and a person who has come back to the beginning, goes where they came from."""
    open_survey(six_with_lot())
    before = page.evaluate("history.length")
    activate(page.get_by_role("button", name="I agree – begin"))
    page.locator(".question").first.wait_for()
    go_back(page, "Student life and health")
    leave(page)
    assert page.evaluate("history.length") == before + 1


@pytest.mark.long
def test_back_from_a_change_leads_to_the_review(page: Page, wire: Wire) -> None:
    """The page that the review has led to is one step, wherever it stands among the pages."""
    begin(page)
    answer_one_coin(page)
    activate(page.get_by_role("button", name="Change: Did you cheat in an examination?"))
    go_back(page, REVIEW)


@pytest.mark.long
def test_conditions_hold_on_the_way_back(page: Page, open_survey: Callable[..., Wire]) -> None:
    """What an answer has opened is there again, and what it has closed is not."""
    open_survey(everything())
    begin(page)
    answer_disguised(page)
    say(page, "a job", "Yes")
    page.get_by_label("How many hours").fill("12")
    page.evaluate("history.back()")
    page.get_by_text("Page 2 of 3").wait_for()
    activate(page.get_by_role("button", name="Continue"))
    assert page.get_by_label("How many hours").input_value() == "12"


@pytest.mark.long
def test_what_was_sent_cannot_be_gone_back_to(page: Page, wire: Wire) -> None:
    """After Send there is no step back: Back leaves, and Forward shows the receipt, not the answers."""
    respond_and_arrive(page)
    page.evaluate("history.forward()")
    assert heading(page) == "Thank you"
    leave(page)


@pytest.mark.long
def test_a_reload_warns_that_answers_are_lost(page: Page, wire: Wire) -> None:
    """The browser asks before; who reloads starts at the first page, and Back leaves from there."""
    begin(page)
    say(page, "illegal drugs", "Yes")
    asked = []
    page.on("dialog", lambda dialog: (asked.append(dialog.type), dialog.accept()))
    page.reload()
    page.get_by_role("button", name="I agree – begin").wait_for()
    leave(page)
    assert asked == ["beforeunload"]


@pytest.mark.long
@pytest.mark.parametrize("at", ["receipt", "questions", "first page again"])
def test_after_leaving_quickly_neither_back_nor_forward_shows_anything(page: Page, at: str, wire: Wire) -> None:
    """Back leads to where the person came from, Forward to an empty page of the site; no entry is the survey's."""
    if at == "receipt":
        respond_and_arrive(page)
    else:
        begin(page)
        say(page, "illegal drugs", "Yes")
        if at == "first page again":
            go_back(page, CHOICE)
            go_back(page, "Student life and health")
    activate(page.get_by_role("button", name="Leave quickly"))
    page.wait_for_url("about:blank")
    assert [entry for entry in entries(page) if entry != "about:blank"] == ["http://localhost/client/empty.html"]
    page.go_back()
    assert page.locator("body").inner_text() == ""
    for _time in range(2):
        page.go_forward()
    assert (page.url, page.locator("body").inner_text()) == ("http://localhost/client/empty.html", "")
