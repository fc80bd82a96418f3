"""What the page of a survey refuses: one sentence at the field it belongs to, and nothing is saved."""

import pytest
from django.contrib.auth.models import User

from surveys.domain.questionnaire.write import Draft, compose_design
from surveys.models import Block, Survey
from tests.surveys.admin.pages import add_rows, errors, question_page, send, somebody, survey_page, visit
from tests.surveys.admin.refused import FLIP, OF_SURVEYS
from tests.surveys.making import add_question, make_survey

pytestmark = pytest.mark.django_db


@pytest.fixture
def survey() -> Survey:
    return make_survey()


@pytest.fixture
def researcher() -> User:
    return somebody()


@pytest.mark.parametrize(("changes", "field", "sentence"), OF_SURVEYS)
def test_an_entry_is_refused_at_its_field(
    researcher: User, survey: Survey, changes: dict[str, str], field: str, sentence: str
) -> None:
    """Every refusal is shown where it can be mended, alone, and what was stored stays as it was."""
    before = list(Block.objects.values()), list(survey.questions.values()), list(Survey.objects.values())

    response = send(researcher, survey_page(survey), changes)

    shown = errors(response)
    assert shown[field] == [sentence]
    assert (list(Block.objects.values()), list(survey.questions.values()), list(Survey.objects.values())) == before


def test_a_name_is_given_once(researcher: User, survey: Survey) -> None:
    """Two questions cannot have one name in records."""
    row = {"identifier": "drugs", "type": "yesno", "page": 1, "position": 9}

    response = add_rows(researcher, survey_page(survey), "questions", row)

    assert errors(response)["questions"] == ["Please correct the duplicate data for identifier."]
    assert survey.questions.count() == 3


def test_an_empty_block_is_checked_by_its_own_numbers(researcher: User, survey: Survey) -> None:
    """Numbers that no questions could make right are refused before there are questions."""
    row = {"name": "B", "kind": "flip", "flips": "0.9, 0.9", "position": 2}

    response = add_rows(researcher, survey_page(survey), "blocks", row)

    assert errors(response) == {"blocks-1-flips": ["The shares [0.9, 0.9] sum to 1.8, not to 1."]}


def test_an_empty_block_may_speak_of_questions_to_come(researcher: User, survey: Survey) -> None:
    """A block is entered before its questions, and may already say how many of them are asked."""
    row = {"name": "B", "kind": "coin", "keep": "0.3", "theta": "0.6", "ask": "4", "position": 2}

    response = add_rows(researcher, survey_page(survey), "blocks", row)

    assert response.status_code == 302
    assert survey.blocks.get(name="B").settings["ask"] == 4


@pytest.mark.parametrize(
    "numbers",
    [
        {"blocks-0-ask": "4"},
        {**FLIP, "blocks-0-flips": "0.4, 0.3, 0.2, 0.1, 0"},
        {**FLIP, "blocks-0-gamma": "19", "blocks-0-radius": "3"},
    ],
    ids=["ask", "flips", "radius"],
)
def test_a_block_may_wait_for_more_questions(researcher: User, survey: Survey, numbers: dict[str, str]) -> None:
    """Questions are added one by one: numbers that speak of more than there are yet are saved, and said to be so."""
    response = send(researcher, survey_page(survey), numbers)

    assert response.status_code == 302
    shown = visit(researcher, survey_page(survey)).context_data
    waits = "“all” speaks of 4 items and has 3 so far."
    assert (shown["missing"], shown["refused"]) == ([waits], waits)


def test_a_block_with_questions_stays(researcher: User, survey: Survey) -> None:
    """Deleting a block would leave its questions undisguised."""
    response = send(researcher, survey_page(survey), {"blocks-0-DELETE": "on"})

    assert response.status_code == 200
    assert survey.blocks.count() == 1


@pytest.mark.parametrize(
    ("kind", "sentence"),
    [
        ("choice", "“age” has no options yet."),
        ("several", "“age” has no options yet."),
        ("scale", "“age” has no ends yet."),
    ],
)
def test_what_a_row_has_no_room_for_may_wait(researcher: User, survey: Survey, kind: str, sentence: str) -> None:
    """Options and ends are entered on the question's own page, so its row is saved without."""
    block = survey.blocks.get()
    row = {"identifier": "age", "type": kind, "page": 1, "position": 9, "block": block.pk, "text:en": "Age?"}

    response = add_rows(researcher, survey_page(survey), "questions", row)

    assert response.status_code == 302
    assert visit(researcher, survey_page(survey)).context_data["missing"] == [sentence]


def test_a_condition_looks_back_at_open_questions(researcher: User, survey: Survey) -> None:
    """Moving a question behind the one that depends on it is refused at the question that loses its ground."""
    add_question(survey, "sex", page=2, position=1, type="yesno")
    add_question(survey, "pregnant", page=2, position=2, type="yesno", when_question="sex", when_values="1")

    response = send(researcher, survey_page(survey), {"questions-3-position": "3"})

    assert errors(response) == {"questions-4-__all__": ["A condition joins an open question to an earlier open one."]}


@pytest.mark.parametrize("numbers", [{"flips": "0.5, 0.3, 0.2"}, {"gamma": "19", "radius": "1"}])
def test_flips_wait_for_the_items_of_a_question_that_has_none_yet(researcher: User, numbers: dict[str, str]) -> None:
    """The items are entered on the question's own page, and it is saved before: its block is not refused for that."""
    survey = make_survey(names=("drugs",))
    block = survey.blocks.get()
    row = {"page": 1, "position": 2, "identifier": "drinks", "type": "several", "block": block.pk, "text:en": "Which?"}
    flips = {"blocks-0-kind": "flip", **{f"blocks-0-{name}": value for name, value in numbers.items()}}

    saved = add_rows(researcher, survey_page(survey), "questions", row, **flips)
    items = add_rows(
        researcher,
        question_page(survey.questions.get(identifier="drinks")),
        "options",
        {"position": 1, "value": "beer", "label:en": "Beer"},
    )

    assert (saved.status_code, items.status_code) == (302, 302)
    assert len(compose_design(Draft.stored(survey)).items) == 2
