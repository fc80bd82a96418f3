"""A lot in a document."""

from collections.abc import Iterator

from django.utils.translation import gettext as _, gettext_lazy

from privacy.design.rationals import ONE
from surveys.domain.questionnaire.document import Draft
from surveys.domain.questionnaire.draft_part import DraftPart
from surveys.features.lot import RULE


def _refusals(draft: Draft) -> Iterator[str]:
    if draft.document["lot"] is not None and not draft.document["direct"]:
        yield _(RULE)


PART = DraftPart(
    has=lambda document: document["lot"] is not None,
    entries=lambda draft: {"lot": draft.document["lot"] * ONE // 100},
    refusals=_refusals,
    lost=gettext_lazy("the draw of direct answers"),
)
