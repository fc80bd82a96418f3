"""How fast 1 000 patterns are reconstructed from 1 000 000 × 50 records, against one pass over the records.

    python benchmarks/bench_reconstruct.py [records [patterns]]

The patterns are triples. To estimate a pattern one must at least look at its columns: so the baseline, in the same run,
counts the records that match one pair in the table of codes, once for each pattern. Each figure is the best of two, in
seconds of the processor. Bytes are those of the columns that are packed, or of the packed columns that are counted.
"""

import sys
import time
from collections.abc import Callable
from functools import partial
from itertools import combinations, islice
from typing import Any

import numpy as np

from privacy.design import Design
from privacy.design.patterns import Pattern
from privacy.estimate.bit_columns import BitColumns
from privacy.output import as_table
from privacy.reconstruct import reconstruct
from privacy.reconstruct.pattern_counts import PatternQuery, count_patterns
from privacy.records import Records

ITEMS = 50
NAMES = [f"item{j}" for j in range(ITEMS)]
DESIGNS = {
    "one coin": {"keep": 0.3, "items": [{"id": name, "theta": 0.6} for name in NAMES]},
    "sampled, ask 25": {"keep": 0.3, "ask": 25, "items": [{"id": name, "theta": 0.6} for name in NAMES]},
    "flips": {"flips": [0.2] + [0.8 / ITEMS] * ITEMS, "items": [{"id": name} for name in NAMES]},
    "a coin per item": {"model": "warner", "theta": 0.7, "items": NAMES},
}


def seconds(run: Callable[[], object]) -> float:
    times = []
    for _ in range(2):
        start = time.process_time()
        run()
        times.append(time.process_time() - start)
    return min(times)


def table_of(design: Design, rows: int) -> Records:
    """Random codes, a tenth of the records direct; of a sampled block half of the answers are missing."""
    random = np.random.default_rng(1)
    codes = (random.random((rows, ITEMS), np.float32) < 0.4).astype(np.uint8)
    if design.sampled:
        codes[random.random((rows, ITEMS), np.float32) < 0.5] = design.not_asked
    return Records(design, codes, random.random(rows) < 0.1)


def matching_pair(records: Records) -> int:
    return int(np.count_nonzero((records.codes[:, 3] == 1) & (records.codes[:, 7] == 1)))


def pack(records: Records) -> None:
    bits = BitColumns(records)
    for column in range(ITEMS):
        bits.literal((column, frozenset([1])))


def main() -> list[tuple[str, float]]:
    rows, patterns = (int(sys.argv[place]) if len(sys.argv) > place else default for place, default in _DEFAULTS)
    table: list[list[Any]] = []
    for name, block in DESIGNS.items():
        design = Design.parse({"direct": True, "blocks": [block]})
        records = table_of(design, rows)
        chosen = [
            Pattern(tuple((column, frozenset([1])) for column in columns))
            for columns in islice(combinations(range(ITEMS), 3), 0, None, 19)
        ][:patterns]
        query = PatternQuery.parse(design, chosen)
        texts = [pattern.text(design) for pattern in chosen]
        pair = seconds(partial(matching_pair, records))
        words = -(-rows // 64)
        for kind, run, touched in (
            ("pack 50 columns", partial(pack, records), rows * ITEMS + 8 * words * ITEMS),
            ("count", partial(count_patterns, records, query), 8 * words * 3 * len(chosen)),
            ("count and reconstruct", partial(reconstruct, records, texts), 8 * words * 3 * len(chosen)),
        ):
            spent = seconds(run)
            ratio = spent / (pair * len(chosen))
            table.append([f"{kind}, {name}", spent, rows / spent / 1e6, touched / rows, ratio])
    print(as_table(["", "seconds", "M records/s", "bytes/record", "times the baseline"], table))
    return [(str(case), float(ratio)) for case, *_, ratio in table]


_DEFAULTS = ((1, 1_000_000), (2, 1_000))

if __name__ == "__main__":
    main()
