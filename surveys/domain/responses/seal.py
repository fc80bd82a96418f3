"""Sealing: responses move from the inbox of a version into shuffled, packed parts, and a new snapshot lists the parts.

They leave in batches of at least BATCH, of direct and of disguised ones none or at least GROUP_BATCH each, while BATCH
of them, chosen by lot, stay back (docs/decisions/0002-sealing-and-twenty-held-back.md). The batch joins the version's
open part (the last one, if it is not full), and this part is shuffled as a whole. Of more than twice AT_ONCE so many
are drawn.
"""

import logging
import os
from collections.abc import Collection, Iterable, Sequence

import numpy as np
from django.db import transaction
from django.db.models import ProtectedError, Q, QuerySet
from django.utils import timezone

from privacy.records.packing import row_bytes, unpack
from surveys.domain.database import clock, duties
from surveys.domain.messages.submission import Stored
from surveys.domain.questionnaire.closing import close_ended, has_ended, takes_no_more
from surveys.domain.responses import sealing_keys, waiting
from surveys.domain.responses.groups import count_groups
from surveys.domain.responses.snapshots import (
    Sealed,
    list_hash,
    list_parts,
    part_hash,
    parts_of,
    unzip_lines,
    zip_lines,
)
from surveys.models import Inbox, Part, Residue, SealingRound, Snapshot, Survey, SurveyVersion

log = logging.getLogger(__name__)

PART_SIZE = 65_536  # responses; a part that has so many is closed
AT_ONCE = 65_536  # responses that are sealed together where more than twice as many wait
BATCH = 20
GROUP_BATCH = 5  # of the direct ones, and of the disguised ones


def seal_all() -> None:
    """Seal every version that has a batch, encrypt what stays to new keys, and destroy the old keys."""
    sealing_keys.renew()
    _seal_each(_versions_with_inbox())
    sealing_keys.destroy()
    if sealing_keys.count_lost():  # a round may have had one response, so nobody may know how many
        log.error("No key of this host can open some waiting responses (see docs/deploy.md).")


def seal_closed() -> None:
    """Close what has ended; seal the last responses of closed surveys and of versions that take no more.

    If some of them cannot be opened, all wait: those that are opened later would else be sealed alone.

    If other hosts seal too, the round goes on until the next `seal_all`: some seconds after the last sealing another
    host has no key ready, and a round without its key would be lost with this host's disk.
    """
    _close_ended()
    opened = list(sealing_keys.private_keys())
    ended = [
        version
        for version in _versions_with_inbox()
        if takes_no_more(version) and not version.inbox.exclude(round__in=opened).exists()
    ]
    if ended:
        if sealing_keys.is_only_host():
            sealing_keys.renew()
        _seal_each(ended)
        sealing_keys.destroy()


def start_sealing() -> None:
    """Encrypt to the current round the responses that the leading host cannot open and this one can.

    While another host is away, rounds have this one's key alone. When both are back, the other one may lead for months.
    """
    lost = set(map(bytes, SealingRound.objects.filter(lost=True, current=False).values_list("key", flat=True)))
    rounds = lost & sealing_keys.private_keys().keys() if lost else lost
    for version in SurveyVersion.objects.filter(pk__in=Inbox.objects.filter(round__in=rounds).values("version")):
        while _start_some(version, rounds):
            pass


def _start_some(version: SurveyVersion, rounds: Collection[bytes]) -> bool:
    """Encrypt up to AT_ONCE responses under these rounds to the current one; return whether more wait."""
    with transaction.atomic():
        Survey.objects.select_for_update(no_key=True).get(pk=version.survey_id)  # waits for a sealing
        opened = waiting.open_waiting(version, rounds=rounds, some=AT_ONCE)
        waiting.remove(opened.rows)
        waiting.add_waiting(version, opened.rows.values())
        return opened.left


def seal(version: SurveyVersion) -> Snapshot | None:
    """Seal what may leave of one version, encrypt the rest to new keys, and return the new snapshot; None without one.

    Afterwards surveys.domain.database.scrub removes the traces that the deleted rows leave in the database files.
    """
    newest, left = None, True
    while left:
        snapshot, left = _seal_some(version)
        newest = snapshot or newest
    return newest


def _seal_some(version: SurveyVersion) -> tuple[Snapshot | None, bool]:
    """Seal one batch, if one is ready, in one transaction; its snapshot, and whether more wait under an ended round.

    What came since the round ended waits for the next sealing, so that this one ends however many send. Most boxes are
    opened before the transaction, because nobody can write to SQLite during it.
    """
    before = waiting.open_waiting(version, some=AT_ONCE).rows
    with transaction.atomic():
        survey = Survey.objects.select_for_update(no_key=True).get(pk=version.survey_id)
        if final := takes_no_more(version):
            Survey.objects.select_for_update().get(pk=survey.pk)  # waits for responses that are being stored now
        opened = waiting.open_waiting(version, before, some=AT_ONCE)
        if final and not opened.lost:
            close_ended(survey)
        responses = list(opened.rows.values())
        are_last = final and not opened.lost and not opened.left
        batch = range(len(responses)) if are_last else _places_of_batch(responses, version)
        chosen = [responses[place] for place in batch]
        snapshot = None
        if chosen:
            packed = _unpack_rows([response.record for response in chosen], version)
            answers = [response.open for response in chosen]
            snapshot = append(version, packed, answers, final=are_last)
        waiting.remove(opened.rows)
        staying = set(range(len(responses))).difference(batch)
        waiting.add_waiting(version, [responses[place] for place in staying])
        return snapshot, opened.ended


