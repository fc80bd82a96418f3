"""Tokens of the API: random, shown once and stored as hashes. A token does what its person may, within its scopes."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from datetime import timedelta
from hashlib import sha256

from django.contrib.auth.models import User
from django.db.models import Q
from django.utils import timezone

from config.models import ApiToken

PREFIX = "candor_"
LONGEST_DAYS = 366


def make(user: User, name: str, scopes: Sequence[str], days: int) -> tuple[ApiToken, str]:
    """A new token, and its text, which nobody can be told again."""
    text = PREFIX + secrets.token_urlsafe(32)
    token = ApiToken.objects.create(
        user=user,
        name=name,
        scopes=list(scopes),
        hash=_hash(text),
        made_on=timezone.localdate(),
        expires_at=timezone.now() + timedelta(days=min(days, LONGEST_DAYS)),
    )
    return token, text


def holder(text: str) -> ApiToken | None:
    """The token with this text, if it is still good and its person is still staff; that it was used is noted by day."""
    good = ApiToken.objects.select_related("user").filter(
        hash=_hash(text), ended_at=None, expires_at__gt=timezone.now(), user__is_active=True, user__is_staff=True
    )
    token = good.first()
    if token is not None:
        today = timezone.localdate()
        ApiToken.objects.filter(Q(used_on=None) | Q(used_on__lt=today), pk=token.pk).update(used_on=today)
    return token


def end(user: User, token_id: int) -> bool:
    """End one of the person's own tokens, for good."""
    return bool(ApiToken.objects.filter(pk=token_id, user=user, ended_at=None).update(ended_at=timezone.now()))


def _hash(text: str) -> bytes:
    """A plain hash suffices, because the text has 256 random bits."""
    return sha256(text.encode(errors="replace")).digest()
