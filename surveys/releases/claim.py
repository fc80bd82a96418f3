"""Who works on a release (see surveys.domain.database), inside the caps that a mining run has, and how it ends."""

import json
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db import transaction

from surveys.domain.database.jobs import Runner
from surveys.domain.database.leases import MOST_ATTEMPTS, Leases
from surveys.models import Residue, TableRelease
from surveys.releases.reasons import TableError, pack_reason

LEASE = timedelta(minutes=5)


def dead_process_error() -> TableError:
    return TableError("died", attempts=MOST_ATTEMPTS)


class ReleaseLeases(Leases):
    def end(self, pk: int, token: str, state: str, **fields: Any) -> bool:
        ended = super().end(pk, token, state, **fields)
        forget_everybody(pk)
        return ended


def forget_everybody(pk: int) -> None:
    """Erase the table of all people that was sent for a release, once that has ended without a table."""
    with transaction.atomic():
        ended = (TableRelease.State.FAILED, TableRelease.State.STOPPED)
        row = TableRelease.objects.select_for_update().filter(pk=pk, state__in=ended).only("asked").first()
        if row and "table" in row.spec.get("population", {}):
            spec = {name: value for name, value in row.spec.items() if name != "population"}
            TableRelease.objects.filter(pk=pk).update(asked=row.asked | {"spec": json.dumps(spec)})
            Residue.objects.create(rewritten=True, erased=True)


LEASES = ReleaseLeases(
    TableRelease, lambda: LEASE, {"step": TableRelease.Step.READING, "share": 0}, pack_reason, dead_process_error
)
claim, fail, sweep = LEASES.claim, LEASES.fail, LEASES.sweep


RUNNER = Runner(
    LEASES,
    "surveys.releases.make",
    lambda: TableError("late", most=settings.MINING_SECONDS),
    lambda _status: dead_process_error(),
    lambda: TableError("memory", most=settings.MINING_MEMORY_MIB),
)


def finish(pk: int, token: str, report: dict[str, Any], table: bytes) -> bool:
    """Store what was made, ready to be looked at."""
    return LEASES.end(pk, token, TableRelease.State.READY, report=report, table=table)
