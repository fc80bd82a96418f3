"""Signing in for tests: passwords, right and wrong, strangers, known browsers, and the codes of an app."""

import time
from typing import Any

import pytest
import redis
from allauth.mfa.totp.internal import auth
from allauth.mfa.totp.internal.auth import format_hotp_value, hotp_value
from django.core import signing
from django.test import Client
from playwright.sync_api import Locator

from config.signin import attempts
from tests.clocks import set_time, stop_windows

ADDRESS = "203.0.113.77"
RIGHT, WRONG = "correct horse", "battery staple"
SECRET = "JBSWY3DPEHPK3PXP"
PERIOD, TYPING = 30, 20  # seconds: how long a code is shown, and how long typing it takes on a busy machine


@pytest.fixture
def app_codes(broker: redis.Redis, monkeypatch: pytest.MonkeyPatch) -> None:
    """The clock of codes stands still in the last tenth of a half minute, and no code was used by an earlier test."""
    stopped = PERIOD * (time.time() // PERIOD) + PERIOD - 0.1
    set_time(monkeypatch, auth, lambda: stopped)
    for name in broker.keys("*allauth*"):
        broker.delete(name)


@pytest.fixture
def one_window(monkeypatch: pytest.MonkeyPatch) -> None:
    """No window of a budget ends during a test."""
    stop_windows(monkeypatch)


def guess(client: Client, password: str = WRONG, name: str = "ann", **more: Any) -> Any:
    return client.post(
        "/staff/admin/login/", {"username": name, "password": password, "next": "/staff/studio/"}, **more
    )


def stranger(address: str = ADDRESS) -> Client:
    return Client(REMOTE_ADDR=address)


def known_browser() -> str:
    """The header of a browser in which somebody has signed in before."""
    cookie = signing.dumps({"device": "d", "accounts": []}, salt=attempts.COOKIE)
    return f"Cookie: {attempts.COOKIE}={cookie}\r\n"


def now(secret: str = SECRET, later: int = 0) -> str:
    """The code that an app shows by the clock of this process, or so many half minutes later."""
    (counter,) = auth.yield_hotp_counters_from_time()
    return format_hotp_value(hotp_value(secret, counter + later))


def type_code(field: Locator) -> None:
    """On a site whose clock goes on: like a person, wait for the next code where there is little time left to type."""
    field.wait_for()
    left = PERIOD - time.time() % PERIOD
    if left < TYPING:
        time.sleep(left + 0.01)
    field.fill(now())
