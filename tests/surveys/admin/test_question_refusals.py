"""What the page of one question refuses: one sentence at the field it belongs to, and nothing is saved."""

from typing import Any

import pytest
from django.contrib.auth.models import User

from surveys.models import Block, Question, Survey
from tests.surveys.admin.pages import add_rows, errors, question_page, somebody
from tests.surveys.making import add_question, make_survey

pytestmark = pytest.mark.django_db

YES, NO = {"value": "1", "label:en": "Yes"}, {"value": "0", "label:en": "No"}
SECRET = {"value": "secret", "label:en": "I prefer not to say"}
ENTRIES: list[tuple[list[dict[str, str]], dict[str, Any], str, str]] = [
    ([YES], {"type": "choice"}, "options", "A choice needs at least two options."),
    ([YES], {}, "options", "A choice needs at least two options."),
    (
        [{**YES, "noise": "0.5"}, NO],
        {"type": "choice"},
        "options",
        "Give the noise of every option, or of none.",
    ),
    (
        [{**YES, "noise": "0.5"}, {**NO, "noise": "0.6"}],
        {"type": "choice"},
        "options",
        "The shares [0.5, 0.6] sum to 1.1, not to 1.",
    ),
    (
        [{**YES, "value": "a,b"}, NO],
        {"type": "choice"},
        "options",
        "'a,b' is not a label: text without commas, edge spaces or controls.",
    ),
    (
        [{"value": "drugs", "label:en": "Drugs?"}],
        {"type": "several"},
        "options",
        "The name 'drugs' stands for two questions or items.",
    ),
    (
        [{"value": "Drugs", "label:en": "Drugs?"}],
        {"type": "several"},
        "options",
        "A name is a small letter, then up to 39 of a-z, 0-9, - and _.",
    ),
    ([], {"type": "scale", "minimum": "1"}, "minimum", "A scale needs whole numbers min < max, at most 20 apart."),
    ([], {"type": "scale", "minimum": "1", "maximum": "x"}, "maximum", "'x' is not a number."),
    (
        [],
        {"type": "scale", "minimum": "5", "maximum": "1"},
        "minimum",
        "A scale needs whole numbers min < max, at most 20 apart.",
    ),
    (
        [],
        {"type": "scale", "minimum": "1", "maximum": "30"},
        "minimum",
        "A scale needs whole numbers min < max, at most 20 apart.",
    ),
    ([], {"type": "number"}, "minimum", "A disguised number needs a minimum and a maximum."),
    (
        [],
        {"type": "number", "minimum": "0", "maximum": "99"},
        "block",
        "A coin takes answers with options, and no numbers and places.",
    ),
    ([], {"type": "date"}, "block", "This type cannot be disguised; ask a choice or a scale instead."),
    ([], {"type": "number", "block": "", "minimum": "9", "maximum": "1"}, "maximum", "Min 9 is above max 1."),
    ([], {"type": "number", "block": "", "minimum": "many"}, "minimum", "'many' is not a number."),
    (
        [],
        {"type": "text", "block": "", "maximum": "5000"},
        "maximum",
        "A text has only max, its length, from 1 to 4000.",
    ),
    (
        [],
        {"type": "date", "block": "", "minimum": "yesterday"},
        "minimum",
        "Min and max of a date are written YYYY-MM-DD.",
    ),
    ([], {"minimum": "1"}, "minimum", "This type has neither min nor max."),
    *(
        (
            [YES, NO],
            {"type": kind, "block": "", "minimum": low, "maximum": high},
            "options",
            "This type has no options: delete them, or choose another type.",
        )
        for kind, low, high in (("scale", "1", "5"), ("text", "", "80"), ("number", "", ""), ("date", "", ""))
    ),
    (
        [{**YES, "noise": "0.5"}, {**NO, "noise": "0.5"}],
        {"type": "choice", "block": ""},
        "options",
        "Noise is for answers under a coin: leave it empty.",
    ),
    ([], {"block": "", "theta": "0.5"}, "theta", "θ is for yes/no answers under a coin: leave it empty."),
    (
        [],
        {"type": "scale", "minimum": "1", "maximum": "5", "theta": "0.5"},
        "theta",
        "θ is for yes/no answers under a coin: leave it empty.",
    ),
    ([], {"theta": "1.2"}, "theta", "Ensure this value is less than or equal to 1.0."),
    ([], {"theta": "1e-12"}, "theta", "1e-12 is nearer to 0 than the steps of 2^-32 can tell."),
    ([], {"when": ["city=1"]}, "when", "A condition joins an open question to an earlier open one."),
    (
        [],
        {"block": "", "when": ["drugs=1"]},
        "when",
        "Select a valid choice. drugs=1 is not one of the available choices.",
    ),
    (
        [],
        {"block": "", "when": ["city=berlin"]},
        "when",
        "Select a valid choice. city=berlin is not one of the available choices.",
    ),
    (
        [],
        {"block": "", "when": ["city=1", "pet=1"]},
        "when",
        "A condition looks back at one question: tick answers of one only.",
    ),
    ([], {"identifier": "drugs"}, "identifier", "Another question of this survey has this name."),
]


