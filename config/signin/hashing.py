"""Passwords are hashed one at a time on each machine, so that a flood of sign-ins leaves its processors to respondents.

A hash takes a third of a second of one processor on purpose. A process that wants one waits for the lock of a file,
which all processes of the machine share and which the system gives back if its holder dies. Few may wait in each
process, because each of them keeps a thread from other visitors; a visitor who comes then is asked to try again.
Browsers in which somebody has signed in before have a lock of their own, so that strangers cannot keep them waiting.
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from django.conf import settings
from django.contrib.auth.hashers import PBKDF2PasswordHasher

from config.environment import private_folder
from surveys.domain.database import locks

WAITING = 3  # threads of one process that hash or wait for their turn, in each queue
QUEUES = {queue: threading.BoundedSemaphore(WAITING) for queue in ("anybody", "known")}
_queue: ContextVar[str] = ContextVar("queue", default="anybody")


class HashingBusyError(Exception):
    """More passwords are being checked than may wait; nothing was checked."""


class OneAtATime(PBKDF2PasswordHasher):
    """Django's default, with a bound on how many run at once. What it stores is the same."""

    def encode(self, password: str, salt: str, iterations: int | None = None) -> str:
        with _turn(_queue.get()):
            return super().encode(password, salt, iterations)


@contextmanager
def queue_as_known() -> Iterator[None]:
    """Let passwords that are hashed in this block wait in the queue of known browsers."""
    token = _queue.set("known")
    try:
        yield
    finally:
        _queue.reset(token)


@contextmanager
def _turn(queue: str) -> Iterator[None]:
    """Wait in this queue for one's turn to hash; HashingBusyError if too many wait there already."""
    if not QUEUES[queue].acquire(blocking=False):
        raise HashingBusyError
    try:
        path = private_folder(settings.CANDOR_DATA / "run") / f"hashing-{queue}.lock"
        with locks.turn(path):
            yield
    finally:
        QUEUES[queue].release()
