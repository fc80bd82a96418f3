"""What the checklist says of a survey without a privacy notice."""

from collections.abc import Iterator

from django.utils.translation import gettext as _

from surveys.domain.questionnaire.document import Draft
from surveys.features.notice.draft import has_notice
from surveys.studio.staff_part import StaffPart


def _remarks(draft: Draft) -> Iterator[tuple[str, str]]:
    if not has_notice(draft.document):
        yield _("It has no privacy notice, which says who is responsible, and what rights people have."), "opening"


PART = StaffPart(remarks=_remarks)
