"""Three processes commit while SQLite's log is emptied: `python -m benchmarks.stress_checkpoints [SECONDS [PAUSE]]`.

It says how many commits were confirmed and are there, how long one of them waited at worst, and how many checkpoints
began on a log that was copied whole: what the WAL-reset error needs (docs/decisions/0014-checkpoints-in-an-order.md).
PAUSE is what a process waits between two commits.
"""

import os
import sqlite3
import struct
import subprocess
import sys
import tempfile
from contextlib import closing
from pathlib import Path
from typing import Any

WRITER = """
import os, sqlite3, sys, time
path, seconds, pause, number = sys.argv[1], float(sys.argv[2]), float(sys.argv[3]), int(sys.argv[4])
database = sqlite3.connect(path, isolation_level=None, timeout=4)
database.executescript("PRAGMA synchronous=FULL; PRAGMA secure_delete=ON; PRAGMA wal_autocheckpoint=0")
end, confirmed, worst = time.monotonic() + seconds, 0, 0.0
while time.monotonic() < end:
    start = time.monotonic()
    database.execute("BEGIN IMMEDIATE")
    database.execute("INSERT INTO sent VALUES (?, ?)", (number * 10**9 + confirmed, os.urandom(300)))
    database.execute("COMMIT")
    confirmed, worst = confirmed + 1, max(worst, time.monotonic() - start)
    time.sleep(pause)
print(confirmed, worst)
"""


def main(seconds: float, pause: float) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "stress.sqlite3"
        os.environ.update(
            CANDOR_DATA=folder, DATABASE_URL=f"sqlite:///{path}", DJANGO_SETTINGS_MODULE="config.settings"
        )
        with closing(sqlite3.connect(path)) as database:
            database.execute("PRAGMA journal_mode=WAL")
            database.execute("CREATE TABLE sent (key INTEGER PRIMARY KEY, content BLOB)")
            begun = empty_beside_writers(path, seconds, pause)
            (kept,) = database.execute("SELECT count(*) FROM sent").fetchone()
            (sound,) = database.execute("PRAGMA quick_check").fetchone()
        whole = sum(0 < frames == copied for frames, copied in begun)
        print(f"SQLite {sqlite3.sqlite_version}: {kept} are there, quick_check: {sound}")
        print(f"{len(begun)} checkpoints, {whole} of them begun on a log that was copied whole")


def empty_beside_writers(path: Path, seconds: float, pause: float) -> list[tuple[int, int]]:
    """The state of the log, frames and those copied, at the beginning of each checkpoint."""
    import django

    django.setup()
    from django.db import connection

    from surveys.domain.database import checkpoints

    connection.ensure_connection()
    index = os.open(f"{path}-shm", os.O_RDONLY)  # stays open: to close it would end the locks that SQLite holds on it
    begun: list[tuple[int, int]] = []

    def look(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        if "wal_checkpoint(" in sql:
            head = os.pread(index, 100, 0)
            begun.append((struct.unpack_from("=I", head, 16)[0], struct.unpack_from("=I", head, 96)[0]))
        return execute(sql, params, many, context)

    command = [sys.executable, "-c", WRITER, str(path), str(seconds), str(pause)]
    writers = [subprocess.Popen([*command, str(number)], stdout=subprocess.PIPE, text=True) for number in range(3)]
    with connection.execute_wrapper(look):
        while any(writer.poll() is None for writer in writers):
            checkpoints.empty_log()
    connection.close()
    texts = [writer.communicate()[0].split() for writer in writers]
    print(
        f"{sum(int(confirmed) for confirmed, _ in texts)} confirmed, worst wait {max(float(w) for _, w in texts):.3f} s"
    )
    return begun


if __name__ == "__main__":
    main(*(float(word) for word in [*sys.argv[1:], *["20", "0.005"][len(sys.argv) - 1 :]]))
