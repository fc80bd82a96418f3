"""The pages of an own draw, as the studio makes the survey: what people press arrives, and the server takes it."""

import json
import re
from collections.abc import Callable, Iterator
from itertools import product
from typing import Any, Literal

import pytest
from playwright.sync_api import Page

from privacy.design import Design
from surveys.definition import Definition
from surveys.domain.drafts.changes import apply
from surveys.domain.drafts.trial_draft import draft_without_gaps
from surveys.domain.messages.submission import bytes_to_store, envelope
from surveys.domain.questionnaire.compose import compose
from surveys.domain.questionnaire.document import empty, new_page, new_question
from surveys.features.paper.words import words
from surveys.models import Survey
from tests.cases import first
from tests.client.explaining import limit_on
from tests.client.wire import Wire, speak
from tests.privacy.own_draw.people import BLOCKS
from tests.surveys.documents import document

QUESTIONS = ("Did you cheat?", "Did you steal?", "Did you lie?", "Did you copy?", "Did you hide?")
TRUST = "Yes: it draws the chance. Its program is public, and anyone can check it."


def survey_of(count: int, beside: tuple[dict[str, Any], ...] = ()) -> Definition:
    """An undisguised question, so many that people draw for, and one more, on one page; then numbers `beside`."""
    asked = [new_question(f"s{place}", "yesno") | {"text": {"en": QUESTIONS[place]}} for place in range(count)]
    around = [new_question(name, "yesno") | {"text": {"en": f"{name}?"}} for name in ("first", "last")]
    survey = Survey(slug="tried", title="Tried")
    block = {"name": "1", "kind": "coin", "settings": {"keep": 0.5, "theta": 0.5}}
    block["questions"] = [one["id"] for one in asked]
    document = empty("Tried", ["en"]) | {"pages": [new_page(1, [around[0], *asked, around[1]])], "blocks": [block]}
    drawn = apply(survey, document, {"do": "draws", "value": "by-person"})
    numbers = [new_question(name, "number") | {"min": "0", "max": "9"} for one in beside for name in one["questions"]]
    drawn |= {"blocks": [*drawn["blocks"], *beside], "pages": [*drawn["pages"], new_page(2, numbers)]}
    return compose(draft_without_gaps(survey, drawn), trial=True)


def steps(page: Page, pressed: Callable[[str], str]) -> Iterator[str]:
    """Every page from Begin to the review: at each question the button that `pressed` names, else the first answer."""
    page.locator("button.main").first.click()
    page.locator(".protection").wait_for(state="detached")
    while True:
        page.locator("main > dl, main button.main, .pair").first.wait_for()
        if page.locator("main > dl").count():
            return
        said = page.locator("main").inner_text()
        yield said
        drawn = page.locator("fieldset:has(.pair)")
        for place in range(drawn.count()):
            drawn.nth(place).get_by_role("button", name=pressed(said), exact=True).click()
        for group in page.get_by_role("radiogroup").all():
            group.get_by_role("radio").first.check()
        main = page.locator("main:not(:has(> dl)) button.main")  # not that of the review, which a press may lead to
        if main.count():
            main.first.click()


def send(page: Page) -> None:
    page.locator("button.main").click()
    page.locator("code.receipt").wait_for(state="attached")


@pytest.mark.parametrize("count", [1, pytest.param(2, marks=pytest.mark.long), pytest.param(5, marks=pytest.mark.long)])
def test_what_is_pressed_is_sent_and_the_server_takes_it(page: Page, count: int) -> None:
    """The draw comes before the question. In the other look “one yes, one no” speaks for no."""
    definition = survey_of(count)
    wire = Wire(definition.source).attach(page.context)
    page.goto(wire.link())
    page.locator("button.main").first.wait_for()

    read = list(steps(page, lambda said: "One yes, one no" if "One yes, one no" in said else "Yes"))
    review = page.locator("main").inner_text()
    send(page)

    (body,) = wire.posts
    sent = json.loads(body)
    bytes_to_store(envelope(sent), definition)
    named = [any(question in said for question in QUESTIONS) for said in read]
    assert "first?" in read[0]
    assert [("I have done it" in said) for said in read].index(True) == named.index(True) - 1
    opposite = sent["open"].get("look") == "opposite"
    expected = {"extended": int(not opposite), "crosswise": 1}
    blocks = [block.draw.way.name for block in definition.design.blocks if block.draw]
    asked = [code for code in sent["record"] if code is not None]
    assert asked[-1] == expected.get(blocks[-1], 1)
    assert set(asked[:-1]) == {expected.get(blocks[0], 1)}
    assert sent["open"]["first"] == sent["open"]["last"]
    assert "Send" in review


def test_each_page_names_one_limit_and_counts_no_question_about_nobody(page: Page) -> None:
    """Beside the draw, on the first page and on the receipt: what a stored answer makes of even odds. The question that
    is never true tells of nobody, and is not one of the sensitive questions either.
    """
    definition = survey_of(1)
    assert "never" in definition.source["own"]
    Wire(definition.source).attach(page.context)
    page.goto(Wire(definition.source).link())
    page.locator("button.main").first.wait_for()
    first_page = page.locator("main").text_content() or ""
    of_a_draw = set()
    for _said in steps(page, lambda said: "One yes, one no" if "One yes, one no" in said else "Yes"):
        of_a_draw |= {*re.findall(r"50% sure of your answer before can become (\d+)%", page.inner_html("main"))}
    send(page)

    limit = limit_on(page)
    assert limit == ("50%", "75%")
    assert of_a_draw == {"75"}
    assert "50% sure of your answer before can become 75% sure at most" in first_page
    assert page.locator("main .lead b").all_inner_texts() == ["What you pressed need not be true of you."]


