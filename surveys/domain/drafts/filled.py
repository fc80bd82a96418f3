"""A draft as far as it is written, so that it can be tried: what is unfinished is left out, what is untranslated stands
in the main language."""

from collections.abc import Mapping
from typing import Any

from surveys.domain.questionnaire.check import lacks
from surveys.domain.questionnaire.document import QUESTION_TEXTS, TEXTS, Document, questions
from surveys.domain.questionnaire.draft import Draft
from surveys.models import Survey


def draft_without_gaps(survey: Survey, document: Document) -> Draft:
    """Return the draft without its half-entered questions; this changes the document and stores nothing."""
    document = _fill_texts(document, survey.title)
    draft = Draft.from_document(survey, document)
    unfinished = {one.id for one in draft.questions if lacks(one)}
    for each in document["pages"]:
        each["questions"] = [question for question in each["questions"] if question["id"] not in unfinished]
    document["blocks"] = [
        {**block, "questions": [name for name in block["questions"] if name not in unfinished]}
        for block in document["blocks"]
    ]
    return Draft.from_document(survey, document)


def _fill_texts(document: Document, title: str) -> Document:
    tags = document["languages"]
    for name in TEXTS:
        document[name] = _in_all(document[name], tags, title if name == "heading" else "")
    for each in document["pages"]:
        each["title"] = _in_all(each["title"], tags)
    for question in questions(document):
        for name in QUESTION_TEXTS:
            question[name] = _in_all(question[name], tags)
        for option in question["options"]:
            option["label"] = _in_all(option["label"], tags, option["value"])
        question["text"] = _in_all(question["text"], tags, question["id"])
    return document


def _in_all(texts: Mapping[str, str], tags: list[str], otherwise: str = "") -> dict[str, Any]:
    some = next((texts[tag] for tag in tags if texts.get(tag)), otherwise)
    return {tag: texts.get(tag) or some for tag in tags} if some else {}
