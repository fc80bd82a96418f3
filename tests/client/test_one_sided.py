"""A questionnaire that hides one of two answers: what a respondent is told of the other one, at every step."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page

from tests.client.questionnaires import one_sided
from tests.client.wire import Wire, begin, say, send

Open = Callable[..., Wire]

NOT_HIDDEN = "“No” is not hidden here: a “No” that is sent is true."
PROMISE = (
    "“No” is not hidden here: a “No” that is sent is true. Chance lets 25% of those who answer “No” send “Yes”, so "
    "nobody can tell whose “Yes” is true. Someone who gives it 5% that you answer at least one of these questions "
    "otherwise cannot become more than 46% sure of that, whatever you send."
)


def promises(page: Page) -> list[str]:
    return page.locator(".protection .lead").all_inner_texts()


def test_the_promise_says_which_answer_is_not_hidden(page: Page, open_survey: Open) -> None:
    """Its figures are exact: g, and 1/g for each of two questions turns 5 % into at most 16 / 35."""
    open_survey(one_sided())

    assert promises(page) == [PROMISE]
    assert page.locator(".protection .shares").all_inner_texts() == ["5%\n46%"]


def test_a_harmless_yes_is_named_as_one(page: Page, open_survey: Open) -> None:
    """The researcher marks which answer it is; the sentence does not guess."""
    open_survey(one_sided("1"))

    assert promises(page)[0].startswith("“Yes” is not hidden here: a “Yes” that is sent is true. Chance lets 25% of")


def test_several_blocks_have_one_promise_together(page: Page, open_survey: Open) -> None:
    """A harmless answer to one question may tell of another, so that no block could promise for itself."""
    definition = one_sided()
    (block,) = definition["design"]["blocks"]
    first, second = block["items"]
    blocks = [{**block, "items": [first]}, {**block, "items": [{**second, "harmless": "1"}]}]
    definition["design"]["blocks"] = blocks

    open_survey(definition)

    yes_not_hidden = NOT_HIDDEN.replace("No", "Yes")
    assert promises(page) == [
        f"{NOT_HIDDEN} Chance lets 25% of those who answer “No” send “Yes”, so nobody can tell whose “Yes” is true. "
        f"{yes_not_hidden} Chance lets 25% of those who answer “Yes” send “No”, so nobody can tell whose “No” is true. "
        "Someone who gives it 5% that you answer at least one of these questions otherwise cannot become more than 46% "
        "sure of that, whatever you send."
    ]


def test_beside_a_coin_each_has_its_own_promise(page: Page, open_survey: Open) -> None:
    """The sentence of the coin speaks of the other answers alone: an open one may tell of them, whoever knows how."""
    open_survey(one_sided(coin=True))

    assert promises(page) == [
        PROMISE.replace("46%", "72%"),
        "From the other answers alone, someone who gives it 5% that something asked there is true of you cannot become "
        "more than 14% sure.",
    ]


def test_the_promise_is_said_in_chinese(page: Page, open_survey: Open) -> None:
    """The same figures in the other language of the interface."""
    open_survey(one_sided())
    page.get_by_label("Language").select_option("zh-hans")

    assert promises(page) == [
        "此处“否”不被隐藏：凡发送的“否”都是真实的。 回答“否”的人中，有 25% 随机改为发送“是”，"
        "因此无法分辨谁的“是”是真的。 "
        "如果有人认为您有 5% 的可能对其中至少一个问题作了其他回答，那么无论您发送什么，他对此的把握都不会超过 46%。"
    ]


def test_no_step_promises_more(page: Page, open_survey: Open) -> None:
    """Neither the choice nor a question says that nobody learns the answers; each question repeats which is open."""
    open_survey(one_sided(coin=True))
    page.get_by_role("button", name="I agree – begin").click()
    page.get_by_role("heading", level=1, name="How do you want to answer?").wait_for()
    choice = page.locator(".option .help").first.inner_text()
    page.get_by_role("button", name="Continue").click()
    notes = [question.locator(".help").all_inner_texts() for question in page.locator(".question").all()]

    assert choice == "Chance changes some of them before they are sent, as the first page told."
    assert notes == [[NOT_HIDDEN], [NOT_HIDDEN], []]


def test_whoever_answers_directly_reads_nothing_of_a_disguise(page: Page, open_survey: Open) -> None:
    """All answers are open then, and each question says so."""
    open_survey(one_sided())
    begin(page, direct=True)

    assert page.locator(".question .help").count() == 0


@pytest.mark.parametrize("word", [0, 2**32 - 1], ids=["turned", "not turned"])
def test_the_receipt_says_what_may_be_noise(page: Page, open_survey: Open, word: int) -> None:
    """An open answer is no noise, the other may be with the chance g; “yes” always stays."""
    page.add_init_script(f"crypto.getRandomValues = (words) => words.fill({word})")
    wire = open_survey(one_sided())
    begin(page)
    say(page, "threaten", "No")
    say(page, "touch", "Yes")
    page.get_by_role("button", name="Continue").click()
    send(page)
    page.get_by_role("heading", level=1, name="Thank you").wait_for()

    rows: list[list[Any]] = [row.locator("th, td").all_inner_texts() for row in page.locator("tbody tr").all()]
    first = ["Yes", "25%"] if word == 0 else ["No", "0%"]
    assert (
        page.locator(".stayed")
        .inner_text()
        .startswith("Your true answers to disguised questions stayed here, but for those that are not hidden.")
    )
    assert json.loads(wire.posts[0])["record"] == [int(word == 0), 1]
    assert rows == [
        [NOT_HIDDEN],
        ["Did your supervisor threaten you?", *first],
        ["Did your supervisor touch you against your will?", "Yes", "25%"],
    ]
