"""What it costs a web server to hand out a questionnaire, whole and to who has it already, against a file in memory.

    python -m benchmarks.bench_questionnaire [--requests 3000] [--postgresql]

The whole site runs as `make run` starts it; eight visitors ask over connections that stay open. Microseconds are those
of processor of the web server, so that they mean the same beside other work. The baseline is a file of the page, which
asks nobody: what is left is what the database is asked for.
"""

import argparse
import http.client
import os
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from privacy.output import as_table

VISITORS = 8
SURVEY = "/s/demo/questionnaire"


def main() -> list[tuple[str, float]]:
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--requests", type=int, default=3_000)
    arguments.add_argument("--postgresql", action="store_true")
    options = arguments.parse_args()
    rows = []
    with serve_demo(options.postgresql) as (port, group):
        tag = ask(port, SURVEY, {}, 1)
        cases: dict[str, tuple[str, dict[str, str]]] = {
            "a file of the page": ("/client/icon.svg", {}),
            "the questionnaire": (SURVEY, {}),
            "to a browser that has it": (SURVEY, {"If-None-Match": tag}),
        }
        for name, (path, headers) in cases.items():
            ask(port, path, headers, options.requests // 10)  # warms up
            before, begun = processor_seconds(group), time.monotonic()
            ask(port, path, headers, options.requests)
            seconds = time.monotonic() - begun
            used = (processor_seconds(group) - before) / options.requests
            rows.append([name, round(1e6 * used), round(options.requests / seconds)])
    print(as_table(["asked for", "web server, µs", "a second"], rows))
    return [(str(name), float(used) / float(rows[0][1])) for name, used, _ in rows[1:]]


@contextmanager
def serve_demo(on_postgresql: bool) -> Iterator[tuple[int, int]]:
    """A site of its own with the demo: its port, and the process group of its web server."""
    from tests.servers import empty_database, postgres_programs, running_postgres, running_site

    with ExitStack() as stack:
        own: dict[str, Any] = {}
        if on_postgresql:
            programs = postgres_programs()
            if programs is None:
                raise SystemExit("No PostgreSQL server found: install the package postgresql.")
            own["DATABASE_URL"] = empty_database(programs, stack.enter_context(running_postgres(programs, fsync=True)))
        data = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="candor-bench-")))
        site = stack.enter_context(running_site(data / "data", **own))
        yield site.port, os.getpgid(site.pid("web server"))


def ask(port: int, path: str, headers: dict[str, str], requests: int) -> str:
    """Ask so often; the mark of the last answer."""

    def visit(count: int) -> str:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        mark = ""
        for _ in range(count):
            connection.request("GET", path, headers=headers)
            answer = connection.getresponse()
            answer.read()
            if answer.status not in (200, 304):
                raise SystemExit(f"{path} was answered with {answer.status}.")
            mark = answer.headers.get("ETag") or ""
        connection.close()
        return mark

    visitors = min(VISITORS, requests)
    with ThreadPoolExecutor(visitors) as pool:
        return list(pool.map(visit, [requests // visitors] * visitors))[-1]


def processor_seconds(group: int) -> float:
    """What the processes of a group have used so far."""
    ticks = 0
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except OSError:  # it has ended meanwhile
            continue
        if int(fields[2]) == group:
            ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


if __name__ == "__main__":
    main()
