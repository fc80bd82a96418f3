"""Everybody can find the way: axe-core in languages from both sides, keyboard only, narrow, enlarged, right to left."""

import json
from collections.abc import Callable
from itertools import chain, product, repeat
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from tests.cases import first
from tests.client.questionnaires import everything, one_coin, with_a_long_word
from tests.client.wire import (
    LINES_OF_HEADER,
    Answer,
    Wire,
    accept,
    begin,
    every_step,
    refusal,
    respond_and_arrive,
    visit_in,
)

Axe = Callable[[Page], list[str]]


def first_busy() -> Callable[[str], Answer]:
    """A site that is busy at the first try, so that the page of waiting is seen."""
    replies = chain([refusal(503, **{"Retry-After": "60"})], repeat(accept))
    return lambda body: next(replies)(body)


LANGUAGES, SCHEMES, WIDTHS = ("zh-CN", "ar", "de", "en-GB"), ("dark", "light"), (390, 320, 1280)


@pytest.mark.parametrize(("language", "scheme", "width"), first(1, product(LANGUAGES, SCHEMES, WIDTHS)))
def test_no_step_keeps_anybody_out(browser: Browser, axe: Axe, language: str, scheme: str, width: int) -> None:
    """axe-core finds nothing, by WCAG 2.2 AA and its own best practices, and nothing scrolls sideways."""
    wire, problems = Wire(everything(), reply=first_busy()), []
    size = {"width": width, "height": 844}
    with visit_in(browser, wire, locale=language, color_scheme=scheme, viewport=size) as page:
        for step in every_step(page):
            wide = page.evaluate("document.documentElement.scrollWidth")
            problems += [(step, problem) for problem in [*axe(page), *([wide] if wide > width else [])]]
    assert problems == []


@pytest.mark.long
@pytest.mark.parametrize("language", ["en-GB", "zh-CN"])
def test_no_stop_keeps_anybody_out(browser: Browser, axe: Axe, language: str) -> None:
    """The pages that end the way are as good as the others."""
    context = browser.new_context(locale=language)
    wire = Wire(one_coin()).attach(context)
    page = context.new_page()
    problems = []
    for status in (403, 404, 410, 500, 200):
        wire.questionnaire = {"status": status, "body": "{}"}
        page.goto("about:blank")
        page.goto(wire.link(""))
        page.get_by_role("heading", level=1).wait_for()
        problems += [(status, problem) for problem in axe(page)]
    context.close()
    assert problems == []


def test_the_keyboard_is_enough(page: Page, wire: Wire) -> None:
    """From the first page to the receipt with Tab, the arrows, Space and Enter."""

    def tab_to(tag: str, words: str = "") -> None:
        for _press in range(30):
            page.keyboard.press("Tab")
            focused = page.evaluate("[document.activeElement.type ?? '', document.activeElement.innerText ?? '']")
            if focused[0] == tag and words in focused[1]:
                return
        raise AssertionError(f"no {tag} {words} within 30 presses of Tab")

    tab_to("button", "begin")
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="How do you want to answer?").wait_for()
    tab_to("radio")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    page.get_by_role("radiogroup").nth(2).wait_for()
    for key in ("Space", "ArrowDown", "Space"):
        tab_to("radio")
        page.keyboard.press(key)
    tab_to("submit")
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="Check your answers").wait_for()
    assert page.locator("dd:nth-of-type(1)").all_inner_texts() == ["Yes", "No", "Yes"]
    tab_to("button", "Disguise and send")
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="Thank you").wait_for()
    assert json.loads(wire.posts[0])["direct"] == 0


def test_each_step_starts_at_its_heading(page: Page, wire: Wire) -> None:
    """A screen reader hears where it is, and questions have names and notes."""
    focused = [page.evaluate("document.activeElement.innerText")]
    begin(page)
    focused.append(page.evaluate("document.activeElement.innerText"))
    assert focused == ["Student life and health"] * 2
    group = page.get_by_role("radiogroup", name="Did you cheat in an examination?")
    note = group.get_attribute("aria-describedby") or ""
    assert [page.locator(f"#{name}").inner_text() for name in note.split()] == ["Disguised before sending", ""]


