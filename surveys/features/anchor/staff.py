"""The answer of known share on the pages of staff."""

from typing import Any

from django.utils.translation import gettext_lazy as _

from privacy.reconstruct.group_difference import comparable
from surveys.domain.questionnaire.compose import design_or_none
from surveys.domain.questionnaire.document import Draft
from surveys.studio.checklist import answer_namer
from surveys.studio.staff_part import StaffPart


def _answers_to_choose(draft: Draft) -> dict[str, Any]:
    """The answers whose share could be known, each with its words, and the one that is known."""
    design = design_or_none(draft)
    answers = [pattern.text(design) for pattern in comparable(design)] if design else []
    chosen = draft.document["anchor"]
    listed = answers if not chosen or chosen in answers else [*answers, chosen]
    named = answer_namer(draft)
    return {"anchors": [(answer, named(answer) if answer in answers else answer) for answer in listed]}


PART = StaffPart(
    fields=dict.fromkeys(("anchor", "anchor_share"), _("answer of known share")),
    field="studio/features/anchor/field.html",
    entered=_answers_to_choose,
    plan=_("Whether devices disguise, by an answer whose share is known."),
)
