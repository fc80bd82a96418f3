"""A limit on how often one address may send. No address is kept anywhere.

The broker counts messages under a keyed hash of the address. The key is drawn for a window of ten minutes, lives in the
broker's memory alone, and is forgotten when the window ends. The limit is generous, because a school or a company has
one address: two thousand invited people in one hall send four thousand messages (each person first asks for a
signature), and some of them twice. If the broker cannot be reached, nobody is refused.
"""

from __future__ import annotations

import hmac
import ipaddress
import secrets
import time
from typing import Any

from django.conf import settings
from django.core.cache import cache
from django.core.cache.backends.base import BaseCache
from django.http import HttpRequest
from redis import RedisError

from surveys.domain.refusals import Refused

WINDOW = 600  # seconds
LIMIT = 6000  # messages in a window
NAT64 = ipaddress.IPv6Network("64:ff9b::/96")


class TooOften(Refused):
    def __init__(self, seconds: int) -> None:
        super().__init__(429, "rate", "Too many messages came from your network; your device tries again.")
        self.seconds = seconds


def count_message(address: str) -> None:
    """Count one message from the address; TooOften once it is over the limit."""
    sender = sender_of(address)
    if sender is None:
        return
    seconds_left = seconds_of_window()
    try:
        messages = count_subject("rate", sender)
    except (RedisError, ValueError):  # the broker cannot be reached, or has just forgotten the count
        return
    if messages > LIMIT:
        raise TooOften(seconds_left)


def count_subject(purpose: str, subject: bytes, change: int = 1, store: BaseCache = cache) -> int:
    """Count once more for the subject in this window, under a hash that only this window's key can repeat.

    The store is the broker, unless somebody can do with the counts of one process. A change of -1 takes a count back.
    """
    seconds_left = seconds_of_window()
    window = int(time.time()) // WINDOW
    key: Any = store.get_or_set(f"{purpose}-key-{window}", lambda: secrets.token_bytes(32), seconds_left)
    counter = f"{purpose}-{window}-{hmac.digest(key, subject, 'sha256').hex()[:32]}"
    store.add(counter, 0, seconds_left)
    return store.incr(counter, change)


def seconds_of_window() -> int:
    """The seconds until this window ends."""
    return WINDOW - int(time.time()) % WINDOW


def address_of(request: HttpRequest) -> str:
    """The sender's address, needed only while counting; behind a proxy it is the last address in the proxy's header."""
    if settings.SECURE_PROXY_SSL_HEADER and "X-Forwarded-For" in request.headers:
        return request.headers["X-Forwarded-For"].rsplit(",", 1)[-1].strip()
    return request.META["REMOTE_ADDR"]


def sender_of(address: str) -> bytes | None:
    """What counts as one sender, a household or a company: an IPv4 address, or the first half of an IPv6 address.

    None for this machine itself, and for what is not an address.
    """
    try:
        parsed = ipaddress.ip_address(_without_port(address))
    except ValueError:
        return None
    if isinstance(parsed, ipaddress.IPv6Address):
        embedded = ipaddress.IPv4Address(parsed.packed[12:]) if parsed in NAT64 else parsed.ipv4_mapped
        parsed = embedded or parsed
    if parsed.is_loopback:
        return None
    return parsed.packed[:8] if parsed.version == 6 else parsed.packed


def _without_port(address: str) -> str:
    """The address alone, where a proxy has written 192.0.2.1:5000 or [2001:db8::1]:5000."""
    if address.startswith("["):
        return address[1:].partition("]")[0]
    return address.partition(":")[0] if address.count(":") == 1 else address
