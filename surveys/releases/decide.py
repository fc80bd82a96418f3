"""What becomes of tables that were made: one of a version is released, and all others are discarded."""

from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from surveys.models import Survey, TableRelease
from surveys.releases.claim import forget_everybody
from surveys.releases.reasons import TableError, pack_reason

State = TableRelease.State
UNDECIDED = (State.QUEUED, State.RUNNING, State.READY)


def release(pk: int) -> bool:
    """Release a table that was made; False where it is none, or one of its version is out.

    Two tables from the same responses may tell together what neither tells, so the others end with this reason.
    """
    with transaction.atomic():
        Survey.objects.select_for_update(of=("self",)).get(versions__releases=pk)
        tables = TableRelease.objects.filter(version=TableRelease.objects.get(pk=pk).version_id)
        is_first = not tables.filter(state=State.DONE).exists()
        ready = tables.filter(pk=pk, state=State.READY)
        released = is_first and bool(ready.update(state=State.DONE, ended_at=timezone.now()))
        if released or not is_first:
            _end(tables, State.FAILED, ended_for=pack_reason(TableError("out")))
    return released


def discard(pk: int) -> bool:
    """Stop what is being made, or throw it away before it is released; its worker notices soon."""
    with transaction.atomic():
        return _end(TableRelease.objects.filter(pk=pk), State.STOPPED)


def _end(tables: QuerySet[TableRelease], state: str, **fields: Any) -> bool:
    """End those of some tables that are not decided, and keep nothing of what was made."""
    undecided = tables.filter(state__in=UNDECIDED)
    ended = list(undecided.values_list("pk", flat=True))
    fields |= {"token": "", "lease_until": None, "ended_at": timezone.now(), "table": b"", "report": {}}
    undecided.update(state=state, **fields)
    for pk in ended:
        forget_everybody(pk)
    return bool(ended)
