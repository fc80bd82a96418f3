"""What files of a large survey cost, beside a bare csv.writer of as many rows: CPU, rows a second, peak memory.

    python -m benchmarks.bench_exports [responses ...]

Peaks grow from file to file; those of CSV and JSON lines, which are written some thousand rows at a time, come first.
"""

import sys

from benchmarks.own_process import lines_of


def main() -> list[tuple[str, float]]:
    ratios = []
    for count in sys.argv[1:] or ["20000", "100000"]:
        *table, ratio = lines_of("exports_on", count)
        print("\n".join(table))
        ratios.append((f"CSV of {count} responses", float(ratio)))
    return ratios


if __name__ == "__main__":
    main()
