"""What the page lets through the server takes: an answer that is refused only after Send would be lost."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from surveys.definition import read_question
from surveys.domain.messages import submission
from surveys.domain.messages.submission import Refused, _check_open
from surveys.questions import TYPES
from tests.client.questionnaires import one_coin
from tests.client.wire import Wire

# What the page would send for each answer to a question, null where it asks again.
SENT = """async (cases) => {
  const { loadTypes, openAnswers, typeOf } = await import('/client/questionnaire.js');
  await loadTypes(cases.map(([question]) => question));
  return cases.map(([question, answer]) => {
    const given = typeof answer === 'string' ? answer : typeOf(question).sent(answer);
    const session = { definition: { pages: [{ questions: [question] }] }, answers: new Map([[question.id, given]]),
      byId: new Map(), orders: new Map(), isAsked: () => true };
    if (typeOf(question).problem(question, given, session)) return null;
    return JSON.stringify(openAnswers(session));
  });
}"""


def question(kind: str, **more: Any) -> dict[str, Any]:
    return {"id": "asked", "type": kind, "sensitive": False, "text": {"en": "?"}, **more}


def with_labels(name: str, *values: str) -> list[dict[str, Any]]:
    return [{name: value, "label": {"en": value}} for value in values]


WIDE = ["１２５０", "１２．５", "－３", "　７　"]  # as a Chinese keyboard writes them
NUMBERS = [
    "0",
    "-0",
    "7.",
    ".5",
    "12,5",
    " 7 ",
    "+3",
    "0.125",
    "1250",
    "1.1250",
    "1000000000000000",
    "0.0000001",
    *WIDE,
]
NO_NUMBERS = [
    "",
    " ",
    "many",
    "1,000",
    "1.000",
    "-12,345",
    "1,000,000",
    "1 000",
    "1e5",
    "0x10",
    "Infinity",
    "NaN",
    "1_0",
]
TOO_LARGE = ["99999999999999999999", "-1000000000000001", "9" * 400]
DAYS = ["2024-02-29", "0001-01-01", "9999-12-31"]
NO_DAYS = [
    "2023-02-29",
    "119805-01-01",
    "+010000-01-01",
    "0000-01-01",
    "-000001-01-01",
    "24-01-01",
    "2024-1-1",
    "today",
]
TEXTS = ["a", " ", "line\nbreak", "tab\tand \u0000", "half \ud800", "\u0085\u2028", "🙂" * 5]
CASES = {  # question: answers that pass, answers that are asked again
    "number": (question("number"), NUMBERS, [*NO_NUMBERS[1:], *TOO_LARGE]),
    "number with limits": (question("number", min=0, max=80, required=True), ["0", "80", "7,5"], ["", "-1", "80.1"]),
    "date": (question("date"), DAYS, NO_DAYS),
    "date with limits": (
        question("date", min="2020-01-01", max="2024-12-31"),
        ["2020-01-01", "2024-12-31"],
        ["2019-12-31", "2025-01-01", "202-01-01"],
    ),
    "text": (question("text", max=10), TEXTS, ["a" * 11, "🙂" * 6]),
    "text of the usual length": (question("text"), ["a" * 500], ["a" * 501]),
    "required text": (question("text", max=10, required=True), ["a"], [""]),
    "yes or no": (question("yesno", required=True), ["0", "1"], [""]),
    "choice": (question("choice", options=with_labels("value", "a", "b")), ["a", "b", ""], []),
    "scale": (question("scale", min=-1, max=2), ["-1", "0", "2"], []),
    "several": (question("several", items=with_labels("id", "a", "b", "c")), [["c", "a"], ["a", "b", "c"], []], []),
    "matrix": (
        question("matrix", items=with_labels("id", "a", "b"), min=1, max=3),
        [{"b": "3", "a": "1"}, {"a": "2"}, {}],
        [],
    ),
    "required matrix": (
        question("matrix", items=with_labels("id", "a", "b"), options=with_labels("value", "x", "y"), required=True),
        [{"b": "x", "a": "y"}],
        [{"a": "x"}, {}],
    ),
    "ranking": (
        question("ranking", items=with_labels("id", "a", "b", "c")),
        [{"c": "1", "a": "2", "b": "3"}],
        [{"b": "1"}, {"b": "1", "c": "2"}],
    ),
    "required several": (question("several", items=with_labels("id", "a", "b"), required=True), [["b"]], [[]]),
}


def test_every_type_that_may_be_undisguised_has_a_case() -> None:
    """So a new type has one, too; a place is always disguised, and no answer to it is sent as it is given."""
    assert {entry["type"] for entry, *_ in CASES.values()} == TYPES.keys() - {"place"}


def is_accepted_by_server(entry: dict[str, Any], sent: str) -> bool:
    """Whether the server keeps these undisguised answers."""
    try:
        _check_open(submission.read_object(sent.encode("utf-8", "surrogatepass")), (read_question(entry, ["en"]),))
    except Refused:
        return False
    return True


@pytest.fixture(scope="module")
def open_modules(browser: Browser) -> Iterator[Page]:
    """A page whose modules are asked what they would send, and keep nothing of it."""
    context = browser.new_context(locale="en-GB")
    page = context.new_page()
    page.goto(Wire(one_coin()).attach(context).link())
    page.get_by_role("heading", level=1).wait_for()
    yield page
    context.close()


@pytest.mark.parametrize("case", CASES)
def test_page_and_server_agree_on_every_type(open_modules: Page, case: str) -> None:
    """Nothing passes here that is refused there, and what is asked again here is what has no place there."""
    entry, passing, asked_again = CASES[case]
    sent = open_modules.evaluate(SENT, [[entry, answer] for answer in [*passing, *asked_again]])
    refused = [
        answer
        for answer, body in zip(passing, sent, strict=False)
        if body is None or not is_accepted_by_server(entry, body)
    ]
    assert (refused, sent[len(passing) :]) == ([], [None] * len(asked_again))


def test_a_number_is_sent_as_the_review_shows_it(open_modules: Page) -> None:
    """Point or comma, leading plus or spaces: one number, in both places."""
    shown = open_modules.evaluate(
        """async (answers) => {
          const { loadTypes, typeOf } = await import('/client/questionnaire.js');
          const question = { type: 'number' };
          await loadTypes([question]);
          return answers.map((answer) => String(typeOf(question).inWords(question, answer)));
        }""",
        NUMBERS,
    )
    sent = open_modules.evaluate(SENT, [[question("number"), answer] for answer in NUMBERS])
    assert [float(text) for text in shown] == [json.loads(body)["asked"] for body in sent]
