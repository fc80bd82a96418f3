"""Submissions accepted per second, against a bare Django view that inserts one row; none is lost, none is doubled.

    python -m benchmarks.bench_submit [--submissions 2000] [--killed 2000] [--long]

Gunicorn runs with two workers, on SQLite (write-ahead log, synchronous=FULL) and on PostgreSQL; 16 senders run on the
same machine. Both views get the same bytes through the same server, settings, middleware and durability. The bare view
reads the body, saves one row of the inbox through its model, and does nothing else. Afterwards the whole site takes
submissions while gunicorn's workers, its master and the sealing job are killed with -9. The senders send again until
they get an answer: every submission must be sealed exactly once. With --long they send 100 000.
"""

import argparse
import json

from benchmarks.own_process import databases, lines_of
from privacy.output import as_table


def main() -> list[tuple[str, float]]:
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--submissions", type=int, default=2_000)
    arguments.add_argument("--killed", type=int, default=20_000)
    arguments.add_argument("--long", action="store_true")
    options = arguments.parse_args()
    killed = 100_000 if options.long else options.killed
    figures = {}
    with databases() as every:
        for name, chosen in every.items():
            figures[name] = json.loads(lines_of("submit_on", str(options.submissions), str(killed), **chosen)[-1])
    columns = ["accepted/s", "bare view/s", "sent under kills", "kills", "lost", "doubled"]
    print(as_table(["database", *columns], [[name, *figure] for name, figure in figures.items()]))
    return [(name, figure[0] / figure[1]) for name, figure in figures.items()]


if __name__ == "__main__":
    main()
