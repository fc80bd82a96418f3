"""Sessions of staff: twelve hours after the last use they end; everybody sees and ends their own, administrators all.

A session holds when it began and when it was last used, to five minutes, and neither address nor browser.
"""

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from importlib import import_module
from typing import Any

from django.conf import settings
from django.contrib.auth import SESSION_KEY
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.crypto import salted_hmac

OLD_COOKIES = ("sessionid", "csrftoken", "django_language", "messages")  # of earlier versions
BEGAN, USED = "signed_in_at", "used_at"
RENEW_SECONDS = 300  # how often a session that is in use is written
GetResponse = Callable[[HttpRequest], HttpResponse]


@dataclass(frozen=True)
class OpenSession:
    """Its mark names it on a page, where the key itself must not stand."""

    key: str
    began: datetime | None
    used: datetime | None

    @property
    def mark(self) -> str:
        return salted_hmac("session", self.key).hexdigest()[:16]


def renew(get_response: GetResponse) -> GetResponse:
    """Let the twelve hours begin again whenever a signed-in person asks for a page that reads the session."""

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        session = request.session
        if session.accessed and SESSION_KEY in session and time.time() - session.get(USED, 0) >= RENEW_SECONDS:
            session[USED] = int(time.time())
        return response

    return middleware


def forget_old_cookies(get_response: GetResponse) -> GetResponse:
    """Let a browser that comes from an earlier version forget its cookies, with which it came to survey pages, too."""

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        if request.path.startswith(settings.STAFF_PATH):
            for name in request.COOKIES.keys() & OLD_COOKIES:
                response.delete_cookie(name)
        return response

    return middleware


def begin(sender: Any, request: HttpRequest, **_: Any) -> None:  # noqa: ARG001  the signal user_logged_in names it
    request.session[BEGAN] = request.session[USED] = int(time.time())


def open_sessions(user: User) -> list[OpenSession]:
    """Every session of the person, the newest first.

    A session names its person inside its signed data, so all are read. Only staff have one: there are few.
    """
    sessions = Session.objects.filter(expire_date__gt=timezone.now())
    held = [(session.session_key, session.get_decoded()) for session in sessions.iterator()]
    own = [
        OpenSession(key, _time(data, BEGAN), _time(data, USED))
        for key, data in held
        if data.get(SESSION_KEY) == str(user.pk)
    ]
    return sorted(own, key=lambda session: (session.began is not None, session.began), reverse=True)


def end(sessions: Iterable[OpenSession]) -> int:
    """End the sessions and return how many there were; people in them must sign in again."""
    number, _ = Session.objects.filter(session_key__in=[session.key for session in sessions]).delete()
    return number


def purge() -> None:
    """Delete sessions that have expired, and shorten those that an earlier version of the program let last longer."""
    import_module(settings.SESSION_ENGINE).SessionStore.clear_expired()
    latest = timezone.now() + timedelta(seconds=settings.SESSION_COOKIE_AGE)
    Session.objects.filter(expire_date__gt=latest).update(expire_date=latest)


def _time(data: dict[str, Any], name: str) -> datetime | None:
    return datetime.fromtimestamp(data[name], UTC) if name in data else None
