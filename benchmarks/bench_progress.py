"""The cost of telling progress: the processor time of a run that stores its progress, against the same run without.

    python -m benchmarks.bench_progress [pairs]

The time is that of the process that mines and of the worker that watches it and writes to SQLite. A pair is one run
that tells and one silent run, one directly after the other, so that both meet the same machine; in every second pair
the silent run comes first. The figure is the median of the ratios of all pairs. Above 1.02 the promise of 2 % is
broken.
"""

import json
import statistics
import sys

from benchmarks.own_process import lines_of
from privacy.output import as_table


def main() -> list[tuple[str, float]]:
    pairs = json.loads(lines_of("progress_on", *(sys.argv[1:] or ["9"]))[-1])
    rows = [[*pair.values(), pair["told"] / pair["silent"]] for pair in pairs]
    print(as_table([*(f"{name}, CPU seconds" for name in ("told", "silent")), "times stored", "told / silent"], rows))
    return [("a run of 100 000 × 40, length 4: told / silent", statistics.median(row[-1] for row in rows))]


if __name__ == "__main__":
    main()
