"""Whether this worker shall end: whoever works on a run then gives it back, and the attempt does not count.

The main process of a worker gets the request to end, and tells its pool by a byte of shared memory. A service manager,
and `make run`, send the signal to every process at once; a process of the pool would then end in the middle of its
work, so it holds the signal back.
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


def ask_to_end() -> None:
    """Note that this worker shall end."""
    _asked[0] = 1


def is_asked() -> bool:
    return bool(_asked[0] or _here)


@contextmanager
def held_back() -> Iterator[None]:
    """Hold back the signal that ends a process of the pool until the block is done."""
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
