"""A respondent's way from the link to the receipt."""

import json
import math
import re
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
from django.urls import reverse
from playwright.sync_api import Page

from tests.cases import first
from tests.client.explaining import limit_on, sent_on
from tests.client.questionnaires import (
    ONE_COIN,
    definition,
    everything,
    one_coin,
    open_question,
    places,
    sha256,
    six_with_lot,
    yesno,
)
from tests.client.wire import (
    Wire,
    abort,
    activate,
    answer_disguised,
    answer_one_coin,
    arrive,
    begin,
    heading,
    local_storage,
    receipt_of,
    respond_and_arrive,
    say,
    send,
    speak,
)

THREE = [{"id": name, "theta": 0.6} for name in ("a", "b", "c")]


SEEN = [
    "Your device may change your answers before it sends them.",
    "So nobody can be certain of any of these answers.",
]
BOTH = [
    "Of 100 people who would say “No”, the site stores about 42 as “Yes”.",
    "Of 100 people who would say “Yes”, the site stores about 28 as “No”.",
]
FOLDED = [
    *BOTH,
    SEEN[1],
    "All answers together reveal more than one alone.",
    "Say half of a crowd would give your answers, and half other answers. Take 100 people in it with the same stored "
    "answers. Up to 89 would give your answers. At least 11 would give others.",
]
LIMIT = "The exact limit: somebody 50% sure of your answer before can become 89% sure at most, never certain."


def dots(page: Page) -> list[int]:
    """Of each picture how many of its hundred dots are full; these come first, and its name counts them."""
    pictures = page.locator("svg[role=img]").all()
    full = "dots => dots.map(one => one.classList.contains('filled'))"
    read = [picture.locator("circle").evaluate_all(full) for picture in pictures]
    counts = [sum(one) for one in read]
    assert read == [[place < count for place in range(100)] for count in counts]
    names = [picture.get_attribute("aria-label") for picture in pictures]
    assert [re.sub(r"\D*(\d+)\D+100.*|\D*100\D+(\d+).*", r"\1\2", name or "") for name in names] == [*map(str, counts)]
    return counts


def test_both_directions_and_the_limit_are_in_sight_before_consent(page: Page, wire: Wire) -> None:
    """p = .3 and θ = .6 on three items, “No” first; of a hundred dots each those are full that are stored as “Yes”."""
    assert page.locator(".protection > .promise").all_inner_texts() == SEEN
    assert page.locator(".protection > p:has(svg)").all_inner_texts() == BOTH
    assert page.locator(".protection > .help").all_inner_texts() == ["● stored “Yes”\u2003○ stored “No”\u2003"]
    assert page.locator(".protection > .quiet").first.inner_text() == LIMIT
    assert dots(page) == [42, 72]
    activate(page.get_by_text("What could somebody learn about me?"))
    assert page.locator("main > details .promise").all_inner_texts() == FOLDED


@pytest.mark.parametrize(
    ("block", "full"),
    [
        ({"keep": 0.5, "items": THREE[:1]}, [30, 80]),
        ({"flips": [0.3, 0.7], "items": [{"id": "a"}]}, [70, 30]),
    ],
    ids=["few are changed", "most are turned over"],
)
def test_full_dots_are_a_stored_yes_in_both_directions(
    page: Page, open_survey: Callable[..., Wire], block: dict[str, Any], full: list[int]
) -> None:
    """Whichever answers a sentence counts, in every language."""
    open_survey(definition({"candor": 1, "direct": False, "blocks": [block]}, [yesno("a", "a?")]))
    assert dots(page) == full
    page.get_by_role("combobox").select_option("zh-hans")
    page.get_by_role("heading", name="随机怎样保护您").wait_for()
    assert dots(page) == full


def test_of_answers_that_differ_those_hidden_least_are_in_sight(page: Page, open_survey: Callable[..., Wire]) -> None:
    """In both directions, under words that say so; the figures of the others are in the fold."""
    blocks = [{"keep": 0.3, "items": THREE[:1]}, {"flips": [0.9, 0.1], "items": [{"id": "b"}]}]
    asked = [yesno(name, f"{name}?") for name in ("a", "b")]
    open_survey(definition({"candor": 1, "direct": False, "blocks": blocks}, asked))
    assert page.locator(".protection > p:not(.help, .quiet)").all_inner_texts() == [
        SEEN[0],
        "What is hidden least:",
        "Of 100 people who would say “No”, the site stores about 10 as “Yes”.",
        "Of 100 people who would say “Yes”, the site stores about 10 as “No”.",
        SEEN[1],
    ]
    folded = page.locator("main > details").first.inner_html()
    assert [said for said in BOTH if said not in folded] == []


