"""Signing in for tests: a password that is right and one that is not, strangers, and the codes of an app."""

import time
from typing import Any

from allauth.mfa.totp.internal.auth import format_hotp_value, hotp_value
from django.test import Client

ADDRESS = "203.0.113.77"
RIGHT, WRONG = "correct horse", "battery staple"
SECRET = "JBSWY3DPEHPK3PXP"
PERIOD, TYPING = 30, 10  # seconds: how long a code is shown, and how long typing it takes on a busy machine


def guess(client: Client, password: str = WRONG, name: str = "ann", **more: Any) -> Any:
    return client.post("/admin/login/", {"username": name, "password": password, "next": "/admin/"}, **more)


def stranger(address: str = ADDRESS) -> Client:
    return Client(REMOTE_ADDR=address)


def now(secret: str = SECRET) -> str:
    """The code that an app shows, once there is time left to type it: like a person, wait for the next one if not."""
    left = PERIOD - time.time() % PERIOD
    if left < TYPING:
        time.sleep(left + 0.01)
    return format_hotp_value(hotp_value(secret, int(time.time()) // PERIOD))
