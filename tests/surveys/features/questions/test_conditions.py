"""Conditions: the grammar, how many people a question is asked, and what is said of it before it is published."""

import json
from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from privacy.errors import InputError
from surveys.conditions import check_shape, holds, join_conditions, leaves, shares_asked
from surveys.definition import read_question
from surveys.domain.questionnaire.check import complete_definition, refusals, small_groups
from surveys.domain.questionnaire.document import Draft
from surveys.domain.questionnaire.minimum import minimum_of_draft
from surveys.models import Survey
from surveys.questions import PublishedQuestion
from surveys.studio.checklist import checklist
from tests.surveys.making import add_question, make_survey, write

VECTORS = json.loads((Path(__file__).parents[3] / "vectors" / "conditions.json").read_text())
A, B, C = ({"question": name, "is": ["1"]} for name in "abc")


@pytest.mark.parametrize("vector", VECTORS)
def test_a_condition_holds_by_the_answers(vector: dict[str, Any]) -> None:
    """The browser's module has the same cases (tests/client/test_conditions.py)."""
    assert holds(vector["condition"], vector["said"].get) is vector["holds"]


def test_parts_with_the_same_word_are_one_list() -> None:
    """So is what is left when a part goes."""
    assert join_conditions("any", [A, join_conditions("any", [B, C])]) == {"any": [A, B, C]}
    assert join_conditions("all", [A, {"any": [B, C]}]) == {"all": [A, {"any": [B, C]}]}
    assert join_conditions("all", [None, A, None]) == A
    assert join_conditions("all", [None]) is None
    assert leaves({"all": [A, {"any": [B, C]}]}) == [A, B, C]


def nested(deep: int) -> dict[str, Any]:
    return A if deep == 1 else {"all" if deep % 2 else "any": [A, nested(deep - 1)]}


@pytest.mark.parametrize(
    "condition",
    [
        [],
        {},
        {"question": "a"},
        {"question": "a", "is": "1"},
        {"question": "a", "is": [1]},
        {"question": 1, "is": ["1"]},
        {"not": A},
        {"all": [A]},
        {"all": A},
        {"all": [A, B], "any": [A, B]},
        {"any": [A, {"all": [A, None]}]},
        nested(9),
    ],
)
def test_what_is_no_condition_is_refused(condition: Any) -> None:
    with pytest.raises(InputError, match="a condition names a question and answers, or lists conditions"):
        check_shape(condition, "when")


def test_a_condition_that_nobody_can_read_is_refused() -> None:
    """Of more questions, or more answers, than there is room for; the largest ones are taken."""
    check_shape(nested(8), "when")
    check_shape({"any": [A] * 50}, "when")
    for large in ({"any": [A] * 51}, {"question": "a", "is": ["1"] * 1001}):
        with pytest.raises(InputError, match="too many answers for a condition"):
            check_shape(large, "when")


# ---- how many people a question is asked ----------------------------------------------------------------------------


def question(name: str, kind: str = "choice", values: str = "123", **more: Any) -> PublishedQuestion:
    entry: dict[str, Any] = {"id": name, "type": kind, "sensitive": False, "text": {"en": name}, **more}
    if kind == "choice":
        entry["options"] = [{"value": value, "label": {"en": value}} for value in values]
    else:
        entry["items"] = [{"id": item, "label": {"en": item}} for item in ("run", "swim")]
    return read_question(entry, ["en"])


MATRIX = {"min": 1, "max": 3}
QUESTIONS = [
    question("a"),
    question("b", values="12", when=A),
    question("sports", "several"),
    question("food", "matrix", **MATRIX),
]


def every_answer(named: dict[str, list[list[str]]]) -> Iterator[dict[str, set[str]]]:
    """All answers to all questions, each as common as another, as sets of what they say."""
    parts = [(name, part) for name, own in named.items() for part in own]
    for values in product(*(part for _name, part in parts)):
        said: dict[str, set[str]] = {name: set() for name in named}
        for (name, _part), value in zip(parts, values, strict=True):
            said[name].add(value)
        yield said


SAID = {
    "a": [["1", "2", "3"]],
    "b": [["1", "2"]],
    "sports": [["run", "-"], ["swim", "-"]],
    "food": [["run=1", "run=2", "run=3"], ["swim=1", "swim=2", "swim=3"]],
}


