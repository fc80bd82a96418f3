"""The looks in a document: what is published of them, and their change."""

from typing import Any

from django.utils.translation import gettext_lazy as _

from privacy.errors import to_translate
from surveys.domain.drafts.change_part import Change, change
from surveys.domain.questionnaire.document import Document, Draft
from surveys.domain.questionnaire.draft_part import DraftPart
from surveys.features.looks import check_color, shades
from surveys.media import is_name, is_picture
from surveys.questions.entered import in_languages, write_text
from surveys.rules import checked_by, object_of, or_empty, rule, texts


def _entries(draft: Draft) -> dict[str, Any]:
    entered = draft.document["looks"]
    looks: dict[str, Any] = {}
    if entered["logo"]:
        looks["logo"] = {"file": entered["logo"], "words": in_languages(entered["words"], draft.languages)}
    if entered["accent"]:
        looks["accent"] = shades(entered["accent"])
    return {"looks": looks}


@change("looks", _("looks changed"))
def _set_looks(document: Document, said: Change, _wanted: set[str]) -> None:
    """Set the logo with its words, and the colour; an empty value removes either."""
    looks = document["looks"]
    looks["logo"] = said["logo"]
    for tag, words in said["words"].items():
        write_text(looks["words"], tag, words)
    looks["accent"] = said["accent"].strip().lower()


_PICTURE = rule(lambda name: is_name(name) and is_picture(name), to_translate("a logo is a picture."))


PART = DraftPart(
    has=lambda document: bool(document["looks"]["logo"] or document["looks"]["accent"]),
    entries=_entries,
    about_answers=False,
    lost=_("the logo and the colour"),
    rules={
        "looks": object_of({"logo": or_empty(_PICTURE), "words": texts, "accent": or_empty(checked_by(check_color))})
    },
)
