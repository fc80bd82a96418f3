"""Processes that mine, forked from one that a worker keeps warm (`mining.warm`): they begin within milliseconds.

A prefork worker may not start multiprocessing children, and a cap on memory must not end the worker; and a worker has
threads and connections, which nothing that is forked from it should hold. So there is a process between the two.
"""

from __future__ import annotations

import atexit
import json
import os
import signal
import socket
import subprocess
import sys
from contextlib import suppress
from dataclasses import dataclass, field
from typing import IO

from django.conf import settings

from mining.engines.allocating import counting_environment

_TELLS = 5.0  # seconds in which the warm process tells that a child of it was killed; else it stands still itself
_warm: list[Warm] = []  # those without work


class Warm:
    """A process that has imported everything, and the line to it."""

    def __init__(self) -> None:
        self.environment = child_environment()
        self.line, theirs = socket.socketpair()
        with theirs:
            command = [sys.executable, "-m", "mining.warm"]
            self.process = subprocess.Popen(
                command, stdin=theirs.fileno(), stdout=subprocess.DEVNULL, env=self.environment, cwd=settings.BASE_DIR
            )

    def end(self) -> None:
        self.line.close()
        self.process.kill()
        self.process.wait()


@dataclass
class Forked:
    """A process that mines, or will once the one that is to fork it is warm. It ends when `stdin` closes."""

    warm: Warm
    stdin: IO[bytes]
    stdout: IO[bytes]
    returncode: int | None = field(default=None, init=False)
    _said: bytes = field(default=b"", init=False)

    @property
    def pid(self) -> int:
        return self._numbers(1, None)[0]

    def kill(self) -> None:
        """End it at once. Its number is its own until `wait` has returned, which does not take long then."""
        if self.returncode is not None:
            return
        try:
            os.kill(self._numbers(1, 0)[0], signal.SIGKILL)
            self._numbers(2, _TELLS)
        except (BlockingIOError, TimeoutError):  # it is not there yet; or what forked it does not tell of its end
            self.warm.process.kill()
        except (ConnectionError, ProcessLookupError):
            pass

    def wait(self, timeout: float | None = None) -> int:
        """How it ended, as `subprocess` says it; TimeoutError after so many seconds."""
        if self.returncode is not None:
            return self.returncode
        try:
            _, self.returncode = self._numbers(2, timeout)
            self.warm.line.sendall(b".")
            _warm.append(self.warm)
        except ConnectionError:  # nobody is there to tell of it, and none waits for its end
            self.stdin.close()
            self.warm.end()
            self.returncode = -signal.SIGKILL if self.returncode is None else self.returncode
        return self.returncode

    def _numbers(self, count: int, timeout: float | None) -> list[int]:
        """What it tells: its number, and then how it ended."""
        self.warm.line.settimeout(timeout)
        while self._said.count(b"\n") < count:
            more = self.warm.line.recv(64)
            if not more:
                raise ConnectionError("The process that forks others has ended.")
            self._said += more
        return [int(number) for number in self._said.split()[:count]]


def start(kind: str, run_id: int, token: str) -> Forked:
    """A process of this kind, `mining` or `counting`, for a claim of a run. It may take a second until it is there."""
    while _warm:
        warm = _warm.pop()
        with suppress(ConnectionError):  # it has waited for too long, and ended
            if warm.environment == child_environment():
                return _forked(warm, kind, run_id, token)
        warm.end()
    return _forked(Warm(), kind, run_id, token)


def child_environment() -> dict[str, str]:
    """This process's, with what `mining.engines.allocating` says of memory and threads."""
    return os.environ | counting_environment()


@atexit.register
def end_idle() -> None:
    """End the processes that wait for work."""
    while _warm:
        _warm.pop().end()


def _forked(warm: Warm, kind: str, run_id: int, token: str) -> Forked:
    its_input, our_output = os.pipe()
    our_input, its_output = os.pipe()
    ours = open(our_output, "wb"), open(our_input, "rb")  # noqa: SIM115 — they are whose process it is
    try:
        socket.send_fds(warm.line, [json.dumps([kind, run_id, token]).encode()], [its_input, its_output])
    except ConnectionError:
        for pipe in ours:
            pipe.close()
        raise
    finally:
        os.close(its_input)
        os.close(its_output)
    return Forked(warm, *ours)
