"""What the page of one question refuses: one sentence at the field it belongs to, and nothing is saved."""

from typing import Any

import pytest
from django.contrib.auth.models import User

from surveys.models import Block, Question, Survey
from tests.surveys.admin.pages import add_rows, errors, question_page, somebody
from tests.surveys.admin.refused import NO, OF_QUESTIONS, SECRET, YES, rows
from tests.surveys.making import add_question, make_survey

pytestmark = pytest.mark.django_db


@pytest.fixture
def survey() -> Survey:
    return make_survey()


@pytest.fixture
def researcher() -> User:
    return somebody()


@pytest.mark.parametrize(("options", "changes", "field", "sentence"), OF_QUESTIONS)
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
