"""Mining fifty yes/no answers from Parquet by two workers of a Dask cluster, and by one process.

    python -m benchmarks.bench_cluster [--records 1000000]

*Counted* is what four questions to the counter take once all is packed, *mined* all from the file on. The bars of a
quiet machine with two processors are 10⁸ records, counted 1.5 times and mined 1.6 times as fast as by one process.
"""

import argparse
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import dask
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from distributed import Client, LocalCluster

from benchmarks.bench_parquet import DESIGN, ITEMS, REQUEST
from mining.engines.bits import pack
from mining.engines.cluster import counting
from mining.engines.counter import Counter
from mining.engines.findings import findings
from mining.engines.literals import literals_of
from mining.engines.records import mine_records as mined_by
from privacy.output import as_table
from privacy.records import read_batches, record_batches, record_blocks

GROUP = 2**20
READ = partial(read_batches, design=DESIGN)


def main() -> list[tuple[str, float]]:
    parser = argparse.ArgumentParser()
    parser.add_argument("--records", type=int, default=1_000_000)
    count = parser.parse_args().records
    quiet = {"distributed.worker.memory.target": False, "distributed.worker.memory.spill": False}
    options = {"n_workers": 2, "threads_per_worker": 1, "host": "127.0.0.1", "dashboard_address": ":0"}
    with (
        tempfile.TemporaryDirectory() as folder,
        dask.config.set(quiet | {"distributed.worker.http.routes": []}),
        LocalCluster(**options) as local,
        Client(local) as client,
    ):
        path = str(Path(folder, "records.parquet"))
        write(path, count)
        literals = literals_of(DESIGN)
        counter = pack(record_batches(path, DESIGN), literals)
        alone = seconds(partial(ask, counter))
        del counter
        with counting(record_blocks(path), READ, literals, client, "tcp") as spread:
            spread.sizes  # noqa: B018  # all is packed when it is known
            together = seconds(partial(ask, spread))
        mined = seconds(lambda: findings(record_batches(path, DESIGN), DESIGN, REQUEST))
        on_cluster = partial(counting, client=client, allow="tcp")
        mined_together = seconds(lambda: mined_by(path, DESIGN, REQUEST, spread=on_cluster))
    rows = [["counted", alone, together], ["mined", mined, mined_together]]
    print(as_table([f"{count} records, s by the clock", "one process", "two workers"], rows))
    return [("counted, two workers", together / alone), ("mined, two workers", mined_together / mined)]


def write(path: str, count: int) -> None:
    random = np.random.default_rng(1)
    rows = min(count, GROUP)
    answers = {f"q{place}": random.random(rows, np.float32) < 0.4 for place in range(ITEMS)}
    table = pa.table({"direct": random.random(rows) < 0.1} | answers)
    with pq.ParquetWriter(path, table.schema) as file:
        for start in range(0, count, GROUP):
            file.write_table(table.slice(0, count - start))


def ask(counter: Counter) -> None:
    """Single answers, and a fifth of all pairs against each other, twice."""
    pairs = np.array([(one, other) for one in range(ITEMS) for other in range(one + 1, ITEMS)])[::5]
    for _ in range(2):
        counter.singles()
        counter.uneven(pairs)


def seconds(work: Callable[[], object]) -> float:
    times = []
    for _ in range(2):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


if __name__ == "__main__":
    main()
