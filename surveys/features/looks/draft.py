"""The looks in a document: what is published of them."""

from typing import Any

from django.utils.translation import gettext_lazy as _

from surveys.domain.questionnaire.document import Draft
from surveys.domain.questionnaire.draft_part import DraftPart
from surveys.features.looks import shades
from surveys.questions.entered import in_languages


def _entries(draft: Draft) -> dict[str, Any]:
    entered = draft.document["looks"]
    looks: dict[str, Any] = {}
    if entered["logo"]:
        looks["logo"] = {"file": entered["logo"], "words": in_languages(entered["words"], draft.languages)}
    if entered["accent"]:
        looks["accent"] = shades(entered["accent"])
    return {"looks": looks}


PART = DraftPart(
    has=lambda document: bool(document["looks"]["logo"] or document["looks"]["accent"]),
    entries=_entries,
    about_answers=False,
    lost=_("the logo and the colour"),
)
