"""How long a survey is kept: after the day that its researcher has set, a duty erases it with all that was found."""

import logging
from datetime import date

from django.utils import timezone

from privacy.errors import EntryError
from surveys.domain.closed.erase import erase
from surveys.domain.closed.record import DATE
from surveys.domain.database import clock
from surveys.models import Survey

log = logging.getLogger(__name__)


def erase_due() -> None:
    """A duty: erase each published survey whose last day (`keep_until`) surely has passed; try again what failed."""
    moment = clock.read_sure()
    if moment is None:
        return
    due = Survey.objects.filter(keep_until__lt=timezone.localdate(moment), versions__isnull=False, rehearses=None)
    for survey in due.distinct():
        try:
            erase(survey, why=DATE)
        except EntryError:
            log.warning("Survey %s is not yet erased after its day; this is tried again.", survey.pk)


def keeps_longer(survey: Survey, until: date | None) -> bool:
    """Whether a last day `until` keeps a published survey longer than its present one, which is not allowed."""
    said = survey.keep_until
    return said is not None and (until is None or until > said) and survey.versions.exists()
