"""Erasing a survey, with everything that was ever sent to it, and a duty that does it after the day that is set.

The record of an erasing says what was there, that nothing of it is left, and when, in a chain of hashes.

    {"candor": 1, "survey": "harassment", "erased": "2027-01-31T04:00:00+00:00", "why": "date",
     "versions": [{"number": 1, "version": HASH, "respondents": 1204, "cited": HASH}], "statement": HASH,
     "made": {"mining.miningrun": 2, "surveys.sharedreport": 1}, "left": 0, "before": HASH}

`respondents` is null where fewer answered than the survey reports on, `statement` where none was published, `before` in
the first record of a site. `cited` is what pages and files named the version's last snapshot; earlier
records have its hash, as `snapshot`, which is shown to nobody. `made` counts what was made of the responses, by model;
earlier records lack it. `left` is what a count of the survey's rows finds in the
transaction that erased them.
"""

import json
import logging
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from hashlib import sha256
from typing import Any

from django.contrib.admin.models import LogEntry
from django.contrib.contenttypes.models import ContentType
from django.db import DEFAULT_DB_ALIAS, DatabaseError, transaction
from django.db.models import Model, ProtectedError, Q, QuerySet
from django.db.models.deletion import Collector
from django.db.models.functions import Coalesce
from django.utils import timezone

from privacy.errors import EntryError
from surveys.domain.database import clock, used, wrapping
from surveys.domain.responses import counts
from surveys.domain.responses.snapshots import cite_hash
from surveys.models import Erasure, Inbox, Part, Residue, SharedReport, Snapshot, Statement, Survey, TableRelease

DATE, HAND = "date", "hand"
_PLACE = "record of an erasing"


@dataclass(frozen=True)
class Record:
    """A record of an erasing as it is shown: its row, its content, and whether hash, mark and chain are intact."""

    row: Erasure
    said: dict[str, Any]
    holds: bool


def describe_survey(survey: Survey, made: Mapping[str, int]) -> dict[str, Any]:
    """The part of a record that can be said before the survey is erased: slug, versions, statement, what was made."""
    newest = Snapshot.objects.filter(version__survey=survey).select_related("version__survey").order_by("id")
    last = {snapshot.version_id: snapshot for snapshot in newest}
    statement = Statement.published.filter(survey=survey).values_list("sha256", flat=True).first()
    return {
        "candor": 1,
        "survey": survey.slug,
        "versions": [
            {
                "number": version.number,
                "version": version.sha256,
                "respondents": _people(latest) if latest else None,
                "cited": cite_hash(survey, latest.sha256) if latest else None,
            }
            for version in survey.versions.all()
            for latest in [last.get(version.pk)]
        ],
        "statement": statement,
        "made": dict(made),
    }


def _people(snapshot: Snapshot) -> int | None:
    count = counts.of_snapshot(snapshot)
    return count.number if count.exact and count.number >= snapshot.version.survey.least else None


def count_left(pk: int, versions: Iterable[int]) -> int:
    """Count the rows that the database still has of a survey (its key) and of its versions (their keys)."""
    of_versions = sum(model.objects.filter(version__in=list(versions)).count() for model in (Inbox, Part, Snapshot))
    of_survey = used.count(pk) + Statement.objects.filter(survey=pk).count()
    return of_versions + of_survey + Survey.objects.filter(pk=pk).count()


def write(said: dict[str, Any], why: str, left: int, people: Iterable[int]) -> None:
    """Store the record, for these users to see. Called in the transaction that erased: `left` rows undo all of it."""
    if left:
        raise DatabaseError(f"{left} rows of an erased survey are left.")
    before = Erasure.objects.values_list("sha256", flat=True).last()
    whole = said | {"erased": timezone.now().isoformat(), "why": why, "left": left, "before": before}
    content = json.dumps(whole, sort_keys=True, separators=(",", ":")).encode()
    digest, mark = sha256(content).hexdigest(), wrapping.mark(content, _PLACE)
    Erasure.objects.create(content=content, sha256=digest, mark=mark).people.set(people)


def records(rows: Iterable[Erasure]) -> list[Record]:
    """Return these records, the newest first, each checked against its hash, its mark and the chain."""
    known = {None, *Erasure.objects.values_list("sha256", flat=True)}
    return [_check_record(row, known) for row in sorted(rows, key=lambda row: -row.pk)]


def _check_record(row: Erasure, known: set[str | None]) -> Record:
    """Read one record and check it; `known` holds the hashes that its `before` may name."""
    content = bytes(row.content)
    said = json.loads(content)
    whole = sha256(content).hexdigest() == row.sha256 and wrapping.is_marked(content, bytes(row.mark), _PLACE)
    return Record(row, said, whole and said["before"] in known)


def note_removed() -> None:
    """A duty: note at each erasing when its traces are gone from the database files, once none wait to be removed.

    Only of what was erased before this looked: something may be erased meanwhile, with a note of its own.
    """
    waiting = list(Erasure.objects.filter(removed_at=None).values_list("pk", flat=True))
    if waiting and not Residue.objects.exists():
        Erasure.objects.filter(pk__in=waiting).update(removed_at=timezone.now())


log = logging.getLogger(__name__)


def erase(survey: Survey, *, why: str = HAND) -> None:
    """Close the survey for good, so that nobody sends any more; then delete all of it, or nothing.

    Its mining runs, releases and shared reports go with it. Of a survey that was published a record stays
    (surveys.domain.closed.erase).

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
            said = describe_survey(survey, what_goes_along(survey))
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
        write(said, why, count_left(pk, versions), people)


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
