"""What a thief of the database has: its files, what stands in them and where, and what an order of people is worth."""

import subprocess
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from django.db import connection


def forget_log_files() -> None:
    """What docs/storage.md asks of a PostgreSQL that is to forget."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("ALTER SYSTEM SET wal_recycle = off")
            cursor.execute("SELECT pg_reload_conf()")


def found_in(content: bytes, marks: dict[bytes, int]) -> list[int]:
    """The persons whose mark stands in the content, in the order of its places.

    Looked for by the first two bytes of a mark, then by four, then whole: a log has millions of places.
    """
    length = len(next(iter(marks)))
    begins = np.array(sorted({int.from_bytes(mark[:4], "little") for mark in marks}), "<u4")
    halves = np.zeros(1 << 16, bool)
    halves[begins & 0xFFFF] = True
    places: list[int] = []
    for shift in range(2):
        words = np.frombuffer(content, "<u2", count=(len(content) - shift) // 2, offset=shift)
        near = np.flatnonzero(halves[words[:-1]])
        fours = words[near] | words[near + 1].astype("<u4") << 16
        places += [int(word) * 2 + shift for word in near[np.isin(fours, begins)]]
    return [marks[mark] for place in sorted(places) if (mark := content[place : place + length]) in marks]


def stolen_files() -> Iterator[tuple[str, bytes]]:
    """Everything that lies on the disk for this database, its write-ahead log included."""
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("CHECKPOINT")
            cursor.execute(
                "SELECT current_setting('data_directory'), oid FROM pg_database WHERE datname = current_database()"
            )
            folder, number = cursor.fetchone()
            paths = [*Path(folder, "base", str(number)).glob("*"), *Path(folder, "pg_wal").glob("*")]
            read = _or_nothing
        else:
            cursor.execute("PRAGMA database_list")
            base = Path(cursor.fetchone()[2])
            paths = list(base.parent.glob(base.name + "*"))
            read = _by_another_process
    for path in paths:
        if len(content := read(path)) > 4:
            yield path.name, content


def _or_nothing(path: Path) -> bytes:
    """A folder, or what the server has just removed, holds nothing."""
    try:
        return path.read_bytes()
    except (FileNotFoundError, IsADirectoryError):
        return b""


def _by_another_process(path: Path) -> bytes:
    """Closing a file drops the POSIX locks that SQLite holds on it for this whole process.

    Another process would then take the write-ahead log for abandoned and delete it.
    """
    return subprocess.run(["cat", path], capture_output=True, check=False).stdout


def matches(order: list[int]) -> int:
    forwards = sum(person == place for place, person in enumerate(order))
    backwards = sum(person == place for place, person in enumerate(reversed(order)))
    return max(forwards, backwards)


def neighbours(order: list[int]) -> int:
    return int((np.abs(np.diff(order)) == 1).sum())


def alignment(order: list[int]) -> float:
    return abs(float(np.corrcoef(order, np.arange(len(order)))[0, 1]))
