"""Checkpoints of SQLite's write-ahead log: who makes them, and in which order.

No commit makes a checkpoint (wal_autocheckpoint=0 in the settings); only this module does, in one process at a time,
and each follows a commit of its own (docs/decisions/0016-one-loop-reads.md).
"""

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.db import OperationalError, connection
from django.db.backends.utils import CursorWrapper

from surveys.domain.database import locks

LONG = 4 * 2**20  # bytes; SQLite itself would make a checkpoint from about this length on
# Each try to empty the log keeps writers out for up to 20 ms. Between busy writers one of the first tries finds a gap.
# A long reader leaves no gap; it costs the writers 0.12 s in each round.
PATIENCE = 20  # milliseconds
PAUSES = (0.02, 0.04, 0.08, 0.16, 0.32)  # seconds between two tries, in which a waiting writer gets its turn


def shorten_log() -> None:
    """Empty the log if it has grown long. Nobody else does: without the sealing job it grows with every response."""
    log = Path(f"{_database_path()}-wal")
    if connection.vendor == "sqlite" and log.exists() and log.stat().st_size > LONG:
        empty_log()


def empty_log() -> bool:
    """Copy the log into the database and cut it to nothing; False while a reader or a writer keeps it in use."""
    with connection.cursor() as cursor, _alone() as alone, _short_timeout(cursor, PATIENCE):
        if not alone:
            return False
        for pause in PAUSES:
            if _try_to_empty(cursor):
                return True
            time.sleep(pause)
        return _try_to_empty(cursor)


def _try_to_empty(cursor: CursorWrapper) -> bool:
    """Copy the log, which keeps nobody out; then copy the little that is left, and cut it. False if that failed."""
    _checkpoint(cursor, "PASSIVE")
    return _checkpoint(cursor, "TRUNCATE")


def _checkpoint(cursor: CursorWrapper, mode: str) -> bool:
    """Commit something that changes nothing, then make the checkpoint; False if it was not done whole."""
    try:
        cursor.execute("PRAGMA user_version = 0")  # writes a page, although the number stays as it is
    except OperationalError:  # somebody writes
        return False
    cursor.execute(f"PRAGMA wal_checkpoint({mode})")
    busy, _, _ = cursor.fetchone()
    return not busy


@contextmanager
def _alone() -> Iterator[bool]:
    """Yield whether this is the only process that makes checkpoints now; it stays so until the end of the block.

    The lock is on a file of its own: to close the database's file here would end the locks that SQLite holds on it.
    """
    file = locks.lock(f"{_database_path()}-checkpoint")
    try:
        yield file is not None
    finally:
        if file is not None:
            os.close(file)


@contextmanager
def _short_timeout(cursor: CursorWrapper, milliseconds: int) -> Iterator[None]:
    cursor.execute("PRAGMA busy_timeout")
    (usual,) = cursor.fetchone()
    cursor.execute(f"PRAGMA busy_timeout = {milliseconds}")
    try:
        yield
    finally:
        cursor.execute(f"PRAGMA busy_timeout = {usual}")


def _database_path() -> str:
    return str(connection.settings_dict["NAME"])
