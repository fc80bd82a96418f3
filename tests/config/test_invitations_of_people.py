"""Accounts by invitation: a link works once, for a week, and gives no more than it says."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from config.models import AccountInvitation, SiteRight
from config.signin import invitations

PASSWORD = "a long enough secret 17"


@pytest.fixture
def admin() -> User:
    return User.objects.create_superuser("root")


def accept(client: Client, text: str, password: str = PASSWORD):  # type: ignore[no-untyped-def]
    return client.post(f"/staff/admin/account/invited/{text}/", {"new_password1": password, "new_password2": password})


def test_an_invited_person_reads_what_a_first_password_needs(client: Client, admin: User) -> None:
    """Tokens and the generated password of the site are those of others."""
    page = client.get(
        f"/staff/admin/account/invited/{invitations.make(admin, 'ann', SiteRight.BEGINS)[1]}/"
    ).content.decode()
    said = ["at least 8 characters" in page, "API tokens" in page, "generated at the first start" in page]
    assert said == [True, False, False]


def test_a_weak_password_makes_no_account(client: Client, admin: User) -> None:
    """The link stays good for a better one."""
    _invitation, text = invitations.make(admin, "ann", SiteRight.BEGINS)
    assert accept(client, text, "12345").status_code == 200
    assert (User.objects.filter(username="ann").exists(), invitations.find(text) is None) == (False, False)


@pytest.mark.parametrize("how", ["expired", "ended", "taken", "taken in other letters", "unknown"])
def test_a_link_that_is_no_longer_good_makes_no_account(client: Client, admin: User, how: str) -> None:
    """The answer is the same for each, but for a name that was taken meanwhile: its account stays as it is."""
    _invitation, text = invitations.make(admin, "ann", SiteRight.BEGINS)
    if how == "expired":
        AccountInvitation.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    elif how == "ended":
        assert invitations.end(AccountInvitation.objects.get().pk)
    elif how == "taken":
        User.objects.create_user("ann")
    elif how == "taken in other letters":  # an invitation of an earlier version
        AccountInvitation.objects.update(username="boſs2")
        User.objects.create_user("boss2")
    answer = accept(client, "x" * 43 if how == "unknown" else text)

    assert answer.status_code == 404
    assert not User.objects.filter(username="ann", is_staff=True).exists()
