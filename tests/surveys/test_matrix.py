"""Statements on one scale: what may be published, entered, sent and stored of them."""

import json
from typing import Any

import pytest
from django.test import Client

from privacy.errors import InputError
from surveys.definition import Definition, asked_items, read_question
from surveys.domain.questionnaire.check import answers_before, missing, refusals
from surveys.domain.questionnaire.document import Draft
from surveys.domain.questionnaire.publish import publish
from surveys.features.questions import check_references
from surveys.models import Survey
from surveys.questions import type_of
from surveys.studio.protocol import questionnaire
from tests.surveys.documents import WORDS, document, options, question
from tests.surveys.inbox import responses_waiting
from tests.surveys.making import (
    add_block,
    add_question,
    compose_draft,
    drop_questions,
    edit_draft,
    find_in,
    make_survey,
    set_block,
)
from tests.surveys.sending import send, submission

STATEMENTS = [{"id": "taste", "label": WORDS}, {"id": "price", "label": WORDS}]
OPEN = question("canteen", "matrix", items=STATEMENTS, min=1, max=5)


def fits(entry: dict[str, Any], answer: object) -> bool:
    read = read_question(entry, ["en"])
    return type_of(read).fits(read, answer)


@pytest.mark.parametrize(
    ("fields", "rule"),
    [
        ({"min": 1, "max": 5}, "list the items"),
        ({"items": STATEMENTS}, "whole numbers"),
        ({"items": STATEMENTS, "min": 5, "max": 5}, "whole numbers"),
        ({"items": STATEMENTS, "options": options("a", "a")}, "needs a different value"),
        ({"items": STATEMENTS, "options": options("a", "b"), "min": 1, "max": 2}, "or points of its own"),
        ({"items": STATEMENTS, "options": options("a", "b"), "ends": {"low": WORDS, "high": WORDS}}, "or points of"),
        ({"items": [{"id": "Taste", "label": WORDS}], "min": 1, "max": 2}, "small letter"),
        ({"items": [{"id": "drugs", "label": WORDS}], "min": 1, "max": 2}, "two questions or items"),
    ],
)
def test_a_wrong_matrix_is_refused_with_the_rule_it_breaks(fields: dict[str, Any], rule: str) -> None:
    """Statements, and one scale for all of them."""
    with pytest.raises(InputError, match=rule):
        Definition.parse(document(question("canteen", "matrix", **fields)))


def test_an_answer_names_statements_and_their_points() -> None:
    """Some of the statements, or all where an answer is required; nothing else is taken."""
    required = OPEN | {"required": True}
    assert fits(OPEN, {"price": "1"})
    assert fits(required, {"price": "1", "taste": "5"})
    assert not fits(required, {"price": "1"})
    for wrong in ({}, {"price": "6"}, {"price": 1}, {"queue": "1"}, ["price"], "1", None, {"price": ["1"]}):
        assert not fits(OPEN, wrong), wrong


def test_a_condition_names_a_statement_and_a_point() -> None:
    """What hangs on one statement's answer; a point that the scale has not is refused."""
    matrix = read_question(OPEN, ["en"])
    known = [read_question(question("x", "yesno", when={"question": "canteen", "is": ["price=5"]}), ["en"])]
    unknown = [read_question(question("x", "yesno", when={"question": "canteen", "is": ["price=6"]}), ["en"])]
    check_references((matrix, *known))
    with pytest.raises(InputError, match="an option of 'canteen'"):
        check_references((matrix, *unknown))


def add_matrix(survey: Survey, block: str | None = None, points: tuple[str, ...] = (), **fields: Any) -> None:
    options = tuple((value, value.title()) for value in ("boss", "rules", *points))
    add_question(survey, "work", type="matrix", block=block, options=options, **{"page": 2, **fields})


STEPS = {"min": "1", "max": "3"}


@pytest.mark.parametrize(
    ("fields", "points", "scale"),
    [
        (STEPS, (), {"min": 1, "max": 3}),
        (STEPS | {"low": {"en": "no"}}, (), {"min": 1, "max": 3, "ends": {"low": {"en": "no"}, "high": {"en": ""}}}),
        ({}, ("1", "2"), {"options": [{"value": value, "label": {"en": value}} for value in "12"]}),
    ],
    ids=["steps", "words at the ends", "points of its own"],
)
def test_rows_are_statements_and_points(fields: dict[str, Any], points: tuple[str, ...], scale: dict[str, Any]) -> None:
    """A row with a name is a statement, one with a number a point of the scale."""
    survey = make_survey()
    add_matrix(survey, None, points, **fields)

    (entry,) = compose_draft(survey).source["pages"][1]["questions"]

    assert entry == {
        "id": "work",
        "type": "matrix",
        "sensitive": False,
        "text": {"en": "work?"},
        "items": [{"id": "boss", "label": {"en": "Boss"}}, {"id": "rules", "label": {"en": "Rules"}}],
        **scale,
    }


@pytest.mark.parametrize(("kind", "settings"), [("coin", {}), ("each", {}), ("each", {"ask": 2}), ("coin", {"ask": 1})])
@pytest.mark.parametrize(("fields", "points"), [(STEPS, ()), ({}, ("1", "2", "9"))])
def test_every_statement_is_an_item_of_a_block_that_takes_a_scale(
    survey: Survey, kind: str, settings: dict[str, Any], fields: dict[str, Any], points: tuple[str, ...]
) -> None:
    """With its own name in records and the points as its options, in the order of the questionnaire."""
    add_matrix(survey, add_block(survey, "work", kind, {"keep": 0.1} | settings), points, **fields)

    definition = publish(survey).parsed

    asked = tuple(points or ("1", "2", "3"))
    assert dict(asked_items(definition.questions[-1])) == {"boss": asked, "rules": asked}
    assert [(item.id, item.options) for item in definition.design.items][3:] == [("boss", asked), ("rules", asked)]


