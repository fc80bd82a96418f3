"""Mining a Parquet file of fifty yes/no answers, against the same records as CSV: to the first support, and all of it.

    python -m benchmarks.bench_parquet [--records 1000000]

*Read and packed* is until the counter holds all bit columns. The bar of a quiet machine is 2.5 s for ten million
records mined in one process. Ratios are seconds of processor over those of CSV.
"""

import argparse
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from mining.engines.bits import pack
from mining.engines.findings import findings
from mining.engines.literals import literals_of
from mining.engines.request import MiningRequest
from privacy.design import Design
from privacy.output import as_table
from privacy.records import Records, record_batches, write_records

ITEMS = 50
DESIGN = Design.parse(
    {"model": "warner", "theta": 0.7, "items": [f"q{place}" for place in range(ITEMS)], "direct": True}
)
REQUEST = MiningRequest(min_support=0.05, min_confidence=0.5, max_length=2, engine="bitset")


def main() -> list[tuple[str, float]]:
    parser = argparse.ArgumentParser()
    parser.add_argument("--records", type=int, default=1_000_000)
    count = parser.parse_args().records
    random = np.random.default_rng(1)
    codes = (random.random((count, ITEMS), np.float32) < 0.4).astype(np.uint8)
    records = Records(DESIGN, codes, random.random(count) < 0.1)
    with tempfile.TemporaryDirectory() as folder:
        files = {name: str(Path(folder, name)) for name in ("records.csv", "bits.parquet", "numbers.parquet")}
        write_records(records, files["records.csv"])
        columns = {"direct": records.direct} | {f"q{place}": codes[:, place] == 1 for place in range(ITEMS)}
        table = pa.table(columns)
        pq.write_table(table, files["bits.parquet"])
        pq.write_table(table.cast(pa.schema([(name, pa.int64()) for name in columns])), files["numbers.parquet"])
        del records, codes, columns, table
        steps: dict[str, Callable[[str], Any]] = {"read and packed": pack_file, "mined": mine_file}
        seconds = {
            (name, step): processor_seconds(work, file) for name, file in files.items() for step, work in steps.items()
        }
    rows = [[name, *(seconds[name, step] for step in steps)] for name in files]
    print(as_table([f"{count} records, s", *steps], rows))
    others = [name for name in files if name != "records.csv"]
    return [
        (f"{step}, {name}", seconds[name, step] / seconds["records.csv", step]) for name in others for step in steps
    ]


def pack_file(path: str) -> None:
    pack(record_batches(path, DESIGN), literals_of(DESIGN))


def mine_file(path: str) -> None:
    findings(record_batches(path, DESIGN), DESIGN, REQUEST)


def processor_seconds(work: Callable[[str], Any], path: str) -> float:
    start = time.process_time()
    work(path)
    return time.process_time() - start


if __name__ == "__main__":
    main()