@pytest.mark.long
@pytest.mark.parametrize(("width", "font"), [(320, "16px"), (640, "32px")], ids=["320 px", "200 % text"])
def test_nothing_is_cut_off(browser: Browser, width: int, font: str) -> None:
    """No step scrolls sideways on the narrowest phone, nor with letters twice as large, however long a word is."""
    wire, beyond = Wire(with_a_long_word(), reply=first_busy()), "document.documentElement.scrollWidth - innerWidth"
    with visit_in(browser, wire, locale="en-GB", viewport={"width": width, "height": 800}) as page:
        page.evaluate("size => { document.documentElement.style.fontSize = size }", font)
        wide = [(step, over) for step in every_step(page) if (over := page.evaluate(beyond)) > 0]
        high = page.evaluate(LINES_OF_HEADER)
    assert wide == []
    assert high < 4  # the header stays one row, and leaves the screen to the questions


def test_buttons_and_options_are_large_enough_to_touch(page: Page, open_survey: Callable[..., Wire]) -> None:
    """Every target measures at least 24 by 24 CSS pixels (WCAG 2.2, 2.5.8); options and main buttons 44."""
    page.set_viewport_size({"width": 390, "height": 844})
    open_survey(everything())
    begin(page)
    sizes = [box.bounding_box() for box in page.locator(".option, button.main").all()]
    assert [size for size in sizes if size is None or min(size["width"], size["height"]) < 44] == []
    small = [box.bounding_box() for box in page.locator("button, select, summary").all()]
    assert [size for size in small if size is None or min(size["width"], size["height"]) < 24] == []


def in_arabic(value: Any) -> Any:
    """The questionnaire with every text in a script that runs from the right."""
    if isinstance(value, dict) and set(value) == {"en", "zh-hans"}:
        return {"ar": "هل هذا سؤال؟"}
    if isinstance(value, dict):
        return {key: in_arabic(part) for key, part in value.items()}
    return [in_arabic(part) for part in value] if isinstance(value, list) else value


@pytest.mark.long
def test_content_in_another_script_runs_its_own_way(page: Page, open_survey: Callable[..., Wire], axe: Axe) -> None:
    """An Arabic questionnaire reads from the right, inside an interface that reads from the left."""
    open_survey(in_arabic(one_coin(languages=["ar"])))
    assert axe(page) == []
    assert page.locator("h1 span").get_attribute("dir") == "rtl"
    assert page.locator("h1 span").get_attribute("lang") == "ar"
    assert page.locator("html").get_attribute("lang") == "en"
    assert page.get_by_role("button", name="I agree – begin").is_visible()


# Where the letters of an element begin and end, and where the element does.
EDGES = """(element) => {
  const letters = document.createRange();
  letters.selectNodeContents(element);
  const [inner, outer] = [letters.getBoundingClientRect(), element.parentElement.getBoundingClientRect()];
  return [inner.left - outer.left, outer.right - inner.right].map(Math.round);
}"""


@pytest.mark.long
def test_content_from_the_right_begins_at_the_right(page: Page, open_survey: Callable[..., Wire]) -> None:
    """Headings, questions, options and the review, measured; of a scale, each number stands right of its words."""
    definition = everything()
    del definition["pages"][2]
    open_survey(in_arabic({**definition, "languages": ["ar"]}))
    edges = [page.locator("h1 span").evaluate(EDGES)]
    begin(page)
    edges += [place.evaluate(EDGES) for place in page.locator("h1 span, .legend span:first-child").all()]
    option = page.locator("#q-age .option").first
    box, words = option.locator("input").bounding_box(), option.locator("span").bounding_box()
    assert box is not None
    assert words is not None
    assert box["x"] > words["x"] + words["width"]
    order = page.locator("bdi").first.evaluate("""(element) => [[0, 1], [4, 6]].map(([from, to]) => {
      const letters = document.createRange();
      letters.setStart(element.firstChild, from);
      letters.setEnd(element.firstChild, to);
      return letters.getBoundingClientRect().left;
    })""")
    assert order[0] > order[1]
    for group in page.get_by_role("radiogroup").all():
        group.get_by_role("radio").first.check()
    for _page in range(2):
        page.get_by_role("button", name="Continue").click()
    edges += [place.evaluate(EDGES) for place in page.locator("dt span").all()]
    assert len(edges) == 9
    assert [(left, right) for left, right in edges if right > 2 or left < 20] == []


@pytest.mark.long
def test_nothing_moves(page: Page, wire: Wire) -> None:
    """There is no animation that somebody who asked for less motion would have to bear."""
    respond_and_arrive(page)
    assert page.evaluate("document.getAnimations().length") == 0
    styles = page.evaluate("[...document.styleSheets[0].cssRules].map((rule) => rule.cssText).join()")
    assert [word for word in ("transition", "animation", "scroll-behavior") if word in styles] == []
