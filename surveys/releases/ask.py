"""Asking for a release: the checks before anything is made, and the hints to the workers."""

from __future__ import annotations

import json
from typing import Any

from django.db import transaction
from django.db.models import Q
from django.db.models.functions import Now
from django.utils import timezone

from privacy.release import parse_spec
from surveys import notes
from surveys.domain.database.leases import MOST_ATTEMPTS, QUEUED_AGAIN
from surveys.models import SurveyVersion, TableRelease
from surveys.releases.claim import LEASE, died, fail
from surveys.releases.table import releasable

State = TableRelease.State


def ask(version: SurveyVersion, spec: dict[str, Any], user: Any) -> TableRelease:
    """Ask for a table: the spec says what to do, as for `candor anonymize`; what it does not name is left out."""
    parse_spec(spec)
    snapshot = releasable(version)
    with transaction.atomic():
        release = TableRelease.objects.create(
            version=version,
            snapshot=snapshot.sha256,
            asked={"spec": json.dumps(spec)},
            requested_by=user,
            requested_at=timezone.now(),
        )
        transaction.on_commit(lambda: hint(release.pk))
    return release


def hint(pk: int) -> bool:
    """Tell the workers to look at a release. Should the broker be away, the duty tells them later."""
    TableRelease.objects.filter(pk=pk).update(hinted_at=Now())
    return notes.leave(notes.MAKE_RELEASE, pk, waits=f"release {pk} waits for the next look")


def take_up() -> None:
    """A duty: give back what a dead worker left, end what was tried too often, and hint again at what waits."""
    left = TableRelease.objects.filter(state=State.RUNNING, lease_until__lt=Now())
    for pk, token in left.filter(attempts__gte=MOST_ATTEMPTS).values_list("pk", "token"):
        fail(pk, token, died())
    left.filter(attempts__lt=MOST_ATTEMPTS).update(**QUEUED_AGAIN)
    waiting = TableRelease.objects.filter(Q(hinted_at=None) | Q(hinted_at__lt=Now() - LEASE), state=State.QUEUED)
    notes.leave_again(hint, waiting.values_list("pk", flat=True))
