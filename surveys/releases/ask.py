"""Asking for a release: the checks before anything is made, and the hints to the workers."""

from __future__ import annotations

import logging
from typing import Any

from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from kombu.exceptions import OperationalError

from privacy.errors import EntryError
from surveys.models import SurveyVersion, TableRelease
from surveys.releases.claim import LEASE, MOST_ATTEMPTS, fail
from surveys.releases.make import IN_STEPS, KNOWN, open_questions

logger = logging.getLogger(__name__)
State = TableRelease.State


def ask(version: SurveyVersion, asked: dict[str, Any], user: Any) -> TableRelease:
    """Ask for a release: {"roles": {question: role}, "k", "l", "share", "language"}."""
    open_questions(version, asked["language"])
    if not any(role in (KNOWN, IN_STEPS) for role in asked["roles"].values()):
        raise EntryError("Say of at least one question that others may know the answer.")
    snapshot = version.snapshots.latest()
    with transaction.atomic():
        release = TableRelease.objects.create(
            version=version, snapshot=snapshot.sha256, asked=asked, requested_by=user, requested_at=timezone.now()
        )
        transaction.on_commit(lambda: hint(release.pk))
    return release


def hint(pk: int) -> None:
    """Tell the workers to look at a release. Should the broker be away, the duty tells them later."""
    from surveys.tasks import make_release

    TableRelease.objects.filter(pk=pk).update(hinted_at=timezone.now())
    try:
        make_release.delay(pk)
    except OperationalError:
        logger.warning("The broker is away; release %s waits for the next look.", pk)


def take_up() -> None:
    """A duty: give back what a dead worker left, end what was tried too often, and hint again at what waits."""
    now = timezone.now()
    left = TableRelease.objects.filter(state=State.RUNNING, lease_until__lt=now)
    for pk, token in left.filter(attempts__gte=MOST_ATTEMPTS).values_list("pk", "token"):
        fail(pk, token, EntryError("Its worker died {attempts} times; ask again.", attempts=MOST_ATTEMPTS))
    left.filter(attempts__lt=MOST_ATTEMPTS).update(state=State.QUEUED, token="", lease_until=None, hinted_at=None)
    waiting = TableRelease.objects.filter(Q(hinted_at=None) | Q(hinted_at__lt=now - LEASE), state=State.QUEUED)
    for pk in waiting.values_list("pk", flat=True):
        hint(pk)
