"""How fast a million places are reported on a map without cells, by the square mechanism and by that with zones.

    python benchmarks/bench_places.py [places]

Both must at least draw a coin, a near and a far place for everybody: that is the baseline, in the same run.
"""

import sys
import time
from collections.abc import Callable

import numpy as np

from privacy.location import Rectangle, square_mechanism, zone_mechanism
from privacy.output import as_table

MAP = Rectangle(0, 0, 2000, 2000)
ZONES = {
    "one zone": [Rectangle(500, 500, 1000, 1000)],
    "six zones": [Rectangle(700 * x, 1000 * y, 250, 250) for x in range(3) for y in range(2)],
}


def seconds(run: Callable[[], object]) -> float:
    times = []
    for _ in range(3):
        start = time.process_time()
        run()
        times.append(time.process_time() - start)
    return min(times)


def main() -> list[tuple[str, float]]:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    rng = np.random.default_rng(1)
    places = rng.random((count, 2)) * 2000
    baseline = seconds(lambda: rng.random((count, 6)))
    mechanisms = {"square mechanism": square_mechanism(MAP, 10)}
    mechanisms |= {f"zones, {name}": zone_mechanism(MAP, zones, 10) for name, zones in ZONES.items()}
    table: list[tuple[str, float, float, float]] = []
    for name, mechanism in mechanisms.items():
        spent = seconds(lambda mechanism=mechanism: mechanism.report(places, rng))  # type: ignore[misc]
        table.append((name, spent, count / spent / 1e6, spent / baseline))
    print(as_table(["", "seconds", "M places/s", "times the baseline"], table))
    return [(name, ratio) for name, *_, ratio in table]


if __name__ == "__main__":
    main()
