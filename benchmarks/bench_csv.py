"""Reading CSV of records: our reader of cells against pandas' fastest way to the same codes.

    python -m benchmarks.bench_csv [--records 500000]

pandas reads every column as categories, 65 536 rows at a time, and each category is looked up once; it checks no width
of rows. Seconds are processor time, the least of three. The ratio is ours over pandas'. Beside them stands what pandas
takes to be imported, which no command that reads CSV needs today.

Ours stays. What pandas reads without a word, ours refuses by row and value: a file that is cut in the middle of a row,
or a row that is too short (the missing answers are "not asked" where only some are asked), rows of one value more than
the header (every answer moves by a column), a lone CR (one row becomes two), a NUL (it is dropped), a column that is
named twice. To refuse these, the separators would have to be found beside pandas, which is half of our reader.
"""

import argparse
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd

import candor
from privacy.design import Design
from privacy.output import as_table
from privacy.records import Records, write_records
from privacy.records.read import record_batches

NAMES = [f"q{place}" for place in range(10)]
PARTIES = ["left", "centre", "right", "no answer"]
DESIGNS = {
    "yes/no": candor.models.improved_grouped(NAMES, p=0.3, theta=0.6),
    "four options": candor.models.k_ary(dict.fromkeys(NAMES, PARTIES), p=0.5),
    "4 of 10 asked": candor.models.improved_grouped(NAMES, p=0.3, theta=0.6, ask=4),
}
IMPORT = "import time, numpy; start = time.process_time(); import pandas; print(time.process_time() - start)"


def main() -> list[tuple[str, float]]:
    parser = argparse.ArgumentParser()
    parser.add_argument("--records", type=int, default=500_000)
    count = parser.parse_args().records
    rows: list[list[object]] = []
    ratios = []
    for name, design in DESIGNS.items():
        records = drawn_records(design, count)
        with tempfile.TemporaryDirectory() as folder:
            path = str(Path(folder, "records.csv"))
            write_records(records, path)
            if not np.array_equal(by_pandas(path, design), records.codes):
                raise SystemExit(f"pandas reads other answers: {name}.")
            ours = processor_seconds(partial(by_cells, path, design))
            pandas = processor_seconds(partial(by_pandas, path, design))
        rows.append([name, ours, pandas])
        ratios.append((name, ours / pandas))
    print(as_table([f"{count} records", "ours s", "pandas s"], rows))
    said = subprocess.run([sys.executable, "-c", IMPORT], capture_output=True, text=True, check=True).stdout
    print(f"\nImporting pandas: {float(said):.2f} s")
    return ratios


def drawn_records(design: Design, count: int) -> Records:
    chance = np.random.default_rng(1)
    codes = np.stack([chance.integers(0, len(item.options), count) for item in design.items], axis=1).astype(np.uint8)
    if design.sampled:
        codes[chance.random(codes.shape).argsort(axis=1) >= 4] = 255
    return Records(design, codes, chance.random(count) < 0.2)


def by_cells(path: str, design: Design) -> int:
    return sum(len(codes) for codes, _ in record_batches(path, design))


def by_pandas(path: str, design: Design) -> np.ndarray:
    parts = []
    for part in pd.read_csv(path, dtype="category", keep_default_na=False, na_filter=False, chunksize=65_536):
        codes = np.empty((len(part), len(design.fields)), np.uint8)
        for place, field in enumerate(design.fields):
            known = {text: code for code, text in enumerate(field.scales[0])} | ({"": 255} if field.optional else {})
            of_category = np.array([known[text] for text in part[field.name].cat.categories], np.uint8)
            codes[:, place] = of_category[part[field.name].cat.codes.to_numpy()]
        parts.append(codes)
    return np.concatenate(parts)


def processor_seconds(work: Callable[[], object]) -> float:
    seconds = []
    for _ in range(3):
        start = time.process_time()
        work()
        seconds.append(time.process_time() - start)
    return min(seconds)


if __name__ == "__main__":
    main()
