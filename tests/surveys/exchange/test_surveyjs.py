"""Questionnaires of SurveyJS."""

import json
from typing import Any

import pytest

from surveys.domain.exchange import formats
from surveys.domain.exchange.imported import Imported, ImportRefusedError
from surveys.domain.questionnaire.document import questions

pytestmark = pytest.mark.django_db


def import_file(document: Any) -> Imported:
    kind, survey = formats.read_survey(json.dumps(document).encode(), "file")
    assert kind.name == "surveyjs"
    return survey


def named_questions(survey: Imported) -> list[tuple[str, str, Any]]:
    return [(each["id"], each["type"], each["when"]) for each in questions(survey.document)]


EVERY: dict[str, Any] = {
    "title": {"default": "Work", "zh-cn": "工作"},
    "description": "A study.",
    "pages": [
        {
            "name": "one",
            "title": "You",
            "elements": [
                {"type": "boolean", "name": "Works", "title": "Do you work?", "isRequired": True},
                {
                    "type": "radiogroup",
                    "name": "sector",
                    "title": {"default": "Where?", "zh-cn": "哪里？"},
                    "choices": ["state", {"value": "firm", "text": {"default": "A firm", "zh-cn": "公司"}}],
                    "choicesOrder": "random",
                    "visibleIf": "{Works} = true",
                },
                {"type": "checkbox", "name": "tools", "choices": ["pen", "saw"]},
                {"type": "comment", "name": "why", "visibleIf": "{tools} anyof ['pen', 'saw']", "maxLength": 200},
            ],
        },
        {
            "name": "two",
            "elements": [
                {
                    "type": "panel",
                    "name": "inner",
                    "elements": [
                        {"type": "rating", "name": "mood", "rateMax": 7, "minRateDescription": "bad"},
                        {
                            "type": "matrix",
                            "name": "agree",
                            "rows": ["calm", {"value": "kind", "text": "I am kind"}],
                            "columns": ["no", "yes"],
                        },
                    ],
                },
                {"type": "text", "name": "age", "inputType": "number", "min": 0, "max": 99},
                {"type": "text", "name": "day", "inputType": "date"},
                {"type": "dropdown", "name": "again", "choices": [1, 2], "visibleIf": "{agree.calm} = 'yes'"},
            ],
        },
    ],
}


def test_the_types_that_there_are_here_are_read() -> None:
    """With texts in all languages, conditions and limits; nothing else is in the file, so nothing is noted."""
    survey = import_file(EVERY)
    document = survey.document
    assert [note.sentence for note in survey.left] == ["names are in small letters here, such as that of “Works”."]
    assert (document["title"], document["languages"]) == ("Work", ["en", "zh-hans"])
    assert (document["heading"], document["why"]) == ({"en": "Work", "zh-hans": "工作"}, {"en": "A study."})
    assert named_questions(survey) == [
        ("works", "yesno", None),
        ("sector", "choice", {"question": "works", "is": ["1"]}),
        ("tools", "several", None),
        ("why", "text", {"question": "tools", "is": ["pen", "saw"]}),
        ("mood", "scale", None),
        ("agree", "matrix", None),
        ("age", "number", None),
        ("day", "date", None),
        ("again", "choice", {"question": "agree", "is": ["agree-calm=2"]}),
    ]
    own = {each["id"]: each for each in questions(document)}
    assert own["works"]["required"]
    assert own["sector"]["shuffle"]
    assert own["sector"]["options"][1] == {
        "value": "firm",
        "label": {"en": "A firm", "zh-hans": "公司"},
        "last": False,
        "settings": {},
    }
    assert (own["mood"]["min"], own["mood"]["max"], own["mood"]["low"]) == ("1", "7", {"en": "bad"})
    assert [row["value"] for row in own["agree"]["options"]] == ["agree-calm", "agree-kind", "1", "2"]
    assert (own["age"]["min"], own["age"]["max"], own["why"]["max"]) == ("0", "99", "200")


def test_what_is_not_understood_is_listed_with_the_way_to_it() -> None:
    """Types, settings, conditions and languages."""
    survey = import_file(
        {
            "elements": [
                {"type": "signaturepad", "name": "sign"},
                {"type": "text", "name": "a", "inputType": "email", "visibleIf": "{b} > 3", "defaultValue": "x"},
                {
                    "type": "radiogroup",
                    "name": "b",
                    "choices": [1, {"value": 2, "imageLink": "x.png"}],
                    "hasOther": True,
                },
            ],
            "triggers": [{"type": "complete"}],
        }
    )
    assert [(note.place, note.sentence) for note in survey.left] == [
        ("triggers", "this setting is not imported."),
        ("pages[0].elements[0]", "“sign” is left out: there is no question type “signaturepad”."),
        ("pages[0].elements[1].inputType", "“email” is asked as a text here."),
        ("pages[0].elements[1].defaultValue", "this setting is not imported."),
        ("pages[0].elements[2].choices[1].imageLink", "this setting is not imported."),
        ("pages[0].elements[2].hasOther", "this setting is not imported."),
        ("pages[0].elements[1]", "“a” is left out: its condition is not understood."),
    ]


@pytest.mark.parametrize(
    "document",
    [
        {"pages": [1]},
        {"pages": [{"elements": ["x"]}]},
        {"elements": [{"type": "radiogroup", "choices": [{}]}]},
        {"questions": [{"type": "rating", "rateMin": "x"}]},
        {"elements": [{"type": []}]},
    ],
)
def test_json_that_only_looks_like_it_is_refused(document: Any) -> None:
    with pytest.raises(ImportRefusedError, match="not a questionnaire of SurveyJS"):
        import_file(document)


def test_a_file_without_a_question_is_refused() -> None:
    with pytest.raises(ImportRefusedError, match="contains no question that can be imported"):
        import_file({"elements": []})
