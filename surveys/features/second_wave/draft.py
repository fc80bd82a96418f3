"""A second wave in a document."""

from surveys.domain.questionnaire.draft_part import DraftPart

PART = DraftPart(
    has=lambda document: bool(document["protection"].get("after")),
    entries=lambda draft: {"after": draft.document["protection"]["after"]["version"]},
)
