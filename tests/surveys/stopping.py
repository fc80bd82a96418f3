"""Work that is done in a process of its own, which ends in the middle of it."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any
from unittest.mock import patch

from django.db import connection, connections

STOPPED = 9
ON_DISK = ("open", "write", "pwrite", "fsync", "close")
NAMES = ("rename", "unlink")


def stopped_at(step: int, work: Callable[[], object]) -> bool:
    """Do the work in a process that ends before this step; False if the work has fewer steps.

    A step is a statement, a commit, and whatever is done to a file of a key.
    """
    connections.close_all()
    child = os.fork()
    if child == 0:
        try:
            with stopping(step):
                work()
            connections.close_all()
            os._exit(0)
        finally:
            os._exit(1)
    _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) in (0, STOPPED)
    return os.waitstatus_to_exitcode(status) == STOPPED


@contextmanager
def stopping(step: int) -> Iterator[None]:
    done = count(1)

    def next_step() -> None:
        if next(done) == step:
            os._exit(STOPPED)

    def statement(execute: Callable[..., Any], *arguments: Any) -> Any:
        next_step()
        return execute(*arguments)

    def after_step(function: Callable[..., Any]) -> Callable[..., Any]:
        def stepping(*arguments: Any, **more: Any) -> Any:
            next_step()
            return function(*arguments, **more)

        return stepping

    patched = [patch.object(os, name, after_step(getattr(os, name))) for name in ON_DISK]
    patched += [patch.object(Path, name, after_step(getattr(Path, name))) for name in NAMES]
    patched += [patch.object(connection, "_commit", after_step(connection._commit))]
    with connection.execute_wrapper(statement):
        for patching in patched:
            patching.start()
        yield
