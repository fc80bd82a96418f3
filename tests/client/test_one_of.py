"""A questionnaire of which one word is sent: what a respondent reads of it at every step."""

import json
import math
from collections.abc import Callable
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from playwright.sync_api import Page

from privacy.design import Design
from privacy.design.blocks.one_of.design import OneOfBlock
from privacy.design.rationals import ONE
from privacy.design.sentences import of_people
from tests.client.explaining import draw, limit_on, practise, press, promise_on, reach, sent_on, why
from tests.client.questionnaires import one_word, text
from tests.client.wire import Wire, activate, begin, say, send

Open = Callable[..., Wire]

PERHAPS, NONE = (
    "Perhaps yours, perhaps made up by chance. People of whom it is not true send the same message, too.",
    "Perhaps because of your answers, perhaps by chance. People with something to tell may send none, too.",
)
GIVEN = "details:has-text('Sent as given') li > *"
DRUGS = "Did you take illegal drugs during the last year?"
TOO = "Of 1000 people with another answer, about 45 send the same."
TOLD = [
    "Of 1000 people who have something to tell, 45 or more send none.",
    "So nobody can be certain of any of these answers.",
]


def test_the_promise_says_that_one_message_leaves_the_device(page: Page, open_survey: Open) -> None:
    """Why comes first, then who asks; then a picture with words under its three parts, and sentences.

    The figures are in sight and in the fold, and nothing says that answers are changed and sent.
    """
    open_survey(one_word(why=text("So that campus gets safer."), who=text("The university.")))
    place = "element => [...element.parentElement.children].indexOf(element)"
    why, who, promise = (
        page.locator(found).evaluate(place)
        for found in ("main > p:has-text('campus')", "main > p:has-text('university')", "main > .protection")
    )

    assert page.locator("main b").first.inner_text() == "Why we ask:"
    assert why < who < promise
    assert page.locator(".parts span").all_inner_texts() == [
        "your 3 answers stay here",
        "chance may step in",
        "one short message, or none",
    ]
    assert page.locator(".protection > .promise").all_inner_texts() == TOLD
    assert promise_on(page)[2:4] == [
        "Of 100 people who have nothing to tell, about 13 still send a message. So a message may come from anybody.",
        "Of 1000 people who have something to tell, 45 or more send none.",
    ]
    assert "Your device may change your answers before it sends them." not in promise_on(page)


@pytest.mark.parametrize(
    ("word", "record", "card", "told"),
    [
        (0, [1, 0, 2], [DRUGS, "“Yes” was sent.", TOO], PERHAPS),
        (2**32 - 1, [0, 0, 2], ["No message"], NONE),
    ],
    ids=["the first word", "nothing"],
)
def test_the_receipt_shows_the_message_that_was_sent(
    page: Page, open_survey: Open, word: int, record: list[int], card: list[str], told: str
) -> None:
    """In a fold, without the harmless answers that stand beside it in the record; the undisguised answer is in another.

    It begins with words, and ends with the bound: even odds become γ : 1 at most, the same for both.
    """
    page.add_init_script(f"crypto.getRandomValues = (words) => words.fill({word})")
    wire = open_survey(one_word())
    answer(page)
    send(page)
    page.get_by_role("heading", level=1, name="Thank you").wait_for()

    assert json.loads(wire.posts[0])["record"] == record
    assert page.locator("main .lead b").inner_text() == "What was sent may not be what you said."
    assert sent_on(page) == [card]
    assert page.locator(GIVEN).all_text_contents() == ["Do you have a job?", "Yes"]
    assert page.locator("main > details").first.locator("> p").all_text_contents() == [told]
    most = most_told()
    assert limit_on(page) == ("50%", f"{math.ceil(100 * most / (1 + most))}%")


def most_told() -> Fraction:
    """The largest quotient of chances of any record, over all pairs of true answers."""
    (block,) = Design.parse(one_word()["design"]).blocks
    every = list(product(*(range(len(item.options)) for item in block.items)))
    chances = [[block.chance(range(len(every[0])), truth, record) for truth in every] for record in every]
    return max(max(own) / min(own) for own in chances if max(own))