@pytest.mark.parametrize(("numbers", "trusted"), [(0, []), (2, ["For 2 of your answers:", TRUST])])
def test_the_first_page_says_for_which_answers_the_device_must_be_trusted(
    page: Page, numbers: int, trusted: list[str]
) -> None:
    """For none that people draw for themselves, and for every other one."""
    blocks = [{"name": f"n{place}", "kind": "square-wave", "settings": {"epsilon": 1.0}} for place in range(numbers)]
    beside = tuple(block | {"questions": [f"number-{place}"]} for place, block in enumerate(blocks))
    wire = Wire(survey_of(1, beside).source).attach(page.context)
    page.goto(wire.link())
    page.locator("button.main").first.wait_for()

    assert page.locator("details", has_text="Must I trust this device?").locator("p").all_text_contents() == trusted


def test_who_tries_it_or_skips_sends_nothing(page: Page) -> None:
    """The example shows the right button whatever is pressed; skipping says that it ends the visit, and leads back."""
    wire = Wire(survey_of(1).source).attach(page.context)
    page.goto(wire.link())
    page.get_by_role("button", name="Try the disguise").click()
    page.locator(".pair button").first.wait_for()
    buttons = page.locator(".pair").first.locator("button")
    in_turn = [text.splitlines()[-1] for text in buttons.all_inner_texts()]
    assert page.locator(".steps").first.locator("span").last.inner_text() == " / ".join(in_turn)
    for button in buttons.all():
        button.click()
        assert re.search(r"(Right|The right one is): One yes, one no\.", page.locator("main").inner_text())
    page.get_by_role("button", name="Back to the first page").click()

    for said in steps(page, lambda _said: "One yes, one no"):
        if "First an example" in said:
            assert page.locator(".steps li > svg[aria-hidden]").count() == 3
            assert page.locator(".steps span").first.inner_text() == "Think of this birthday. Your mother’s birthday"
        if "I have done it" in said:
            page.get_by_role("button", name="Skip and leave").click()
            assert "Nothing is sent then." in page.locator("main").inner_text()
            page.get_by_role("button", name="Back").click()
            break
    assert "I have done it" in page.locator("main").inner_text()
    assert wire.posts == []


def open_on_a_phone(page: Page, drawn: dict[str, Any], tag: str = "de") -> None:
    """A survey of this block alone, on the smallest phone."""
    texts = {name: {tag: name} for name in ("title", "who", "why", "consent", "closing")}
    names = [item["id"] for item in drawn["items"]]
    asked = [{"id": name, "type": "yesno", "sensitive": True, "text": {tag: name}} for name in names]
    design = Design.parse({"blocks": [drawn]}).document
    made = document(design=design, pages=[{"questions": asked}], own={}, languages=[tag], slug="tried", **texts)
    page.set_viewport_size({"width": 320, "height": 640})
    speak(page, tag)
    page.goto(Wire(Definition.parse(made).source).attach(page.context).link())
    page.locator("button.main").first.wait_for()


@pytest.mark.parametrize(("tag", "scheme"), first(1, [*product(("ar", "de", "en", "zh-hans"), ("dark", "light"))]))
def test_each_page_of_a_draw_is_for_everybody(
    page: Page, axe: Callable[[Page], list[str]], tag: str, scheme: Literal["dark", "light"]
) -> None:
    """The example, the draw, the question and the review: axe finds nothing, and nothing is cut off."""
    differ = words(tag)["own.differ"]
    page.emulate_media(color_scheme=scheme)
    open_on_a_phone(page, BLOCKS["extended"], tag)
    for _said in steps(page, lambda _said: differ):
        assert (axe(page), page.evaluate("document.documentElement.scrollWidth")) == ([], 320)
    assert axe(page) == []


def test_pictures_of_draws_show_what_is_drawn_in_words_of_the_page(page: Page) -> None:
    """A coin, a birthday and the digit before the last one of a number, as the words beside it say; its coin said
    “heads” in every language.
    """
    open_on_a_phone(page, BLOCKS["unrelated, two"])
    things: list[tuple[int, str | None]] = []
    read, named = "", 0
    for _said in steps(page, lambda _said: "Ja"):
        read += page.locator("main").text_content() or ""
        drawn = page.locator(".steps li").first
        if not things and drawn.count():
            shapes = drawn.locator("svg > g").all()
            things = [(one.locator("circle, rect").count(), one.text_content()) for one in shapes]
            named = drawn.locator("span > span").count()

    assert ("Kopf" in read, "heads" in read) == (True, False)
    assert things == [(2, ""), (1, "1–31"), (5, "")]
    assert named == len(things)


@pytest.mark.long
@pytest.mark.parametrize("name", ["a die each", "a digit each, by lot"])
def test_what_is_answered_instead_of_three_questions_fits_a_phone(page: Page, name: str) -> None:
    """In German, a column for each question."""
    open_on_a_phone(page, BLOCKS[name])
    wide = [page.evaluate("document.documentElement.scrollWidth") for _said in steps(page, lambda _said: "Ja")]

    assert max(wide) == 320


@pytest.mark.long
def test_the_sides_of_buttons_change_between_people(page: Page) -> None:
    """By lot, for each visit."""
    wire = Wire(survey_of(1).source).attach(page.context)
    seen: set[Any] = set()
    for word in (0, 2**31 + 1):
        page.add_init_script(f"crypto.getRandomValues = (words) => words.fill({word})")
        page.goto("about:blank")
        page.goto(wire.link())
        page.get_by_role("button", name="Try the disguise").click()
        seen.add(tuple(page.locator(".pair").first.locator("button").all_inner_texts()))
    assert len(seen) == 2
