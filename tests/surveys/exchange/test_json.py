"""The survey as one JSON file."""

import json
from typing import Any

import pytest
from django.contrib.auth.models import User

from surveys.domain.drafts.beginnings import BEGINNINGS, beginning
from surveys.domain.exchange import formats
from surveys.domain.exchange.imported import ImportRefusedError
from surveys.domain.questionnaire.document import Document, read_document
from surveys.models import DraftDocument, Survey
from surveys.questions import TYPES
from surveys.studio.home import begin
from tests.surveys.exchange.documents import every_type
from tests.surveys.making import make_survey


def store_and_write(content: bytes) -> bytes:
    """The file of the draft that becomes of this file."""
    kind, survey = formats.read_survey(content, "file")
    assert kind.name == "json"
    return formats.write_document(read_document(begin(User.objects.create(username="ann"), survey.document)))


@pytest.mark.parametrize("name", BEGINNINGS)
def test_a_template_comes_back_byte_for_byte(name: str) -> None:
    """Export, import, export."""
    content = formats.write_document(beginning(name, "Mine", "en"))
    assert store_and_write(content) == content


def test_a_survey_of_the_administration_comes_back_byte_for_byte() -> None:
    """Its blocks were made by hand, and no proposal takes their place."""
    content = formats.write_document(read_document(make_survey()))
    Survey.objects.update(slug="other")
    assert store_and_write(content) == content


def test_all_faults_are_told_at_once_each_with_its_place() -> None:
    """As the way to it in the file."""
    document: dict[str, Any] = json.loads(formats.write_document(beginning("corruption", "Mine", "en")))
    first = document["pages"][0]["questions"][0]
    first["id"] = "Not a name"
    first["options"][1]["value"] = first["options"][0]["value"]
    document["expected"] = 0
    document["pages"][1]["questions"][2]["type"] = "riddle"
    document["blocks"][0]["kind"] = "magic"
    document["protection"] |= {"epsilon": 1, "after": {"version": "0" * 64, "top": 9}}
    document["more"] = 1
    del document["access"]
    with pytest.raises(ImportRefusedError) as refused:
        formats.read_survey(json.dumps(document).encode(), "file")

    assert {fault.place: fault.sentence for fault in refused.value.faults} == {
        "access": "this is missing.",
        "more": "there is no field with this name.",
        "expected": "this is a whole number from 1 to 2147483647.",
        "protection.epsilon": "Candor counts no answers with noise any more: take this out.",
        "protection.after": "Candor has no second waves of a survey any more: take this out.",
        "pages[0].questions[0].id": "a name is a small letter, then up to 39 of a-z, 0-9, - and _.",
        "pages[0].questions[0].options[1].value": "every option needs a different value.",
        "pages[1].questions[2].type": f"this is one of: {', '.join(TYPES)}.",
        "blocks[0].kind": "there is no such kind of block.",
    }


def in_format_1(document: Document) -> Document:
    """The document as it was written when questions had other names for three of their fields."""
    earlier = {"id": "name", "min": "minimum", "max": "maximum"}
    document = json.loads(json.dumps(document)) | {"candor": 1}
    for page in document["pages"]:
        page["questions"] = [{earlier.get(name, name): one[name] for name in one} for one in page["questions"]]
    return document


def test_a_file_of_format_1_is_the_same_survey() -> None:
    """With every type of question, and every field under its name of today."""
    document = every_type()
    old = in_format_1(document)
    assert old["pages"][1]["questions"][2]["maximum"] == "5"
    assert formats.read_survey(json.dumps(old).encode(), "file")[1].document == document


def test_a_field_under_both_names_is_refused() -> None:
    """Nobody knows which of the two is meant."""
    document = every_type()
    document["pages"][0]["questions"][0]["name"] = "work"
    with pytest.raises(ImportRefusedError) as refused:
        formats.read_survey(json.dumps(document).encode(), "file")
    (fault,) = refused.value.faults
    assert (fault.place, fault.sentence) == ("pages[0].questions[0].name", "there is no field with this name.")


def test_a_draft_that_an_older_machine_stored_is_read_in_the_format_of_today() -> None:
    """Machines are upgraded one after the other."""
    survey = begin(User.objects.create(username="ann"), every_type())
    document = read_document(survey)
    DraftDocument.objects.update(document=in_format_1(document))
    assert read_document(survey) == document


@pytest.mark.each
@pytest.mark.parametrize(
    ("content", "said"),
    [
        (rb'{"a\ud800": 1, "a\ud800": 2}', ("a?", "this name appears twice in one object.")),
        (b'{"candor": 3, "languages": 3}', ("candor", "this site reads version 2 of the format.")),
    ],
)
def test_half_a_letter_and_another_version_are_refused_in_one_sentence(content: bytes, said: tuple[str, str]) -> None:
    """No page can hold half a letter, so the refusal has a question mark; who knows what else a later version means."""
    with pytest.raises(ImportRefusedError) as refused:
        formats.read_survey(content, "file")
    (fault,) = refused.value.faults
    assert (fault.place, fault.sentence) == said
