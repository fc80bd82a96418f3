"""Who works on a row: a claim by compare-and-swap, a fencing token, and a lease that its holder renews.

The row is `Leased` (`surveys.models.results`). Every write names the token of the claim it belongs to, so that a worker
that was given up for dead, and comes back, writes nothing. A lease ends by the database's clock, which
is one for all machines, however theirs are set.
"""

import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.db.models import F, Q, QuerySet
from django.db.models.functions import Now
from django.utils import timezone

MOST_ATTEMPTS = 3
QUEUED_AGAIN = {"state": "queued", "token": "", "lease_until": None, "hinted_at": None}  # written to a row for another


@dataclass(frozen=True)
class Leases:
    """Claims, renewals and ends of work on the rows of one model, each of which is a job.

    `length`: of a lease; `begun`: fields that a claim writes; `as_kept`: turns a reason for a failure into fields.
    """

    model: Any
    length: Callable[[], timedelta]
    begun: Mapping[str, Any]
    as_kept: Callable[[Any], dict[str, Any]]
    died: Callable[[], Exception]  # the reason, where every worker that took a row has died

    def claim(self, pk: int) -> str | None:
        """Take a row that waits or whose lease has run out and return the claim's token; None if it cannot be taken.

        Nobody takes a row that has used up its attempts: it waits for `sweep` to end it.
        """
        rows = self.model.objects
        free = Q(attempts__lt=MOST_ATTEMPTS) & (Q(state="queued") | Q(state="running", lease_until__lt=Now()))
        row = rows.filter(free, pk=pk).values_list("token", "attempts").first()
        if row is None:
            return None
        before, attempts = row
        token = secrets.token_hex(16)
        unchanged = rows.filter(free, pk=pk, token=before, attempts=attempts)
        taken = {"state": "running", "token": token, "lease_until": Now() + self.length(), "attempts": attempts + 1}
        return token if unchanged.update(**taken, **self.begun) else None

    def own_rows(self, pk: int, token: str) -> QuerySet[Any]:
        """The row, if it is running under this token; empty if the claim was lost."""
        return self.model.objects.filter(pk=pk, token=token, state="running")

    def renew(self, pk: int, token: str, **progress: Any) -> bool:
        """Extend the lease and write progress; False if the row is no longer the holder's (cancelled, or given up)."""
        return bool(self.own_rows(pk, token).update(lease_until=Now() + self.length(), **progress))

    def end(self, pk: int, token: str, state: str, **fields: Any) -> bool:
        """End the work in this state; False, and nothing is written, if the claim was lost."""
        ended = {"token": "", "lease_until": None, "ended_at": timezone.now(), "share": 1}
        return bool(self.own_rows(pk, token).update(state=state, **ended, **fields))

    def fail(self, pk: int, token: str, reason: Exception) -> bool:
        return self.end(pk, token, "failed", ended_for=self.as_kept(reason))

    def retry(self, pk: int, token: str, reason: Exception) -> bool:
        """Queue the row again, or fail it for this reason after MOST_ATTEMPTS; False if the claim was lost."""
        again = self.own_rows(pk, token).filter(attempts__lt=MOST_ATTEMPTS)
        return bool(again.update(**QUEUED_AGAIN)) or self.fail(pk, token, reason)

    def release(self, pk: int, token: str, **fields: Any) -> bool:
        """Queue the row again without counting an attempt: its worker was asked to end."""
        return bool(self.own_rows(pk, token).update(**QUEUED_AGAIN | fields, attempts=F("attempts") - 1))

    def sweep(self) -> list[int]:
        """The keys of rows that need a worker: one whose worker died, or one that waits and may have been forgotten.

        A row that has used up its attempts ends here.
        """
        rows = self.model.objects
        left = rows.filter(state="running", lease_until__lt=Now())
        for pk, token in left.filter(attempts__gte=MOST_ATTEMPTS).values_list("pk", "token"):
            self.fail(pk, token, self.died())
        left.filter(attempts__lt=MOST_ATTEMPTS).update(**QUEUED_AGAIN)
        waiting = rows.filter(Q(hinted_at=None) | Q(hinted_at__lt=Now() - self.length()), state="queued")
        return list(waiting.values_list("pk", flat=True))
