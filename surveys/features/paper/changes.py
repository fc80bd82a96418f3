"""The change of whether people may answer on paper."""

from typing import Any

from privacy.errors import to_translate
from surveys.domain.drafts.change_part import ChangePart
from surveys.domain.questionnaire.document import Document
from surveys.rules import rule


def _set_paper(document: Document, value: Any) -> None:
    document["paper"] = bool(value)


PART = ChangePart(
    rules={"paper": rule(lambda value: isinstance(value, bool), to_translate("this is true or false."))},
    setters={"paper": _set_paper},
)