def test_statements_to_answer_by_yes_and_no_may_be_turned_over(survey: Survey) -> None:
    """Points 0 and 1 are yes/no items, which a flip block takes too."""
    add_matrix(survey, add_block(survey, "flips", "flip", {"gamma": 2, "radius": 0}), ("0", "1"))
    assert compose_draft(survey).source["design"]["blocks"][1]["items"] == [
        {"id": "boss", "options": ["0", "1"]},
        {"id": "rules", "options": ["0", "1"]},
    ]


def test_points_may_have_noise_of_their_own(survey: Survey) -> None:
    """The same for every statement."""
    add_matrix(survey, add_block(survey, "work", settings={"keep": 0.2}), ("1", "2"))
    with edit_draft(survey) as document:
        for option, noise in zip(find_in(document, "work")["options"][2:], (0.75, 0.25), strict=True):
            option["settings"] = {"noise": noise}

    design = compose_draft(survey).source["design"]

    assert [item["noise"] for item in design["blocks"][1]["items"]] == [[3 * 2**30, 2**30]] * 2


@pytest.mark.parametrize(
    ("rows", "changes", "sentence"),
    [
        (
            [{"value": "1"}, {"value": "2"}],
            STEPS,
            "The scale is either min to max with words at its ends, or points of its own.",
        ),
        (
            [{"value": "more", "settings": {"noise": 0.5}}],
            STEPS,
            "Noise belongs to the points of the scale, not to a statement.",
        ),
    ],
)
def test_a_matrix_is_refused_in_one_sentence(
    survey: Survey, rows: list[dict[str, Any]], changes: dict[str, Any], sentence: str
) -> None:
    """Which says what to mend: what is the same of any scale stands in test_refusals.py."""
    add_matrix(survey, "all")
    with edit_draft(survey) as document:
        asked = find_in(document, "work")
        asked |= changes
        asked["options"] += [{"label": {"en": "Words"}, "last": False, "settings": {}, **row} for row in rows]
    assert [one.sentence for one in refusals(Draft.load(survey))] == [sentence]


def test_what_is_missing_of_a_matrix_is_said(survey: Survey) -> None:
    """Its statements, and then its scale."""
    add_question(survey, "work", type="matrix", page=2)
    first = missing(Draft.load(survey))
    drop_questions(survey, "work")
    add_question(survey, "work", type="matrix", page=2, options=(("boss", "Boss"),))
    assert (first, missing(Draft.load(survey))) == (["“work?” has no statements yet."], ["“work?” has no ends yet."])


def test_the_form_offers_every_answer_of_a_statement_as_a_condition(survey: Survey) -> None:
    """Named by the words of the statement and of the point."""
    add_matrix(survey, None, ("1", "2"))
    offered = [
        (
            value,
            type_of(read_question(compose_draft(survey).source["pages"][1]["questions"][0], ["en"])).answer_text(
                entered, value, "en"
            ),
        )
        for entered, value in answers_before(Draft.load(survey))
    ]
    assert offered == [
        ("boss=1", "Boss: 1"),
        ("boss=2", "Boss: 2"),
        ("rules=1", "Rules: 1"),
        ("rules=2", "Rules: 2"),
    ]


def test_the_published_page_lists_the_statements_and_then_the_points(survey: Survey) -> None:
    """As a reader of the questionnaire looks for them."""
    add_matrix(survey, None, ("1", "2"))
    listed = questionnaire(compose_draft(survey).source)["pages"][1]["questions"][0]
    assert [(value, words["en"]) for value, words, _last in listed["options"]] == [
        ("boss", "Boss"),
        ("rules", "Rules"),
        ("1", "1"),
        ("2", "2"),
    ]


def test_disguised_and_open_answers_arrive_and_are_kept(survey: Survey, client: Client) -> None:
    """Codes of the points in the record, an object in the undisguised answers; what depends on a statement arrives
    with it.
    """
    add_matrix(survey, "all", page=1, at=0, **STEPS)
    options = (("taste", "taste"), ("price", "price"))
    add_question(survey, "canteen", type="matrix", page=2, required=True, options=options, **STEPS)
    when = {"question": "canteen", "is": ["price=1", "price=2"]}
    add_question(survey, "dear", type="text", page=2, when=when)
    set_block(survey, settings={"keep": 0.1, "theta": 0.6})
    version = publish(survey)
    record = [2 if len(item.options) == 3 else 1 for item in version.design.items]

    kept = [
        send(client, "study", submission(version, record=record, open={"canteen": answer, **more})).status_code
        for answer, more in (
            ({"taste": "1", "price": "2"}, {"dear": "all"}),
            ({"taste": "1", "price": "3"}, {}),
            ({"taste": "1", "price": "3"}, {"dear": "all"}),
            ({"taste": "1"}, {}),
        )
    ]

    assert kept == [201, 201, 422, 422]
    assert {json.loads(waits.open)["canteen"]["price"] for waits in responses_waiting(version)} == {"2", "3"}
