"""A draft as far as it is written, so that it can be tried: what is unfinished is left out, what is untranslated stands
in the main language."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from surveys.domain.drafts.change_part import rename
from surveys.domain.questionnaire.check import lacks
from surveys.domain.questionnaire.document import Document, Draft, questions, text_places
from surveys.features import pictures
from surveys.features.questions import FIELDS
from surveys.models import Survey
from surveys.sentences import gap


def draft_without_gaps(survey: Survey, document: Document) -> Draft:
    """Return the draft without its half-entered questions; this changes the document and stores nothing."""
    document = _fill_missing_texts(document, survey.title)
    draft = Draft.from_document(survey, document)
    unfinished = {question.id for question in draft.questions if lacks(question)}
    for each in document["pages"]:
        each["questions"] = [question for question in each["questions"] if question["id"] not in unfinished]
    document["blocks"] = [
        {**block, "questions": [name for name in block["questions"] if name not in unfinished]}
        for block in document["blocks"]
    ]
    for name in unfinished:
        rename(document, name, None)
    return Draft.from_document(survey, document)


def _fill_missing_texts(document: Document, title: str) -> Document:
    tags = document["languages"]
    for key, texts in text_places(document):
        name, _dot, part = key.partition(".")
        otherwise = title if key == "heading" else name if key.endswith(".text") else part.partition("options.")[2]
        texts |= _in_all_languages(texts, tags, otherwise)
    for question in questions(document):
        for medium in (medium for field in FIELDS.values() for medium in field.pictures(question)):
            _fill_words(medium, question, "help", gap(), tags)
    for _place, _shown, picture in pictures(document):
        _fill_words(picture, document, "who", "\n\n", tags)
    return document


def _fill_words(medium: dict[str, Any], beside: dict[str, Any], name: str, between: str, tags: list[str]) -> None:
    """Where nobody has written words, say so in their place and, after `between`, in the text `beside[name]`."""
    sentence = _("Before it is published, say in words what this picture shows or this sound says.")
    if not any(medium["words"].values()):
        beside[name] = {tag: between.join(filter(None, [beside[name].get(tag), sentence])) for tag in tags}
    medium["words"] = _in_all_languages(medium["words"], tags, sentence)


def _in_all_languages(texts: Mapping[str, str], tags: list[str], otherwise: str = "") -> dict[str, Any]:
    """The texts in all languages `tags`; a missing one is that of the first language that has any, or `otherwise`."""
    some = next((texts[tag] for tag in tags if texts.get(tag)), otherwise)
    return {tag: texts.get(tag) or some for tag in tags} if some else {}