@pytest.fixture
def survey() -> Survey:
    return make_survey()


@pytest.fixture
def researcher() -> User:
    return somebody()


def rows(*options: dict[str, Any]) -> list[dict[str, Any]]:
    return [{"position": place, **option} for place, option in enumerate(options, 1)]


@pytest.mark.parametrize(("options", "changes", "field", "sentence"), ENTRIES)
def test_an_entry_is_refused_at_its_field(
    researcher: User, survey: Survey, options: list[dict[str, Any]], changes: dict[str, Any], field: str, sentence: str
) -> None:
    """Every refusal is shown where it can be mended, and what was stored stays as it was."""
    for place, name in enumerate(("city", "pet"), 4):
        add_question(survey, name, page=1, position=place, type="yesno")
    question = add_question(survey, "asked", block=survey.blocks.get(), page=1, position=6)
    before = Question.objects.filter(pk=question.pk).values().get()

    response = add_rows(researcher, question_page(question), "options", *rows(*options), **changes)

    assert errors(response) == {field: [sentence]}
    assert Question.objects.filter(pk=question.pk).values().get() == before
    assert question.options.count() == 0


def test_a_question_that_its_block_has_no_room_for_is_refused_at_its_block(researcher: User, survey: Survey) -> None:
    """The numbers of a block say how many items it has; who adds one more hears so where the block is chosen."""
    flips = Block.objects.create(survey=survey, name="Flips", kind="flip", settings={"flips": [0.5, 0.5]})
    add_question(survey, "first", block=flips, page=1, position=4)
    question = add_question(survey, "second", page=1, position=5)

    response = add_rows(researcher, question_page(question), "options", block=str(flips.pk))

    assert errors(response) == {
        "block": [
            "“Flips”: 2 shares do not say how likely 0 to 2 of 2 answers are turned over; give 3 shares that sum to 1."
        ]
    }


@pytest.mark.parametrize(
    "options",
    [(NO, YES, SECRET), ({"value": "n", "label:en": "No"}, {"value": "y", "label:en": "Yes"}), (YES, NO)],
    ids=["three", "values of its own", "the other order"],
)
def test_a_flip_block_takes_yes_and_no(researcher: User, survey: Survey, options: tuple[dict[str, str], ...]) -> None:
    """A choice has no opposite that could be sent in its place; options are 0 and 1, in this order."""
    flips = Block.objects.create(survey=survey, name="Flips", kind="flip", settings={"gamma": 19, "radius": 0})
    question = add_question(survey, "asked", block=flips)

    response = add_rows(researcher, question_page(question), "options", *rows(*options))

    assert errors(response) == {"block": ["A flip block takes yes/no answers only."]}


@pytest.mark.parametrize("kind", ["choice", "scale"])
def test_a_flip_block_takes_no_other_question_that_is_still_to_be_entered(
    researcher: User, survey: Survey, kind: str
) -> None:
    """Its options or its ends would not make it fit, so it does not wait for them."""
    flips = Block.objects.create(survey=survey, name="Flips", kind="flip", settings={"gamma": 19, "radius": 0})
    question = add_question(survey, "asked", block=flips)

    response = add_rows(researcher, question_page(question), "options", type=kind)

    assert errors(response) == {"block": ["A flip block takes yes/no answers only."]}


def test_moving_a_question_keeps_what_depends_on_it(researcher: User, survey: Survey) -> None:
    """A question is not moved behind one whose condition looks back at it; the sentence names that one."""
    sex = add_question(survey, "sex", page=2, position=1, type="yesno")
    add_question(survey, "pregnant", page=2, position=2, type="yesno", when_question="sex", when_values="1")

    response = add_rows(researcher, question_page(sex), "options", page="3")

    assert errors(response) == {"__all__": ["“pregnant”: A condition joins an open question to an earlier open one."]}


def test_a_block_of_another_survey_is_no_choice(researcher: User, survey: Survey) -> None:
    """A question is disguised by a block of its own survey."""
    other = make_survey("other").blocks.get()

    response = add_rows(researcher, question_page(survey.questions.all()[0]), "options", block=str(other.pk))

    assert errors(response) == {
        "block": ["Select a valid choice. That choice is not one of the available choices."],
    }
