"""A limit on how often one address may send, without an address kept anywhere.

The broker holds, for ten minutes, how many messages came under a hash of the address; the key of that hash is drawn for
the ten minutes, lives in the broker's memory alone, and is forgotten with them. The limit is generous, because a school
or a company shares one address. Where the broker is away nobody is turned away.
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
LIMIT = 1000


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
    try:
        key: Any = cache.get_or_set(f"rate-key-{window}", lambda: secrets.token_bytes(32), WINDOW)
        name = f"rate-{window}-{hmac.digest(key, network, 'sha256').hex()[:32]}"
        cache.add(name, 0, WINDOW)
        many = cache.incr(name)
    except (RedisError, ValueError):  # the broker is away, or forgot the count this moment
        return
    if many > LIMIT:
        raise TooOften(WINDOW - elapsed)


def _network(address: str) -> bytes | None:
    """What stands for one household or company: an IPv4 address, or half an IPv6 one; None for this machine itself."""
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return None
    if parsed.is_loopback:
        return None
    return parsed.packed[:8] if parsed.version == 6 else parsed.packed
