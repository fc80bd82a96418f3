"""Working on a run: the worker claims it, a child process does the work, and the worker watches over both.

The child ends when the pipe from its worker closes, however the worker ended. Where the worker shall end, it releases
the run, and the attempt does not count. The main process of a worker gets the request to end, and tells its pool by a
byte of shared memory. A service manager, and `make run`, send the signal to every process at once. A process of the
pool would then end in the middle of its work, so it delays the signal.
"""

import json
import logging
import mmap
import os
import select
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from billiard import current_process
from django.conf import settings

from mining.domain.claim import claim, fail, release, renew, retry
from mining.engines.reasons import MiningError
from surveys.children import forked
from surveys.children.forked import Forked, end_after
from surveys.domain.database.leases import MOST_ATTEMPTS

logger = logging.getLogger(__name__)
BEAT = b"{}\n"  # what it says while there is nothing to tell
_LOOK = 0.5  # seconds between looks at a child
_BEGIN = 60.0  # seconds until it says something first: it may still have to import everything
_LARGE, _KEPT = 16 << 20, 64 << 20  # bytes: what goes back to the system when it is freed, and what is kept beside it
_requested = mmap.mmap(-1, 1)  # whether the worker shall end, by its main process; the pool is forked from it
_heard: list[int] = []  # signals that this process of a pool has heard


def work(run_id: int) -> None:
    """Claim the run if it is free, and work until it ends."""
    token = claim(run_id)
    if token is None:
        return
    with delay_signal(), end_after(start_child(run_id, token)) as child:
        _watch(child, run_id, token)


def start_child(run_id: int, token: str) -> Forked:
    return forked.start("mining.child", run_id, token, tuned=counting_environment())


def _watch(child: Forked, run_id: int, token: str) -> None:
    """Renew the claim while the child works; end the run or queue it again if the child fails, is late or must stop."""
    now = time.monotonic()
    deadline, beat = now + settings.MINING_SECONDS, now + settings.MINING_LEASE / 4
    for progress in _progress_of(child, run_id):
        now = time.monotonic()
        if now >= deadline:
            fail(run_id, token, MiningError("late", most=settings.MINING_SECONDS))
            return
        if progress or now >= beat:
            if not renew(run_id, token, **progress):
                return  # cancelled, or given up for dead: the child's result is not wanted any more
            beat = now + settings.MINING_LEASE / 4
    if is_shutdown_requested():
        child.kill()  # first: it may hold a lock that this waits for
        release(run_id, token)
        return
    try:
        status = child.wait(settings.MINING_LEASE)
    except TimeoutError:  # what has forked it stands still, and tells nothing of its end; the lease runs out
        return
    if status != 0:
        logger.warning("The process mining run %s ended with status %s.", run_id, status)
        retry(run_id, token, MiningError("stopped", status=status, attempts=MOST_ATTEMPTS))


def _progress_of(child: Forked, run_id: int) -> Iterator[dict[str, Any]]:
    """Yield the newest progress that the child has said, every half second ({} if none).

    Ends when the child ends, stays silent for too long and is killed, or when this worker shall end.
    """
    quiet, most_quiet = 0.0, max(settings.MINING_LEASE, _BEGIN)  # seconds for which the child said nothing, by looks
    while not is_shutdown_requested():
        ready, _, _ = select.select([child.stdout], [], [], _LOOK)
        quiet += _LOOK
        said: dict[str, Any] = {}
        if ready:
            lines = os.read(child.stdout.fileno(), 65536)
            if not lines:
                return
            quiet, most_quiet = 0.0, settings.MINING_LEASE
            said = _read_lines(lines)
        if quiet >= most_quiet:
            logger.warning("The process of run %s no longer responds.", run_id)
            child.kill()
            return
        yield said


def _read_lines(lines: bytes) -> dict[str, Any]:
    """Return the members of these lines of JSON; the last one wins. An incomplete line is skipped."""
    said: dict[str, Any] = {}
    for line in lines.split(b"\n"):
        with suppress(ValueError, TypeError):
            said |= json.loads(line)
    return said


def counting_environment() -> dict[str, str]:
    """The environment variables to set for such a process, besides those of this one.

    One thread: a worker has its own processor, and threads would only wait for it.

    What NumPy frees is kept for the next array: to fetch it from the system again took a fifth of the processor time.
    It comes in pages of two megabytes where Linux and its C library can do so: pages of four kilobytes took a seventh
    of a run of a million responses. Of several tunables of one name the last holds, so the operator's. One arena: a
    thread that only tells that its process lives would else take 64 megabytes of the memory that is capped.

    >>> counting_environment()["OMP_NUM_THREADS"]
    '1'
    """
    kept = {"MALLOC_MMAP_THRESHOLD_": str(_LARGE), "MALLOC_TRIM_THRESHOLD_": str(_KEPT), "MALLOC_ARENA_MAX": "1"}
    tuned = ":".join(filter(None, ["glibc.malloc.hugetlb=1", os.environ.get("GLIBC_TUNABLES")]))
    return {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "GLIBC_TUNABLES": tuned} | kept


def request_shutdown() -> None:
    """Ask every process of this worker's pool to end."""
    _requested[0] = 1


def is_shutdown_requested() -> bool:
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
