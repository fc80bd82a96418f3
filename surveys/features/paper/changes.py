"""The change of whether people may answer on paper, and of how both modes are joined."""

from typing import Any

from privacy.errors import to_translate
from surveys.domain.drafts.change_part import ChangePart
from surveys.domain.questionnaire.document import Document
from surveys.features.paper import POOLED
from surveys.rules import rule


def _set_paper(document: Document, value: Any) -> None:
    document["paper"] = value


PART = ChangePart(
    rules={
        "paper": rule(
            lambda value: isinstance(value, bool) or value == POOLED, to_translate("this is true, false or “pooled”.")
        )
    },
    setters={"paper": _set_paper},
)
