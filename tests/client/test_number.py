"""A number that is disguised on the device: what the page says of it, what is refused, what leaves the page."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page

from privacy.design import Design
from privacy.design.sentences import of_people
from privacy.guarantee import explain
from tests.cases import first
from tests.client.questionnaires import definition, yesno
from tests.client.wire import Wire, activate, arrive, begin, look_at

Open = Callable[..., Wire]
AGE = {"id": "age", "min": 0, "max": 99, "step": 1}
DESIGN = {"candor": 1, "direct": True, "blocks": [{"number": "square-wave", "epsilon": 2, "items": [AGE]}]}


def questionnaire(**more: Any) -> dict[str, Any]:
    question = yesno("age", "How old are you?", type="number", min=0, max=99)
    return definition(DESIGN, [question], **more)


def sent_code(wire: Wire) -> int:
    (body,) = [json.loads(body) for method, address, body in wire.asked if method == "POST" and "responses" in address]
    assert (body["direct"], body["open"]) == (0, {})
    (code,) = body["record"]
    return int(code)


def test_the_page_says_of_a_number_what_python_says(page: Page, open_survey: Open) -> None:
    """How many send a number that is far from theirs, word for word."""
    open_survey(questionnaire())

    activate(page.get_by_text("What could somebody learn about me?"))
    said = [str(one) for one in explain(Design.parse(DESIGN))]
    assert page.locator(".protection > .promise").first.inner_text() == said[0]
    assert page.locator("main > details .promise").all_inner_texts() == said[1:]


@pytest.mark.parametrize("way", first(1, ["keyboard", "pointer"]))
def test_a_number_goes_from_the_field_to_the_receipt(page: Page, open_survey: Open, way: str) -> None:
    """Written with keys alone or by pointer, it is reviewed as given, and a code of the records leaves the page."""
    wire = open_survey(questionnaire())
    begin(page)
    field = page.get_by_label("How old are you?")
    if way == "keyboard":
        while not field.evaluate("element => element === document.activeElement"):
            page.keyboard.press("Tab")
        page.keyboard.type("34")
        page.keyboard.press("Enter")
    else:
        field.click()
        field.fill("34")
        activate(page.get_by_role("button", name="Continue"))
    page.get_by_role("heading", name="Check your answers").wait_for()
    assert page.locator("dd").first.inner_text() == "34"
    arrive(page)

    code = sent_code(wire)
    assert 0 <= code < 126
    assert page.locator(".sent li p").nth(1).text_content() == f"“{code - 13}” was sent."


def test_what_is_no_number_of_the_range_is_refused(page: Page, open_survey: Open) -> None:
    """A half-typed number is asked for again, with an example, before anything is drawn."""
    open_survey(questionnaire())
    begin(page)
    for given, said in (
        ("", "Please answer this question."),
        ("3x", "Please answer with a number, such as 34."),
        ("-", "Please answer with a number, such as 34."),
        ("100", "Please stay within 0 – 99."),
    ):
        page.get_by_label("How old are you?").fill(given)
        activate(page.get_by_role("button", name="Continue"))

        assert page.locator(".error").inner_text() == said


@pytest.mark.long
def test_whoever_answers_directly_sends_the_number_itself(page: Page, open_survey: Open) -> None:
    """The code of a true answer is that of the records: 34 stands 13 steps above the least record, −13."""
    wire = open_survey(questionnaire())
    begin(page, direct=True)
    page.get_by_label("How old are you?").fill("34")
    activate(page.get_by_role("button", name="Continue"))
    arrive(page)

    (body,) = [json.loads(body) for method, _, body in wire.asked if method == "POST"]
    assert (body["direct"], body["record"]) == (1, [47])


@pytest.mark.long
def test_the_practice_of_a_number_draws_as_the_survey_does(page: Page, open_survey: Open) -> None:
    """Any number may be tried: it is stored near, within 13, about as often as declared; none is sent or kept."""
    wire = open_survey(questionnaire())
    look_at(page)
    activate(page.get_by_role("button", name="Try the disguise"))
    show = page.get_by_role("button", name="Show what would be stored")
    show.click()
    assert page.get_by_role("status").inner_text() == "Please answer this question."
    page.get_by_role("textbox", name="Any number from 0 to 99, to try it").fill("34")
    stored = page.evaluate(DRAWS, 1000)

    assert {text.split(" The site")[0] for text in stored} == {"You said: 34."}
    drawn = [int(text.rpartition(": ")[2].rstrip(".")) for text in stored]
    own = Design.parse(DESIGN).blocks[0]
    near = float(sum(own.chance([0], [47], [code]) for code in range(47 - 13, 47 + 14)))
    assert sum(abs(number - 34) <= 13 for number in drawn) / 1000 == pytest.approx(near, abs=4.5 * (0.25 / 1000) ** 0.5)
    assert page.locator("main .question").count() == 1
    assert wire.posts == []


DRAWS = """(times) => {
  const press = [...document.querySelectorAll('button')].find((one) => one.textContent.startsWith('Show what'));
  const said = press.closest('.question').querySelector('.lead[role=status]');
  return Array.from({ length: times }, () => { press.click(); return said.textContent; });
}"""


@pytest.mark.long
def test_the_question_about_the_disguise_takes_a_stored_number(page: Page, open_survey: Open) -> None:
    """Of so many who would say something else, some store it, too: at least the chance of a number from afar."""
    open_survey(questionnaire(comprehension=True))
    look_at(page)
    activate(page.get_by_role("button", name="I agree – begin"))
    activate(page.get_by_role("button", name="No", exact=True))

    own = Design.parse(DESIGN).blocks[0]
    of, (some,) = of_people([min(own.chance([0], [truth], [63]) for truth in (13, 112))])
    said = page.locator(".lead[role=status]").inner_text()
    assert said == (
        f"That is right. Of {of:,} people who would say something else, the site stores about {some} as “50”. "
        "So nobody who sees it alone can be sure."
    )
