"""Paper in a questionnaire that is written, and the change of how both modes are joined."""

from django.utils.translation import gettext_lazy

from privacy.errors import to_translate
from surveys.domain.questionnaire.draft_part import DraftPart
from surveys.features.paper import JOIN, MODE, POOLED, WEB
from surveys.rules import rule

PART = DraftPart(
    has=lambda document: bool(document["paper"]),
    entries=lambda draft: {MODE: WEB} | ({JOIN: POOLED} if draft.document["paper"] == POOLED else {}),
    settings=lambda _document: {"slips": True},  # who knows no birthday draws one
    lost=gettext_lazy("whether people may answer on paper"),
    rules={
        "paper": rule(
            lambda value: isinstance(value, bool) or value == POOLED, to_translate("this is true, false or “pooled”.")
        )
    },
    setters={"paper": lambda document, value: document.update(paper=value)},
)
