"""Paper in a questionnaire that is written."""

from django.utils.translation import gettext_lazy

from surveys.domain.questionnaire.draft_part import DraftPart
from surveys.features.paper import JOIN, MODE, POOLED, WEB

PART = DraftPart(
    has=lambda document: bool(document["paper"]),
    entries=lambda draft: {MODE: WEB} | ({JOIN: POOLED} if draft.document["paper"] == POOLED else {}),
    settings=lambda _document: {"slips": True},  # who knows no birthday draws one
    lost=gettext_lazy("whether people may answer on paper"),
)