PHONE = {"width": 390, "height": 844}


@pytest.mark.parametrize(
    ("questionnaire", "language"),
    first(
        1,
        [
            *[
                (asked, language)
                for asked in (everything, one_coin, six_with_lot)
                for language in ("de", "en", "es", "id", "ru")
            ],
            *[(places, language) for language in ("de", "en", "es", "id", "ru", "sw")],
        ],
    ),
)
def test_begin_is_within_one_and_a_third_screens_of_a_phone(
    page: Page, open_survey: Callable[..., Wire], questionnaire: Callable[..., Any], language: str
) -> None:
    """Whatever the machine's letters are, with two pictures at most."""
    page.set_viewport_size(PHONE)
    speak(page, language)
    open_survey(questionnaire())
    box = page.locator("main > .buttons > .main").bounding_box()
    assert box is not None
    assert box["y"] + box["height"] <= 1.3 * PHONE["height"]
    assert 0 < page.locator("svg[role=img]").count() <= 2


@pytest.mark.long
def test_a_page_that_was_loaded_again_says_that_it_forgot_the_answers(
    page: Page, open_survey: Callable[..., Wire]
) -> None:
    """And why. Nobody who opens the link afterwards reads that somebody had begun."""
    said = page.get_by_text(
        "This page was loaded again and has forgotten what you entered. Answers are kept nowhere before Send, so "
        "nobody can find them here."
    )
    wire = open_survey()
    assert said.count() == 0
    begin(page)
    page.reload()
    said.wait_for()
    begin(page)
    page.go_back()
    page.get_by_role("heading", name="How do you want to answer?").wait_for()
    page.go_back()
    page.get_by_role("button", name="I agree – begin").wait_for()
    assert said.count() == 0
    another = page.context.new_page()
    another.goto(wire.link())
    another.get_by_role("button", name="I agree – begin").wait_for()
    assert another.get_by_text("This page was loaded again").count() == 0


@pytest.mark.parametrize(
    ("questionnaire", "times"), [(everything, 1), (one_coin, 0)], ids=["some open", "all disguised"]
)
def test_whoever_is_asked_openly_too_reads_for_which_questions_it_holds(
    page: Page, open_survey: Callable[..., Wire], questionnaire: Callable[[], Any], times: int
) -> None:
    """In sight, before who learns what; a survey without undisguised questions says nothing of it."""
    open_survey(questionnaire())
    holds = page.get_by_text("Questions marked “Sent as given” leave your device as you answer them.")
    assert (holds.count(), holds.filter(visible=True).count()) == (times, times)


@pytest.mark.parametrize(("questionnaire", "times"), [(one_coin, 1), (six_with_lot, 0)], ids=["offered", "not offered"])
def test_whoever_may_answer_directly_reads_for_whom_the_figures_hold_and_what_is_kept(
    page: Page, open_survey: Callable[..., Wire], questionnaire: Callable[[], Any], times: int
) -> None:
    """The figures are those of the disguise. The note under Begin says what this browser keeps, and nothing that it
    never has. A survey that disguises everybody says nothing of answers sent as given.
    """
    open_survey(questionnaire())
    assert page.get_by_text("What you answer directly is stored as you give it.").count() == times
    note = "From Begin on, this browser keeps random numbers. After Send it keeps the disguised answers."
    given = " Until they arrive, it also keeps those sent as given." * times
    said = page.locator("main > .quiet").last.inner_text()
    assert said == f"{note}{given} It never keeps the truth behind a disguise."