@pytest.mark.parametrize(
    "condition",
    [
        {"question": "a", "is": ["1", "3"]},
        B,
        {"all": [A, {"question": "a", "is": ["2"]}]},
        {"any": [A, {"question": "a", "is": ["2"]}]},
        {"all": [{"question": "sports", "is": ["run"]}, {"question": "sports", "is": ["swim"]}]},
        {"question": "sports", "is": ["run", "swim"]},
        {"question": "food", "is": ["run=1", "swim=2", "swim=3"]},
        {"all": [B, {"any": [{"question": "sports", "is": ["swim"]}, {"question": "food", "is": ["swim=3"]}]}]},
        {"any": [{"all": [A, {"question": "food", "is": ["run=1"]}]}, {"question": "food", "is": ["run=2"]}]},
        {"all": [B, {"question": "a", "is": ["2", "3"]}]},
        {"question": "a", "is": []},
    ],
)
def test_how_many_are_asked_is_the_share_of_all_ways_to_answer(condition: dict[str, Any]) -> None:
    """Counted here one by one; who was not asked about b says nothing there."""
    ways = list(every_answer(SAID))
    asked = 0
    for said in ways:
        heard = said if "1" in said["a"] else {**said, "b": set()}
        asked += holds(condition, heard.get)
    shares = shares_asked([*QUESTIONS, question("last", when=condition)])
    assert shares == {"b": Fraction(1, 3), "last": Fraction(asked, len(ways))}


def test_who_is_sent_away_is_asked_nothing_more() -> None:
    """So two of three are left, and an answer that ends the visit leads nowhere."""
    first = question("a", out=["3"])
    to_two = question("x", when={"question": "a", "is": ["2", "3"]})
    to_none = question("y", when={"question": "a", "is": ["3"]})
    assert shares_asked([first, to_two, to_none]) == {"x": Fraction(1, 2), "y": 0}


def test_versions_are_as_common_as_they_are_drawn() -> None:
    drawn = question("a", values="12", chances=[2**30, 3 * 2**30])
    last = question("last", when={"all": [{"question": "a", "is": ["2"]}, {"question": "b", "is": ["1", "3"]}]})
    assert shares_asked([drawn, question("b"), last]) == {"last": Fraction(1, 2)}


def test_a_condition_that_would_take_long_to_judge_is_not_judged() -> None:
    """Two neighbours of twenty-four in a ring, and in a chain of 400 the last, which needs all of them."""
    many = [question(f"q{number}") for number in range(24)]
    parts = [{"question": one.id, "is": ["1"]} for one in many]
    ring = [{"all": [one, other]} for one, other in zip(parts, [*parts[1:], parts[0]], strict=True)]
    chain = [question("c0"), *(question(f"c{n}", when={"question": f"c{n - 1}", "is": ["1"]}) for n in range(1, 400))]
    assert shares_asked([*many, question("last", when={"any": ring})])["last"] is None
    assert shares_asked(chain)["c399"] is None


# ---- what the studio says -------------------------------------------------------------------------------------------


@pytest.fixture
def survey() -> Survey:
    """Three disguised questions, and undisguised ones: a choice of four, and what follows one of its answers."""
    survey = make_survey(least=100)
    add_question(survey, "job", type="choice", options=tuple((value, value) for value in "abcd"))
    add_question(survey, "pay", type="number", when={"question": "job", "is": ["a"]})
    return survey


def test_a_question_to_which_no_answers_lead_is_refused(survey: Survey) -> None:
    """At the question, and when the whole is published; what depends on it falls with it."""
    both = {"all": [{"question": "job", "is": ["a"]}, {"question": "job", "is": ["b"]}]}
    add_question(survey, "why", type="yesno", when=both)
    add_question(survey, "then", type="text", when={"question": "why", "is": ["1"]})
    draft = Draft.load(survey)
    sentence = "No answers lead to this question: nobody would be asked it."
    assert [(str(one.at), one.sentence) for one in refusals(draft)] == [("why", sentence), ("then", sentence)]
    with pytest.raises(InputError, match="No answers lead to this question"):
        complete_definition(draft)


@pytest.mark.parametrize(("expected", "people"), [(399, 99), (400, None), (3, None)])
def test_a_group_that_is_too_small_for_a_report_is_worth_a_look(
    survey: Survey, expected: int, people: int | None
) -> None:
    """A quarter of the people expected, against the hundred that a report needs; of nobody at all it says nothing."""
    write(survey, expected=expected)
    draft = Draft.load(survey)
    found = [("pay", people, 100)] if people else []
    assert [
        (question.id, count, least) for question, count, least in small_groups(draft, minimum_of_draft(draft))
    ] == found
    said = [one.sentence for one in checklist(draft).look if "equally common" in one.sentence]
    sentence = (
        f"If all answers were equally common, {people} of the {expected} people expected would be asked: “pay?”. "
        "Answers are shown of 100 people or more, so these would not be."
    )
    assert said == ([sentence] if people else [])
