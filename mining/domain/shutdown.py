"""Whether this worker shall end: the process that watches over a run then releases it, and the attempt does not count.

The main process of a worker gets the request to end, and tells its pool by a byte of shared memory. A service manager,
and `make run`, send the signal to every process at once. A process of the pool would then end in the middle of its
work, so it delays the signal.
"""

import mmap
import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager

from billiard import current_process

_requested = mmap.mmap(-1, 1)  # by the main process; the pool is forked from it
_heard: list[int] = []  # signals that this process of a pool has heard


def request() -> None:
    """Ask every process of this worker's pool to end."""
    _requested[0] = 1


def is_requested() -> bool:
    return bool(_requested[0] or _heard)


@contextmanager
def delay_signal() -> Iterator[None]:
    """Delay the signal that ends a process of the pool until the block is done."""
    if current_process().name == "MainProcess":  # Celery tells it
        yield
        return
    before = signal.signal(signal.SIGTERM, lambda number, _frame: _heard.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
        if _heard:
            os.kill(os.getpid(), signal.SIGTERM)