def test_what_somebody_could_learn_and_whether_to_trust_the_device_are_folds_of_the_first_page(
    page: Page, wire: Wire
) -> None:
    """Who learns what, of whom there are four, and the promise in chances; the device draws, and can be checked.

    γ = 7.7 takes 5 % to 29 % at most, and even odds to 89 %, computed on the device and rounded up.
    """
    activate(page.get_by_text("What could somebody learn about me?"))
    gamma = 1 + Fraction(3, 10) / (Fraction(7, 10) * Fraction(4, 10) ** 3)
    limits = [math.ceil(100 * odds / (1 + odds)) for odds in (gamma / 19, gamma)]
    learns, trust = page.locator("main > details").all()

    assert limits == [29, 89]
    assert learns.locator("ul strong").all_inner_texts() == [
        "Who asks:",
        "Your employer:",
        "Data thieves:",
        "Who runs this site:",
    ]
    assert learns.locator("p").first.inner_text() == (
        "The exact limit: somebody 5% sure of your answer before can become 29% sure at most, never certain."
    )
    assert LIMIT in page.locator(".protection").inner_text()
    activate(page.get_by_text("Must I trust this device?"))
    assert trust.locator("p").all_inner_texts() == [
        "Yes: it draws the chance. Its program is public, and anyone can check it."
    ]
    check = trust.get_by_role("link", name="anyone can check it")
    assert check.evaluate("link => new URL(link.href).pathname") == reverse("guide", args=["respondents"])
    assert check.get_attribute("target") == "_blank"  # the page stays, and a frame may hold no guide


def test_a_receipt_shows_the_one_disguised_response_and_what_all_of_it_tells(page: Page, wire: Wire) -> None:
    """One POST, in the form agreed, padded to the size the questionnaire names; the receipt is the server's. Words come
    first; the record that left is in a fold, never bold, each value with how many others send it; last is the bound.

    γ = 1 + .3 / (.7 · .4³) = 7.7 makes even odds at most 7.7 : 1, which is 88.5 %, rounded up.
    """
    respond_and_arrive(page)
    (body,) = wire.posts
    sent = json.loads(body)
    assert page.locator("code.receipt").text_content() == receipt_of(body)
    assert list(sent) == ["version", "key", "direct", "record", "open", "pad"]
    assert (sent["version"], sent["direct"], sent["open"]) == (sha256(one_coin()), 0, {})
    assert set(sent["record"]) <= {0, 1}
    assert len(body.encode()) == one_coin()["pad"]
    note, *lines = sent_on(page)
    assert note == ["One coin for these 3: all stayed, or chance drew every one."]
    assert [line[1:] for line in lines] == [
        [
            f"“{('No', 'Yes')[code]}” was sent.",
            f"Of 100 people with another answer, about {(28, 42)[code]} send the same.",
        ]
        for code in sent["record"]
    ]
    activate(page.locator("summary").first)
    weights = page.locator(".sent").locator("*").evaluate_all("all => all.map(one => getComputedStyle(one).fontWeight)")
    assert {*weights} == {"400"}
    assert page.locator(".protection > p:has(svg)").all_inner_texts() == BOTH
    assert page.locator("h1 + .lead, h1 + .lead + p").all_inner_texts() == [
        "Your answers have arrived. What was sent may not be what you said.",
        "Chance took part, and nobody can tell how: not those who ask, not this site, not a thief. This device has "
        "forgotten what you said.",
    ]
    assert limit_on(page) == ("50%", "89%")
    assert "never left" not in page.locator("main").inner_text()


@pytest.mark.long
@pytest.mark.parametrize(
    ("keep", "lead", "limits"),
    [
        (0.97, "Your answers have arrived. What was sent may not be what you said.", 1),
        (0.98, "Your answers have arrived.", 0),
    ],
)
def test_where_the_bound_is_nearly_certain_the_receipt_promises_nothing(
    page: Page, open_survey: Callable[..., Wire], keep: float, lead: str, limits: int
) -> None:
    """γ = 1 + .97 / (.03 · .4) = 81.8 is 98.8 %, but 123.5 would be 100 %, rounded up: only the arrival is said."""
    block = {"keep": keep, "items": THREE[:1]}
    open_survey(definition({"candor": 1, "direct": False, "blocks": [block]}, [yesno("a", "a?")]))
    begin(page)
    activate(page.get_by_role("radio", name="Yes"))
    activate(page.get_by_role("button", name="Continue"))
    arrive(page)
    said = page.locator("main .lead").inner_text(), page.get_by_text("How sure could somebody become?").count()
    assert said == (lead, limits)


