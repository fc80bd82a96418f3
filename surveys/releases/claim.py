"""Who works on a release (see surveys.domain.database.leases), and how it ends."""

import json
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import timedelta
from typing import Any

from django.db import DatabaseError, connection, transaction

from surveys.children import repeating
from surveys.domain.database.leases import MOST_ATTEMPTS, Leases
from surveys.models import Residue, TableRelease
from surveys.releases.reasons import TableError, pack_reason

LEASE = timedelta(minutes=5)
BEAT = 30.0  # seconds between two renewals during a step that says nothing


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
claim, renew, fail, retry, sweep = LEASES.claim, LEASES.renew, LEASES.fail, LEASES.retry, LEASES.sweep


@contextmanager
def keep_claim(pk: int, token: str) -> Iterator[None]:
    """Keep the claim for as long as the work takes, also through a step that notes no progress.

    From a thread with a connection of its own, which ends with the process.
    """

    def keep() -> None:
        with suppress(DatabaseError):  # it is busy or away: the next beat may find it there
            renew(pk, token)
        connection.close()

    with repeating(keep, BEAT):
        yield


def finish(pk: int, token: str, report: dict[str, Any], table: bytes) -> bool:
    """Store what was made, ready to be looked at."""
    return LEASES.end(pk, token, TableRelease.State.READY, report=report, table=table)
