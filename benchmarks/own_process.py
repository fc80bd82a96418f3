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
    from tests.servers import empty_database, postgres_programs, running_postgres

    sqlite = {"DEMO": "0"}
    programs = postgres_programs()
    if programs is None:
        yield {"sqlite": sqlite}
        return
    with running_postgres(programs, True) as folder:
        yield {"sqlite": sqlite, "postgresql": sqlite | {"DATABASE_URL": empty_database(programs, folder)}}
