"""Writing a questionnaire in the admin: every type of question, order, options and languages."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.urls import reverse

from surveys.domain.questionnaire.publish import publish
from surveys.domain.questionnaire.write import compose
from surveys.models import Block, Option, Page, Question, Survey
from tests.surveys.admin.pages import (
    add_rows,
    agree,
    entered,
    errors,
    question_page,
    send,
    somebody,
    step,
    survey_page,
    visit,
)
from tests.surveys.making import add_question, make_survey

pytestmark = pytest.mark.django_db


@pytest.fixture
def researcher() -> User:
    return somebody()


def questions(survey: Survey) -> list[dict[str, Any]]:
    return [question for page in compose(survey).source["pages"] for question in page["questions"]]


def test_a_new_survey_begins_with_a_name_and_a_block(researcher: User) -> None:
    """Title, short name and languages are enough; a block waits for the first question."""
    data = {"title": "Health", "slug": "health", "languages": "en zh-hans"}

    response = visit(researcher, reverse("admin:surveys_survey_add"), data)

    survey = Survey.objects.get(slug="health")
    assert response.url == survey_page(survey)
    assert [(block.kind, block.settings) for block in survey.blocks.all()] == [("coin", {"keep": 0.3, "theta": 0.6})]


@pytest.mark.parametrize(
    ("kind", "fields", "options", "asked"),
    [
        ("yesno", {}, [], {}),
        (
            "yesno",
            {},
            [
                {"value": "0", "label:en": "No"},
                {"value": "1", "label:en": "Yes"},
                {"value": "x", "label:en": "Rather not"},
            ],
            {
                "options": [
                    {"value": "0", "label": {"en": "No"}},
                    {"value": "1", "label": {"en": "Yes"}},
                    {"value": "x", "label": {"en": "Rather not"}},
                ]
            },
        ),
        (
            "choice",
            {"shuffle": "on"},
            [{"value": "a", "label:en": "A"}, {"value": "b", "label:en": "B", "last": "on"}],
            {
                "shuffle": True,
                "options": [{"value": "a", "label": {"en": "A"}}, {"value": "b", "label": {"en": "B"}, "last": True}],
            },
        ),
        (
            "several",
            {},
            [{"value": "beer", "label:en": "Beer"}, {"value": "wine", "label:en": "Wine"}],
            {"items": [{"id": "beer", "label": {"en": "Beer"}}, {"id": "wine", "label": {"en": "Wine"}}]},
        ),
        (
            "scale",
            {"minimum": "1", "maximum": "5", "low:en": "Never", "high:en": "Always"},
            [],
            {"min": 1, "max": 5, "ends": {"low": {"en": "Never"}, "high": {"en": "Always"}}},
        ),
        ("number", {"block": "", "minimum": "0", "maximum": "120"}, [], {"min": 0, "max": 120, "sensitive": False}),
        (
            "text",
            {"block": "", "maximum": "80", "required": "on"},
            [],
            {"max": 80, "sensitive": False, "required": True},
        ),
        ("date", {"block": "", "minimum": "2020-01-01"}, [], {"min": "2020-01-01", "sensitive": False}),
    ],
)
def test_every_type_of_question_is_entered(
    researcher: User, kind: str, fields: dict[str, str], options: list[dict[str, str]], asked: dict[str, Any]
) -> None:
    """A row on the survey's page, the rest on the question's own: what is published is what was entered."""
    survey = make_survey(names=("drugs",))
    row = {"identifier": "q", "type": kind, "page": 2, "position": 1, "block": survey.blocks.get().pk, "text:en": "Q?"}
    if "block" in fields:
        row["block"] = ""
    assert errors_or_none(add_rows(researcher, survey_page(survey), "questions", row)) is None
    placed = [{"position": place, **option} for place, option in enumerate(options, 1)]

    response = add_rows(researcher, question_page(survey.questions.get(identifier="q")), "options", *placed, **fields)

    assert errors_or_none(response) is None
    assert questions(survey)[1] == {"id": "q", "type": kind, "sensitive": True, "text": {"en": "Q?"}} | asked


def errors_or_none(response: Any) -> dict[str, list[str]] | None:
    return None if response.status_code == 302 else errors(response)


def test_the_order_is_that_of_the_positions(researcher: User) -> None:
    """Questions, blocks and options stand in the order that was entered."""
    survey = make_survey()

    send(researcher, survey_page(survey), {"questions-0-position": "9"})

    assert [question["id"] for question in questions(survey)] == ["cheating", "theft", "drugs"]


def test_texts_are_kept_in_every_language(researcher: User) -> None:
    """A text has a box for each language; one in a language that was dropped stays with the draft."""
    survey = make_survey(languages="en zh-hans")
    send(researcher, survey_page(survey), {"heading:zh-hans": "研究", "questions-0-text:zh-hans": "毒品?"})

    send(researcher, survey_page(survey), {"languages": "en"})
    send(researcher, survey_page(survey), {"heading:en": "Research"})

    survey.refresh_from_db()
    assert survey.heading == {"en": "Research", "zh-hans": "研究"}
    assert survey.questions.get(identifier="drugs").text == {"en": "drugs?", "zh-hans": "毒品?"}


def test_a_missing_translation_is_named(researcher: User) -> None:
    """What cannot be published yet is said on the page, in one sentence each."""
    survey = make_survey(names=("drugs",), languages="en zh-hans")
    send(researcher, survey_page(survey), {f"{name}:zh-hans": "文" for name in ("heading", "who", "why", "consent")})

    missing = visit(researcher, survey_page(survey)).context_data["missing"]

    assert missing == ["“thanks after sending” has no text in 简体中文.", "“drugs” has no text in 简体中文."]


@pytest.mark.parametrize(
    ("fields", "written"),
    [
        ({"flips": "0.5, 0.3, 0.1, 0.1"}, {"flips": [0.5, 0.3, 0.1, 0.1]}),
        ({"flips": "0.123456789, 0.3, 0.3, 0.276543211"}, {"flips": [0.123456789, 0.3, 0.3, 0.276543211]}),
        ({"gamma": "19", "radius": "1"}, {"gamma": 19.0, "radius": 1}),
    ],
)
def test_flips_are_entered_as_a_table_or_by_gamma(researcher: User, fields: dict[str, str], written: Any) -> None:
    """Both forms of a flip block lead to a design, and the form shows again what was entered."""
    survey = make_survey()
    changes = {f"blocks-0-{name}": value for name, value in {"kind": "flip", **fields}.items()}

    response = send(researcher, survey_page(survey), changes)

    assert response.status_code == 302
    block = Block.objects.get()
    assert block.settings == written
    assert compose(survey).source["design"]["blocks"][0].keys() == {"flips", "items"}
    assert (
        changes.items()
        <= {k: str(v).removesuffix(".0") for k, v in entered(researcher, survey_page(survey)).items()}.items()
    )


def test_a_row_that_was_not_touched_is_not_a_question(researcher: User) -> None:
    """The empty row that a browser may send back with its defaults is left out."""
    survey = make_survey()
    row = {"page": 1, "position": 4, "type": "yesno", "block": survey.blocks.get().pk}

    response = add_rows(researcher, survey_page(survey), "questions", row)

    assert response.status_code == 302
    assert survey.questions.count() == 3


def test_a_long_questionnaire_is_saved(researcher: User) -> None:
    """A hundred and twenty questions are more fields than Django takes unless it is told; errors are not computed."""
    survey = make_survey(names=())
    block = survey.blocks.get()
    names = [f"q{number}" for number in range(120)]
    Question.objects.bulk_create(Question(survey=survey, block=block, identifier=n, text={"en": n}) for n in names)

    response = send(researcher, survey_page(survey), {"blocks-0-ask": "4"})

    assert response.status_code == 302
    (row,) = visit(researcher, survey_page(survey)).context_data["rows"]
    assert (row.asked, row.errors) == ("4 of 120", ["", "", ""])


def test_a_question_is_deleted_on_the_page_of_its_survey(researcher: User) -> None:
    """Ticking Delete removes it, once the page has asked."""
    survey = make_survey()

    agree(researcher, survey_page(survey), send(researcher, survey_page(survey), {"questions-1-DELETE": "on"}))

    assert [question.identifier for question in survey.questions.all()] == ["drugs", "theft"]


def test_saving_a_question_leads_back_to_its_survey(researcher: User) -> None:
    """Questions have no list of their own."""
    survey = make_survey()
    question = Question.objects.filter(survey=survey)[0]

    response = send(researcher, question_page(question), {"help:en": "Any."})

    assert response.url == survey_page(survey)


def test_a_condition_is_chosen_among_earlier_answers(researcher: User) -> None:
    """Only answers of open questions before it are offered, by their words; those that are ticked are published."""
    survey = make_survey(names=("drugs",))
    sex = add_question(survey, "sex", type="choice", page=2, position=1)
    for place, (value, label) in enumerate({"f": "Female", "m": "Male", "a,b": "Comma"}.items()):
        Option.objects.create(question=sex, position=place, value=value, label={"en": label})
    for place, (name, kind) in enumerate(
        {"pet": "yesno", "age": "number", "births": "number", "city": "yesno"}.items(), 2
    ):
        add_question(survey, name, type=kind, page=2, position=place)
    page = question_page(survey.questions.get(identifier="births"))
    offered = visit(researcher, page).context_data["adminform"].form.fields["when"].choices

    response = send(researcher, page, {"when": ["sex=f", "sex=a,b"]})

    assert offered == [
        ("sex=f", "sex: Female"),
        ("sex=m", "sex: Male"),
        ("sex=a,b", "sex: Comma"),
        ("pet=0", "pet: No"),
        ("pet=1", "pet: Yes"),
    ]
    assert response.status_code == 302
    assert questions(survey)[4]["when"] == {"question": "sex", "is": ["f", "a,b"]}
    assert entered(researcher, page)["when"] == ["sex=f", "sex=a,b"]
    send(researcher, page, {"when": []})
    assert "when" not in questions(survey)[4]


def test_a_page_has_a_title_of_its_own(researcher: User) -> None:
    """Entered with the number of its page, published above that page, and shown with the frozen questionnaire."""
    survey = make_survey(names=("drugs",))
    add_question(survey, "city", type="yesno", page=3)

    response = add_rows(researcher, survey_page(survey), "pages", {"position": 3, "title:en": "Where you live"})

    assert response.status_code == 302
    assert [page.get("title") for page in compose(survey).source["pages"]] == [None, {"en": "Where you live"}]
    shown = visit(researcher, reverse("admin:surveys_surveyversion_change", args=[publish(survey).pk])).context_data[
        "questionnaire"
    ]["pages"]
    assert [page["title"] for page in shown] == [{}, {"en": "Where you live"}]


def test_a_page_has_one_title(researcher: User) -> None:
    """A second one is refused at its page, and nothing is saved."""
    survey = make_survey()
    rows = [{"position": 1, "title:en": "First"}, {"position": 1, "title:en": "Second"}]

    response = add_rows(researcher, survey_page(survey), "pages", *rows)

    assert errors(response) == {"pages-1-position": ["Page 1 has a title already."]}
    assert survey.pages.count() == 0


def test_a_title_waits_for_its_questions_and_its_translation(researcher: User) -> None:
    """What would never be shown, or not to everybody, is named before publishing."""
    survey = make_survey(names=("drugs",), languages="en zh-hans")
    for position in (1, 7):
        Page.objects.create(survey=survey, position=position, title={"en": "Title", "zh-hans": "标题"[: position - 1]})

    missing = visit(researcher, survey_page(survey)).context_data["missing"]

    assert [sentence for sentence in missing if "Page" in sentence] == [
        "“Page 1” has no text in 简体中文.",
        "Page 7 has a title and no questions.",
    ]


NEW_BLOCK = {"blocks-TOTAL_FORMS": 2, "blocks-1-name": "Second", "blocks-1-kind": "each", "blocks-1-position": 2}
NEW_BLOCK |= {"blocks-1-keep": "0.5", "blocks-1-theta": "0.5"}


def test_a_question_goes_into_a_block_that_is_entered_with_it(researcher: User) -> None:
    """A new block needs no saving of its own before questions can choose it, stored ones and new ones."""
    survey = make_survey()
    row = {"identifier": "fraud", "type": "yesno", "page": 1, "position": 9, "block": "blocks-1", "text:en": "Fraud?"}

    response = add_rows(
        researcher, survey_page(survey), "questions", row, **NEW_BLOCK, **{"questions-0-block": "blocks-1"}
    )

    assert response.status_code == 302
    second = survey.blocks.get(name="Second")
    assert [question.identifier for question in second.questions.all()] == ["drugs", "fraud"]


def test_the_protection_is_told_with_the_block_that_is_entered(researcher: User) -> None:
    """Before anything is saved the figures are those of both blocks."""
    survey = make_survey()
    changes = entered(researcher, survey_page(survey)) | NEW_BLOCK | {"questions-0-block": "blocks-1"}

    rows = visit(researcher, step(survey, "check"), changes).context_data["rows"]

    assert [(row.name, row.asked) for row in rows] == [("The whole record", "3"), ("all", "2"), ("Second", "1")]


def test_a_block_that_is_taken_away_again_is_no_choice(researcher: User) -> None:
    """The question says so, and is not left open without a word."""
    survey = make_survey()

    response = send(
        researcher, survey_page(survey), {**NEW_BLOCK, "blocks-1-DELETE": "on", "questions-0-block": "blocks-1"}
    )

    assert errors(response)["questions-0-block"] == [
        "Select a valid choice. blocks-1 is not one of the available choices."
    ]
    assert survey.questions.get(identifier="drugs").block == survey.blocks.get()


def test_open_questions_are_not_taken_for_those_of_a_new_block(researcher: User) -> None:
    """A block without questions beside questions without a block: neither says anything of the other."""
    survey = make_survey()
    add_question(survey, "name", page=1, position=9, type="yesno")

    response = send(
        researcher, survey_page(survey), NEW_BLOCK | {"blocks-1-kind": "flip", "blocks-1-flips": "0.7, 0.3"}
    )

    assert response.status_code == 302
    assert list(survey.questions.filter(block=None).values_list("identifier", flat=True)) == ["name"]


@pytest.mark.parametrize("name", ["comprehension", "early", "beside"])
def test_what_respondents_are_told_beyond_the_usual_is_off_until_it_is_ticked(researcher: User, name: str) -> None:
    """Absent from the definition, so that no hash changes; true where the researcher asks for it."""
    survey = make_survey()
    assert name not in compose(survey).source
    send(researcher, survey_page(survey), {name: "on"})
    survey.refresh_from_db()
    assert compose(survey).source[name] is True
