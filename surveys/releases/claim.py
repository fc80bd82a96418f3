"""Who works on a release (see surveys.domain.database.leases), and how it ends."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import timedelta
from threading import Event, Thread
from typing import Any

from django.db import DatabaseError, connection
from django.db.models.functions import Now
from django.utils import timezone

from privacy.errors import EntryError
from privacy.release import Fingerprint
from surveys.domain.database.leases import MOST_ATTEMPTS, QUEUED_AGAIN, held, take
from surveys.models import TableRelease
from surveys.releases.reasons import TableError, as_kept

State = TableRelease.State
LEASE = timedelta(minutes=5)
BEAT = 30.0  # seconds between two renewals during a step that says nothing


def claim(pk: int) -> str | None:
    """Take a release that waits, or one whose holder let its lease run out; None if somebody else was first."""
    return take(TableRelease.objects, pk, LEASE, step=TableRelease.Step.READING, share=0)


def renew(pk: int, token: str, step: str, share: float) -> bool:
    """Keep the claim and note progress; False when the release is no longer the holder's."""
    return bool(held(TableRelease.objects, pk, token).update(lease_until=Now() + LEASE, step=step, share=share))


@contextmanager
def renewed(pk: int, token: str) -> Iterator[None]:
    """Keep the claim for as long as the work takes, also through a step that notes no progress.

    From a thread with a connection of its own, which ends with the process.
    """
    done = Event()

    def renewing() -> None:
        while not done.wait(BEAT):
            with suppress(DatabaseError):  # it is busy or away: the next beat may find it there
                held(TableRelease.objects, pk, token).update(lease_until=Now() + LEASE)
            connection.close()

    thread = Thread(target=renewing, daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()


def finish(pk: int, token: str, report: dict[str, Any], table: bytes, fingerprint: Fingerprint) -> bool:
    """Keep what was made, once, and only for the holder of the claim, for somebody to look at."""
    codes = {name: own.tolist() for name, own in fingerprint.secrets.items()}
    others = {name: own.tolist() for name, own in fingerprint.others.items()}
    kept = {"member": fingerprint.member.tolist(), "secrets": codes, "others": others}
    return _end(pk, token, State.READY, report=report, table=table, fingerprint=kept)


def fail(pk: int, token: str, reason: EntryError) -> bool:
    return _end(pk, token, State.FAILED, ended_for=as_kept(reason))


def retry(pk: int, token: str) -> None:
    """Queue it again, because its process has ended; after a few attempts the release ends."""
    again = held(TableRelease.objects, pk, token).filter(attempts__lt=MOST_ATTEMPTS)
    if not again.update(**QUEUED_AGAIN):
        fail(pk, token, died())


def died() -> TableError:
    return TableError("died", attempts=MOST_ATTEMPTS)


def _end(pk: int, token: str, state: str, **fields: Any) -> bool:
    ended = {"token": "", "lease_until": None, "ended_at": timezone.now(), "share": 1}
    return bool(held(TableRelease.objects, pk, token).update(state=state, **ended, **fields))
