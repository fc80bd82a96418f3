"""What a used key costs by how many there are: moved, new, and coming again, on either database.

    python -m benchmarks.bench_used [--keys 1000000 10000000]

Rows are moved as sealings move them, 65 536 drawn by lot at a time, and tables grow from one size to the next. What is
measured is microseconds of the processor, of the asking process and of that of PostgreSQL which serves it: without the
network, and without the disk that a commit waits for. The ratios are those of the largest table over the smallest, for
what a sender waits for.
"""

import argparse
import json

from benchmarks.own_process import databases, lines_of
from privacy.output import as_table


def main() -> list[tuple[str, float]]:
    parser = argparse.ArgumentParser()
    parser.add_argument("--keys", type=int, nargs="+", default=[200_000, 1_000_000])
    sizes = [str(size) for size in sorted(parser.parse_args().keys)]
    with databases() as every:
        measured = {
            name: [json.loads(line) for line in lines_of("used_on", *sizes, **chosen)] for name, chosen in every.items()
        }
    headings = ["database", *measured["SQLite"][0]]
    print(as_table(headings, [[name, *row.values()] for name, rows in measured.items() for row in rows]))
    return [
        (f"{name}: {what}, {rows[-1]['keys']} keys / {rows[0]['keys']} keys", rows[-1][what] / rows[0][what])
        for name, rows in measured.items()
        for what in ("a new key, µs", "one of them again, µs")
    ]


if __name__ == "__main__":
    main()
