"""Counting in several processes of one machine: each packs a share of the records and counts them itself.

What travels between them are the records, once, and then questions and counts.
"""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from itertools import cycle
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any

import numpy as np

from mining.engines.allocating import counting_environment
from mining.engines.bits import Batch, BitCounter, Packer
from mining.engines.literals import Literals
from mining.engines.spread import SpreadCounter, answer_of
from privacy.errors import InputError

MOST = 256


@contextmanager
def counting(batches: Iterable[Batch], literals: Literals, workers: int) -> Iterator[SpreadCounter]:
    """A counter of the records that so many processes hold; they end with the block.

    Parameters
    ----------
    batches : iterable of Batch
        The codes of records and who of them answered directly.
    literals : Literals
        What is counted.
    workers : int
        How many processes count.

    Yields
    ------
    SpreadCounter

    Examples
    --------
    >>> from mining.engines.literals import literals_of
    >>> from privacy.design import Design
    >>> design = Design.parse({"model": "warner", "theta": 0.9, "items": ["drugs", "cheating"]})
    >>> batch = np.array([[1, 1], [0, 0]] * 500, np.uint8), np.zeros(1_000, bool)
    >>> with counting([batch], literals_of(design), 1) as counter:
    ...     counter.sizes.tolist()  # the disguised, and the direct
    [1000, 0]
    """
    if not 1 <= workers <= MOST:
        raise InputError(f"{workers} workers are not from 1 to {MOST}.")
    context = multiprocessing.get_context("spawn")  # a copy of this process would hold its files and its threads
    parts: list[_Worker] = []
    try:
        for _ in range(workers):
            ours, theirs = context.Pipe()
            process = context.Process(target=_work, args=(theirs, literals), daemon=True)
            with _environment(counting_environment()):
                process.start()
            theirs.close()
            parts.append(_Worker(process, ours))
        for part, batch in zip(cycle(parts), batches, strict=False):
            part.take(batch)
        yield SpreadCounter(literals, parts)
    finally:
        for part in parts:
            part.connection.close()  # it ends when nobody is there to ask
        for part in parts:
            part.process.join()


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
        sizes: np.ndarray = self.ask("sizes", (), False)()
        return sizes

    def take(self, batch: Batch) -> None:
        self._send(("take", batch, False))

    def ask(self, question: str, arguments: tuple[Any, ...], disguised: bool) -> Callable[[], Any]:
        self._send((question, arguments, disguised))
        return self._answer

    def _send(self, message: tuple[str, tuple[Any, ...], bool]) -> None:
        try:
            self.connection.send(message)
        except OSError:
            raise self._gone() from None

    def _answer(self) -> Any:
        try:
            return self.connection.recv()
        except (EOFError, OSError):
            raise self._gone() from None

    def _gone(self) -> InputError:
        self.process.join(5)
        return InputError(
            f"A worker ended before it had counted its records (status {self.process.exitcode}): nothing was mined."
        )


def _work(connection: Connection, literals: Literals) -> None:
    """Take records until the first question, then answer until nobody asks any more."""
    packer: Packer | None = Packer(literals)
    counter: BitCounter | None = None
    has_direct = True
    while True:
        try:
            question, arguments, disguised = connection.recv()
        except (EOFError, KeyboardInterrupt):  # who asked has ended, or the terminal ends all of them
            return
        if question == "take":
            assert packer is not None
            packer.add(*arguments)
            continue
        if packer is not None:
            counter, packer = packer.counter(), None
        assert counter is not None
        if disguised and has_direct:  # once it is left out, the direct group is not asked about any more
            counter, has_direct = counter.disguised(), False
        connection.send(answer_of(counter, question, arguments))
