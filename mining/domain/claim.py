"""Who works on a run (see surveys.domain.database.leases), and how it ends."""

from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models.functions import Now
from django.utils import timezone

from mining.engines.reasons import MiningError
from mining.models import MiningResult, MiningRun
from privacy.errors import InputError
from surveys.domain.database.leases import MOST_ATTEMPTS, Leases

State = MiningRun.State


def _code_and_values(reason: InputError) -> dict[str, Any]:
    """Return the code and values of a reason, from which each reader's page writes the sentence."""
    if not isinstance(reason, MiningError):
        reason = MiningError("other", error=str(reason))
    return {"code": reason.code, "values": reason.values}


LEASES = Leases(
    MiningRun,
    lambda: timedelta(seconds=settings.MINING_LEASE),
    {"started_at": Now(), "phase": MiningRun.Phase.READING, "level": 0, "candidates": 0, "share": 0},
    _code_and_values,
    lambda: MiningError("died", attempts=MOST_ATTEMPTS),
)
claim, renew, fail, sweep = LEASES.claim, LEASES.renew, LEASES.fail, LEASES.sweep


def finish(run_id: int, token: str, summary: dict[str, Any], columns: bytes) -> bool:
    """Store the result and end the run; False, with nothing stored, if another worker holds the claim by now."""
    with transaction.atomic():
        if not LEASES.end(run_id, token, State.DONE, ended_for={}):
            return False
        MiningResult.objects.bulk_create(
            [MiningResult(run_id=run_id, summary=summary, columns=columns)],
            update_conflicts=True,  # one query, and not four
            unique_fields=["run"],
            update_fields=["summary", "columns"],
        )
    return True


def release_to_newer(run_id: int, token: str) -> bool:
    """Leave a run whose questionnaire this version does not know to newer workers; the attempt does not count.

    The run is offered again only after a lease, so that no older worker takes it up again and again.
    """
    return LEASES.release(run_id, token, hinted_at=Now())


def cancel(run_id: int) -> bool:
    """End a run that has not ended; its worker notices at the next heartbeat."""
    return bool(
        MiningRun.objects.filter(pk=run_id, state__in=(State.QUEUED, State.RUNNING)).update(
            state=State.CANCELLED, token="", lease_until=None, ended_at=timezone.now()
        )
    )
