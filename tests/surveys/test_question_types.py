"""A type of question stands in one place: nobody else asks which it is, and every one keeps its promises."""

import ast
import json
import re
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st

from surveys.definition import Definition, read_question
from surveys.models import Survey
from surveys.questions import TYPES
from tests.surveys.making import add_block, add_question, compose_draft, make_survey, set_question

ROOT = Path(__file__).parents[2]
PYTHON = [
    path
    for folder in ("surveys", "mining", "config", "candor", "privacy")
    for path in sorted((ROOT / folder).rglob("*.py"))
    if not path.is_relative_to(ROOT / "surveys" / "questions") and "migrations" not in path.parts
]
BROWSER = [
    path
    for folder, ending in (("surveys", "*.js"), ("surveys", "*.html"), ("templates", "*.html"), ("privacy", "*.js"))
    for path in sorted((ROOT / folder).rglob(ending))
    if not {"vendor", "questions"} & set(path.relative_to(ROOT).parts)
]


def names_in(node: ast.AST | None) -> set[str]:
    """The types that a literal names, alone or in a list."""
    parts = node.elts if isinstance(node, ast.Tuple | ast.List | ast.Set) else [node]
    return {str(part.value) for part in parts if isinstance(part, ast.Constant)} & TYPES.keys()


def comparisons(source: str) -> Iterator[tuple[int, str]]:
    """Line and names wherever something is compared with names of types: by operators, cases, or keys of a dict."""
    if not re.search(rf"""["'](?:{"|".join(TYPES)})["']""", source):
        return
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Compare):
            compared = [names_in(part) for part in (node.left, *node.comparators)]
        elif isinstance(node, ast.MatchValue):
            compared = [names_in(node.value)]
        elif isinstance(node, ast.Dict) and len(names := {name for key in node.keys for name in names_in(key)}) > 1:
            compared = [names]
        else:
            continue
        yield from ((node.lineno, name) for names in compared for name in sorted(names))


@pytest.mark.parametrize(
    "source",
    [
        "question.type == 'scale'",
        "kind in ('yesno', 'choice')",
        "match kind:\n    case 'several': pass",
        "{'number': read, 'date': look}[question.type]",
    ],
)
def test_a_comparison_is_seen(source: str) -> None:
    """Each way of asking which type it is."""
    assert list(comparisons(source))


def test_nobody_else_asks_which_type_a_question_is() -> None:
    """In Python, what differs between types stands in their modules."""
    seen = [
        f"{path.relative_to(ROOT)}:{line}: {name}"
        for path in PYTHON
        for line, name in comparisons(path.read_text(encoding="utf-8"))
    ]
    assert seen == []


def test_nobody_asks_of_which_class_a_display_is() -> None:
    """A new display stands wherever the others do: all that is asked of it is what `Display` asks."""
    displays = {"Shares", "Histogram", "Texts", "PlaceMap"}
    seen = [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for path in PYTHON
        if any(name in (source := path.read_text(encoding="utf-8")) for name in displays)
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id == "isinstance"
        and any(isinstance(part, ast.Name) and part.id in displays for part in ast.walk(node.args[1]))
    ]
    assert seen == []


def test_nobody_else_asks_it_in_the_browser_or_in_templates() -> None:
    """There no string beside the types' own modules is compared with the name of one."""
    named = "|".join(TYPES)
    asked = re.compile(
        rf"""(?:===?|!==?|case|includes\()\s*\[?['"](?:{named})['"]|['"](?:{named})['"]\s*(?:,\s*['"](?:{named})|===?|!==?)"""
    )
    seen = [
        f"{path.relative_to(ROOT)}: {match.group()}"
        for path in BROWSER
        for match in asked.finditer(path.read_text(encoding="utf-8"))
    ]
    assert seen == []


def every_type() -> Survey:
    """A draft with every type of question, sensitive where it can be, and open with all that may be said of it."""
    survey = make_survey()
    add_block(survey, "flips", "flip", {"flips": [0.5, 0.3, 0.2]})
    add_question(survey, "role", at=2, type="choice", block="all", shuffle=True)
    add_question(survey, "trust", type="scale", block="all", min="-1", max="3", low={"en": "none"})
    add_question(survey, "drinks", type="several", block="flips", help={"en": "Tick.", "fr": "Cochez."})
    add_question(survey, "told", type="yesno", block="all")
    open_ones: dict[str, dict[str, Any]] = {
        "job": {"type": "yesno", "required": True},
        "sports": {"type": "several", "when": {"question": "job", "is": ["1"]}},
        "city": {"type": "choice", "when": {"question": "sports", "is": ["run", "swim"]}},
        "mood": {"type": "scale", "min": "0", "max": "10"},
        "hours": {"type": "number", "min": "0.5", "max": "80"},
        "since": {"type": "date", "min": "2000-01-01"},
        "remark": {"type": "text", "max": "300"},
        "word": {"type": "text"},
    }
    for name, fields in open_ones.items():
        add_question(survey, name, **fields, page=3)
    rows = {
        "role": ("a", "b", "secret"),
        "told": ("1", "0", "secret"),
        "drinks": ("beer", "wine"),
        "sports": ("run", "swim"),
        "city": ("x", "y,z"),
    }
    for name, values in rows.items():
        options = [
            {
                "value": value,
                "label": {"en": value.title()},
                "last": value == "secret",
                "settings": {"noise": (0.5, 0.3, 0.2)[place]} if name == "role" else {},
            }
            for place, value in enumerate(values)
        ]
        set_question(survey, name, options=options)
    return survey


