"""Counting in several processes of one machine: each reads and packs a share of the records and counts them itself.

What travels between them are pieces of the file, once, and then questions and counts.
"""

import multiprocessing
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from itertools import cycle
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any

import numpy as np

from mining.engines.allocating import counting_environment
from mining.engines.bits import BitCounter, Packer
from mining.engines.literals import Literals
from mining.engines.spread import SpreadCounter
from privacy.errors import InputError
from privacy.records.bits import Batch

MOST = 256
_NO_ROOM = 3  # how a worker ends whose memory is not enough


class KilledError(InputError):
    """A worker was killed: the same records counted anew may come to their end."""


@contextmanager
def counting(
    pieces: Iterable[Any], read: Callable[[Any], Iterable[Batch]], literals: Literals, workers: int
) -> Iterator[SpreadCounter]:
    """A counter of the records that so many processes hold; they end with the block.

    Pieces of the records, in any form, and `read`, which makes a batch of one, travel to the processes. Raises what
    `read` refuses, of several pieces the first; KilledError where a process was killed.

    >>> from mining.engines.literals import literals_of
    >>> from privacy.design import Design
    >>> design = Design.parse({"model": "warner", "theta": 0.9, "items": ["drugs", "cheating"]})
    >>> batch = np.array([[1, 1], [0, 0]] * 500, np.uint8), np.zeros(1_000, bool)
    >>> with counting([batch], tuple, literals_of(design), 1) as counter:
    ...     counter.sizes.tolist()  # the disguised, and the direct
    [1000, 0]
    """
    if not 1 <= workers <= MOST:
        raise InputError(f"{workers} workers are outside 1 to {MOST}.")
    context = multiprocessing.get_context("spawn")  # a copy of this process would hold its files and its threads
    parts: list[_Worker] = []
    try:
        for _ in range(workers):
            ours, theirs = context.Pipe()
            process = context.Process(target=_work, args=(theirs, read, literals), daemon=True)
            with _environment(counting_environment()):
                process.start()
            theirs.close()
            parts.append(_Worker(process, ours))
        _hand_out(pieces, parts)
        yield SpreadCounter(literals, parts)
    finally:
        for part in parts:
            part.connection.close()  # it ends when nobody is there to ask
        for part in parts:
            part.process.join()


def _hand_out(pieces: Iterable[Any], parts: "list[_Worker]") -> None:
    """Give each process its share; of all that is refused, say what comes first in the file, whoever finds it first."""
    refused: list[tuple[int, str]] = []
    place = 0
    try:
        for part, piece in zip(cycle(parts), pieces, strict=False):
            part.send((place, piece))
            place += 1
            if wait([part.connection for part in parts], 0):  # one of them has something to say already
                break
    except InputError as error:
        refused.append((place, str(error)))
    for part in parts:
        part.send(None)
    refused += filter(None, [part.receive() for part in parts])
    if refused:
        raise InputError(min(refused)[1])


@contextmanager
def _environment(more: Mapping[str, str]) -> Iterator[None]:
    """A process that is spawned here begins with more in its environment: multiprocessing knows no other way."""
    before = {name: os.environ.get(name) for name in more}
    os.environ.update(more)
    try:
        yield
    finally:
        for name, value in before.items():
            os.environ.pop(name)
            if value is not None:
                os.environ[name] = value


@dataclass
class _Worker:
    """A process that counts; a `mining.engines.spread.PartCounter`."""

    process: BaseProcess
    connection: Connection

    @cached_property
    def sizes(self) -> np.ndarray:
        return self.ask("sizes", (), False)()

    def ask(self, question: str, arguments: tuple[Any, ...], disguised: bool) -> Callable[[], Any]:
        self.send((question, arguments, disguised))
        return self.receive

    def send(self, message: tuple[Any, ...] | None) -> None:
        try:
            self.connection.send(message)
        except OSError:
            raise self._gone() from None

    def receive(self) -> Any:
        try:
            return self.connection.recv()
        except (EOFError, OSError):
            raise self._gone() from None

    def _gone(self) -> InputError:
        self.process.join(5)
        status = self.process.exitcode
        why = "it ran out of memory" if status == _NO_ROOM else f"status {status}"
        is_killed = status is not None and status < 0
        refusal = KilledError if is_killed else InputError
        return refusal(f"A worker ended before it had counted its records ({why}), so nothing was mined.")


def _work(connection: Connection, read: Callable[[Any], Iterable[Batch]], literals: Literals) -> None:
    """Read, pack and count, until whoever asked has ended or the terminal ends all of them."""
    try:
        _answer(connection, _packed(connection, read, literals))
    except MemoryError:
        sys.exit(_NO_ROOM)
    except (EOFError, ConnectionError, KeyboardInterrupt):
        pass


def _packed(connection: Connection, read: Callable[[Any], Iterable[Batch]], literals: Literals) -> BitCounter:
    """The records of all pieces that come. What is refused is said at once, and nothing else after the last one."""
    packer = Packer(literals)
    refused: tuple[int, str] | None = None
    while (message := connection.recv()) is not None:
        place, piece = message
        if refused is None:
            try:
                for batch in read(piece):
                    packer.add(*batch)
            except InputError as error:
                refused = place, str(error)
                connection.send(refused)
    if refused is None:
        connection.send(None)
    return packer.counter()


def _answer(connection: Connection, counter: BitCounter) -> None:
    has_direct = True
    while True:
        question, arguments, disguised = connection.recv()
        if disguised and has_direct:  # once it is left out, the direct group is not asked about any more
            counter, has_direct = counter.disguised(), False
        asked = getattr(counter, question)  # a method, or an attribute
        connection.send(asked(*arguments) if callable(asked) else asked)
