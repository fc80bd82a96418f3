"""A questionnaire that hides one of two answers: what a respondent reads of the other one, at every step."""

import json
from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from tests import cases
from tests.client.explaining import open_fold, promise_on, sent_on
from tests.client.questionnaires import one_sided
from tests.client.wire import Wire, activate, begin, refusal, say, send

Open = Callable[..., Wire]

NOT_HIDDEN = "“No” is not hidden here: a stored “No” is true."
TOLD = [
    NOT_HIDDEN,
    "Of 100 people who would say “No”, the site stores about 25 as “Yes”.",
    "Every true “Yes” is stored as “Yes”. So one stored “Yes” alone does not show that you gave it.",
]
MORE = "All answers together reveal more than one alone."
TOGETHER = (
    "Take the questions where one answer is not hidden. Say half of a crowd would give only such answers, and half "
    "would not. Take {of} people in it with the same stored answers. Up to {most} would give a hidden answer at least "
    "once. At least {some} would not."
)
BELIEVED = (
    "If someone is 5% sure that you gave a hidden answer to at least one of these questions, what you send cannot "
    "make them more than {bound} sure."
)
CHANGES = "Your device may change your answers before it sends them."


def exactly(page: Page) -> list[str]:
    """Sentences in chances."""
    open_fold(page)
    return page.locator("details > p.quiet").all_inner_texts()


def test_the_promise_says_which_answer_is_not_hidden(page: Page, open_survey: Open) -> None:
    """Its figures are exact: g, and 1/g for each of two questions leaves 1 / 17, and turns 5 % into at most 16 / 35.

    What this browser keeps is not said to hide all: a harmless answer that is kept is the truth.
    """
    open_survey(one_sided())

    assert promise_on(page) == [CHANGES, *TOLD, MORE, TOGETHER.format(of=1000, most=942, some=58)]
    assert exactly(page) == [BELIEVED.format(bound="46%")]
    assert page.locator("main > .quiet").last.inner_text().endswith("an answer that is not hidden is true.")


@pytest.mark.long
def test_a_harmless_yes_is_named_as_one(page: Page, open_survey: Open) -> None:
    """The researcher marks which answer it is; the sentence does not guess."""
    open_survey(one_sided("1"))

    assert promise_on(page)[1:3] == [
        "“Yes” is not hidden here: a stored “Yes” is true.",
        "Of 100 people who would say “Yes”, the site stores about 25 as “No”.",
    ]


@pytest.mark.long
def test_several_blocks_have_one_promise_together(page: Page, open_survey: Open) -> None:
    """A harmless answer to one question may tell of another, so that no block could promise for itself."""
    definition = one_sided()
    (block,) = definition["design"]["blocks"]
    first, second = block["items"]
    blocks = [{**block, "items": [first]}, {**block, "items": [{**second, "harmless": "1"}]}]
    definition["design"]["blocks"] = blocks

    open_survey(definition)

    swapped = [text.replace("Yes", "…").replace("No", "Yes").replace("…", "No") for text in TOLD]
    swapped[2] = swapped[2].replace("Yesbody", "nobody")
    assert promise_on(page) == [CHANGES, *TOLD, *swapped, MORE, TOGETHER.format(of=1000, most=942, some=58)]
    assert exactly(page) == [BELIEVED.format(bound="46%")]


@pytest.mark.long
def test_beside_a_coin_each_has_its_own_promise(page: Page, open_survey: Open) -> None:
    """The sentence of the coin speaks of the other answers alone: an undisguised one may tell of them."""
    open_survey(one_sided(coin=True))

    assert promise_on(page) == [
        CHANGES,
        "For 2 of your answers:",
        *TOLD,
        "For 1 of your answers:",
        "Of 100 people who would say “No”, the site stores about 25 as “Yes”.",
        "Of 100 people who would say “Yes”, the site stores about 25 as “No”.",
        MORE,
        TOGETHER.format(of=100, most=98, some=2),
        "The other answers, taken alone:",
        "Nobody who sees only these can be sure that you gave one of them.",
    ]
    assert exactly(page) == [
        BELIEVED.format(bound="72%"),
        "From the other answers alone, someone who thinks it 5% likely that something asked there is true of you "
        "cannot become more than 14% sure.",
    ]


