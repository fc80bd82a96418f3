"""The table of named changes, and what changes and checks of a document ask of each feature.

Each module of changes adds its own to the table.
"""

from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any

from django.utils.functional import Promise

from privacy.errors import EntryError
from surveys.domain.questionnaire import document as documents
from surveys.domain.questionnaire.document import Document
from surveys.domain.questionnaire.draft_part import DraftPart
from surveys.features import parts_of
from surveys.features.questions import FIELDS
from surveys.features.questions.field import Doing as DoingOfQuestion
from surveys.rules import Rule

Change = Mapping[str, Any]
Doing = Callable[[Document, Change, set[str]], None]
"""Alters the document, and the names of the questions that are to be disguised."""

MOST_LINES = 200
CHANGES: dict[str, Doing] = {}
WORDS: dict[str, Promise] = {}  # what the history of a draft calls each


def change(name: str, words: Promise) -> Callable[[Doing], Doing]:
    """Decorate the function that makes the change of this name, so that both tables have it."""

    def keep(do: Doing) -> Doing:
        CHANGES[name], WORDS[name] = do, words
        return do

    return keep


def find(document: Document, name: Any) -> dict[str, Any]:
    """Return the document's question with this name; EntryError if there is none."""
    for question in documents.questions(document):
        if question["id"] == name:
            return question
    raise EntryError("The question “{name}” no longer exists.", name=name)


def lines_of(text: str) -> list[str]:
    """The lines of a typed or pasted text that are not empty; cells of a spreadsheet's row are joined."""
    lines = [" ".join(line.split()) for line in text.replace("\r", "\n").split("\n")]
    kept = [line for line in lines if line]
    if len(kept) > MOST_LINES:
        raise EntryError("{count} lines are more than {most}.", at="lines", count=len(kept), most=MOST_LINES)
    return kept


def _of_question(do: DoingOfQuestion) -> Doing:
    return lambda document, said, _wanted: do(find(document, said["question"]), said)


CHANGES |= {name: _of_question(do) for field in FIELDS.values() for name, do, _words in field.changes}
WORDS |= {name: words for field in FIELDS.values() for name, _do, words in field.changes}


def shape() -> dict[str, Rule]:
    """The rules of features, looked up when a document is checked: changes import the checks."""
    return {name: rule for part in parts_of(DraftPart).values() for name, rule in part.rules.items()}


def faults(document: Any, names: Collection[str]) -> Iterator[EntryError]:
    for part in parts_of(DraftPart).values():
        yield from part.faults(document, names)


def setters() -> dict[str, Callable[[Document, Any], None]]:
    return {name: setter for part in parts_of(DraftPart).values() for name, setter in part.setters.items()}


def rename(document: Document, old: str, new: str | None) -> None:
    for part in parts_of(DraftPart).values():
        part.rename(document, old, new)
