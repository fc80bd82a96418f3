"""The survey as one JSON file: the document itself (surveys.domain.questionnaire.document), with names in order.

To export, import and export again gives the same bytes.
"""

import json
from typing import Any

from privacy.errors import EntryError, InputError
from surveys.domain.drafts import faults
from surveys.domain.drafts.change_part import for_another
from surveys.domain.drafts.changes import WRONG, check_computable
from surveys.domain.exchange.imported import (
    MOST_ROWS,
    Imported,
    ImportRefusedError,
    as_notes,
    too_many_rows,
)
from surveys.domain.questionnaire.document import Document, Draft, questions, upgrade
from surveys.models import Survey


def write_document(document: Document) -> bytes:
    return (json.dumps(document, ensure_ascii=False, sort_keys=True, indent=1) + "\n").encode()


def import_document(document: Any) -> Imported:
    """Return the document of a read JSON value; ImportRefusedError lists all its faults at once."""
    document = upgrade(document)
    if notes := as_notes(faults.faults(document)):
        raise ImportRefusedError(notes)
    if sum(len(question["options"]) for question in questions(document)) > MOST_ROWS:
        raise ImportRefusedError([too_many_rows()])
    try:
        check_computable(Draft.from_document(Survey(), document))
    except InputError:
        pass
    except WRONG:
        raise ImportRefusedError(as_notes([EntryError("a block has values that mean nothing.", at="blocks")])) from None
    return Imported(for_another(document), ())
