"""Child processes, forked from one that is kept warm (`surveys.children.warm`): they begin within milliseconds.

A prefork worker may not start multiprocessing children, and a cap on memory must not end it or the web server; and both
have threads and connections, which nothing that is forked from them should hold. So there is a process between the two.
"""

import atexit
import json
import os
import select
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import IO, Any

from django.conf import settings

# In the environment of a child: one thread, because others work beside it, and no arena of memory for each thread,
# which would count as used where memory is capped.
ALONE = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "MALLOC_ARENA_MAX": "1"}
_TELLS = 5.0  # seconds in which the warm process tells that a child of it was killed; else it stands still itself
_AT_ONCE = 65536  # bytes that are written or read at a time
_warm: "list[Warm]" = []  # those without work


class Warm:
    """A process that imports what children need, once, and forks them; `line` is the socket to it."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self.environment = environment
        self.line, theirs = socket.socketpair()
        with theirs:
            command = [sys.executable, "-m", "surveys.children.warm"]
            self.process = subprocess.Popen(
                command, stdin=theirs.fileno(), stdout=subprocess.DEVNULL, env=environment, cwd=settings.BASE_DIR
            )

    def end(self) -> None:
        self.line.close()
        self.process.kill()
        self.process.wait()


@dataclass
class Forked:
    """A child process, which may still have to be forked; it ends when `stdin` closes."""

    warm: Warm
    stdin: IO[bytes]
    stdout: IO[bytes]
    returncode: int | None = field(default=None, init=False)
    _said: bytes = field(default=b"", init=False)

    @property
    def pid(self) -> int:
        return self._read_numbers(1, None)[0]

    def kill(self) -> None:
        """End the child at once. Its number cannot become another process's before `wait` returns, which is soon."""
        if self.returncode is not None:
            return
        try:
            os.kill(self._read_numbers(1, 0)[0], signal.SIGKILL)
            self._read_numbers(2, _TELLS)
        except (BlockingIOError, TimeoutError):  # it is not there yet; or what forked it does not tell of its end
            self.warm.process.kill()
        except (ConnectionError, ProcessLookupError):
            pass

    def wait(self, timeout: float | None = None) -> int:
        """Wait for the end and return the exit status as `subprocess` does; TimeoutError after `timeout` seconds."""
        if self.returncode is not None:
            return self.returncode
        try:
            _, self.returncode = self._read_numbers(2, timeout)
            self.warm.line.sendall(b".")
            _warm.append(self.warm)
        except ConnectionError:  # nobody is there to tell of it, and none waits for its end
            self.stdin.close()
            self.warm.end()
            self.returncode = -signal.SIGKILL if self.returncode is None else self.returncode
        return self.returncode

    def communicate(self, given: bytes, most: int, seconds: float) -> bytes:
        """Send bytes, as many as `start` was announced, and return what the child writes; TimeoutError after `seconds`.

        Of what is longer than `most`, a little more than that is read. Nobody waits for the end of the process.
        """
        end, said, left = time.monotonic() + seconds, bytearray(), memoryview(given)
        os.set_blocking(self.stdin.fileno(), False)
        while len(said) <= most:
            writes = [self.stdin] if left else []
            readable, writable, _ = select.select([self.stdout], writes, [], max(end - time.monotonic(), 0))
            if not readable and not writable:
                raise TimeoutError
            if writable:
                try:
                    left = left[os.write(self.stdin.fileno(), left[:_AT_ONCE]) :]
                except BrokenPipeError:  # it ended; its last message says how
                    left = memoryview(b"")
            if readable:
                more = os.read(self.stdout.fileno(), _AT_ONCE)
                if not more:
                    break
                said += more
        return bytes(said)

    def _read_numbers(self, count: int, timeout: float | None) -> list[int]:
        """Wait until the warm process has sent `count` numbers: the child's own, and how it ended."""
        self.warm.line.settimeout(timeout)
        while self._said.count(b"\n") < count:
            more = self.warm.line.recv(64)
            if not more:
                raise ConnectionError("The process that forks others has ended.")
            self._said += more
        return [int(number) for number in self._said.split()[:count]]


def start(work: str, *arguments: int | str, given: int = 0, tuned: Mapping[str, str] = ALONE) -> Forked:
    """Start a process that calls `main` of the module `work` with these arguments, and then `given` bytes from `stdin`.

    The module has a NAME for the list of processes, and may have a `prepare`: what all its processes begin with. It may
    take some seconds until the process is there. `tuned` goes into its environment.
    """
    environment = child_environment(tuned)
    while warm := _take_idle():
        with suppress(ConnectionError):  # it has waited for too long, and ended
            if warm.environment == environment:
                return _fork(warm, work, arguments, given)
        warm.end()
    return _fork(Warm(environment), work, arguments, given)


def child_environment(tuned: Mapping[str, str] = ALONE) -> dict[str, str]:
    return {**os.environ, **tuned}


@contextmanager
def end_after(child: Forked) -> Iterator[Forked]:
    """End the process when the block ends, also after an error."""
    try:
        yield child
    finally:
        child.kill()
        child.wait()
        child.stdin.close()
        child.stdout.close()


@atexit.register
def end_idle() -> None:
    while warm := _take_idle():
        warm.end()


def _take_idle() -> Warm | None:
    try:
        return _warm.pop()
    except IndexError:  # at once, so that of two threads one gets the last of them
        return None


def _fork(warm: Warm, work: str, arguments: tuple[Any, ...], given: int) -> Forked:
    its_input, our_output = os.pipe()
    our_input, its_output = os.pipe()
    ours = open(our_output, "wb", buffering=0), open(our_input, "rb", buffering=0)  # noqa: SIM115 — whose process it is
    try:
        socket.send_fds(warm.line, [json.dumps([work, arguments, given]).encode()], [its_input, its_output])
    except ConnectionError:
        for pipe in ours:
            pipe.close()
        raise
    finally:
        os.close(its_input)
        os.close(its_output)
    return Forked(warm, *ours)
