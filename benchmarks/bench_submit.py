"""Accepted submissions per second, against a bare Django view that inserts one row; and none lost, none doubled.

    python benchmarks/bench_submit.py [--submissions 2000] [--killed 2000] [--long]

Gunicorn with two workers, on SQLite (write-ahead log, synchronous=FULL) and on PostgreSQL, 16 senders on the same
machine. Then the whole site takes submissions while gunicorn's workers, its master and the sealing job are killed with
-9 and the senders send again until they are answered: every submission must be sealed once. --long: 100 000 of them.
"""

import argparse
import http.client
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path

from privacy.cli.output import as_table

ROOT = Path(__file__).resolve().parent.parent
SENDERS = 16


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


class Sender:
    """Keeps a connection and sends until it is answered; counts nothing itself."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.connection: http.client.HTTPConnection | None = None

    def send(self, body: bytes) -> int:
        while True:
            try:
                if self.connection is None:
                    self.connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
                self.connection.request("POST", "/s/bench/responses", body, {"Content-Type": "application/json"})
                answer = self.connection.getresponse()
                answer.read()
                if answer.status in (200, 201):
                    return answer.status
                if answer.status != 503:
                    raise AssertionError(f"refused with {answer.status}")
            except (OSError, http.client.HTTPException):
                self.connection = None
            time.sleep(0.05)


def send_all(port: int, bodies: list[bytes]) -> tuple[float, Counter[int]]:
    """Seconds, and how many were answered with which status."""
    local = threading.local()

    def send(body: bytes) -> int:
        if not hasattr(local, "sender"):
            local.sender = Sender(port)
        return local.sender.send(body)

    start = time.monotonic()
    with ThreadPoolExecutor(SENDERS) as pool:
        statuses = Counter(pool.map(send, bodies))
    return time.monotonic() - start, statuses


if __name__ == "__main__":
    main()
