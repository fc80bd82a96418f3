"""Accepted submissions per second, against a bare Django view that inserts one row; and none lost, none doubled.

    python -m benchmarks.bench_submit [--submissions 2000] [--killed 2000] [--long]

Gunicorn with two workers, on SQLite (write-ahead log, synchronous=FULL) and on PostgreSQL, 16 senders on the same
machine. Both views get the same bytes through the same server, settings, middleware and durability; the bare one reads
the body, saves one row of the inbox through its model, and does nothing else. Then the whole site takes submissions
while gunicorn's workers, its master and the sealing job are killed with -9 and the senders send again until they are
answered: every submission must be sealed once. --long: 100 000 of them.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path

from privacy.cli.output import as_table

ROOT = Path(__file__).resolve().parent.parent


def main() -> list[tuple[str, float]]:
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--submissions", type=int, default=2_000)
    arguments.add_argument("--killed", type=int, default=20_000)
    arguments.add_argument("--long", action="store_true")
    options = arguments.parse_args()
    killed = 100_000 if options.long else options.killed
    from tests.servers import empty_database, postgres_programs, running_postgres

    figures = {}
    with ExitStack() as stack:
        databases = {"sqlite": ""}
        if programs := postgres_programs():
            databases["postgresql"] = empty_database(programs, stack.enter_context(running_postgres(programs, True)))
        for name, url in databases.items():
            figures[name] = _in_a_process_of_its_own(url, options.submissions, killed)
    columns = ["accepted/s", "bare view/s", "sent under kills", "kills", "lost", "doubled"]
    print(as_table(["database", *columns], [[name, *figure] for name, figure in figures.items()]))
    return [(name, figure[0] / figure[1]) for name, figure in figures.items()]


def _in_a_process_of_its_own(url: str, submissions: int, killed: int) -> list[float]:
    """The database is chosen when Django starts."""
    with tempfile.TemporaryDirectory(prefix="candor-bench-") as data:
        environment = {**os.environ, "CANDOR_DATA": data, "DJANGO_SETTINGS_MODULE": "config.settings", "DEMO": "0"}
        if url:
            environment["DATABASE_URL"] = url
        command = [sys.executable, "-m", "benchmarks.submit_on", str(submissions), str(killed)]
        done = subprocess.run(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, check=True)
    return json.loads(done.stdout)


if __name__ == "__main__":
    main()
