"""How fast a million places are reported on a map without cells, and how long a fit to 64 × 64 bins takes.

    python benchmarks/bench_places.py [places]

A report must at least draw a coin, a near and a far place for everybody: that is the baseline, in the same run. A fit
by EM, of a tenth as many reports, must at least count them.
"""

import sys
import time
from collections.abc import Callable

import numpy as np

from papers.squares import square_mechanism, zone_mechanism
from privacy.design import Design
from privacy.location import Rectangle
from privacy.output import as_table
from privacy.reconstruct.distribution import most_likely

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
    table.append(fit(count // 10))
    print(as_table(["", "seconds", "M places/s", "times the baseline"], table))
    return [(name, ratio) for name, *_, ratio in table]


def fit(count: int) -> tuple[str, float, float, float]:
    item = {"id": "home", "width": 1000, "height": 800, "cell": 1}
    (block,) = Design.parse({"blocks": [{"place": "square", "epsilon": 4, "items": [item]}]}).blocks
    assert block.distribution is not None
    shares = block.distribution((64, 64))
    codes = np.random.default_rng(1).integers(0, 800_000, count)
    seen = shares.seen(codes)[np.newaxis]
    spent = seconds(lambda: most_likely(shares, seen))
    return (
        f"EM, 64 x 64 bins of {count} reports",
        spent,
        count / spent / 1e6,
        spent / seconds(lambda: shares.seen(codes)),
    )


if __name__ == "__main__":
    main()
