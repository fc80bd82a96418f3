"""Sealing: the inbox of a version becomes shuffled, packed parts and a snapshot of them, and forgets who came first.

Only batches leave the inbox: at least BATCH responses, and direct ones only DIRECT or more together, so that two
snapshots never tell one person's response apart. The batch joins the version's open part, which is shuffled as a whole;
the last batch, of whatever size, joins the part before it where it would otherwise stand alone.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Iterable, Sequence
from datetime import date
from hashlib import sha256

import numpy as np
from django.db import transaction
from django.db.models import ProtectedError, QuerySet
from django.utils import timezone

from privacy.packing import row_bytes, unpack
from surveys.domain.publish import is_closed
from surveys.domain.snapshots import unzip, zip_lines
from surveys.models import Inbox, Part, Residue, Snapshot, Survey, SurveyVersion

log = logging.getLogger(__name__)

PART = 65_536
BATCH = 20
DIRECT = 5


def seal_all() -> None:
    """Seal every version whose inbox holds a batch."""
    _seal_each(_waiting())


def seal_closed() -> None:
    """Seal what is left of surveys that have closed and of versions that were replaced."""
    _seal_each(version for version in _waiting() if _is_final(version))


def seal(version: SurveyVersion) -> Snapshot | None:
    """One sealing of one version in one transaction; None where no batch is ready.

    The traces of the rows that leave the inbox are removed afterwards, by surveys.domain.traces.
    """
    with transaction.atomic():
        Survey.objects.select_for_update(no_key=True).get(pk=version.survey_id)
        final = _is_final(version)
        rows = list(version.inbox.order_by("key").values_list("key", "record", "open"))
        batch = _batch(rows, version, final)
        if not batch:
            return None
        packed = _table([record for _, record, _ in batch], version)
        snapshot = append(version, packed, [bytes(kept) for _, _, kept in batch], final=final)
        for start in range(0, len(batch), 500):  # databases bound how many keys one statement may name
            Inbox.objects.filter(key__in=[key for key, _, _ in batch[start : start + 500]]).delete()
        return snapshot


def append(version: SurveyVersion, packed: np.ndarray, opens: Sequence[bytes], final: bool = False) -> Snapshot:
    """A new snapshot with these responses shuffled into the version's open part. Called inside a transaction."""
    today = timezone.localdate()
    previous = version.snapshots.last()
    kept = list(previous.parts.order_by("id")) if previous else []
    opened = [part for part in kept if part.size < PART]
    if final and kept and not opened and len(packed) < BATCH:
        opened = kept[-1:]
    first_day = min([part.first_day for part in opened] + [previous.last_day if previous else version.published_on])
    made = _parts(
        version,
        np.concatenate([_table([part.records], version) for part in opened] + [packed]),
        [line for part in opened for line in unzip(part.open) or [b""] * part.size] + list(opens),
        final,
        (first_day, today),
    )
    parts = [part for part in kept if part not in opened] + made
    snapshot = Snapshot.objects.create(
        version=version,
        sha256=sha256(bytes.fromhex(version.sha256 + "".join(part.sha256 for part in parts))).hexdigest(),
        respondents=sum(part.size for part in parts),
        first_day=min(part.first_day for part in parts),
        last_day=today,
    )
    snapshot.parts.set(parts)
    _forget_superseded(version, snapshot)
    Residue.objects.create()
    return snapshot


def _seal_each(versions: Iterable[SurveyVersion]) -> None:
    """What cannot be sealed, or not now, keeps no other version waiting. The log names it, and nothing it holds."""
    for version in versions:
        try:
            seal(version)
        except Exception as error:
            log.error("The responses to version %s were not sealed (%s).", version.pk, type(error).__name__)


def _waiting() -> QuerySet[SurveyVersion]:
    return SurveyVersion.objects.filter(pk__in=Inbox.objects.values("version"))


def _is_final(version: SurveyVersion) -> bool:
    """Whether the version takes no more responses."""
    survey = Survey.objects.get(pk=version.survey_id)
    return is_closed(survey) or survey.versions.filter(number__gt=version.number).exists()


def _batch(
    rows: list[tuple[bytes, bytes, bytes]], version: SurveyVersion, final: bool
) -> list[tuple[bytes, bytes, bytes]]:
    """The rows that may leave the inbox now."""
    if final or len(rows) < BATCH:
        return rows if final else []
    direct = unpack(version.design, _table([record for _, record, _ in rows], version)).direct
    if direct.sum() < DIRECT:
        rows = [row for row, is_direct in zip(rows, direct, strict=True) if not is_direct]
    return rows if len(rows) >= BATCH else []


def _table(packed: Sequence[bytes], version: SurveyVersion) -> np.ndarray:
    return np.frombuffer(b"".join(packed), np.uint8).reshape(-1, row_bytes(version.design))


def _parts(
    version: SurveyVersion, packed: np.ndarray, opens: list[bytes], final: bool, days: tuple[date, date]
) -> list[Part]:
    """The responses in a random order, cut into parts; a last part of the last batch alone is not cut off."""
    order = np.argsort(np.frombuffer(os.urandom(8 * len(packed)), np.uint64))
    starts = list(range(0, len(packed), PART))
    if final and len(starts) > 1 and len(packed) - starts[-1] < BATCH:
        starts.pop()
    parts = []
    for start, end in zip(starts, [*starts[1:], len(packed)], strict=True):
        rows = order[start:end]
        records, kept = packed[rows].tobytes(), zip_lines([opens[row] for row in rows])
        digest = sha256(bytes.fromhex(version.sha256) + records + kept).hexdigest()
        parts.append(
            Part.objects.create(
                version=version,
                size=len(rows),
                records=records,
                open=kept,
                sha256=digest,
                first_day=days[0],
                last_day=days[1],
            )
        )
    return parts


def _forget_superseded(version: SurveyVersion, newest: Snapshot) -> None:
    """Remove older snapshots that no run or release refers to: kept, they would tell which batch a response was in."""
    for snapshot in version.snapshots.exclude(pk=newest.pk):
        try:
            with transaction.atomic():
                snapshot.delete()
        except ProtectedError:
            continue
    version.parts.filter(snapshots=None).delete()
