"""How long a fit of places to 64 × 64 bins takes, by EM, of a tenth of so many reports.

    python benchmarks/bench_places.py [places]

It must at least count the reports: that is the baseline, in the same run.
"""

import sys
import time
from collections.abc import Callable

import numpy as np

from privacy.design import Design
from privacy.output import as_table
from privacy.reconstruct.distribution import most_likely


def seconds(run: Callable[[], object]) -> float:
    times = []
    for _ in range(3):
        start = time.process_time()
        run()
        times.append(time.process_time() - start)
    return min(times)


def main() -> list[tuple[str, float]]:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    table = [fit(count // 10)]
    print(as_table(["", "seconds", "M places/s", "times the baseline"], table))
    return [(name, ratio) for name, *_, ratio in table]


def fit(count: int) -> tuple[str, float, float, float]:
    item = {"id": "home", "width": 1000, "height": 800, "cell": 1}
    (block,) = Design.parse({"blocks": [{"place": "square", "epsilon": 4, "items": [item]}]}).blocks
    assert block.distribution is not None
    shares = block.distribution((64, 64))
    codes = np.random.default_rng(1).integers(0, 800_000, count)
    seen = shares.count_records(codes)[np.newaxis]
    spent = seconds(lambda: most_likely(shares, seen))
    return (
        f"EM, 64 x 64 bins of {count} reports",
        spent,
        count / spent / 1e6,
        spent / seconds(lambda: shares.count_records(codes)),
    )


if __name__ == "__main__":
    main()