@pytest.mark.long
def test_folds_of_the_receipt_open_by_keyboard_and_are_printed(page: Page, open_survey: Open) -> None:
    """What was sent as given opens by Enter; on paper it is there. On a narrow phone that
    reads from the right nothing is cut off, and after a reload nobody can open what was sent as given."""
    page.set_viewport_size({"width": 320, "height": 700})
    open_survey(one_word(languages=["en", "ar"]))
    answer(page)
    send(page)
    page.get_by_role("heading", level=1, name="Thank you").wait_for()
    given = page.locator("details", has_text="Do you have a job?")
    height = "fold => fold.offsetHeight"
    folded = given.evaluate(height)

    page.emulate_media(media="print")
    assert given.evaluate(height) > folded
    page.emulate_media(media="screen")
    assert given.evaluate(height) == folded

    given.locator("summary").focus()
    page.keyboard.press("Enter")
    assert given.evaluate(height) > folded
    assert given.get_by_text("Do you have a job?").is_visible()

    page.get_by_role("combobox").select_option("ar")
    page.locator("html[dir=rtl]").wait_for()
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    page.reload()
    page.locator("code.receipt").wait_for(state="attached")
    assert page.locator("details").count() == 3


def answer(page: Page) -> None:
    begin(page)
    say(page, "illegal drugs", "No")
    say(page, "shop", "Yes")
    say(page, "bribe", "No")
    say(page, "job", "Yes")
    activate(page.get_by_role("button", name="Continue"))


def test_the_word_of_people_with_many_answers_to_tell_is_said(page: Page, open_survey: Open) -> None:
    """Its record shows a telling answer to every question, none of which was perhaps given."""
    design = Design.parse(one_word()["design"])
    (block,) = design.blocks
    words = sum(word.base for word in block.words)  # type: ignore[attr-defined]
    page.add_init_script(f"crypto.getRandomValues = (words) => words.fill({words + 2**26})")
    open_survey(one_word())
    begin(page)
    for name, said in (("illegal drugs", "No"), ("shop", "No"), ("bribe", "No"), ("job", "Yes")):
        say(page, name, said)
    activate(page.get_by_role("button", name="Continue"))
    send(page)
    page.get_by_role("heading", level=1, name="Thank you").wait_for()

    assert sent_on(page) == [["“many of these”"]]


def test_the_question_about_the_disguise_is_true_of_a_word(page: Page, open_survey: Open) -> None:
    """Everybody of whom it is not true sends it with the same chance, and “many of these”, which shows it too."""
    survey = one_word(comprehension=True)
    open_survey(survey)
    (block,) = Design.parse(survey["design"]).blocks
    assert isinstance(block, OneOfBlock)
    word, many = block.words_by_parts[((0, 1),)], block.losses[0]
    of, (some,) = of_people([Fraction(word.base + many.base, ONE)])
    reach(page)
    assert press(page, "No") == "That is right. " + why(of, some, "Yes")


@pytest.mark.long
def test_practice_shows_how_often_the_word_is_the_answer(page: Page, open_survey: Open) -> None:
    """Of 2 000 draws of a yes, a word of this question comes as often as published; else nothing of it."""
    open_survey(one_word())
    practise(page)
    practised = page.get_by_role("radiogroup", name="Did you eat breakfast today?")
    activate(practised.get_by_role("radio", name="Yes"))
    counts = draw(practised, 2000)
    (own,) = {word["own"] / 2**32 for word in one_word()["design"]["blocks"][0]["words"]}

    assert set(counts) == {("Yes", "Yes"), ("Yes", "nothing of it")}
    assert counts["Yes", "Yes"] / 2000 == pytest.approx(own, abs=5 * (0.25 / 2000) ** 0.5)


@pytest.mark.long
def test_the_pages_are_accessible_in_chinese_on_a_phone(page: Page, open_survey: Open, axe: Any) -> None:
    """By axe, from the first page to the receipt, which fits the screen."""
    page.set_viewport_size({"width": 390, "height": 844})
    open_survey(one_word(2))
    page.get_by_role("combobox").select_option("zh-hans")
    page.get_by_text("一条短消息，或没有").first.wait_for()
    assert axe(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
