"""Accounts by invitation: an administrator names the account, and a link that works once lets somebody set a password.

The text of a link has 256 random bits and is kept as a hash. An account that was made so may sign in, and may begin
surveys where the administrator said so; what else it may do follows from its roles in surveys.
"""

import secrets
from datetime import timedelta
from hashlib import sha256

from django.contrib.auth.models import Permission, User
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from config.models import AccountInvitation

DAYS = 7


def make(by: User, username: str, creates: bool) -> str:
    """Invite somebody; returns the text of the link, which nobody can be told again."""
    text = secrets.token_urlsafe(32)
    now = timezone.now()
    AccountInvitation.objects.create(
        username=username,
        creates=creates,
        hash=_hash(text),
        made_by=by,
        made_at=now,
        expires_at=now + timedelta(days=DAYS),
    )
    return text


def find(text: str) -> AccountInvitation | None:
    return _good().filter(hash=_hash(text)).first()


@transaction.atomic
def accept(invitation: AccountInvitation, password: str) -> User | None:
    """Make the account; None if the link was used, ended or has expired meanwhile, or the name was taken."""
    if _good().filter(pk=invitation.pk).update(ended_at=timezone.now()) != 1:
        return None
    if User.objects.filter(username=invitation.username).exists():
        return None
    user = User.objects.create_user(invitation.username, password=password, is_staff=True)
    if invitation.creates:
        user.user_permissions.add(Permission.objects.get(content_type__app_label="surveys", codename="add_survey"))
    AccountInvitation.objects.filter(pk=invitation.pk).update(user=user)
    return user


def end(pk: int) -> bool:
    return bool(_good().filter(pk=pk).update(ended_at=timezone.now()))


def open_invitations() -> list[AccountInvitation]:
    return list(_good().select_related("made_by"))


def _good() -> QuerySet[AccountInvitation]:
    return AccountInvitation.objects.filter(ended_at=None, expires_at__gt=timezone.now())


def _hash(text: str) -> bytes:
    return sha256(text.encode(errors="replace")).digest()
