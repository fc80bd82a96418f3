"""Who works on a row: a claim by compare-and-swap, a fencing token, and a lease that its holder renews.

The row is of a model with `state` (queued, running, …), `token`, `attempts`, `lease_until` and `hinted_at`. Every write
names the token of the claim it belongs to, so that a worker that was given up for dead, and comes back, writes nothing.

What a lease is held against is the database's clock, which is one for all machines, however theirs are set.
"""

from __future__ import annotations

import secrets
from datetime import timedelta
from typing import Any

from django.db.models import Manager, Q, QuerySet
from django.db.models.functions import Now

MOST_ATTEMPTS = 3
QUEUED_AGAIN = {"state": "queued", "token": "", "lease_until": None, "hinted_at": None}  # written to a row for another


def take(rows: Manager[Any], pk: int, lease: timedelta, **begun: Any) -> str | None:
    """Take a row that waits, or one whose holder let its lease run out; None if somebody else was first.

    Nobody takes one that has used up its attempts: it waits for the sweeper to end it. `begun` is written beside the
    claim.
    """
    free = Q(attempts__lt=MOST_ATTEMPTS) & (Q(state="queued") | Q(state="running", lease_until__lt=Now()))
    row = rows.filter(free, pk=pk).values_list("token", "attempts").first()
    if row is None:
        return None
    before, attempts = row
    token = secrets.token_hex(16)
    unchanged = rows.filter(free, pk=pk, token=before, attempts=attempts)
    begun |= {"state": "running", "token": token, "lease_until": Now() + lease, "attempts": attempts + 1}
    return token if unchanged.update(**begun) else None


def held(rows: Manager[Any], pk: int, token: str) -> QuerySet[Any]:
    return rows.filter(pk=pk, token=token, state="running")
