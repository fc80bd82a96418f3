"""Tokens of the API: random, shown once and stored as hashes. A token does what its person may, within its scopes.

A person who had the password or the second factor may have made one, so all end when either changes.
"""

import secrets
from collections.abc import Sequence
from datetime import timedelta
from hashlib import sha256
from typing import Any

from allauth.core import context
from django.contrib import messages
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext, ngettext

from config.models import ApiToken

PREFIX = "candor_"
LONGEST_DAYS = 366


def make(user: User, name: str, scopes: Sequence[str], days: int) -> tuple[ApiToken, str]:
    """Make a token and return it with its text, which is shown only now."""
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


def holder(text: str) -> ApiToken:
    """The token with this text, if it is still good and its person is still staff; that it was used is noted by day.

    ValidationError for any other text.
    """
    good = ApiToken.objects.select_related("user").filter(
        hash=_hash(text), ended_at=None, expires_at__gt=timezone.now(), user__is_active=True, user__is_staff=True
    )
    token = good.first()
    if token is None:
        raise ValidationError("This token is not valid.")
    today = timezone.localdate()
    if token.used_on is None or token.used_on < today:  # else a reading request would wait for a writer
        ApiToken.objects.filter(Q(used_on=None) | Q(used_on__lt=today), pk=token.pk).update(used_on=today)
    return token


def end(user: User, token_id: int) -> bool:
    return bool(ApiToken.objects.filter(pk=token_id, user=user, ended_at=None).update(ended_at=timezone.now()))


def end_all(user: User) -> None:
    """End all tokens of the person, and say so on the next page of the person who caused it."""
    now = timezone.now()
    number = ApiToken.objects.filter(user=user, ended_at=None, expires_at__gt=now).update(ended_at=now)
    if number and context.request is not None:
        sentence = ngettext(
            "%(number)d API token of %(user)s ended.", "%(number)d API tokens of %(user)s ended.", number
        )
        messages.warning(context.request, sentence % {"number": number, "user": user.get_username()})


def end_sessions(sender: Any, instance: Any, created: bool = True, **_: Any) -> None:  # noqa: ARG001  of a signal
    """End all tokens of a person whose second factor was added or removed; `created` is False if it was only used."""
    if created:
        end_all(instance.user)


class EndWithPassword:
    """Refuses no password; Django calls it when one has changed (one of AUTH_PASSWORD_VALIDATORS)."""

    def validate(self, password: str, user: User | None = None) -> None:
        pass

    def password_changed(self, password: str, user: User) -> None:
        end_all(user)

    def get_help_text(self) -> str:
        return gettext("A new password ends all API tokens.")


def _hash(text: str) -> bytes:
    """A plain hash suffices, because the text has 256 random bits."""
    return sha256(text.encode(errors="replace")).digest()
