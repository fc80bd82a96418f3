"""A lot in a document, and what it will find."""

import math
from collections.abc import Iterator

from django.utils.translation import gettext as _, gettext_lazy

from privacy.design import Design
from privacy.design.rationals import ONE
from privacy.reconstruct.lot import detectable
from surveys.domain.questionnaire.document import Draft
from surveys.domain.questionnaire.draft_part import DraftPart
from surveys.features.lot import RULE, asked_directly


def _refusals(draft: Draft) -> Iterator[str]:
    if draft.document["lot"] is not None and not draft.document["direct"]:
        yield _(RULE)


def power(design: Design, respondents: int, share: float) -> str:
    """Say how large an effect of the disguise is found where a lot asks this share of people directly."""
    least = detectable(design, respondents, share)
    if least is None:
        return _("So few respondents cannot show whether the disguise changes what people say.")
    return _(
        "If the disguise changes the share of an answer by %(points)s points or more, the draw shows it in four of "
        "five surveys, if everybody who is drawn answers directly."
    ) % {"points": math.ceil(100 * least)}


PART = DraftPart(
    has=lambda document: document["lot"] is not None,
    entries=lambda draft: {"lot": draft.document["lot"] * ONE // 100},
    refusals=_refusals,
    power=lambda testable, _named: power(
        testable.design, testable.respondents, asked_directly(testable.entries) or 0.0
    ),
    lost=gettext_lazy("the draw of direct answers"),
)