BY_ITSELF = [{"id": item["id"]} for item in THREE]
TOGETHER = "One coin for these {}: all stayed, or chance drew every one."
COINS: dict[str, tuple[list[dict[str, Any]], list[str]]] = {
    "sampled": ([{"keep": 0.3, "ask": 2, "items": THREE}], [TOGETHER.format(2)]),
    "one coin for all": ([{"keep": 0.3, "items": THREE}], [TOGETHER.format(3)]),
    "one alone and two together": (
        [{"keep": 0.3, "items": THREE[:1]}, {"keep": 0.5, "items": THREE[1:]}],
        [TOGETHER.format(2)],
    ),
    "a coin each": ([{"keep": 0.3, "coin": "each", "ask": 2, "items": THREE}], []),
    "by γ": ([{"by-gamma": 9, "ask": 1, "items": BY_ITSELF}], []),
    "flips": ([{"flips": [0.4, 0.4, 0.1, 0.1], "items": BY_ITSELF}], []),
}


@pytest.mark.parametrize("name", first(1, COINS))
def test_the_receipt_says_what_one_coin_decided_together(
    page: Page, open_survey: Callable[..., Wire], name: str
) -> None:
    """A chance of 70 % on each of three lines is not three chances: beside the lines stands that they fell together."""
    blocks, notes = COINS[name]
    design = {"candor": 1, "direct": False, "blocks": blocks}
    open_survey(definition(design, *[[yesno(item["id"], f"{item['id']}?")] for item in THREE]))
    begin(page)
    while heading(page) != "Check your answers":
        activate(page.get_by_role("radio", name="Yes"))
        activate(page.get_by_role("button", name="Continue"))
    arrive(page)
    assert page.locator(".sent li:not(:has(p))").all_text_contents() == notes


def test_a_direct_answer_is_sent_as_given_and_flagged(page: Page, wire: Wire) -> None:
    """A person who chose so sends the truth, and the device keeps none of it."""
    begin(page, direct=True)
    answer_one_coin(page, "Yes", "No", "Yes")
    assert page.locator("dt .mark").all_inner_texts() == ["Sent as given"] * 3
    arrive(page)
    sent = json.loads(wire.posts[0])
    assert (sent["direct"], sent["record"]) == (1, [1, 0, 1])
    assert [entry["record"] for entry in local_storage(page).values()] == [None]


@pytest.mark.long
def test_a_sampled_block_asks_the_same_questions_after_a_reload(page: Page, open_survey: Callable[..., Wire]) -> None:
    """Two of six are drawn, once; the others are sent as not asked."""
    wire = open_survey(six_with_lot())
    assert page.get_by_text("This device chose 2 of 6").is_visible()
    seen = []
    for _visit in range(2):
        begin(page)
        questions = []
        while heading(page) != "Check your answers":
            questions.append(page.get_by_role("radiogroup").locator("legend").inner_text())
            activate(page.get_by_role("radio", name="Yes"))
            activate(page.get_by_role("button", name="Continue"))
        seen.append(questions)
        if not wire.posts and len(seen) == 1:
            page.on("dialog", lambda dialog: dialog.accept())
            page.reload()
    arrive(page)
    assert seen[0] == seen[1]
    asked = [
        f"Question number {place}?"
        for place, code in enumerate(json.loads(wire.posts[0])["record"])
        if code is not None
    ]
    assert asked == seen[0]


def test_every_type_of_question_reaches_the_wire(page: Page, open_survey: Callable[..., Wire]) -> None:
    """Sensitive answers as codes in the design's order, undisguised ones as given, a hidden one not at all."""
    wire = open_survey(everything())
    begin(page, direct=True)
    say(page, "illegal drugs", "Yes")
    say(page, "How old", "50+")
    say(page, "trust the police", "4")
    activate(page.get_by_role("button", name="Continue"))
    activate(page.get_by_role("checkbox", name="Wine"))
    activate(page.get_by_role("button", name="Continue"))
    say(page, "a job", "Yes")
    page.get_by_label("How many hours").fill("12,5")
    page.get_by_label("Since when").fill("2020-09-01")
    activate(page.get_by_role("checkbox", name="Swimming"))
    page.get_by_label("anything else").fill("line\nbreak \ud800 “end”")
    activate(page.get_by_role("button", name="Continue"))
    arrive(page)
    sent = json.loads(wire.posts[0])
    assert sent["record"] == [1, 2, 3, 0, 1]
    assert sent["open"] == {
        "job": "1", "hours": 12.5, "since": "2020-09-01", "sports": ["swim"], "remark": "line\nbreak � “end”",
    }  # fmt: skip


