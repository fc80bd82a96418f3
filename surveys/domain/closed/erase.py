"""Erasing a survey, with everything that was ever sent to it, and a duty that does it after the day that is set."""

import logging
from collections import Counter
from datetime import date
from typing import Any

from django.contrib.admin.models import LogEntry
from django.contrib.contenttypes.models import ContentType
from django.db import DEFAULT_DB_ALIAS, DatabaseError, transaction
from django.db.models import Model, ProtectedError, Q, QuerySet
from django.db.models.deletion import Collector
from django.db.models.functions import Coalesce
from django.utils import timezone

from privacy.errors import EntryError
from surveys.domain.closed import record
from surveys.domain.closed.record import DATE
from surveys.domain.database import clock, used
from surveys.models import Inbox, Residue, SharedReport, Snapshot, Statement, Survey, TableRelease

log = logging.getLogger(__name__)


def erase(survey: Survey, *, why: str = record.HAND) -> None:
    """Close the survey for good, so that nobody sends any more; then delete all of it, or nothing.

    Its mining runs, releases and shared reports go with it. Of a survey that was published a record stays
    (surveys.domain.closed.record).

    A response that is being stored at this moment holds a lock on its version's row. This waits for it; a response that
    comes later finds no version. The next round of `manage.py tend` removes the traces in the database files.
    """
    for apart in survey.rehearsals.all():
        erase(apart)
    with transaction.atomic():
        _lock(survey)
        now = timezone.now()
        Survey.objects.filter(pk=survey.pk).update(closed_at=Coalesce("closed_at", now), erasing_since=now)
    try:
        with transaction.atomic():
            _lock(survey)
            said = record.describe_survey(survey, what_goes_along(survey))
            for row in _findings(survey):
                row.delete()  # a process that works on it finds it gone, and stops
            _delete_and_record(survey, said, why)
    except DatabaseError as error:
        log.error("Survey %s was closed and not erased (%s).", survey.pk, type(error).__name__)
        raise EntryError("The survey is closed for good but could not be erased now: erase it again.") from None


def _delete_and_record(survey: Survey, said: dict[str, Any], why: str) -> None:
    """Delete the survey and, if it was published, leave a record: what is `said`, why, and that no row is left."""
    versions, pk = [version.pk for version in survey.versions.all()], survey.pk
    people = list(survey.memberships.values_list("user_id", flat=True))
    is_rehearsal = survey.rehearses_id is not None
    _delete(survey)
    if versions and not is_rehearsal:
        record.write(said, why, record.count_left(pk, versions), people)


def _delete(survey: Survey) -> None:
    Inbox.objects.filter(version__survey=survey).delete()
    in_rows = used.erase(survey.pk)
    Statement.objects.filter(survey=survey).delete()
    _snapshots_of(survey).delete()
    for version in survey.versions.all():
        version.parts.all().delete()
        version.delete()
    _log_entries(survey).delete()
    Survey.objects.filter(pk=survey.pk).delete()
    Residue.objects.create(erased=in_rows)


def _lock(survey: Survey) -> None:
    """Lock the survey and its versions; the versions, because a response that is being stored refers to one of them."""
    Survey.objects.select_for_update().get(pk=survey.pk)
    list(survey.versions.select_for_update())


def _log_entries(survey: Survey) -> QuerySet[LogEntry]:
    """The administration's log entries about the survey, and about its mining runs, which begin with its title."""
    titled = Q(object_repr__startswith=f"{survey.title}:") | Q(object_repr__startswith=f"{survey.title}：")
    return LogEntry.objects.filter(
        Q(content_type=ContentType.objects.get_for_model(Survey), object_id=survey.pk)
        | Q(content_type__app_label="mining") & titled
    )


def _snapshots_of(survey: Survey) -> QuerySet[Snapshot]:
    return Snapshot.objects.filter(version__survey=survey)


def what_goes_along(survey: Survey) -> dict[str, int]:
    """What was made of its responses and is erased with it: how many objects there are of each model that has any.

    Tables count once they are released: whether one could be made tells of people.
    """
    released = TableRelease.objects.filter(version__survey=survey, state=TableRelease.State.DONE).only("pk")
    rows = [*_findings(survey), *SharedReport.objects.filter(version__survey=survey), *released]
    return dict(Counter(row._meta.label_lower for row in rows))


def _findings(survey: Survey) -> list[Model]:
    """The rows, such as mining runs, that refer to snapshots of the survey and protect them."""
    try:
        Collector(DEFAULT_DB_ALIAS).collect(list(_snapshots_of(survey)))
    except ProtectedError as error:
        return list(error.protected_objects)
    return []


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
