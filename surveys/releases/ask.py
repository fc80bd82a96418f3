"""Asking for a release: the checks before anything is made, and the hints to the workers."""

import json
from collections.abc import Sequence
from typing import Any

from django.db import transaction
from django.db.models.functions import Now
from django.utils import timezone

from privacy.release import parse_spec
from surveys import notes
from surveys.models import SurveyVersion, TableRelease
from surveys.releases.claim import sweep
from surveys.releases.table import releasable


def ask(version: SurveyVersion, spec: dict[str, Any], user: Any, compared: Sequence[str] = ()) -> TableRelease:
    """Ask for a table: the spec says what to do, as for `candor anonymize`; what it does not name is left out.

    `compared` names columns whose joint table is compared with that of the responses.
    """
    parse_spec(spec)
    snapshot = releasable(version)
    with transaction.atomic():
        release = TableRelease.objects.create(
            version=version,
            snapshot=snapshot.sha256,
            asked={"spec": json.dumps(spec), "compared": list(compared)},
            requested_by=user,
            requested_at=timezone.now(),
        )
        transaction.on_commit(lambda: hint(release.pk))
    return release


def hint(pk: int) -> bool:
    """Tell the workers to look at a release. Should the broker be away, the duty tells them later."""
    TableRelease.objects.filter(pk=pk).update(hinted_at=Now())
    return notes.leave(notes.MAKE_RELEASE, pk, waits=f"release {pk} waits for the next look")


def start_due_releases() -> None:
    """A duty: give back what a dead worker left, end what was tried too often, and hint again at what waits."""
    notes.leave_again(hint, sweep())
