"""Sealing: the inbox of a version becomes shuffled, packed parts and a snapshot of them, and forgets who came first.

Only batches leave the inbox: at least BATCH responses, and of the direct and of the disguised ones none or at least
FEW. BATCH stay back, chosen by lot, for the last batch: so no two snapshots, the last one included, tell a few people's
responses apart. The batch joins the version's open part, which is shuffled as a whole.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Iterable, Sequence

import numpy as np
from django.db import transaction
from django.db.models import ProtectedError, QuerySet
from django.utils import timezone

from privacy.records.packing import row_bytes, unpack
from surveys.domain.publish import close_ended, is_closed
from surveys.domain.snapshots import list_hash, part_hash, unzip, zip_lines
from surveys.domain.snapshots import parts as parts_of
from surveys.models import Inbox, Part, Residue, Snapshot, Survey, SurveyVersion

log = logging.getLogger(__name__)

PART = 65_536
BATCH = 20
FEW = 5


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
        survey = Survey.objects.select_for_update(no_key=True).get(pk=version.survey_id)
        final = _is_final(version)
        if final:
            Survey.objects.select_for_update().get(pk=survey.pk)  # waits for what is being kept this moment
            close_ended(survey)
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
    previous = version.snapshots.last()
    kept = list(parts_of(previous)) if previous else []
    opened = [part for part in kept if part.size < PART]
    made = _parts(
        version,
        np.concatenate([_table([part.records], version) for part in opened] + [packed]),
        [line for part in opened for line in unzip(part.open) or [b""] * part.size] + list(opens),
        final,
    )
    parts = [part for part in kept if part not in opened] + made
    snapshot = Snapshot.objects.create(
        version=version,
        sha256=list_hash(version, [part.sha256 for part in parts]),
        respondents=sum(part.size for part in parts),
        first_day=min(part.first_day for part in parts),
        last_day=max(part.last_day for part in parts),
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
    """The rows that may leave the inbox now: once no more can come all, before that none or a batch."""
    if final:
        return rows
    table = _table([record for _, record, _ in rows], version)
    return [rows[place] for place in leaving(unpack(version.design, table).direct)]


def leaving(direct: np.ndarray) -> np.ndarray:
    """The places of those who may leave the inbox while more can come, by which of those in it are direct."""
    chosen = _shuffled(len(direct))
    open_ones, disguised = chosen[direct[chosen]], chosen[~direct[chosen]]
    back = max(FEW, BATCH - len(disguised))
    if len(open_ones) - back < FEW:
        back = len(open_ones)
    stay = max(BATCH - back, 0)
    if len(disguised) - stay < FEW:
        stay = len(disguised)
    batch = np.concatenate([open_ones[back:], disguised[stay:]])
    return batch if len(batch) >= BATCH else batch[:0]


def _table(packed: Sequence[bytes], version: SurveyVersion) -> np.ndarray:
    return np.frombuffer(b"".join(packed), np.uint8).reshape(-1, row_bytes(version.design))


def _parts(version: SurveyVersion, packed: np.ndarray, opens: list[bytes], final: bool) -> list[Part]:
    """The responses in a random order, cut into parts; a last part of the last batch alone is not cut off.

    Their days begin with the version's: who stayed back may have come at any time.
    """
    order = _shuffled(len(packed))
    starts = list(range(0, len(packed), PART))
    if final and len(starts) > 1 and len(packed) - starts[-1] < BATCH:
        starts.pop()
    parts = []
    for start, end in zip(starts, [*starts[1:], len(packed)], strict=True):
        rows = order[start:end]
        records, kept = packed[rows].tobytes(), zip_lines([opens[row] for row in rows])
        parts.append(
            Part.objects.create(
                version=version,
                size=len(rows),
                records=records,
                open=kept,
                sha256=part_hash(version, records, kept),
                first_day=version.published_on,
                last_day=timezone.localdate(),
            )
        )
    return parts


def _shuffled(count: int) -> np.ndarray:
    """The numbers below `count` in a random order."""
    return np.argsort(np.frombuffer(os.urandom(8 * count), np.uint64))


def _forget_superseded(version: SurveyVersion, newest: Snapshot) -> None:
    """Remove older snapshots that no run or release refers to: kept, they would tell which batch a response was in."""
    for snapshot in version.snapshots.exclude(pk=newest.pk):
        try:
            with transaction.atomic():
                snapshot.delete()
        except ProtectedError:
            continue
    version.parts.filter(snapshots=None).delete()
