"""How fast a snapshot of a million responses is read into packed columns, against reading its bytes from the database.

    python -m benchmarks.bench_snapshots [responses]

Ten yes/no items on SQLite, in parts as sealing makes them. More times are printed: sealing one more batch, which
shuffles the open part again, removing its traces, which writes the whole file again, and sealing 20 000 that wait, each
of which must be opened.
"""

import sys

from benchmarks.own_process import lines_of


def main() -> list[tuple[str, float]]:
    *table, ratio = lines_of("snapshots_on", *(sys.argv[1:] or ["1000000"]))
    print("\n".join(table))
    return [("read", float(ratio))]


if __name__ == "__main__":
    main()
