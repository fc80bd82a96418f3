"""Work on rows that wait (`leases`): a worker claims one, a child process does the work, and the worker watches both.

The child caps its own address space, says where it is on stdout, and writes its result only while the token is still
that of the claim. It ends when the pipe from its worker closes, however the worker ended. Where the worker shall end,
it releases the row, and the attempt does not count. The main process of a worker gets the request to end, and tells its
pool by a byte of shared memory. A service manager, and `make run`, send the signal to every process at once. A process
of the pool would then end in the middle of its work, so it delays the signal.
"""

import json
import logging
import mmap
import os
import select
import signal
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any

from billiard import current_process
from django.conf import settings

from privacy.errors import InputError
from surveys.children import forked, reconnect, repeating
from surveys.children.forked import Forked, end_after
from surveys.domain.database.leases import Leases

logger = logging.getLogger(__name__)
BEAT = b"{}\n"  # what a child says while there is nothing to tell
_EVERY = 0.5  # seconds between two lines of progress, and between looks at a child
_BEGIN = 60.0  # seconds until it says something first: it may still have to import everything
_requested = mmap.mmap(-1, 1)  # whether the worker shall end, by its main process; the pool is forked from it
_heard: list[int] = []  # signals that this process of a pool has heard


@dataclass(frozen=True)
class Runner:
    """Work on the rows of some leases: `module` is what a child runs (`surveys.children.forked`).

    `late`: the reason where it took too long; `stopped`: where it ended with a status; `memory`: where it needed too
    much. `environment` is of the child.
    """

    leases: Leases
    module: str
    late: Callable[[], Exception]
    stopped: Callable[[int], Exception]
    memory: Callable[[], Exception]
    environment: Callable[[], Mapping[str, str]] = lambda: forked.ALONE

    @property
    def lease(self) -> float:
        """Seconds for which a claim holds, and a child may be silent."""
        return self.leases.length().total_seconds()

    def work(self, pk: int) -> None:
        """Claim the row if it is free, and work until it ends."""
        token = self.leases.claim(pk)
        if token is None:
            return
        with delay_signal(), end_after(self.start(pk, token)) as child:
            self._watch(child, pk, token)

    def start(self, pk: int, token: str) -> Forked:
        return forked.start(self.module, pk, token, tuned=self.environment())

    def _watch(self, child: Forked, pk: int, token: str) -> None:
        """Renew the claim while the child works; end the row or queue it again if the child fails, is late or stops."""
        now = time.monotonic()
        deadline, beat = now + settings.MINING_SECONDS, now + self.lease / 4
        for progress in self._progress_of(child, pk):
            now = time.monotonic()
            if now >= deadline:
                self.leases.fail(pk, token, self.late())
                return
            if progress or now >= beat:
                if not self.leases.renew(pk, token, **progress):
                    return  # cancelled, or given up for dead: the child's result is not wanted any more
                beat = now + self.lease / 4
        if is_shutdown_requested():
            child.kill()  # first: it may hold a lock that this waits for
            self.leases.release(pk, token)
            return
        try:
            status = child.wait(self.lease)
        except TimeoutError:  # what has forked it stands still, and tells nothing of its end; the lease runs out
            return
        if status != 0:
            logger.warning("The process %s %s ended with status %s.", self.module, pk, status)
            self.leases.retry(pk, token, self.stopped(status))

    def _progress_of(self, child: Forked, pk: int) -> Iterator[dict[str, Any]]:
        """Yield the newest progress that the child has said, every half second ({} if none).

        Ends when the child ends, stays silent for too long and is killed, or when this worker shall end.
        """
        quiet, most_quiet = 0.0, max(self.lease, _BEGIN)  # seconds for which the child said nothing, by looks
        while not is_shutdown_requested():
            ready, _, _ = select.select([child.stdout], [], [], _EVERY)
            quiet += _EVERY
            said: dict[str, Any] = {}
            if ready:
                lines = os.read(child.stdout.fileno(), 65536)
                if not lines:
                    return
                quiet, most_quiet = 0.0, self.lease
                said = _read_lines(lines)
            if quiet >= most_quiet:
                logger.warning("The process %s %s no longer responds.", self.module, pk)
                child.kill()
                return
            yield said

    @contextmanager
    def beating(self) -> Iterator[None]:
        """In the child: say again and again that the process lives."""
        beat()
        with repeating(beat, self.lease / 10):
            yield

    @contextmanager
    def ending(self, pk: int, token: str) -> Iterator[None]:
        """In the child: end the row with the reason where its work ends without a result."""
        try:
            yield
        except InputError as error:
            self.leases.fail(pk, token, error)
        except BrokenPipeError:
            pass  # the worker was killed, so that nobody reads of progress: another one takes the row
        except MemoryError:
            reconnect()
            self.leases.fail(pk, token, self.memory())


class Progress:
    """In the child: print where the work is in lines of JSON: each step when it begins, then at most two a second.

    That work begins with `step` was noted when the row was claimed.
    """

    def __init__(self, step: str) -> None:
        self.due = time.monotonic() + _EVERY
        self.step = step

    def __call__(self, step: str, /, **fields: Any) -> None:
        now = time.monotonic()
        if step != self.step or now >= self.due:
            self.step, self.due = step, now + _EVERY
            print(json.dumps(fields), flush=True)


def beat() -> None:
    """Write a sign of life to stdout at once, past its buffer of whole lines."""
    with suppress(OSError):  # nobody is there to tell
        os.write(1, BEAT)


def _read_lines(lines: bytes) -> dict[str, Any]:
    """Return the members of these lines of JSON; the last one wins. An incomplete line is skipped."""
    said: dict[str, Any] = {}
    for line in lines.split(b"\n"):
        with suppress(ValueError, TypeError):
            said |= json.loads(line)
    return said


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
