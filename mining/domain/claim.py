"""Who works on a run (see surveys.domain.database.leases), and how it ends."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import F, Q
from django.db.models.functions import Now
from django.utils import timezone

from mining.domain.reasons import RunError
from mining.engines.reasons import MiningError
from mining.models import MiningResult, MiningRun
from privacy.errors import InputError
from surveys.domain.database.leases import MOST_ATTEMPTS, QUEUED_AGAIN, held, take

State = MiningRun.State


def claim(run_id: int) -> str | None:
    """Take a waiting run, or one whose holder let its lease run out; None if somebody else was first."""
    return take(
        MiningRun.objects,
        run_id,
        timedelta(seconds=settings.MINING_LEASE),
        started_at=timezone.now(),
        phase=MiningRun.Phase.READING,
        level=0,
        candidates=0,
        share=0,
    )


def renew(run_id: int, token: str, **progress: Any) -> bool:
    """Keep the claim and note progress; False when the run is no longer the holder's (cancelled, or given up)."""
    lease = timedelta(seconds=settings.MINING_LEASE)
    return bool(held(MiningRun.objects, run_id, token).update(lease_until=Now() + lease, **progress))


def finish(run_id: int, token: str, summary: dict[str, Any], columns: bytes) -> bool:
    with transaction.atomic():
        if not _end(run_id, token, State.DONE, {}):
            return False
        MiningResult.objects.bulk_create(
            [MiningResult(run_id=run_id, summary=summary, columns=columns)],
            update_conflicts=True,  # one query, and not four
            unique_fields=["run"],
            update_fields=["summary", "columns"],
        )
    return True


def fail(run_id: int, token: str, reason: InputError) -> bool:
    return _end(run_id, token, State.FAILED, _kept(reason))


def retry(run_id: int, token: str, reason: InputError) -> bool:
    """Queue the run again after an attempt that failed; after a few attempts it ends, for the last reason."""
    again = held(MiningRun.objects, run_id, token).filter(attempts__lt=MOST_ATTEMPTS)
    if again.update(**QUEUED_AGAIN):
        return True
    return fail(run_id, token, reason)


def release(run_id: int, token: str, *, to_newer: bool = False) -> bool:
    """Queue the run again without counting an attempt: its worker was asked to end.

    Nor is it one where this version does not know the questionnaire and leaves the run `to_newer` workers. Then it is
    looked at again when a lease has passed, so that no older worker takes it up again and again.
    """
    left = QUEUED_AGAIN | {"hinted_at": Now() if to_newer else None}
    return bool(held(MiningRun.objects, run_id, token).update(**left, attempts=F("attempts") - 1))


def cancel(run_id: int) -> bool:
    """End a run that has not ended; whoever works on it notices at the next heartbeat."""
    return bool(
        MiningRun.objects.filter(pk=run_id, state__in=(State.QUEUED, State.RUNNING)).update(
            state=State.CANCELLED, token="", lease_until=None, ended_at=timezone.now()
        )
    )


def sweep() -> list[int]:
    """Runs that need a worker's attention: left by one that died, or waiting while their hint was lost.

    A run that has used up its attempts ends here.
    """
    left = MiningRun.objects.filter(state=State.RUNNING, lease_until__lt=Now())
    left.filter(attempts__gte=MOST_ATTEMPTS).update(
        state=State.FAILED,
        ended_for=_kept(RunError("died", attempts=MOST_ATTEMPTS)),
        lease_until=None,
        ended_at=timezone.now(),
    )
    left.filter(attempts__lt=MOST_ATTEMPTS).update(**QUEUED_AGAIN)
    stale = Now() - timedelta(seconds=settings.MINING_LEASE)
    waiting = MiningRun.objects.filter(Q(hinted_at=None) | Q(hinted_at__lt=stale), state=State.QUEUED)
    return list(waiting.values_list("pk", flat=True))


def _kept(reason: InputError) -> dict[str, Any]:
    """Its code and its values, so that every reader's page can say it in the reader's language."""
    if not isinstance(reason, MiningError):
        reason = RunError("other", error=str(reason))
    return {"code": reason.code, "values": reason.values}


def _end(run_id: int, token: str, state: str, ended_for: dict[str, Any]) -> bool:
    return bool(
        held(MiningRun.objects, run_id, token).update(
            state=state, ended_for=ended_for, token="", lease_until=None, ended_at=timezone.now(), share=1
        )
    )