def test_what_is_published_of_every_type_stays_the_same_to_the_byte() -> None:
    """Links name a questionnaire by its hash: a draft gives the same bytes, and they say the same when read back."""
    frozen = compose_draft(every_type()).to_bytes()
    assert Definition.parse(frozen).to_bytes() == frozen
    assert sha256(frozen).hexdigest() == "952dab0959ca2ab06ce181b43df0bd87597ed435b411a9cd677cf1f19d49ad4e"


OF_EACH = {  # questions with their answers
    "yesno": ({"options": [{"value": value, "label": {}} for value in ("0", "1", "no say")]}, st.just("no say")),
    "choice": ({"options": [{"value": value, "label": {}} for value in ('a"', "高")]}, st.sampled_from(['a"', "高"])),
    "several": (
        {"items": [{"id": value, "label": {}} for value in ("beer", "wine")]},
        st.sampled_from([[], ["wine"], ["beer", "wine"]]),
    ),
    "scale": ({"min": -2, "max": 11}, st.integers(-2, 11).map(str)),
    "ranking": (
        {"items": [{"id": value, "label": {}} for value in ("beer", "wine", "water")]},
        st.permutations(["1", "2", "3"]).map(lambda places: dict(zip(("beer", "wine", "water"), places, strict=True))),
    ),
    "number": ({}, st.integers(-(10**15), 10**15) | st.floats(-1e15, 1e15)),
    "text": ({"max": 9}, st.text(st.characters(exclude_categories=("Cc", "Cs")), min_size=1, max_size=4)),
    "date": ({}, st.dates().map(str)),
}


@pytest.mark.parametrize("name", OF_EACH)
@given(data=st.data())
def test_an_answer_that_fits_is_not_longer_than_its_type_says(name: str, data: st.DataObject) -> None:
    """Every submission is padded to one size, so that its length tells nothing of the answers."""
    fields, answers = OF_EACH[name]
    asked = read_question({"id": "asked", "type": name, "sensitive": False, "text": {}, **fields}, [])
    answer = data.draw(answers)
    sent = json.dumps(answer, separators=(",", ":"), ensure_ascii=False).encode()
    assert TYPES[name].fits(asked, answer)
    assert len(sent) <= TYPES[name].longest(asked)


@given(st.text(st.characters(exclude_categories=("Cs",)), min_size=1, max_size=4))
def test_no_text_is_taken_that_is_longer_once_it_is_written(answer: str) -> None:
    """Control characters take six bytes in JSON: lines and tabs are taken, and what no keyboard writes is refused."""
    asked = read_question({"id": "asked", "type": "text", "sensitive": False, "text": {}, "max": 8}, [])

    sent = json.dumps(answer, separators=(",", ":"), ensure_ascii=False).encode()

    assert TYPES["text"].fits(asked, answer) == all(letter >= " " or letter in "\t\n\r" for letter in answer)
    assert not TYPES["text"].fits(asked, answer) or len(sent) <= TYPES["text"].longest(asked)


MADE_UP: list[tuple[str, dict[str, Any]]] = [
    *((name, fields) for name, (fields, _answers) in OF_EACH.items()),
    (
        "matrix",
        {"items": [{"id": value, "label": {}} for value in ("here", "there")], "min": 1, "max": 5, "required": True},
    ),
    *(
        ("number", ends)
        for ends in (
            {"min": 0.25, "max": 0.75},
            {"min": 1000.5},
            {"min": 7.5, "max": 8.5},
            {"max": -3},
            {"min": 10**15},
            {"min": -(10**15), "max": 10**15},
        )
    ),
    *(
        ("date", ends)
        for ends in (
            {"min": "2026-03-01", "max": "2026-03-01"},
            {"min": "9999-12-30"},
            {"max": "0001-01-02"},
            {"min": "2030-01-01"},
        )
    ),
]


@pytest.mark.parametrize(("name", "fields"), MADE_UP)
def test_what_a_type_makes_up_fits_the_question(name: str, fields: dict[str, Any]) -> None:
    """A draft is tried on people who answer all its undisguised questions, but those that want words."""
    asked = read_question({"id": "asked", "type": name, "sensitive": False, "text": {}, **fields}, [])
    chance = np.random.default_rng(11)

    answers = [TYPES[name].simulate(asked, chance) for _ in range(200)]

    assert [answer for answer in answers if not TYPES[name].fits(asked, answer)] == (
        [None] * 200 if name == "text" else []
    )
    json.dumps(answers)  # plain values, as a submission holds them


def test_every_type_that_may_be_open_is_tried() -> None:
    """A place is always disguised, so that nobody answers it openly."""
    assert {name for name, _fields in MADE_UP} == TYPES.keys() - {"place"}


def test_no_number_is_made_up_that_nobody_may_answer() -> None:
    """Above the largest number that is taken there is none; the question is left out."""
    asked = read_question({"id": "x", "type": "number", "sensitive": False, "text": {}, "min": 10**15 + 1}, [])

    assert TYPES["number"].simulate(asked, np.random.default_rng(0)) is None
