"""A document as a set of parts: a part is what two people can change without touching one another."""

from collections.abc import Mapping
from typing import Any

from privacy.errors import EntryError
from surveys.domain.questionnaire.document import FORMAT, PLAIN, Document, questions


def parts(document: Document) -> dict[str, Any]:
    """What can be changed independently: each field of the survey, each question, the blocks, the order of all."""
    own: dict[str, Any] = {f"survey.{name}": document[name] for name in PLAIN}
    own |= {name: document[name] for name in ("protection", "blocks")}
    own["pages"] = [
        {**page, "questions": [question["name"] for question in page["questions"]]} for page in document["pages"]
    ]
    return own | {f"question.{question['name']}": question for question in questions(document)}


def whole(own: Mapping[str, Any]) -> Document:
    """The document of these parts; EntryError where the order names a question that is no part, or none."""
    document = {"candor": FORMAT, **{name: own[f"survey.{name}"] for name in PLAIN}}
    document |= {name: own[name] for name in ("protection", "blocks")}
    named = {name.removeprefix("question.") for name in own if name.startswith("question.")}
    order = [name for page in own["pages"] for name in page["questions"]]
    if sorted(order) != sorted(named):
        raise EntryError("Questions were added, moved or deleted since.")
    document["pages"] = [
        {**page, "questions": [own[f"question.{name}"] for name in page["questions"]]} for page in own["pages"]
    ]
    return document


def differences(before: Document, after: Document) -> dict[str, list[Any]]:
    """The parts that are not the same, each with what it was and what it became; None: it was not there."""
    old, new = parts(before), parts(after)
    names = [*old, *(name for name in new if name not in old)]
    return {name: [old.get(name), new.get(name)] for name in names if old.get(name) != new.get(name)}
