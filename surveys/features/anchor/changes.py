"""Changes of the answer whose share is known, or of its share."""

from typing import Any

from privacy.errors import to_translate
from surveys.domain.drafts.change_part import ChangePart
from surveys.domain.questionnaire.document import Document
from surveys.rules import line, or_null, rule

NONE = "-"  # in place of an answer: no name is written so
LONGEST = 100


def _set_answer(document: Document, value: Any) -> None:
    document["anchor"] = value if value != NONE else None


def _set_share(document: Document, value: Any) -> None:
    document["anchor_share"] = float(value) if value else None


def _rename(document: Document, old: str, new: str) -> None:
    item, sign, option = (document["anchor"] or "").partition("=")
    if item == old:
        document["anchor"] = f"{new}{sign}{option}"


def _is_percent(share: Any) -> bool:
    return isinstance(share, int | float) and 0 < share < 100


PART = ChangePart(
    rules={
        "anchor": or_null(line(LONGEST)),
        "anchor_share": or_null(rule(_is_percent, to_translate("this is a number between 0 and 100."))),
    },
    setters={"anchor": _set_answer, "anchor_share": _set_share},
    rename=_rename,
)
