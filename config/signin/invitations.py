"""Accounts by invitation: who runs the site names the account, and a link that works once lets somebody set a password.

A person who has lost the password gets such a link, too: it is of their account from the start. A second factor stays.

The text of a link has 256 random bits and is kept as a hash. An account that was made so may sign in, and may begin
surveys or run the site where the administrator said so; what else it may do follows from its roles in surveys.

A link works while the person who made it runs the site: it would be a way back in for somebody who was removed.
"""

import secrets
from datetime import timedelta
from hashlib import sha256
from typing import Any
from unicodedata import normalize

from allauth.socialaccount.models import SocialAccount
from django.contrib.auth.models import Permission, User
from django.db import transaction
from django.db.models import Manager, QuerySet
from django.utils import timezone

from config.models import AccountInvitation, SiteRight

DAYS = 7
MARK = "invitation_opened"  # in the session of who opened the page of one: its link to the university has it


def make(by: User, username: str, kind: SiteRight, account: User | None = None) -> tuple[AccountInvitation, str]:
    """Invite somebody; returns the text of the link, too, which is not stored and cannot be shown again."""
    text, now = secrets.token_urlsafe(32), timezone.now()
    invitation = AccountInvitation.objects.create(
        username=username,
        creates=kind == SiteRight.BEGINS,
        runs=kind == SiteRight.RUNS,
        hash=hash_of(text),
        made_by=by,
        made_at=now,
        expires_at=now + timedelta(days=DAYS),
        user=account,
    )
    return invitation, text


@transaction.atomic
def make_again(by: User, account: User) -> str:
    """The text of a link by which the person sets another password; an earlier such link works no more."""
    end_of(account)
    return make(by, account.username, SiteRight.INVITED, account)[1]


def renew(by: User, invitation: AccountInvitation) -> str:
    """The text of another link, which holds as long as a first one and is of the person who made it now."""
    text, expires = secrets.token_urlsafe(32), timezone.now() + timedelta(days=DAYS)
    usable().filter(pk=invitation.pk).update(hash=hash_of(text), made_by=by, expires_at=expires)
    return text


def has_account(username: str) -> bool:
    return _is_among(username, User.objects)


def is_invited(username: str) -> bool:
    return _is_among(username, usable())


def _is_among(username: str, people: Manager[Any] | QuerySet[Any]) -> bool:
    """Whether one of them has this name, whatever its case and the form of its letters. Databases fold ASCII alone."""
    return _fold(username) in map(_fold, people.values_list("username", flat=True))


def _fold(username: str) -> str:
    return normalize("NFKC", normalize("NFKC", username).casefold())


def find(text: str) -> AccountInvitation | None:
    return find_by(hash_of(text).hex())


def find_by(hashed: str) -> AccountInvitation | None:
    return usable().filter(hash=bytes.fromhex(hashed)).first()


@transaction.atomic
def accept(
    invitation: AccountInvitation, password: str | None, elsewhere: tuple[str, str] | None = None
) -> User | None:
    """Make the account, or give the person's own another password; or bind it to an issuer and a subject instead.

    An account has one way in, the last that was chosen: of one that is bound nobody knows the password. None if the
    link was used, ended or has expired meanwhile, or the name was taken.
    """
    if usable().filter(pk=invitation.pk).update(ended_at=timezone.now()) != 1:
        return None
    password = password or secrets.token_urlsafe(32)
    if invitation.user is not None:
        invitation.user.set_password(password)
        invitation.user.save(update_fields=["password"])
        return _bind(invitation.user, elsewhere)
    if has_account(invitation.username):
        return None
    name = invitation.username
    email = name if "@" in name else ""
    user = User.objects.create_user(name, email, password, is_staff=True, is_superuser=invitation.runs)
    if invitation.creates:
        user.user_permissions.add(Permission.objects.get(content_type__app_label="surveys", codename="add_survey"))
    AccountInvitation.objects.filter(pk=invitation.pk).update(user=user)
    return _bind(user, elsewhere)


def _bind(user: User, elsewhere: tuple[str, str] | None) -> User:
    SocialAccount.objects.filter(user=user).delete()
    if elsewhere:
        SocialAccount.objects.create(user=user, provider=elsewhere[0], uid=elsewhere[1])
    return user


def end(pk: int) -> bool:
    return bool(usable().filter(pk=pk).update(ended_at=timezone.now()))


def end_of(account: User) -> None:
    """End the links by which the person could set another password."""
    usable().filter(user=account).update(ended_at=timezone.now())


def end_made_by(account: User) -> None:
    """End the links that the person made, for good: they stay ended should the person run the site again."""
    AccountInvitation.objects.filter(made_by=account, ended_at=None).update(ended_at=timezone.now())


def usable() -> QuerySet[AccountInvitation]:
    running = User.objects.filter(is_active=True, is_staff=True, is_superuser=True)
    # No join: an update with one would look up its rows before it locks them, and two could use a link at once.
    return AccountInvitation.objects.filter(ended_at=None, expires_at__gt=timezone.now(), made_by__in=running)


def hash_of(text: str) -> bytes:
    return sha256(text.encode(errors="replace")).digest()
