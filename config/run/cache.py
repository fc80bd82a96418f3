"""How values lie in the broker: as JSON, which only ever becomes numbers and texts again.

Django would write and read them as pickles. Then a person who can write to the broker could run code in every process
that reads there.

A broker that cannot be connected to is left alone for some seconds: else everybody who sends would wait for it, one
after the other.
"""

import json
import time
from typing import Any

import redis
from django.core.cache.backends.locmem import LocMemCache
from django.core.cache.backends.redis import RedisCache, RedisCacheClient


class Json:
    def dumps(self, value: int | str) -> bytes:
        return json.dumps(value).encode()

    def loads(self, written: bytes) -> int | str:
        """Read a number or a text; ValueError for anything else, which this site does not write there."""
        try:
            value = json.loads(written) if len(written) < 1000 else None
        except RecursionError:  # of a thousand brackets
            value = None
        if isinstance(value, int | str):
            return value
        raise ValueError("The broker holds data that this site has not written.")


ALONE = 5.0  # seconds for which this process does not ask a broker that it could not connect to
_ask_again: dict[tuple[Any, ...], float] = {}  # when to, by the broker's address; nothing while it answers
_RedisPool: Any = redis.ConnectionPool


class Pool(_RedisPool):
    """Django has a pool for each thread; what one thread finds out, all threads of the process know."""

    def get_connection(self, *arguments: Any, **options: Any) -> Any:
        """A connection; ConnectionError at once if the broker could not be reached a few seconds ago."""
        address = tuple(self.connection_kwargs.get(name) for name in ("host", "port", "path"))
        due = _ask_again.get(address)
        if due is not None:
            if time.monotonic() < due:
                raise redis.ConnectionError("The broker did not answer a few seconds ago.")
            _ask_again[address] = time.monotonic() + ALONE  # one thread asks, and the others do not wait with it
        try:
            connection = super().get_connection(*arguments, **options)
        except (redis.ConnectionError, redis.TimeoutError):
            _ask_again[address] = time.monotonic() + ALONE
            raise
        _ask_again.pop(address, None)
        return connection


_DjangosClient: Any = RedisCacheClient  # what it is made of has no types


class _PooledClient(_DjangosClient):
    """Django's, but that it keeps one client for each pool. Django makes one for each command, which takes .15 ms."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._clients: dict[Any, Any] = {}

    def get_client(self, key: str | None = None, *, write: bool = False) -> Any:
        pool = self._get_connection_pool(write)
        if pool not in self._clients:
            self._clients[pool] = self._client(connection_pool=pool)
        return self._clients[pool]

    def count(self, keys: list[str], change: int, seconds: int) -> list[int]:
        commands = self.get_client(write=True).pipeline()
        for key in keys:
            commands.set(key, 0, ex=seconds, nx=True)
            commands.incrby(key, change)
        return [int(total) for total in commands.execute()[1::2]]


class BrokerCache(RedisCache):
    _cache: Any  # the client, which Django's types do not know

    def __init__(self, server: str, params: dict[str, Any]) -> None:
        super().__init__(server, params)
        self._class = _PooledClient

    def count(self, keys: list[str], change: int, seconds: int) -> list[int]:
        """Add `change` to the count under each key, and return all counts; a new count begins at 0 and lasts `seconds`.

        All at once, in one round trip. Django's own commands would take four for each key.
        """
        return self._cache.count([self.make_and_validate_key(key) for key in keys], change, seconds)


class OneProcess(LocMemCache):
    """The counts of this process alone, for the time in which the broker does not answer."""

    def count(self, keys: list[str], change: int, seconds: int) -> list[int]:
        """Count as `BrokerCache` does, but in the memory of this process."""
        for key in keys:
            self.add(key, 0, seconds)
        return [self.incr(key, change) for key in keys]
