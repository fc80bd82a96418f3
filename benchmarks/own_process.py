"""Running the part of a benchmark that needs the site in another process, because Django reads its settings once."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def lines_of(module: str, *arguments: str, **environment: str) -> list[str]:
    """The lines that `python -m benchmarks.<module>` prints. Its data folder is deleted afterwards."""
    with tempfile.TemporaryDirectory(prefix="candor-bench-") as data:
        own = {"CANDOR_DATA": data, "DJANGO_SETTINGS_MODULE": "config.settings", **environment}
        command = [sys.executable, "-m", f"benchmarks.{module}", *arguments]
        done = subprocess.run(
            command, cwd=ROOT, env={**os.environ, **own}, stdout=subprocess.PIPE, check=True, text=True
        )
    return done.stdout.splitlines()


@contextmanager
def databases() -> Iterator[dict[str, dict[str, str]]]:
    """The environment of a site without the demo on each database: SQLite, and PostgreSQL where its programs are."""
    with postgresql() as url:
        chosen = {"SQLite": {"DEMO": "0"}}
        yield chosen | {"PostgreSQL": {"DEMO": "0", "DATABASE_URL": url}} if url else chosen


@contextmanager
def postgresql() -> Iterator[str | None]:
    """The address of an empty database on a server of its own; None, and a line that says so, where there is none."""
    from tests.servers import empty_database, postgres_programs, running_postgres

    programs = postgres_programs()
    if programs is None:
        print("No PostgreSQL server found: install the package postgresql.")
        yield None
        return
    with running_postgres(programs, fsync=True) as folder:
        yield empty_database(programs, folder)