@pytest.mark.long
def test_options_come_in_a_random_order_with_the_last_one_last(page: Page, open_survey: Callable[..., Wire]) -> None:
    """Of twelve visits not all show one order (by chance 1 in 360 million), and not to say stays at the end."""
    wire = open_survey(everything())
    orders = set()
    for visit in range(12):
        begin(page)
        orders.add(tuple(page.locator("#q-age .option").all_inner_texts()))
        if visit >= 3 and len(orders) > 1:
            break
        page.goto("about:blank")
        page.goto(wire.link())
    assert len(orders) > 1
    assert {order[-1] for order in orders} == {"I prefer not to say"}
    assert {tuple(sorted(order)) for order in orders} == {("18-29", "30-49", "50+", "I prefer not to say")}


def test_a_condition_shows_a_question_and_hides_its_answer_again(page: Page, open_survey: Callable[..., Wire]) -> None:
    """What is not shown is not sent, though it was once filled in."""
    definition = everything()
    definition["pages"] = [*definition["pages"][:2], {"questions": definition["pages"][2]["questions"][:2]}]
    wire = open_survey(definition)
    begin(page)
    say(page, "illegal drugs", "No")
    say(page, "How old", "18-29")
    say(page, "trust the police", "1")
    activate(page.get_by_role("button", name="Continue"))
    activate(page.get_by_role("button", name="Continue"))
    assert not page.get_by_label("How many hours").is_visible()
    say(page, "a job", "Yes")
    page.get_by_label("How many hours").fill("20")
    say(page, "a job", "No")
    assert not page.get_by_label("How many hours").is_visible()
    activate(page.get_by_role("button", name="Continue"))
    arrive(page)
    assert json.loads(wire.posts[0])["open"] == {"job": "0"}


def test_a_missing_answer_is_named_and_gets_the_focus(page: Page, wire: Wire) -> None:
    """Continue says what is missing, at the question."""
    begin(page)
    say(page, "illegal drugs", "Yes")
    activate(page.get_by_role("button", name="Continue"))
    assert page.locator(".error").all_inner_texts() == [
        "",
        "Please answer this question.",
        "Please answer this question.",
    ]
    focused = page.evaluate("document.activeElement.closest('fieldset').querySelector('legend').innerText")
    assert focused == "Did you cheat in an examination?"


@pytest.mark.long
def test_numbers_and_dates_stay_in_their_range(page: Page, open_survey: Callable[..., Wire]) -> None:
    """The range is said, and words are no number."""
    definition = everything()
    definition["pages"] = definition["pages"][2:] + definition["pages"][:2]
    open_survey(definition)
    begin(page)
    say(page, "a job", "Yes")
    page.get_by_label("Since when").fill("2031-01-01")
    for given, complaint in (
        ("twenty", "Please answer with a number, such as 27."),
        ("1,000", "1,000 can be read as two numbers: please write 1000 or 1,0000."),
        ("81", "Please stay within 0 – 80."),
        ("-1", "Please stay within 0 – 80."),
    ):
        page.get_by_label("How many hours").fill(given)
        activate(page.get_by_role("button", name="Continue"))
        assert page.locator("#q-hours .error").inner_text() == complaint
    assert page.locator("#q-since .error").inner_text() == "Please stay within … – 2030-01-01."


EXAMPLES: dict[str, tuple[dict[str, float], float]] = {
    "any": ({}, 34),
    "ages": ({"min": 18, "max": 99}, 46),
    "years": ({"min": 1950}, 1984),
    "few": ({"max": 10}, 3),
    "shares": ({"min": 0.2, "max": 0.4}, 0.2),
}


