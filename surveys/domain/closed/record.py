"""The record of an erasing: what was there, that nothing of it is left, and when, in a chain of hashes.

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
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from django.db import DatabaseError
from django.utils import timezone

from surveys.domain.database import used, wrapping
from surveys.domain.responses import counts
from surveys.domain.responses.snapshots import cite_hash
from surveys.models import Erasure, Inbox, Part, Residue, Snapshot, Statement, Survey

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
