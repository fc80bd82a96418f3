"""Links by which others read chosen parts of a report without an account.

A link holds 32 random bytes, and the database only their SHA-256: a person who reads the database finds no link that
works. A link that is unknown, has ended or was taken back gets the same answer.
"""

import secrets
from collections.abc import Sequence
from datetime import timedelta
from hashlib import sha256

from django.contrib.auth.models import User
from django.utils import timezone

from surveys.models import SharedReport, SurveyVersion

LONGEST = 366  # days
_BYTES = 32


def share(version: SurveyVersion, label: str, parts: Sequence[str], days: int, by: User) -> tuple[SharedReport, str]:
    """Make a link to these parts, and return it with its token, which is shown only now."""
    token, now = secrets.token_urlsafe(_BYTES), timezone.now()
    shared = SharedReport.objects.create(
        version=version,
        token=_hash(token),
        label=label,
        parts=list(parts),
        expires_at=now + timedelta(days=days),
        created_at=now,
        created_by=by,
    )
    return shared, token


def revoke(shared: SharedReport) -> None:
    """Let the link open nothing any more, for good."""
    SharedReport.objects.filter(pk=shared.pk, revoked_at=None).update(revoked_at=timezone.now())


def find_report(token: str) -> SharedReport | None:
    """The shared report that a token opens; None where its link is unknown, has ended or was taken back."""
    shared = SharedReport.objects.select_related("version__survey").filter(token=_hash(token)).first()
    return shared if shared is not None and shared.is_open and shared.version.survey.erasing_since is None else None


def _hash(token: str) -> bytes:
    return sha256(token.encode()).digest()
