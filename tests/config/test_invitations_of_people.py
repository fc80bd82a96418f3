"""Accounts by invitation: a link works once, for a week, and gives no more than it says."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from config.models import AccountInvitation
from config.signin import invitations

pytestmark = pytest.mark.django_db

PASSWORD = "a long enough secret 17"


@pytest.fixture
def admin() -> User:
    return User.objects.create_superuser("root")


def accept(client: Client, text: str, password: str = PASSWORD):  # type: ignore[no-untyped-def]
    return client.post(f"/staff/admin/account/invited/{text}/", {"new_password1": password, "new_password2": password})


def test_an_invited_person_sets_a_password_and_signs_in(client: Client, admin: User) -> None:
    """The account may sign in and begin surveys, and nothing else; the link works no more."""
    text = invitations.make(admin, "ann", creates=True)
    assert "invited to this site as ann" in client.get(f"/staff/admin/account/invited/{text}/").content.decode()

    answer = accept(client, text)

    ann = User.objects.get(username="ann")
    assert answer["Location"] == "/staff/admin/login/?next=%2Fstaff%2Fstudio%2F"
    assert (ann.check_password(PASSWORD), ann.is_staff, ann.is_superuser) == (True, True, False)
    assert ann.get_all_permissions() == {"surveys.add_survey"}
    assert accept(client, text).status_code == 404


def test_somebody_invited_to_help_begins_no_surveys(client: Client, admin: User) -> None:
    """What they may do follows from their roles alone."""
    accept(client, invitations.make(admin, "ben", creates=False))
    assert User.objects.get(username="ben").get_all_permissions() == set()


def test_a_weak_password_makes_no_account(client: Client, admin: User) -> None:
    """The link stays good for a better one."""
    text = invitations.make(admin, "ann", creates=True)
    assert accept(client, text, "12345").status_code == 200
    assert (User.objects.filter(username="ann").exists(), invitations.find(text) is None) == (False, False)


@pytest.mark.parametrize("how", ["expired", "ended", "taken", "unknown"])
def test_a_link_that_is_no_longer_good_makes_no_account(client: Client, admin: User, how: str) -> None:
    """The answer is the same for each, but for a name that was taken meanwhile: its account stays as it is."""
    text = invitations.make(admin, "ann", creates=True)
    if how == "expired":
        AccountInvitation.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    elif how == "ended":
        assert invitations.end(AccountInvitation.objects.get().pk)
    elif how == "taken":
        User.objects.create_user("ann")
    answer = accept(client, "x" * 43 if how == "unknown" else text)

    assert answer.status_code == 404
    assert not User.objects.filter(username="ann", is_staff=True).exists()


def test_superusers_invite_and_take_back(client: Client, admin: User) -> None:
    """After they have confirmed that it is them; the link is shown once and kept as a hash."""
    admin.set_password(PASSWORD)
    admin.save()
    client.force_login(admin)
    assert client.get("/staff/admin/account/invitations/")["Location"].startswith("/staff/admin/account/confirm/")
    client.post("/staff/admin/account/confirm/", {"password": PASSWORD})

    page = client.post("/staff/admin/account/invitations/", {"username": "ann", "creates": "on"}).content.decode()
    kept = AccountInvitation.objects.get()
    again = client.get("/staff/admin/account/invitations/").content.decode()
    client.post("/staff/admin/account/invitations/", {"end": kept.pk})

    text = page.partition("/staff/admin/account/invited/")[2].partition("/")[0]
    assert (len(text), text in again, text.encode() in bytes(kept.hash)) == (43, False, False)
    assert invitations.find(text) is None


def test_nobody_else_invites(client: Client) -> None:
    """Not even somebody who may change people."""
    user = User.objects.create_user("staff", password=PASSWORD, is_staff=True)
    client.force_login(user)
    client.post("/staff/admin/account/confirm/", {"password": PASSWORD})
    assert client.post("/staff/admin/account/invitations/", {"username": "ann"}).status_code == 403
    assert AccountInvitation.objects.count() == 0
