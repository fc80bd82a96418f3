"""Responses sealed a second, by one process and by as many as the sealing job takes, on SQLite and PostgreSQL.

    python -m benchmarks.bench_sealing [--responses 20000] [--parts 300 3000]

So many responses wait, each in its box, and are sealed; three times each, of which the fastest counts. Microseconds are
those of one response: by the clock, and of processor of the sealing job, of the processes that open boxes for it and of
PostgreSQL; MiB are the most that the sealing job has at any moment. Then a snapshot is made of so many parts. The ratio
is that of all processor time in one process to that of the key agreements alone, one for each response.
"""

import argparse
import json

from benchmarks.own_process import databases, lines_of
from privacy.output import as_table


def main() -> list[tuple[str, float]]:
    parser = argparse.ArgumentParser()
    parser.add_argument("--responses", type=int, default=20_000)
    parser.add_argument("--parts", type=int, nargs="*", default=[300, 3_000])
    options = parser.parse_args()
    arguments = [str(options.responses), *map(str, options.parts)]
    with databases() as every:
        measured = {
            name: json.loads(lines_of("sealing_on", *arguments, **chosen)[-1]) for name, chosen in every.items()
        }
    columns = ["processes that open", "sealed/s", "µs", "of the job", "of those that open", "of PostgreSQL"]
    print(as_table(["database", *columns], [[name, *row] for name, its in measured.items() for row in its["sealed"]]))
    print()
    print(as_table(["database", "MiB of the job"], [[name, its["memory"]] for name, its in measured.items()]))
    columns = ["parts", "to list them, s", "of processor", "to read the list, s", "of processor"]
    print()
    print(as_table(["database", *columns], [[name, *row] for name, its in measured.items() for row in its["listed"]]))
    return [(f"sealing / key agreements, {name}", its["ratio"]) for name, its in measured.items()]


if __name__ == "__main__":
    main()
