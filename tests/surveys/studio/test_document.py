"""All of a draft as JSON: what no other page asks is set there, and what is wrong is said with its place."""

import json
from typing import Any

import pytest
from django.test import Client

from surveys.domain.drafts import history
from surveys.domain.drafts.history import Editor
from surveys.domain.drafts.names import option_value
from surveys.domain.drafts.protect import HAND, usual
from surveys.domain.questionnaire.closing import close
from surveys.domain.questionnaire.document import Document, empty, read_document
from surveys.domain.questionnaire.publish import publish
from surveys.models import Survey
from tests.cases import every
from tests.surveys.making import make_survey
from tests.surveys.staff import somebody


@pytest.fixture
def ann() -> Editor:
    return Editor(somebody(), "tab-1", 10**6)


@pytest.fixture
def own(client: Client, ann: Editor) -> Client:
    client.force_login(ann.user)
    return client


@pytest.fixture
def survey(ann: Editor) -> Survey:
    survey = Survey.objects.create(slug="new", title="New")
    history.begin(survey, empty("New", ["en"]) | {"protection": usual()})
    history.change(survey, ann, {"do": "add", "type": "choice", "lines": "What?", "sensitive": True})
    return survey


def put(own: Client, survey: Survey, text: str, base: int | None = None) -> Any:
    page = f"/staff/studio/{survey.pk}/document/"
    seen = own.get(page).context["form"]["base"].value() if base is None else base
    return own.post(page, {"base": seen, "document": text})


def by_hand(document: Document) -> Document:
    """With a value of an option and a block as no other page writes them."""
    (question,) = document["pages"][0]["questions"]
    question["options"] = [
        {"value": value, "label": {"en": value}, "last": value == "none", "settings": {"noise": noise}}
        for value, noise in (("one", 0.25), ("none", 0.75))
    ]
    block = {"name": "Mine", "kind": "coin", "settings": {"keep": 0.4}, "questions": [question["id"]]}
    return {**document, "blocks": [block], "protection": {"by": HAND}, "title": "Another"}


def test_what_is_written_there_is_the_draft_and_can_be_undone(own: Client, survey: Survey, ann: Editor) -> None:
    """Options, noise, blocks and their names; the working title stays."""
    before = read_document(survey)
    after = by_hand(read_document(survey))

    answer = put(own, survey, json.dumps(after))

    assert answer["Location"] == f"/staff/studio/{survey.pk}/"
    survey = Survey.objects.get()
    assert read_document(survey) == {**after, "title": "New", "protection": {"by": HAND}}
    assert history.undo(survey, ann).document["pages"] == before["pages"]


@pytest.mark.parametrize(
    ("text", "sentence"),
    every(
        2,
        [
            ("{", "This is not JSON: Expecting property name"),
            ("[" * 100_000, "This is not JSON: maximum recursion depth exceeded"),
            ("[]", "this is an object."),
            ('{"candor": 3}', "candor: this site reads version 2 of the format."),
            ("", "This field is required."),
        ],
    ),
    ids=["cut off", "deep", "a list", "another format", "empty"],
)
def test_what_is_no_draft_is_refused_and_changes_nothing(own: Client, survey: Survey, text: str, sentence: str) -> None:
    """The sentence stands below what was written, which stays on the page."""
    before = read_document(survey)
    answer = put(own, survey, text)
    assert answer.status_code == 422
    assert answer.context["form"].errors["document"][0].startswith(sentence)
    assert (read_document(Survey.objects.get()), answer.context["form"]["document"].value()) == (before, text)


def test_what_somebody_else_has_changed_since_is_not_overwritten(own: Client, survey: Survey) -> None:
    """As on the writing page."""
    seen = history.current_draft(survey).number
    text = json.dumps(by_hand(read_document(survey)))
    bob = Editor(somebody("change"), "tab-2", 10**6)
    name = read_document(survey)["pages"][0]["questions"][0]["id"]
    said = {"do": "question", "question": name, "field": "text", "language": "en", "value": "Which?"}
    history.change(survey, bob, said)

    answer = put(own, survey, text, seen)

    assert "has changed this in the meantime" in answer.context["form"].errors["document"][0]
    assert read_document(Survey.objects.get())["pages"][0]["questions"][0]["text"] == {"en": "Which?"}


def test_a_closed_survey_has_no_draft_to_write(own: Client) -> None:
    survey = make_survey("closed")
    publish(survey)
    close(survey)
    Survey.objects.filter(closed_at=None).update(closed_at="2026-01-01T00:00Z")
    for answer in (own.get(f"/staff/studio/{survey.pk}/document/"), own.post(f"/staff/studio/{survey.pk}/document/")):
        assert answer["Location"] == f"/staff/studio/{survey.pk}/"


def test_an_option_is_stored_under_its_words() -> None:
    """Without accents; under a number where its letters are not Latin ones, and never under a part of them."""
    values: list[str] = []
    for text in ("1. Jahr", "3. Jahr oder später", "Weiß nicht", "18–24", "Łódź", "第3年", "3. курс", "<b>"):
        values.append(option_value(text, values))

    assert values == ["1-jahr", "3-jahr-oder-spater", "weiss-nicht", "18-24", "lodz", "1", "2", "b"]