@pytest.mark.long
def test_the_promise_is_said_in_chinese(page: Page, open_survey: Open) -> None:
    """The same figures in the other language of the interface."""
    open_survey(one_sided())
    page.get_by_label("Language").select_option("zh-hans")
    page.get_by_text("此处“否”不被隐藏：凡发送的“否”都是真实的。").first.wait_for()

    assert promise_on(page)[1:4] == [
        "此处“否”不被隐藏：凡发送的“否”都是真实的。",
        "在 100 个会回答“否”的人中，约有 25 人会被存为“是”。",
        "真实回答为“是”的人，存储的也是“是”。因此，仅凭一个所存的“是”，谁都无法确定那是您的回答。",
    ]
    assert exactly(page) == [
        "如果有人认为您有 5% 的可能对其中至少一个问题作了其他回答，那么无论您发送什么，他对此的把握都不会超过 46%。"
    ]


def test_a_second_disclosure_counts_what_is_hidden(page: Page, open_survey: Open) -> None:
    """Two records of two questions: the odds of a hidden answer grow at most 16² times, to 99.6 % from even odds."""
    wire = open_survey(one_sided())
    begin(page)
    say(page, "threaten", "No")
    say(page, "touch", "No")
    activate(page.get_by_role("button", name="Continue"))
    wire.reply = refusal(422)
    send(page)
    activate(page.get_by_role("button", name="Answer again"))

    said = "Someone who could join both could think that you gave a hidden answer there. They could become up to 100%"
    assert page.get_by_text(said).is_visible()


def test_no_step_promises_more(page: Page, open_survey: Open) -> None:
    """Neither the choice nor a question says that nobody learns the answers; each question repeats which is open."""
    open_survey(one_sided(coin=True))
    activate(page.get_by_role("button", name="I agree – begin"))
    page.get_by_role("heading", level=1, name="How do you want to answer?").wait_for()
    choice = page.locator(".option .help").first.inner_text()
    activate(page.get_by_role("button", name="Continue"))
    notes = [question.locator(".help").all_inner_texts() for question in page.locator(".question").all()]

    assert choice == "They may change at random before they are sent, as the first page says."
    assert notes == [[NOT_HIDDEN], [NOT_HIDDEN], []]


@pytest.mark.long
def test_whoever_answers_directly_reads_nothing_of_a_disguise(page: Page, open_survey: Open) -> None:
    """All answers are open then, and each question says so."""
    open_survey(one_sided())
    begin(page, direct=True)

    assert page.locator(".question .help").count() == 0


@pytest.mark.parametrize(
    ("word", "first"), cases.first(1, [(0, "Yes"), (2**32 - 1, "No")]), ids=["turned", "not turned"]
)
def test_the_receipt_says_what_is_hidden_and_what_all_of_it_tells(
    page: Page, open_survey: Open, word: int, first: str
) -> None:
    """An undisguised answer is true; of two hidden ones each comes from a quarter of the others: 16 to 1 at most,
    whatever was sent. Nobody is said to know nothing.
    """
    page.add_init_script(f"crypto.getRandomValues = (words) => words.fill({word})")
    wire = open_survey(one_sided())
    begin(page)
    say(page, "threaten", "No")
    say(page, "touch", "Yes")
    activate(page.get_by_role("button", name="Continue"))
    send(page)
    page.get_by_role("heading", level=1, name="Thank you").wait_for()

    assert json.loads(wire.posts[0])["record"] == [int(word == 0), 1]
    assert page.locator("main > details").first.locator("> p").all_text_contents() == [
        "An answer that is not hidden is yours. A hidden one is perhaps yours, perhaps chance’s.",
        TOGETHER.format(of=1000, most=942, some=58),
    ]
    too = "Of 100 people with another answer, about 25 send the same."
    assert sent_on(page) == [
        [NOT_HIDDEN],
        ["Did your supervisor threaten you?", f"“{first}” was sent.", *[too] * (first == "Yes")],
        ["Did your supervisor touch you against your will?", "“Yes” was sent.", too],
    ]
