"""Undisguised answers in later texts of the page."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page

from tests.client.questionnaires import definition, open_question, text, yesno
from tests.client.wire import Wire, activate, arrive, begin, heading

COIN = {"candor": 1, "blocks": [{"keep": 0.3, "items": [{"id": "drugs", "theta": 0.6}]}]}
WORKER = {"job": text("worker", "员工")}


def questionnaire(**more: Any) -> dict[str, Any]:
    """A job and a kind of work, which stand in a question, in its options, and in a sensitive question."""
    kinds = [("n", "nights", "夜班"), ("d", "days", "白班")]
    options = [{"value": value, "label": text(english, chinese)} for value, english, chinese in kinds]
    likes = open_question("likes", "choice", "As a {job} at {kind}, {else}?", "作为{kind}的{job}？")
    likes["options"] = [
        {"value": value, "label": text(*words)}
        for value, words in (("1", ("I am no {job}", "我不是{job}")), ("2", ("I am", "我是")))
    ]
    drugs = yesno("drugs", "Does a {job} take drugs?", pipes=WORKER)
    return definition(
        COIN,
        [
            open_question("job", "text", "What are you?", "您是什么？", max=300),
            open_question("kind", "choice", "When do you work?", "您何时工作？", options=options),
        ],
        [{**likes, "pipes": {**WORKER, "kind": text("any time", "任何时间")}}, {**drugs, **more}],
    )


def legends(page: Page) -> list[str]:
    read = page.locator(".question .legend > span:first-child").all_inner_texts()
    return [words.replace("\u2068", "").replace("\u2069", "") for words in read]


def test_answers_stand_in_later_texts(page: Page, open_survey: Callable[..., Wire]) -> None:
    """Also in the other language, in options, before a sensitive question, and in the review; as letters alone."""
    open_survey(questionnaire())
    begin(page)
    page.get_by_label("What are you?").fill("<b>nurse</b>")
    activate(page.get_by_role("radio", name="nights"))
    activate(page.get_by_role("button", name="Continue"))
    assert legends(page) == ["As a <b>nurse</b> at nights, {else}?", "Does a <b>nurse</b> take drugs?"]
    assert page.locator("main b").count() == 0
    assert page.locator(".option").first.inner_text().replace("\u2068", "") == "I am no <b>nurse</b>\u2069"
    page.locator("header select").select_option("zh-hans")
    page.get_by_role("heading", name="学生生活与健康").wait_for()
    assert legends(page)[0] == "作为夜班的<b>nurse</b>？"
    page.locator("header select").select_option("en")
    page.get_by_role("heading", name="Student life and health").wait_for()
    activate(page.get_by_role("button", name="Back", exact=True))
    page.get_by_label("What are you?").fill("n" * 200)
    activate(page.get_by_role("button", name="Continue"))
    assert legends(page)[1] == f"Does a {'n' * 100}… take drugs?"
    for group in page.get_by_role("radiogroup").all():
        activate(group.get_by_role("radio").first)
    activate(page.get_by_role("button", name="Continue"))
    assert heading(page) == "Check your answers"
    assert page.locator("dt").last.inner_text().count("n" * 100 + "…") == 1
    arrive(page)
    sent = page.locator(".sent li").filter(has_text="take drugs")
    assert (sent.text_content() or "").count("n" * 100 + "…") == 1
    page.reload()
    page.get_by_role("heading", name="Thank you").wait_for()
    assert (sent.text_content() or "").count("worker") == 1  # it is kept nowhere


def test_without_an_answer_other_words_stand_there(page: Page, open_survey: Callable[..., Wire]) -> None:
    open_survey(questionnaire())
    begin(page)
    activate(page.get_by_role("button", name="Continue"))
    assert legends(page) == ["As a worker at any time, {else}?", "Does a worker take drugs?"]


@pytest.mark.parametrize("named", ["drugs", "nobody", "constructor"])
def test_a_sensitive_answer_stands_in_no_text(page: Page, open_survey: Callable[..., Wire], named: str) -> None:
    open_survey(questionnaire(pipes={named: text("that")}))
    assert heading(page) == "This questionnaire cannot be shown"


@pytest.mark.long
def test_a_number_stands_in_later_texts_as_it_was_read(page: Page, open_survey: Callable[..., Wire]) -> None:
    """Without the zeros that nobody means; below 0, the field asks for keys that have a minus."""
    later = yesno("drugs", "Ever below {depth}?", pipes={"depth": text("that depth", "那个深度")})
    depths = [open_question(name, "number", name, name, min=least) for name, least in (("depth", -90), ("age", 0))]
    open_survey(definition(COIN, depths, [later]))
    begin(page)
    modes = [page.locator(f"#q-{name}-field").get_attribute("inputmode") for name in ("depth", "age")]
    page.locator("#q-depth-field").fill("-07")
    activate(page.get_by_role("button", name="Continue"))
    assert (modes, legends(page)) == (["text", "decimal"], ["Ever below -7?"])
