"""The named changes of a draft: each is a function from a document, and what the change says, to the next document.

A change is a JSON object: `{"do": "move", "question": "copied", "to": "up"}`. `apply` is the only way in. EntryError
says why a change cannot be made; nothing has changed then. The changes of each subject stand in a module of their own.
"""

from contextlib import suppress
from copy import deepcopy

from django.utils.functional import Promise

from privacy.errors import EntryError, InputError
from surveys.domain.drafts import order_changes, question_changes, survey_changes  # noqa: F401  # each adds its changes
from surveys.domain.drafts.change_part import CHANGES, WORDS, Change
from surveys.domain.drafts.faults import check
from surveys.domain.drafts.protect import arrange_blocks
from surveys.domain.questionnaire import document as documents
from surveys.domain.questionnaire.check import refusals
from surveys.domain.questionnaire.compose import compose_design
from surveys.domain.questionnaire.document import Document, Draft
from surveys.domain.questionnaire.draft_part import DraftPart
from surveys.features import parts_of
from surveys.features.questions import FIELDS, when_changes  # noqa: F401
from surveys.models import Survey

# What a value of another kind than is expected makes of a change.
WRONG = (KeyError, TypeError, ValueError, AttributeError, IndexError, StopIteration, ArithmeticError, RecursionError)


def apply(survey: Survey, document: Document, change: Change) -> Document:
    """Return the document after this change, with proposed blocks and names of questions brought up to date."""
    parts_of(DraftPart)  # features add their changes, too
    do = CHANGES.get(str(change.get("do")))
    if do is None:
        raise EntryError("there is no change with this name.", at="do")
    after = deepcopy(document)
    wanted = documents.sensitive(after)
    try:
        do(after, change, wanted)
        check({**after, "blocks": []})
        names = {question["id"] for question in documents.questions(after)}
        after = arrange_blocks(survey, _drop_missing_questions(after, names), wanted & names)
        check(after)
        check_computable(Draft.from_document(survey, after))
    except InputError:
        raise
    except WRONG:
        raise EntryError("this change lacks a field.", at=str(change.get("do"))) from None
    return after


def words_of_changes() -> dict[str, Promise]:
    parts_of(DraftPart)
    return WORDS


def check_computable(draft: Draft) -> None:
    """Raise here if a page could not compute the draft: pages expect that refusals and a design can be computed.

    An InputError is suppressed: pages show it.
    """
    with suppress(InputError):
        if not [*refusals(draft)]:
            compose_design(draft)


def _drop_missing_questions(document: Document, names: set[str]) -> Document:
    for block in document["blocks"]:
        block["questions"] = [name for name in block["questions"] if name in names]
    for question in documents.questions(document):
        for field in FIELDS.values():
            field.keep(question, names)
    return document
