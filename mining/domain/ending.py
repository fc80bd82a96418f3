"""Whether this worker is asked to end: whoever works on a run gives it back then, and the attempt with it.

The main process of a worker is told, and its pool knows by a byte that they share. A service manager, and `make run`,
tell every process at once; one of the pool would end in the middle of its work, and hears of it here first.
"""

from __future__ import annotations

import mmap
import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager

from billiard import current_process

_asked = mmap.mmap(-1, 1)  # by the main process; the pool is forked from it
_here: list[int] = []  # signals that this process of a pool has heard


def ask() -> None:
    """The worker ends."""
    _asked[0] = 1


def is_asked() -> bool:
    return bool(_asked[0] or _here)


@contextmanager
def heard() -> Iterator[None]:
    """What would end a process of a pool waits until the block has ended."""
    if current_process().name == "MainProcess":  # it is told by Celery
        yield
        return
    before = signal.signal(signal.SIGTERM, lambda number, _frame: _here.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
        if _here:
            os.kill(os.getpid(), signal.SIGTERM)
