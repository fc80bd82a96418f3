"""A limit on how often one address may send, without an address kept anywhere.

The broker holds how many messages came under a hash of the address; the key of that hash is drawn for a window of ten
minutes, lives in the broker's memory alone, and is forgotten when the window ends. The limit is generous, because a
school or a company shares one address: a hall of two thousand who are invited sends four thousand messages (each buys a
signature first), and some of them again. Where the broker is away nobody is turned away.
"""

from __future__ import annotations

import hmac
import ipaddress
import secrets
import time
from typing import Any

from django.core.cache import cache
from redis import RedisError

from surveys.domain.refusals import Refused

WINDOW = 600
LIMIT = 6000
NAT64 = ipaddress.IPv6Network("64:ff9b::/96")


class TooOften(Refused):
    def __init__(self, seconds: int) -> None:
        super().__init__(429, "rate", "Too many messages came from your network; your device tries again.")
        self.seconds = seconds


def count(address: str) -> None:
    """Count one message from the address; TooOften once it is over the limit."""
    network = _network(address)
    if network is None:
        return
    window, elapsed = divmod(int(time.time()), WINDOW)
    left = WINDOW - elapsed
    try:
        key: Any = cache.get_or_set(f"rate-key-{window}", lambda: secrets.token_bytes(32), left)
        name = f"rate-{window}-{hmac.digest(key, network, 'sha256').hex()[:32]}"
        cache.add(name, 0, left)
        many = cache.incr(name)
    except (RedisError, ValueError):  # the broker is away, or forgot the count this moment
        return
    if many > LIMIT:
        raise TooOften(left)


def _network(address: str) -> bytes | None:
    """What stands for one household or company: an IPv4 address, or half an IPv6 one; None for this machine itself."""
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
    """The address in 192.0.2.1:5000 or [2001:db8::1]:5000, as some proxies write it."""
    if address.startswith("["):
        return address[1:].partition("]")[0]
    return address.partition(":")[0] if address.count(":") == 1 else address
