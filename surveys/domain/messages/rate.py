"""Limits on how often one network may send (docs/decisions/0019-budgets-of-networks.md). No address is kept anywhere.

The broker counts messages under a keyed hash of the address. The key is drawn for a window of ten minutes, lives in the
broker's memory alone, and is forgotten when the window ends. The budgets are generous, because a school or a company
has one address. If the broker cannot be reached, nobody is turned away.
"""

import hmac
import ipaddress
import secrets
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import NamedTuple, Protocol, cast

from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest
from redis import RedisError

from surveys.domain.messages.submission import Refused

WINDOW = 600  # seconds
STORED = 6000  # messages of one sender in a window that led to something stored
REFUSED = 600  # messages of one sender that no page of this site sends
# Somebody who has many senders' addresses does not have as many budgets: networks share theirs upward. A household
# often has a /56 of IPv6, a company or a university a /48.
SHARED = {7: 2, 6: 4}  # bytes of an IPv6 address: how many budgets of one sender they share
NAT64 = ipaddress.IPv6Network("64:ff9b::/96")


class CountStore(Protocol):
    """Where counts are kept: the broker (`config.run.cache.BrokerCache`), or the memory of one process."""

    def get_or_set(self, key: str, default: Callable[[], str], timeout: int) -> object: ...

    def get_many(self, keys: list[str]) -> dict[str, int]: ...

    def count(self, keys: list[str], change: int, seconds: int) -> list[int]: ...


BROKER = cast("CountStore", cache)


class TooManyMessagesError(Refused):
    def __init__(self, seconds: int) -> None:
        super().__init__(429, "rate", "Too many messages came from your network; your device will try again.")
        self.seconds = seconds


class Counters(NamedTuple):
    """The names of a sender's counters, and when their window ends, in seconds since 1970."""

    names: list[str]
    end: int = 0


def check_stored(address: str) -> Counters:
    """The counters of the sender's networks; TooManyMessagesError if one is used up in this window."""
    networks, end = _networks(address, STORED), int(time.time()) // WINDOW * WINDOW + WINDOW
    with _allow_without_broker():
        counters = Counters(_counter_names("rate", list(networks)), end)
        counts = BROKER.get_many(counters.names) if networks else {}
        if any(
            int(counts.get(name, 0)) >= limit for name, limit in zip(counters.names, networks.values(), strict=True)
        ):
            raise TooManyMessagesError(seconds_of_window())
        return counters
    return Counters([])


def count_stored(counters: Counters) -> None:
    """Count a message that was stored, in counters that `check_stored` returned; nothing if their window has ended."""
    left = counters.end - int(time.time())
    with _allow_without_broker():
        if counters.names and left > 0:
            BROKER.count(counters.names, 1, left)


def count_refused(address: str) -> None:
    """Count a message that was refused; TooManyMessagesError, in place of the reason, once there are too many."""
    _count("rate-refused", address, REFUSED)


def count_read(address: str, budget: int) -> None:
    """Count a page that the sender reads; TooManyMessagesError once their networks read more than the budget."""
    _count("rate-read", address, budget)


def _count(purpose: str, address: str, budget: int) -> None:
    """Count one message of this purpose; TooManyMessagesError if one of the sender's networks is over its budget."""
    networks = _networks(address, budget)
    with _allow_without_broker():
        counts = _increase(_counter_names(purpose, list(networks)), 1, BROKER)
        if any(count > limit for count, limit in zip(counts, networks.values(), strict=True)):
            raise TooManyMessagesError(seconds_of_window())


@contextmanager
def _allow_without_broker() -> Iterator[None]:
    """Suppress errors of the broker: it cannot be reached, or holds no number under a name."""
    with suppress(RedisError, ValueError):
        yield


def _networks(address: str, budget: int) -> dict[bytes, int]:
    """The sender's networks (first bytes of the address) and how many messages each may send; none for this machine."""
    sender = sender_of(address)
    if sender is None:
        return {}
    wider = {sender[:size]: budget * factor for size, factor in SHARED.items()} if len(sender) == 8 else {}
    return {sender: budget, **wider}


def count_subject(purpose: str, subject: bytes, change: int = 1, store: CountStore = BROKER) -> int:
    """Add `change` to the count of a subject in this window and return it; its name is a hash under the window's key.

    The store is the broker, unless the counts of one process are enough. A change of -1 takes a count back.
    """
    (count,) = _increase(_counter_names(purpose, [subject], store), change, store)
    return count


def _counter_names(purpose: str, subjects: list[bytes], store: CountStore = BROKER) -> list[str]:
    """The names of the subjects' counters in this window: hashes under a key that is forgotten with the window."""
    if not subjects:
        return []
    window = int(time.time()) // WINDOW
    key = store.get_or_set(f"{purpose}-key-{window}", lambda: secrets.token_hex(32), seconds_of_window())
    secret = str(key).encode()
    return [f"{purpose}-{window}-{hmac.digest(secret, subject, 'sha256').hex()[:32]}" for subject in subjects]


def _increase(counters: list[str], change: int, store: CountStore) -> list[int]:
    return store.count(counters, change, seconds_of_window()) if counters else []


def seconds_of_window() -> int:
    """The seconds until this window ends."""
    return WINDOW - int(time.time()) % WINDOW


def address_of(request: HttpRequest) -> str:
    """The sender's IP address, needed only while counting; behind a proxy the last one in the proxy's header."""
    if settings.SECURE_PROXY_SSL_HEADER and "X-Forwarded-For" in request.headers:
        return request.headers["X-Forwarded-For"].rsplit(",", 1)[-1].strip()
    return request.META.get("REMOTE_ADDR", "")  # a web server on a Unix socket knows none


def sender_of(address: str) -> bytes | None:
    """The bytes that stand for one sender, a household or a company: an IPv4 address, or half of an IPv6 address.

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
