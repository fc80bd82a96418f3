"""Changes of the lot, and of whether people may answer directly, without which there is none."""

from typing import Any

from surveys.domain.drafts.change_part import ChangePart
from surveys.domain.questionnaire.document import Document
from surveys.rules import or_null, whole_number


def _set_direct(document: Document, value: Any) -> None:
    document |= {"direct": value, "lot": document["lot"] if value else None}


PART = ChangePart(
    rules={"lot": or_null(whole_number(99))},
    setters={"lot": lambda document, value: document.update(lot=int(value) if value else None), "direct": _set_direct},
)
