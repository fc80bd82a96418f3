"""Frames in a document: the same list as in the definition."""

from django.utils.translation import gettext_lazy as _

from surveys.domain.questionnaire.draft_part import DraftPart

PART = DraftPart(
    has=lambda document: bool(document["frames"]),
    entries=lambda draft: {"frames": draft.document["frames"]},
    about_answers=False,
    lost=_("the sites whose pages may hold the survey"),
)
