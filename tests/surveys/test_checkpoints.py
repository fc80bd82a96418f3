"""SQLite's log is emptied in an order in which the WAL-reset error of SQLite up to 3.51.2 cannot happen."""

import os
import struct
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
from django.db import connection

from surveys.domain.database import checkpoints
from surveys.models import Residue
from tests.servers import PATIENCE

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif("connection.vendor != 'sqlite'", reason="this is about SQLite's log"),
]

OPEN: dict[int, int] = {}


def index_of(path: str) -> int:
    """The open file. It is never closed, because this would end the locks that SQLite holds on it in this process."""
    inode = os.stat(path).st_ino
    if inode not in OPEN:
        OPEN[inode] = os.open(path, os.O_RDONLY)
    return OPEN[inode]


def log_state() -> tuple[int, int]:
    """How many frames the log holds, and how many of them are copied, as SQLite's shared index of the log has it."""
    index = os.pread(index_of(f"{connection.settings_dict['NAME']}-shm"), 100, 0)
    return struct.unpack_from("=I", index, 16)[0], struct.unpack_from("=I", index, 96)[0]


@contextmanager
def checkpoints_begin_on() -> Iterator[list[tuple[int, int]]]:
    """The states of the log at the beginning of every checkpoint of this connection."""
    states: list[tuple[int, int]] = []

    def look(execute, sql, params, many, context):  # type: ignore[no-untyped-def]
        if "wal_checkpoint(" in sql:
            states.append(log_state())
        return execute(sql, params, many, context)

    with connection.execute_wrapper(look):
        yield states


@contextmanager
def reading() -> Iterator[None]:
    """Another connection that has read the newest state and is not done."""
    other = connection.copy()
    try:
        with other.cursor() as cursor:
            cursor.execute("BEGIN")
            cursor.execute("SELECT count(*) FROM surveys_residue").fetchall()
            yield
            cursor.execute("ROLLBACK")
    finally:
        other.close()


def write(done: threading.Event, stored: list[int]) -> None:
    """Commit rows one by one until it is done, each as a response is: `stored` lists what was confirmed."""
    while not done.is_set():
        stored.append(Residue.objects.create().pk)
    connection.close()


def test_no_commit_makes_a_checkpoint() -> None:
    """The log may grow beyond the length at which SQLite by itself would copy it; nothing of it is copied."""
    checkpoints.empty_log()
    with connection.cursor() as cursor:
        cursor.execute("CREATE TABLE large (content BLOB)")
        cursor.execute(f"INSERT INTO large VALUES (zeroblob({checkpoints.LONG + 2**16}))")
        frames, copied = log_state()
        cursor.execute("DROP TABLE large")
    assert (frames > 1000, copied) == (True, 0)


def test_a_long_log_is_emptied() -> None:
    """The duty waits until it has grown; then nothing of it is left."""
    log = Path(f"{connection.settings_dict['NAME']}-wal")
    checkpoints.empty_log()
    Residue.objects.create()
    checkpoints.shorten_log()
    short = log.stat().st_size
    with connection.cursor() as cursor:
        cursor.execute("CREATE TABLE large (content BLOB)")
        cursor.execute(f"INSERT INTO large VALUES (zeroblob({checkpoints.LONG + 2**16}))")
        cursor.execute("DROP TABLE large")
    checkpoints.shorten_log()
    assert (0 < short < checkpoints.LONG, log.stat().st_size) == (True, 0)


def test_no_checkpoint_begins_on_a_log_that_is_copied_whole() -> None:
    """The error needs a finished checkpoint, a second one, and a commit that begins the log again meanwhile.

    A reader of the newest state lets every try copy all of the log and cut nothing off: each leaves a finished
    checkpoint behind, on which the next try would begin.
    """
    Residue.objects.create()
    with checkpoints_begin_on() as states, reading():
        emptied = checkpoints.empty_log()
        after = log_state()
    assert not emptied
    assert after[0] > 0
    assert len(states) >= 6
    assert all(copied < frames for frames, copied in states)


def test_two_processes_make_no_checkpoints_at_once() -> None:
    """The second leaves it to the first: its own would begin on what the first has copied."""
    Residue.objects.create()
    with checkpoints._alone(), checkpoints_begin_on() as states:
        assert (checkpoints.empty_log(), states) == (False, [])


@pytest.mark.long
@pytest.mark.parametrize("seconds", [3.0, 60.0])
def test_nothing_confirmed_is_lost_while_the_log_is_emptied_all_the_time(seconds: float) -> None:
    """Writers and readers go on meanwhile; every confirmed row is there, the database is sound, tries succeed."""
    stored: list[list[int]] = [[], [], []]
    done, emptied, begun = threading.Event(), 0, time.monotonic()
    threads = [threading.Thread(target=write, args=(done, rows)) for rows in stored]
    with ExitStack() as ends, checkpoints_begin_on() as states:
        for thread in threads:
            ends.callback(thread.join)
            thread.start()
        ends.callback(done.set)
        while time.monotonic() < begun + seconds or (not emptied and time.monotonic() < begun + PATIENCE):
            emptied += checkpoints.empty_log()
    with connection.cursor() as cursor:
        (sound,) = cursor.execute("PRAGMA quick_check").fetchone()
    kept = set(Residue.objects.values_list("pk", flat=True))
    assert (sound, set().union(*map(set, stored)) - kept) == ("ok", set())
    assert emptied > 0
    assert all(copied < frames for frames, copied in states)
