"""A lot in a document, and its change, with that of whether people may answer directly."""

from collections.abc import Iterator
from typing import Any

from django.utils.translation import gettext as _, gettext_lazy

from privacy.design.rationals import ONE
from surveys.domain.questionnaire.document import Document, Draft
from surveys.domain.questionnaire.draft_part import DraftPart
from surveys.features.lot import RULE
from surveys.rules import or_null, whole_number


def _refusals(draft: Draft) -> Iterator[str]:
    if draft.document["lot"] is not None and not draft.document["direct"]:
        yield _(RULE)


def _set_direct(document: Document, value: Any) -> None:
    document |= {"direct": value, "lot": document["lot"] if value else None}


PART = DraftPart(
    has=lambda document: document["lot"] is not None,
    entries=lambda draft: {"lot": draft.document["lot"] * ONE // 100},
    refusals=_refusals,
    lost=gettext_lazy("the draw of direct answers"),
    rules={"lot": or_null(whole_number(99))},
    setters={
        "lot": lambda document, value: document.update(lot=int(value) if value else None),
        "direct": _set_direct,
    },
)
