"""Sessions end twelve hours after their last use, can be ended, and are forgotten."""

import time
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.test import Client
from django.utils import timezone

from config.signin import sessions
from tests.clocks import set_time

HOUR = 3600


@pytest.fixture
def ann() -> User:
    return User.objects.create_superuser("ann")


def signed_in(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def hours_left(session: Session) -> float:
    return (session.expire_date - timezone.now()).total_seconds() / HOUR


def test_use_lets_the_twelve_hours_begin_again(ann: User, monkeypatch: pytest.MonkeyPatch) -> None:
    """The session is written, and the cookie sent, at most every five minutes."""
    client = signed_in(ann)
    Session.objects.update(expire_date=timezone.now() + timedelta(hours=1))
    assert "staff_session" not in client.get("/staff/studio/").cookies
    later = time.time() + sessions.RENEW_SECONDS
    set_time(monkeypatch, sessions, lambda: later)
    assert client.get("/staff/studio/").cookies["staff_session"]["max-age"] == 12 * HOUR
    assert hours_left(Session.objects.get()) == pytest.approx(12, abs=0.1)


def test_after_twelve_idle_hours_it_is_over(ann: User) -> None:
    client = signed_in(ann)
    assert hours_left(Session.objects.get()) == pytest.approx(12, abs=0.1)
    Session.objects.update(expire_date=timezone.now())
    assert client.get("/staff/studio/")["Location"].startswith("/staff/admin/login/")


def test_a_respondents_page_neither_reads_nor_renews_a_session(ann: User, monkeypatch: pytest.MonkeyPatch) -> None:
    """It does not know whether the browser belongs to staff."""
    client = signed_in(ann)
    later = time.time() + HOUR
    set_time(monkeypatch, sessions, lambda: later)
    response = client.get("/s/anything/")
    assert "staff_session" not in response.cookies
    assert "Cookie" not in response.get("Vary", "")


def test_what_has_expired_is_purged(ann: User) -> None:
    """The tending round deletes it, and shortens what an earlier version has promised for two weeks."""
    keys = [signed_in(ann).session.session_key for _ in range(3)]
    for key, hours in zip(keys, (-1, 3, 14 * 24), strict=True):
        Session.objects.filter(pk=key).update(expire_date=timezone.now() + timedelta(hours=hours))
    sessions.purge()
    left = {session.pk: round(hours_left(session)) for session in Session.objects.all()}
    assert left == {keys[1]: 3, keys[2]: 12}


def test_open_sessions_are_those_of_the_person(ann: User) -> None:
    """Of nobody else, and none that has expired."""
    own = [signed_in(ann).session.session_key for _ in range(3)]
    signed_in(User.objects.create_superuser("ben"))
    Session.objects.filter(pk=own[0]).update(expire_date=timezone.now())
    held = sessions.open_sessions(ann)
    assert {session.key for session in held} == set(own[1:])
    assert [session.began and abs(time.time() - session.began.timestamp()) < 60 for session in held] == [True, True]


def test_an_ended_session_is_over_at_once(ann: User) -> None:
    client, other = signed_in(ann), signed_in(User.objects.create_superuser("ben"))
    assert sessions.end(sessions.open_sessions(ann)) == 1
    assert client.get("/staff/studio/")["Location"].startswith("/staff/admin/login/")
    assert other.get("/staff/studio/").status_code == 200
