"""The two questions on the pages of staff."""

from collections.abc import Iterator
from contextlib import suppress

from django.utils.translation import gettext as _

from privacy.errors import InputError
from surveys.domain.questionnaire.compose import compose_design
from surveys.domain.questionnaire.document import ONE_ANSWER, Draft
from surveys.features.careless import left_answer
from surveys.models import DraftDocument
from surveys.studio.protection import rows_of
from surveys.studio.staff_part import StaffPart


def _remarks(draft: Draft) -> Iterator[tuple[str, str]]:
    """Whether one answer of known share was chosen before, and pairs that a list of words disguises."""
    kept = DraftDocument.objects.filter(survey=draft.survey.pk).first()
    if asked := kept and left_answer(kept.document):
        yield str(ONE_ANSWER), f"q-{asked}"
    with suppress(InputError):
        if draft.document["careless"] and rows_of(compose_design(draft)):
            sentence = _(
                "Figures of words of a list cannot be corrected for people who do not follow the design: take the two "
                "ready-made questions out, or choose another disguise."
            )
            yield sentence, f"q-{draft.document['careless'][0]}"


PART = StaffPart(remarks=_remarks, field="studio/features/careless/field.html")
