"""What becomes of a table that was made: it is released, never so that an earlier one is broken, or discarded."""

from typing import Any

import numpy as np
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from privacy.errors import EntryError
from privacy.release import Fingerprint, require_unbroken
from privacy.release.earlier import attack_by_joining
from privacy.release.reasons import ReleaseError
from surveys.models import Survey, TableRelease
from surveys.releases.claim import forget_everybody
from surveys.releases.reasons import TableError, pack_reason
from surveys.releases.table import columns_that_tell

State = TableRelease.State


def release(pk: int) -> bool:
    """Release a table that was made; False where it is none, or was released already.

    Two releases of one survey are compared one after the other. One that would break an earlier one
    ends with the reason, and nothing of it is kept.
    """
    with transaction.atomic():
        Survey.objects.select_for_update(of=("self",)).get(versions__releases=pk)
        row = TableRelease.objects.get(pk=pk)
        waiting = TableRelease.objects.filter(pk=pk, state=State.READY)
        if not waiting.exists():
            return False
        own, before = fingerprint_of(row), [fingerprint_of(one) for one in earlier(row)]
        everybody, wider = everybody_of(row), everybody_before(row)
        try:
            require_one_draw(row)
            if everybody is None or (own.member < 0).any():  # an older site made it, and did not look at all of it
                raise TableError("renewed")
            require_unbroken(own, before)
            require_unbroken(everybody, wider)
        except EntryError as error:
            waiting.update(state=State.FAILED, ended_for=pack_reason(error), **NOTHING)
            forget_everybody(pk)
            return False
        tried = attack_by_joining(row.report["items"], own, before)
        tried += attack_by_joining(list(everybody.secrets), everybody, wider)
        report = row.report | {"attacks": [*row.report["attacks"], *(one.to_json() for one in tried)]}
        return bool(waiting.update(state=State.DONE, report=report, ended_at=timezone.now()))


def discard(pk: int) -> bool:
    """Stop what is being made, or throw it away before it is released; its worker notices soon."""
    undecided = TableRelease.objects.filter(pk=pk, state__in=(State.QUEUED, State.RUNNING, State.READY))
    ended: dict[str, Any] = {"token": "", "lease_until": None, "ended_at": timezone.now()}
    with transaction.atomic():
        stopped = undecided.update(state=State.STOPPED, **ended, **NOTHING)
        forget_everybody(pk)
    return bool(stopped)


def require_one_draw(row: TableRelease) -> None:
    """Refuse a table that tells more of a disguised column than γ, by itself or together with an earlier one.

    That is a second publication of the column, and columns that follow it: whom a question is asked tells the answer
    that it depends on. In one table these are disguised with it, and γ multiplies as the page says.
    """
    own, before = row.roles, [one.roles for one in earlier(row)]
    drawn = {name for roles in (own, *before) for name, role in roles.items() if role == "disguised"}
    followers = {name: columns_that_tell(row.version, name) for name in sorted(drawn)}
    for one, other in [(own, own), *((own, roles) for roles in before), *((roles, own) for roles in before)]:
        for name in (name for name, role in one.items() if role == "disguised"):
            if name in other and other is not one:
                raise ReleaseError("drawn", attribute=name)
            shown = (each for each in other if each in followers[name])
            if second := next((each for each in shown if one is not other or other[each] != "disguised"), ""):
                raise ReleaseError("follows", attribute=name, other=second)


NOTHING: dict[str, Any] = {"table": b"", "report": {}, "fingerprint": {}}


def earlier(row: TableRelease) -> QuerySet[TableRelease]:
    """The other tables of the same responses that were released."""
    same = TableRelease.objects.filter(version=row.version, snapshot=row.snapshot, state=State.DONE)
    return same.exclude(pk=row.pk).defer("table", "report")


def fingerprint_of(row: TableRelease) -> Fingerprint:
    """Return the fingerprint of the direct respondents' table."""
    return _read_fingerprint(row, row.fingerprint)


def everybody_of(row: TableRelease) -> Fingerprint | None:
    """Return the fingerprint of everybody's table; older sites kept it only of sensitive undisguised answers."""
    return _read_fingerprint(row, row.fingerprint["everybody"]) if "everybody" in row.fingerprint else None


def everybody_before(row: TableRelease) -> list[Fingerprint]:
    """The fingerprints of everybody's tables in earlier releases, as `everybody_of`."""
    return [own for one in earlier(row) if (own := everybody_of(one))]


def _read_fingerprint(row: TableRelease, stored: dict[str, Any]) -> Fingerprint:
    secrets, others = (
        {name: np.array(own, np.int64) for name, own in stored.get(part, {}).items()} for part in ("secrets", "others")
    )
    return Fingerprint(str(row.pk), np.array(stored["member"], np.int64), secrets, others)
