"""The lot on the pages of staff, and whether people may answer directly."""

from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from django.utils.translation import gettext as _, gettext_lazy

from privacy.errors import InputError
from surveys.definition import Definition
from surveys.domain.questionnaire.document import Document, Draft
from surveys.domain.questionnaire.forecast import forecast_draft
from surveys.sentences import join_sentences
from surveys.studio.staff_part import StaffPart
from surveys.studio.verdict import direct_sentences


def _remarks(draft: Draft) -> Iterator[tuple[str, str]]:
    if draft.document["direct"]:
        with suppress(InputError):
            yield join_sentences(direct_sentences(forecast_draft(draft))), "opening"


def _alternatives(document: Document) -> Iterator[tuple[str, dict[str, Any]]]:
    if document["direct"] and document["lot"] is None:
        yield _("nobody answers directly"), {"do": "survey", "field": "direct", "value": False}
    if not document["direct"]:
        title = _("let people answer directly if they choose to, and one in five does")
        yield title, {"do": "survey", "field": "direct", "value": True}


def _disguise(definition: Definition) -> str:
    if "lot" in definition.source:
        return _(
            "Devices draw at random who is asked to answer undisguised. People who are drawn may decline, and who was "
            "drawn is not stored. These answers are stored as they are, and reported only once the survey is closed, "
            "never about fewer than the smallest report."
        )
    if definition.design.direct:
        return _(
            "Respondents may choose to answer undisguised; their answers are then stored as they are. They are "
            "reported only once the survey is closed, and never about fewer than the smallest report."
        )
    return _("Nobody can answer undisguised.")


PART = StaffPart(
    fields={"direct": gettext_lazy("direct answers"), "lot": gettext_lazy("the draw of direct answers")},
    remarks=_remarks,
    field="studio/features/lot/field.html",
    alternatives=_alternatives,
    disguise=_disguise,
)
