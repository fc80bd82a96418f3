"""Which parts of the site run where: each says every few seconds, through the broker, that it is alive.

The broker keeps the name of the part, the name of its machine and the time; of the duties of the sealing job also when
each was last done and whether it fails, and nothing about what they did. What has been silent for LOST seconds does not
run any more.
"""

import json
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any

import redis
from celery.signals import heartbeat_sent
from django.conf import settings

from surveys.children import repeating
from surveys.domain.database import duties

KEY, DONE, FAILING = "candor-alive", "candor-duties-done", "candor-duties-failing"
PAUSE, LOST, FORGOTTEN = 5.0, 30.0, 86_400.0  # seconds
# Times of the sealing job are rounded to so many seconds. How much later than a sealing it did the next thing
# would show how long the sealing took, and so perhaps whether anybody had answered.
COARSE = 10
WEB_SERVER, WORKER, SEALING_JOB = "web server", "worker", "sealing job"
PREPARATION = "preparation"  # of the database, by one machine at a time


@dataclass(frozen=True)
class Program:
    name: str
    host: str
    silent: float  # seconds

    @property
    def runs(self) -> bool:
        return self.silent < LOST


@dataclass(frozen=True)
class Failing:
    duty: str
    host: str
    failures: int  # in a row
    why: str  # the kind of the last error

    @property
    def seals(self) -> bool:
        return self.duty.startswith("surveys.domain.responses.seal.")


@dataclass(frozen=True)
class Duties:
    done: dict[str, float]  # seconds since each was last done, by whichever machine
    failing: Sequence[Failing]


def client() -> redis.Redis:
    """Return a client of the broker that waits one second at most."""
    return redis.Redis.from_url(settings.REDIS_URL, socket_connect_timeout=1, socket_timeout=1)


def beat(part: str) -> None:
    """Tell the broker that this part runs on this machine; without a broker nothing happens."""
    now = time.time()
    with suppress(redis.RedisError), client() as broker:
        broker.zadd(KEY, {f"{part}\n{settings.MACHINE}": _coarsely(now) if part == SEALING_JOB else now})


def _coarsely(when: float) -> float:
    return when // COARSE * COARSE


@contextmanager
def beat_while(part: str) -> Iterator[None]:
    """Beat for this part until the block ends, then take it from the list. One that is killed just falls silent."""
    beat(part)
    try:
        with repeating(lambda: beat(part), PAUSE):
            yield
    finally:
        with suppress(redis.RedisError), client() as broker:
            broker.zrem(KEY, f"{part}\n{settings.MACHINE}")


def keep_beating(part: str) -> None:
    """Beat for this part in a thread of its own, as long as the process lives."""

    def go_on() -> None:
        while True:
            beat(part)
            time.sleep(PAUSE)

    threading.Thread(target=go_on, name="heartbeats", daemon=True).start()


def sealing_job() -> None:
    """A duty of each host that seals: beat for the sealing job, and report on all duties. A long duty delays it."""
    beat(SEALING_JOB)
    report_duties()


def report_duties() -> None:
    """Tell the broker how the duties of this process went; what an earlier process reported stays there."""
    ahead = time.time() - time.monotonic()
    with suppress(redis.RedisError), client() as broker, broker.pipeline() as commands:
        for name, outcome in duties.outcomes.items():
            field = f"{name}\n{settings.MACHINE}"
            if outcome.done is not None:
                commands.zadd(DONE, {field: _coarsely(ahead + outcome.done)})
            if outcome.failures:
                tried = _coarsely(ahead + outcome.tried)
                commands.hset(FAILING, field, json.dumps([tried, outcome.failures, outcome.why]))
            else:
                commands.hdel(FAILING, field)
        commands.execute()


def read_duties() -> Duties:
    """The duties as machines reported them within a day. A failure is over once another machine has done the same duty.

    A machine takes back its own failures itself, once it has done what failed.
    """
    now = time.time()
    with client() as broker:
        broker.zremrangebyscore(DONE, 0, now - FORGOTTEN)
        done = broker.zrange(DONE, 0, -1, withscores=True)  # the last one last
        failing = broker.hgetall(FAILING)
    times = [(*_name_and_host(member), then) for member, then in done]
    listed = []
    for member, text in sorted(failing.items()):
        name, host = _name_and_host(member)
        tried, failures, why = _failure(text)
        elsewhere = [then for duty, machine, then in times if duty == name and machine != host]
        if tried > max([now - FORGOTTEN, *elsewhere]):
            listed.append(Failing(name, host, failures, why))
    last = {duty: then for duty, _, then in times}
    return Duties({duty: max(0.0, now - then) for duty, then in sorted(last.items())}, listed)


def parts() -> list[Program]:
    """Every part that was heard within a day; RedisError if the broker does not answer."""
    now = time.time()
    with client() as broker:
        broker.zremrangebyscore(KEY, 0, now - FORGOTTEN)
        heard = broker.zrange(KEY, 0, -1, withscores=True)
    known = [Program(*_name_and_host(member), max(0.0, now - then)) for member, then in heard]
    return sorted(known, key=lambda one: (one.name, one.host))


def _name_and_host(member: bytes) -> tuple[str, str]:
    """Read a member's name and host; anybody may write there, so any bytes are accepted."""
    name, _, host = member.decode(errors="replace").partition("\n")
    return name, host


def _failure(text: bytes) -> tuple[float, int, str]:
    """Read a failure: when it was, how many in a row, and why; time 0 if this site has not written the text."""
    try:
        tried, failures, why = json.loads(text)
        return float(tried), int(float(failures)), str(why)
    except (ValueError, TypeError, OverflowError, RecursionError):
        return 0.0, 0, ""


_worker_is_due = 0.0


@heartbeat_sent.connect  # config.celery imports this module: Celery asks whether anybody listens when a worker starts
def _worker(**_: Any) -> None:
    """Beat for the worker, at most every PAUSE seconds, when Celery sends a heartbeat of its own."""
    global _worker_is_due
    if time.monotonic() >= _worker_is_due:
        _worker_is_due = time.monotonic() + PAUSE
        beat(WORKER)
