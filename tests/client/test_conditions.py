"""Which questions the page asks, by answers that "and" and "or" join."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

from tests.client.questionnaires import definition, open_question, yesno
from tests.client.wire import Wire, activate, arrive, begin, heading

VECTORS = json.loads((Path(__file__).parents[1] / "vectors" / "conditions.json").read_text())
COIN = {"candor": 1, "blocks": [{"keep": 0.3, "items": [{"id": "drugs", "theta": 0.6}]}]}
HOLDS = "({holds}, vectors) => vectors.map(({condition, said}) => holds(condition, name => said[name] ?? []))"


def questionnaire() -> dict[str, Any]:
    """What is asked of people with a car or with both a bicycle and a job, and what hangs on that; and one apart."""
    names = ("car", "bicycle", "job", "route", "toll", "walk")
    asked = {name: open_question(name, "yesno", name, name) for name in names} | {"drugs": yesno("drugs", "drugs")}
    yes = {name: {"question": name, "is": ["1"]} for name in names}
    asked["route"]["when"] = {"any": [yes["car"], {"all": [yes["bicycle"], yes["job"]]}]}
    asked["toll"]["when"] = {"all": [yes["route"], yes["car"]]}
    asked["walk"]["when"] = {"question": "car", "is": ["0"]}
    return definition(COIN, [asked[name] for name in (*names[:3], "drugs")], [asked[name] for name in names[3:]])


def test_the_browser_judges_conditions_as_the_site_does(evaluate: Callable[..., Any]) -> None:
    judged = evaluate("features/questions/when.js", HOLDS, VECTORS)
    assert judged == [vector["holds"] for vector in VECTORS]


def answer(page: Page, name: str, words: str) -> None:
    activate(page.get_by_role("radiogroup", name=name).get_by_role("radio", name=words))


def test_answers_that_are_joined_decide_what_is_asked(page: Page, open_survey: Callable[..., Wire]) -> None:
    """A bicycle and a job lead to the route; without a car nobody is asked for the toll, whatever was said before."""
    wire = open_survey(questionnaire())
    begin(page)
    for name, words in (("car", "Yes"), ("bicycle", "Yes"), ("job", "No"), ("drugs", "No")):
        answer(page, name, words)
    activate(page.get_by_role("button", name="Continue"))
    assert page.locator(".question:visible").count() == 1
    answer(page, "route", "Yes")
    answer(page, "toll", "Yes")
    activate(page.get_by_role("button", name="Back", exact=True))
    answer(page, "car", "No")
    answer(page, "job", "Yes")
    activate(page.get_by_role("button", name="Continue"))
    assert page.locator(".question:visible .legend").all_inner_texts() == ["route (optional)", "walk (optional)"]
    answer(page, "walk", "Yes")
    activate(page.get_by_role("button", name="Continue"))
    assert heading(page) == "Check your answers"
    arrive(page)
    said = {"car": "0", "bicycle": "1", "job": "1", "route": "1", "walk": "1"}
    assert json.loads(wire.posts[0])["open"] == said


@pytest.mark.long
def test_conditions_on_all_earlier_questions_are_quickly_looked_at(
    page: Page, open_survey: Callable[..., Wire]
) -> None:
    """Each of thirty is asked after No to all before it: followed question by question that were 2³⁰ looks."""
    asked: list[dict[str, Any]] = []
    for number in range(30):
        before = [{"question": one["id"], "is": ["0"]} for one in asked]
        when = {"when": {"all": before} if number > 1 else before[0]} if before else {}
        asked.append(open_question(f"q{number}", "yesno", f"q{number}", f"q{number}", **when))
    open_survey(definition(COIN, asked, [yesno("drugs", "drugs")]))
    begin(page)
    for question in page.get_by_role("radiogroup").all():
        activate(question.get_by_role("radio", name="No"))
    activate(page.get_by_role("button", name="Continue"))
    assert page.locator(".question:visible .legend").all_inner_texts()[0].startswith("drugs")