def append(version: SurveyVersion, packed: np.ndarray, answers: Sequence[bytes], final: bool = False) -> Snapshot:
    """Shuffle responses into the version's open part, and return a new snapshot. Called inside a transaction.

    `packed` has a row for each record; `answers` holds the undisguised answers of the same responses, as JSON lines.
    """
    count_groups(version, answers)
    previous = version.snapshots.last()
    full, open_parts = _full_and_open(previous) if previous else ([], [])
    new_parts = _make_parts(
        version,
        np.concatenate([_unpack_rows([part.records], version) for part in open_parts] + [packed]),
        [line for part in open_parts for line in unzip_lines(part.open) or [b""] * part.size] + list(answers),
        final,
    )
    parts = full + [(part.pk, part.sha256, part.size) for part in new_parts]
    spans: list[Snapshot | Part] = [*([previous] if previous else []), *new_parts]
    snapshot = Snapshot.objects.create(
        version=version,
        sha256=list_hash(version, [digest for _, digest, _ in parts]),
        respondents=sum(size for _, _, size in parts),
        first_day=min(span.first_day for span in spans),
        last_day=max(span.last_day for span in spans),
    )
    snapshot.parts.set([key for key, _, _ in parts])
    _forget_superseded(version, snapshot)
    Residue.objects.create()
    return snapshot


def _full_and_open(snapshot: Snapshot) -> tuple[list[Sealed], list[Part]]:
    """The entries of the full parts, which are not read, so that a sealing costs what has come; and the other parts."""
    full: list[Sealed] = []
    open_parts: list[Part] = []
    for part in list_parts(snapshot):
        _, _, size = part
        if size < PART_SIZE:
            open_parts += parts_of(snapshot, [part])
        else:
            full.append(part)
    return full, open_parts


def _close_ended() -> None:
    """Close ended surveys for good, also if nothing waits: a date that can still be moved would tell so."""
    moment = clock.read_sure()
    ended = Q(quota__isnull=False) | (Q(closes_at__lte=moment) if moment else Q())
    for survey in Survey.objects.filter(ended, closed_at=None, versions__isnull=False).distinct():
        if has_ended(survey, moment):
            with transaction.atomic():
                close_ended(Survey.objects.select_for_update(no_key=True).get(pk=survey.pk), moment)


def _seal_each(versions: Iterable[SurveyVersion]) -> None:
    """Seal each of these versions; one that fails stops no other. The log names it, and nothing that it holds."""
    for version in versions:
        try:
            seal(version)
        except Exception as error:
            log.error("The responses to version %s were not sealed (%s).", version.pk, type(error).__name__)
            duties.note_undone(error)


def _versions_with_inbox() -> QuerySet[SurveyVersion]:
    return SurveyVersion.objects.filter(pk__in=Inbox.objects.values("version"))


def _places_of_batch(responses: list[Stored], version: SurveyVersion) -> list[int]:
    """The places of the responses that may leave the inbox while more can come: a batch or nothing."""
    if not responses:
        return []
    table = _unpack_rows([response.record for response in responses], version)
    return [int(place) for place in batch_places(unpack(version.design, table).direct)]


def batch_places(direct: np.ndarray) -> np.ndarray:
    """The places of the responses that may be sealed while more can come; `direct` marks direct ones."""
    order = _random_order(len(direct))
    direct_ones, disguised_ones = order[direct[order]], order[~direct[order]]
    direct_stay = max(GROUP_BATCH, BATCH - len(disguised_ones))
    if len(direct_ones) - direct_stay < GROUP_BATCH:
        direct_stay = len(direct_ones)
    disguised_stay = max(BATCH - direct_stay, 0)
    if len(disguised_ones) - disguised_stay < GROUP_BATCH:
        disguised_stay = len(disguised_ones)
    batch = np.concatenate([direct_ones[direct_stay:], disguised_ones[disguised_stay:]])
    return batch if len(batch) >= BATCH else batch[:0]


def _unpack_rows(packed: Sequence[bytes], version: SurveyVersion) -> np.ndarray:
    return np.frombuffer(b"".join(packed), np.uint8).reshape(-1, row_bytes(version.design))


def _make_parts(version: SurveyVersion, packed: np.ndarray, answers: list[bytes], final: bool) -> list[Part]:
    """Shuffle the responses and cut them into parts.

    At the end of a version a last part of fewer than BATCH responses is not cut off but joined to the one before it.
    Every part begins on the day of publication, because a response that stayed back may have come on any day.
    """
    order = _random_order(len(packed))
    starts = list(range(0, len(packed), PART_SIZE))
    if final and len(starts) > 1 and len(packed) - starts[-1] < BATCH:
        starts.pop()
    parts = []
    for start, end in zip(starts, [*starts[1:], len(packed)], strict=True):
        rows = order[start:end]
        records, lines = packed[rows].tobytes(), zip_lines([answers[row] for row in rows])
        parts.append(
            Part.objects.create(
                version=version,
                size=len(rows),
                records=records,
                open=lines,
                sha256=part_hash(version, records, lines),
                first_day=version.published_on,
                last_day=timezone.localdate(),
            )
        )
    return parts


def _random_order(count: int) -> np.ndarray:
    return np.argsort(np.frombuffer(os.urandom(8 * count), np.uint64))


def _forget_superseded(version: SurveyVersion, newest: Snapshot) -> None:
    """Remove older snapshots that no run or release refers to: they would tell in which batch a response came."""
    for snapshot in version.snapshots.exclude(pk=newest.pk):
        try:
            with transaction.atomic():
                snapshot.delete()
        except ProtectedError:
            continue
    version.parts.filter(snapshots=None).only("pk").delete()