@pytest.mark.long
def test_words_for_a_number_are_answered_with_a_number_that_fits(page: Page, open_survey: Callable[..., Wire]) -> None:
    """Who writes “twenty” is asked for a number such as one that may be given here."""
    asked = [open_question(name, "number", name, name, **limits) for name, (limits, _) in EXAMPLES.items()]
    open_survey(definition(ONE_COIN | {"direct": False}, [*asked, *one_coin()["pages"][0]["questions"]]))
    begin(page)
    for name in EXAMPLES:
        page.locator(f"#q-{name}-field").fill("twenty")
    activate(page.get_by_role("button", name="Continue"))
    said = {name: page.locator(f"#q-{name} .error").inner_text() for name in EXAMPLES}
    assert said == {name: f"Please answer with a number, such as {example}." for name, (_, example) in EXAMPLES.items()}


@pytest.mark.long
def test_half_a_date_is_not_left_out_without_a_word(page: Page, open_survey: Callable[..., Wire]) -> None:
    """The browser gives no value for it. It is refused where no date is needed, too; once it is empty, all is well."""
    since = open_question("since", "date", "Since when do you study?", "您从何时开始学习？")
    open_survey(definition(ONE_COIN | {"direct": False}, [since], one_coin()["pages"][0]["questions"]))
    begin(page)
    page.get_by_label("Since when").press_sequentially("09")
    page.keyboard.press("Enter")
    assert page.locator("#q-since .error").inner_text() == "Please give the whole date: day, month and year."
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Backspace")
    activate(page.get_by_role("button", name="Continue"))
    page.get_by_text("Did you take illegal drugs").wait_for()


@pytest.mark.long
def test_change_leads_from_the_review_to_the_question_and_back(page: Page, open_survey: Callable[..., Wire]) -> None:
    """One answer is changed without walking all pages again."""
    open_survey(everything())
    begin(page)
    answer_disguised(page)
    say(page, "a job", "No")
    activate(page.get_by_role("button", name="Continue"))
    activate(page.get_by_role("button", name="Change: How old are you?"))
    say(page, "How old", "18-29")
    activate(page.get_by_role("button", name="Continue"))
    assert heading(page) == "Check your answers"
    assert page.locator("dd").all_inner_texts()[2] == "18-29"


def review_everything(page: Page, hours: str = "12,50", remark: str = "") -> None:
    """Answer every type of question, disguised, and stop at the review."""
    begin(page)
    answer_disguised(page)
    say(page, "a job", "Yes")
    page.get_by_label("How many hours").fill(hours)
    page.get_by_label("anything else").fill(remark)
    activate(page.get_by_role("button", name="Continue"))
    page.get_by_role("heading", name="Check your answers").wait_for()


def seen(page: Page, marks: str) -> list[bool]:
    """Which of the marks people see; screen readers read all of them."""
    return page.locator(marks).evaluate_all("all => all.map(one => getComputedStyle(one).clipPath === 'none')")


def test_of_disguised_questions_below_each_other_the_first_says_it(
    page: Page, open_survey: Callable[..., Wire]
) -> None:
    """And each to a screen reader: it stands in the note of every question."""
    open_survey(everything())
    begin(page)
    marks = page.locator(".question:not([hidden]) .mark")
    assert marks.count() > 1
    assert set(marks.all_inner_texts()) == {"Disguised before sending"}
    assert seen(page, ".question:not([hidden]) .mark") == [True, *[False] * (marks.count() - 1)]


@pytest.mark.long
def test_the_review_shows_what_will_be_sent_and_how(page: Page, open_survey: Callable[..., Wire]) -> None:
    """A number as it was understood, a text with its lines, and beside each answer whether it is disguised."""
    open_survey(everything())
    review_everything(page, "12,50", "one\ntwo")
    marks = page.locator("dt .mark").all_inner_texts()
    assert marks == ["Disguised before sending"] * 4 + ["Sent as given"] * 5
    assert seen(page, "dt .mark") == [True, *[False] * 3, True, *[False] * 4]
    answers = page.locator("dd:nth-of-type(1)").all_inner_texts()
    assert (answers[5], answers[8]) == ("12.5", "one\ntwo")


def test_the_receipt_tells_what_was_disguised_from_what_was_not(page: Page, open_survey: Callable[..., Wire]) -> None:
    """Undisguised answers are in a fold of their own: nobody reads that they stayed, or could be noise."""
    open_survey(everything())
    review_everything(page, remark="Exampleton")
    arrive(page)
    disguised, given = page.locator("ul.sent").all_text_contents()
    assert "Exampleton" not in disguised
    assert "Exampleton" in given
    assert "people" not in given
    assert page.locator("summary").all_inner_texts() == [
        *("Show what was sent (it need not be true of you)", "Sent as given", "How sure could somebody become?"),
        "Receipt",
    ]


