"""Messages between the processes that count one run, through the broker.

They are compressed, and encrypted for their place under SECRET_KEY: whoever reads or writes in the broker learns no
count and forges none. A message of another run, or of another claim of the same run, has another place. That one comes
twice is for whoever gets it to notice.
"""

from __future__ import annotations

import logging
import threading
import zlib
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any

import redis
from django.conf import settings

from mining.domain.crew.groups import PACKING
from mining.engines.wire import from_bytes, to_bytes
from surveys.domain.database.wrapping import UnknownSecretKeyError, unwrap, wrap

log = logging.getLogger(__name__)

# Of how the messages look that a leader and its members send one another (tests/mining/test_crew.py). Letter boxes bear
# it in their names. Where a message looks as before and means something else, change it as well.
MESSAGES = "bbcc1e78"
LEADER = "leader"
_KEPT = 600  # seconds for which the broker keeps what nobody fetches


def lost_after() -> float:
    """The seconds without a sign of life after which somebody counts no more: well within the lease of a run."""
    return settings.MINING_LEASE / 2


class Post:
    """The letter boxes of one claim of a run: one of its leader, one of each member.

    Of a process that packs or counts otherwise, or has other messages, nobody hears, nor it of anybody: it has other
    boxes.
    """

    def __init__(self, run_id: int, token: str) -> None:
        self._run = f"candor-crew:{PACKING}:{MESSAGES}:{run_id}:{token}"
        self._broker = redis.Redis.from_url(settings.REDIS_URL, socket_connect_timeout=2, socket_timeout=5)

    def send(self, to: str, message: dict[str, Any]) -> None:
        box = self._box(to)
        with self._broker.pipeline(transaction=False) as pipeline:
            pipeline.rpush(box, wrap(zlib.compress(to_bytes(message), 1), box))
            pipeline.expire(box, _KEPT)
            pipeline.execute()

    def receive(self, by: str, seconds: float = 0) -> dict[str, Any] | None:
        """The next message, which is waited for; None if there is none, or one that nobody with SECRET_KEY has sent."""
        box = self._box(by)
        sent: Any = self._broker.blpop([box], seconds) if seconds else (box, self._broker.lpop(box))
        if not sent or sent[1] is None:
            return None
        try:
            message: dict[str, Any] = from_bytes(zlib.decompress(unwrap(sent[1], box)))
        except (UnknownSecretKeyError, ValueError):
            log.warning("A message to the crew of a run was refused: nobody with SECRET_KEY has sent it.")
            return None
        return message

    def say_alive(self, who: str) -> None:
        self._broker.set(self._sign(who), 1, px=int(1000 * lost_after()))

    def alive(self, whom: Iterable[str]) -> set[str]:
        """Those of them that were heard of late."""
        asked = list(whom)
        signs = self._broker.mget([self._sign(who) for who in asked]) if asked else []
        return {who for who, sign in zip(asked, signs, strict=True) if sign}

    def waiting(self, queue: str) -> int:
        """How many tasks of a queue no worker has taken yet."""
        return int(self._broker.llen(queue))

    def end(self, whom: Iterable[str]) -> None:
        """Remove the boxes of these, and every sign of them."""
        self._broker.delete(*(name for who in whom for name in (self._box(who), self._sign(who))))

    def _box(self, who: str) -> str:
        return f"{self._run}:{who}"

    def _sign(self, who: str) -> str:
        return f"{self._run}:{who}:alive"


class Pulse:
    """Says again and again that somebody is alive, and calls `alone` if the leader is not, whatever else is done."""

    def __init__(self, post: Post, who: str, alone: Callable[[], object] | None = None) -> None:
        self._post, self._who, self._alone = post, who, alone
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._go_on, name="pulse", daemon=True)

    def __enter__(self) -> Pulse:
        with suppress(redis.RedisError):
            self._post.say_alive(self._who)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._thread.join()

    def _go_on(self) -> None:
        silent, pause = 0.0, lost_after() / 5
        while not self._ended.is_set():
            try:
                self._post.say_alive(self._who)
                led = bool(self._post.alive([LEADER]))
            except redis.RedisError:
                led = False
            silent = 0.0 if led else silent + pause
            if self._alone and silent > lost_after():
                self._alone()
                return
            self._ended.wait(pause)
