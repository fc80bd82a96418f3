"""Frames in a document: the same list as in the definition; and the change of it."""

import re
from typing import Any

from django.utils.translation import gettext_lazy as _

from surveys.domain.drafts.change_part import Change, change
from surveys.domain.questionnaire.document import Document
from surveys.domain.questionnaire.draft_part import DraftPart
from surveys.features.frames import check_origins
from surveys.rules import checked_by


@change("frames", _("sites that may hold the survey changed"))
def _set_frames(document: Document, said: Change, _wanted: set[str]) -> None:
    """Set the sites whose pages may hold the survey in a frame; the address of a page stands for its site."""
    addresses = [re.sub(r"(?<=[^/:])/.*", "", address.strip().lower()) for address in said["sites"]]
    document["frames"] = list(dict.fromkeys(filter(None, addresses)))


def _check(origins: Any, _at: str) -> None:
    if origins != []:
        check_origins(origins)


PART = DraftPart(
    has=lambda document: bool(document["frames"]),
    entries=lambda draft: {"frames": draft.document["frames"]},
    about_answers=False,
    lost=_("the sites whose pages may hold the survey"),
    rules={"frames": checked_by(_check)},
)
