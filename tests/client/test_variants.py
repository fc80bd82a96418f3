"""Versions of questions that the device draws."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page

from tests.cases import first
from tests.client.questionnaires import definition, open_question, text, yesno
from tests.client.wire import Wire, activate, arrive, begin, heading, local_storage, refusal

COIN = {"candor": 1, "blocks": [{"keep": 0.3, "items": [{"id": "drugs", "theta": 0.6}]}]}
STORIES = {"short": "A short story", "long": "A long story"}


def questionnaire(*chances: int) -> dict[str, Any]:
    """One of two stories, of each of which there is one question."""
    options = [{"value": value, "label": text(words)} for value, words in STORIES.items()]
    story = open_question("story", "choice", "Which story", "哪个故事", options=options, chances=list(chances))
    asked = [
        open_question(name, "yesno", f"Was the {name} story good?", "好吗？", when={"question": "story", "is": [name]})
        for name in STORIES
    ]
    return definition(COIN, [story, yesno("drugs", "drugs")], asked)


def say_all(page: Page) -> list[str]:
    """The undisguised questions that are asked on the way to the review."""
    begin(page)
    asked = []
    while heading(page) != "Check your answers":
        for group in page.get_by_role("radiogroup").filter(visible=True).all():
            activate(group.get_by_role("radio", name="Yes"))
            asked.append(group.locator(".legend > span:first-child").inner_text())
        activate(page.get_by_role("button", name="Continue"))
    return asked


@pytest.mark.parametrize("visits", first(1, [2, 5]))
def test_a_version_is_drawn_kept_and_sent(page: Page, open_survey: Callable[..., Wire], visits: int) -> None:
    """Nobody is asked which; the first page says that it is drawn. A visit that is begun again has the same one."""
    wire = open_survey(questionnaire(2**31, 2**31))
    note = "Your device chooses at random which questions you get, or which version of them."
    assert page.get_by_text(note).count() == 1
    drugs, asked = say_all(page)
    name = asked.split()[2]
    assert (drugs, asked) == ("drugs", f"Was the {name} story good?")
    assert page.locator("dt > span:first-child").all_inner_texts() == [drugs, asked]
    for _ in range(visits):
        page.reload()
        assert say_all(page) == [drugs, asked]
    arrive(page)
    assert json.loads(wire.posts[0])["open"] == {"story": name, name: "1"}
    told = page.locator(".sent li").filter(has_text="Which story").locator("p").all_text_contents()
    assert told[1:] == [STORIES[name]]


def test_a_refused_response_changes_no_version(page: Page, open_survey: Callable[..., Wire]) -> None:
    """A person who answers once more gets the questions that were shown before."""
    open_survey(questionnaire(2**31, 2**31), reply=refusal(422))
    say_all(page)
    drawn = [entry["variants"] for entry in local_storage(page).values()]
    activate(page.get_by_role("button", name="Disguise and send"))
    page.get_by_role("heading", name="The response was not accepted").wait_for()
    assert [entry["variants"] for entry in local_storage(page).values()] == drawn


@pytest.mark.long
def test_other_questionnaires_say_nothing_of_versions(page: Page, wire: Wire) -> None:
    assert page.get_by_text("which version").count() == 0


@pytest.mark.long
@pytest.mark.parametrize("chances", [(2**31, 2**30), (2**32, 0, 0), (2**33, -(2**32))])
def test_chances_that_are_none_are_not_drawn_with(
    page: Page, open_survey: Callable[..., Wire], chances: tuple[int, ...]
) -> None:
    """They do not sum to 1, or are not one for each option."""
    open_survey(questionnaire(*chances))
    assert heading(page) == "This questionnaire cannot be shown"


@pytest.mark.long
def test_versions_come_as_often_as_is_published(page: Page, open_survey: Callable[..., Wire]) -> None:
    """Of 4 000 draws a quarter, within 4.5 standard errors."""
    open_survey(questionnaire(2**30, 3 * 2**30))
    drawn = page.evaluate(
        """async source => {
          const {drawVariants} = await import('/client/features/questions/variants.js');
          return Array.from({length: 4000}, () => drawVariants(source).variants[0][1]);
        }""",
        questionnaire(2**30, 3 * 2**30),
    )
    assert abs(drawn.count("short") / 4000 - 0.25) < 4.5 * (0.25 * 0.75 / 4000) ** 0.5
