"""How fast a snapshot of a million responses is read into packed columns, against reading its bytes from the database.

    python -m benchmarks.bench_snapshots [responses]

Ten yes/no items on SQLite, in parts as sealing leaves them. The sealing of one more batch, which shuffles the open part
anew, and the removing of its traces, which writes the whole file anew, are timed beside.
"""

import sys

from benchmarks.own_process import lines_of


def main() -> list[tuple[str, float]]:
    *table, ratio = lines_of("snapshots_on", *(sys.argv[1:] or ["1000000"]))
    print("\n".join(table))
    return [("read", float(ratio))]


if __name__ == "__main__":
    main()