@pytest.mark.long
def test_a_direct_receipt_speaks_of_no_disguise(page: Page, wire: Wire) -> None:
    """Everything was sent as given; after a reload the page no longer knows it, and shows no empty list."""
    respond_and_arrive(page, direct=True)
    said = page.locator(".sent li p:nth-child(2)").all_text_contents()
    assert said == [f"“{one}” was sent." for one in ("Yes", "No", "Yes")]
    assert page.get_by_text("perhaps chance’s").count() == 0
    page.reload()
    page.get_by_role("heading", name="Thank you").wait_for()
    assert page.locator(".sent").count() == 0


@pytest.mark.long
def test_what_is_said_of_the_storage_is_true(page: Page, open_survey: Callable[..., Wire]) -> None:
    """Before consent the page says what it keeps; undisguised answers are among it until they have arrived, and not
    after.
    """
    open_survey(everything(), reply=abort)
    assert page.get_by_text("Until they arrive, it also keeps those sent as given.").is_visible()
    review_everything(page, remark="Exampleton")
    send(page)
    page.get_by_text("They have not arrived yet.").wait_for()
    assert "Exampleton" in json.dumps(local_storage(page))


def test_each_step_has_a_title_that_says_nothing_of_the_survey(page: Page, wire: Wire) -> None:
    """The window is named after the step; the browser's history keeps the name, and learns no subject from it."""
    titles = [page.title()]
    activate(page.get_by_role("button", name="I agree – begin"))
    page.get_by_role("heading", name="How do you want to answer?").wait_for()
    titles.append(page.title())
    activate(page.get_by_role("button", name="Continue"))
    page.locator(".question").first.wait_for()
    titles.append(page.title())
    answer_one_coin(page)
    titles.append(page.title())
    assert titles == [
        "Survey – Candor",
        "How do you want to answer? – Candor",
        "Survey – Candor",
        "Check your answers – Candor",
    ]


@pytest.mark.parametrize(("more", "times"), [({}, 0), ({"early": True, "beside": True}, 1)], ids=["usual", "announced"])
def test_who_may_read_responses_early_is_said_on_the_first_page(
    page: Page, open_survey: Callable[..., Wire], more: dict[str, Any], times: int
) -> None:
    """Before anybody begins; a survey of which nothing is read early says nothing of it."""
    open_survey(one_coin(**more))
    for sentence in (
        "Stored answers may be read while others answer",
        "stays beside your answers.",
    ):
        assert page.get_by_text(sentence).count() == times


PRESS = "(press) => document.querySelector('main button.main')?.dispatchEvent(new PointerEvent('click', press))"


@pytest.mark.long
@pytest.mark.parametrize(
    "press",
    [{"pointerType": "touch", "detail": 1}, {"pointerType": "mouse", "detail": 2}],
    ids=["two taps", "double click"],
)
def test_a_hasty_second_press_of_continue_sends_nothing(page: Page, press: dict[str, Any], wire: Wire) -> None:
    """Send may lie where Continue was: who pressed twice sees the answers first, and sends them by another press."""
    begin(page)
    for group in page.get_by_role("radiogroup").all():
        activate(group.get_by_role("radio").first)
    page.evaluate(f"(press) => {{ document.querySelector('main button.main').click(); ({PRESS})(press); }}", press)
    assert heading(page) == "Check your answers"
    assert page.get_by_role("button", name="Disguise and send").is_enabled()
    while not page.locator("code.receipt").count():
        page.evaluate(PRESS, press | {"detail": 1})
    assert len(wire.posts) == 1


@pytest.mark.long
def test_what_fails_in_another_program_ends_nothing(page: Page, wire: Wire) -> None:
    """A messenger that shows the page runs scripts of its own in it: their failures take no answer away."""
    begin(page)
    say(page, "illegal drugs", "No")
    with page.context.expect_event("weberror"):
        page.evaluate("() => { Promise.reject(new Error('of another program')); }")
    answer_one_coin(page, "Yes", "No", "Yes")
    arrive(page)
    assert len(wire.posts) == 1
