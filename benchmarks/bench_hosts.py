"""Submissions over one web host and over two, on one PostgreSQL, against the bare insert with as many; then kills.

    python -m benchmarks.bench_hosts [--submissions 3000] [--killed 20000] [--long]

A host is a gunicorn of two workers on a port of its own; 16 senders run on the same machine and share it with them, so
that two hosts on two processors can at best be as fast as one. The bare view reads the body and inserts one row. Where
PgBouncer is installed, the same hosts work through it, too. Then a
whole site runs as on five machines (two that take answers, two that seal, and the broker): web workers, masters and the
leading sealing job are killed with -9 while submissions arrive at both hosts. Each must be sealed exactly once, and the
order in which they are sealed must tell no more than chance does of the order in which they came. With --long 100 000
are sent.
"""

import argparse
import json

from benchmarks.own_process import lines_of, postgresql
from privacy.output import as_table


def main() -> list[tuple[str, float]]:
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--submissions", type=int, default=3_000)
    arguments.add_argument("--killed", type=int, default=20_000)
    arguments.add_argument("--long", action="store_true")
    options = arguments.parse_args()
    killed = 100_000 if options.long else options.killed
    with postgresql() as url:
        if url is None:
            return []
        figures = json.loads(
            lines_of("hosts_on", str(options.submissions), str(killed), DATABASE_URL=url, DEMO="0")[-1]
        )
    print(
        as_table(
            ["hosts", "database", "accepted/s", "p50, ms", "p99, ms", "bare view/s", "web, µs", "PostgreSQL, µs"],
            figures["rates"],
        )
    )
    print()
    print(as_table(list(figures["kills"]), [list(figures["kills"].values())]))
    print("\nbytes of one response:", ", ".join(f"{name} {size}" for name, size in figures["bytes"].items()))
    return [
        (f"{hosts} hosts, {way}: accepted / bare view", ours / bare)
        for hosts, way, ours, _, _, bare, _, _ in figures["rates"]
    ]


if __name__ == "__main__":
    main()
