"""Asking for a release: what can be refused is refused before anything is made; and the hints to the workers."""

import json
from collections.abc import Sequence
from typing import Any

from django.db import transaction
from django.db.models.functions import Now
from django.utils import timezone

from privacy.release.responses import prepare_responses
from surveys import notes
from surveys.models import SurveyVersion, TableRelease
from surveys.releases.claim import sweep
from surveys.releases.make import read_request
from surveys.releases.table import releasable


def check(version: SurveyVersion, spec: dict[str, Any], user: Any = None, compared: Sequence[str] = ()) -> TableRelease:
    """Refuse what the worker would refuse before it makes a table; nothing is stored."""
    release = TableRelease(
        version=version,
        snapshot=releasable(version).sha256,
        asked={"spec": json.dumps(spec), "compared": list(compared)},
        requested_by=user,
        requested_at=timezone.now(),
    )
    asked, data, answers = read_request(release)
    prepare_responses(data.sealed, answers, asked)
    return release


def ask(version: SurveyVersion, spec: dict[str, Any], user: Any, compared: Sequence[str] = ()) -> TableRelease:
    """Ask for a table: the spec says what to do, as for `candor anonymize`; what it does not name is left out.

    `compared` names columns whose joint table is compared with that of the responses.
    """
    release = check(version, spec, user, compared)
    with transaction.atomic():
        release.save()
        transaction.on_commit(lambda: hint(release.pk))
    return release


def hint(pk: int) -> bool:
    """Tell the workers to look at a release. Should the broker be away, the duty tells them later."""
    TableRelease.objects.filter(pk=pk).update(hinted_at=Now())
    return notes.leave(notes.MAKE_RELEASE, pk, waits=f"release {pk} waits for the next look")


def start_due_releases() -> None:
    """A duty: give back what a dead worker left, end what was tried too often, and hint again at what waits."""
    notes.leave_again(hint, sweep())
