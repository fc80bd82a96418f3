"""Mining by several processes: seconds, memory and what travels, against one process.

    python -m benchmarks.bench_workers [--records 1000000 10000000] [--items 50]
    python -m benchmarks.bench_workers --sealed paper mild --records 1000000 10000000 [--times 3] [--without-mlxtend]

Of a file, which is streamed: neither the process that reads it nor a worker holds more than its share of bit columns
and some blocks of text. With `--sealed` of a site instead: responses to 50 questions, sealed as a site seals them, are
mined up to length 3 by real workers over SQLite and the private broker: by one process; by a crew of one worker and of
two, which read the parts; by both once more, from their copies; and by mlxtend, where that has room. All counts are the
same to the last bit, as tests/mining/test_processes.py and test_crew.py hold; here is what they cost. 10⁸ responses
take a gigabyte in the folder of temporary files, and their copies another.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from multiprocessing import get_context
from operator import itemgetter, truediv
from pathlib import Path
from statistics import median

import numpy as np

from benchmarks.own_process import lines_of
from privacy.design import Design
from privacy.disguise import disguise
from privacy.disguise.random_words import seeded_words
from privacy.output import as_table
from privacy.records import Records, csv_cells
from privacy.records.records import DIRECT

AT_ONCE = 500_000


def main() -> list[tuple[str, float]]:
    parser = argparse.ArgumentParser()
    parser.add_argument("--records", type=int, nargs="+", default=[200_000])
    parser.add_argument("--items", type=int, default=50)
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--sealed", nargs="+", metavar="SETTING", help="paper, mild: mine sealed responses of a site")
    parser.add_argument(
        "--times",
        type=int,
        default=1,
        help="with --sealed: turns, of which the fastest run of each and the middle ratio are reported",
    )
    parser.add_argument(
        "--without-mlxtend",
        action="store_true",
        help="with --sealed: leave out what takes half a minute or more a turn",
    )
    options = parser.parse_args()
    if options.sealed:
        most_by_mlxtend = 0 if options.without_mlxtend else MOST_BY_MLXTEND
        return sealed(options.records, options.sealed, options.times, most_by_mlxtend)
    rows, ratios = [], []
    for count in options.records:
        # Made elsewhere: the system counts the memory of this process as that of each which it starts.
        with tempfile.TemporaryDirectory() as folder, get_context("spawn").Pool(1) as pool:
            files = pool.apply(made, (Path(folder), count, options.items))
            whole = mined(files, None)
            rows.append([count, "-", *whole])
            for workers in options.workers:
                figures = mined(files, workers)
                rows.append([count, workers, *figures])
                ratios.append((f"{count} records, {workers} workers: seconds of one process", figures[0] / whole[0]))
    print(as_table(["records", "workers", "seconds", "CPU seconds", "largest process, MiB"], rows))
    return ratios


WAYS = (
    {"who": "one process", "workers": 1, "spread": False, "engine": "bitset", "copies": False},
    {"who": "a crew of one", "workers": 1, "spread": True, "engine": "bitset", "copies": False},
    {"who": "a crew of one, from copies", "workers": 1, "spread": True, "engine": "bitset", "copies": True},
    {"who": "a crew of two", "workers": 2, "spread": True, "engine": "bitset", "copies": False},
    {"who": "a crew of two, from copies", "workers": 2, "spread": True, "engine": "bitset", "copies": True},
)
REFERENCE = {"who": "mlxtend", "workers": 1, "spread": False, "engine": "mlxtend", "copies": False}
MOST_BY_MLXTEND = 1_000_000  # responses: beyond, a table of truth values has no room in a gigabyte
MINED = {"MINING_MEMORY_MIB": "1024", "MINING_COPIES_MIB": "20000"}


def sealed(records: list[int], settings: list[str], times: int, most_by_mlxtend: int) -> list[tuple[str, float]]:
    """What runs of a site cost, by who counts them."""
    rows, ratios = [], []
    for setting in settings:
        for count in records:
            ways = [*WAYS, *([REFERENCE] if count <= most_by_mlxtend else [])]
            lines = lines_of("workers_on", str(count), setting, str(times), json.dumps(ways), **MINED)
            runs = list(map(json.loads, lines))
            by_way = {way["who"]: [run for run in runs if run["who counts"] == way["who"]] for way in ways}
            wall = {who: [run["wall s"] for run in own] for who, own in by_way.items()}
            rows += [[setting, count, *min(own, key=itemgetter("wall s")).values()] for own in by_way.values()]
            for one in ("one process", "a crew of one"):
                ratio = median(map(truediv, wall[one], wall["a crew of two"]))
                ratios.append((f"{count} responses, {setting}: seconds of {one} over those of a crew of two", ratio))
    print(as_table(["setting", "responses", *runs[0]], rows))
    print("\n".join(f"{name}: {ratio:.2f}" for name, ratio in ratios))
    return ratios


def made(folder: Path, count: int, items: int) -> list[str]:
    """A file of disguised records and one of their design: six habits of people, one coin over the items."""
    names = [f"q{place}" for place in range(items)]
    source = {"direct": True, "blocks": [{"keep": 0.2, "items": [{"id": name, "theta": 0.3} for name in names]}]}
    design = Design.parse(source)
    chance = np.random.default_rng(1)
    habits = chance.beta(1.2, 4, (6, items))
    with (folder / "records.csv").open("wb") as file:
        for start in range(0, count, AT_ONCE):
            rows = min(AT_ONCE, count - start)
            people = (chance.random((rows, items)) < habits[chance.integers(0, 6, rows)]).astype(np.uint8)
            direct = chance.random(rows) < 0.2
            records: Records = disguise(design, people, direct, seeded_words(start))
            parts = csv_cells.write([DIRECT, *design.fields], np.column_stack([records.direct, records.codes]))
            header = next(parts)
            file.writelines([header] if not start else [])
            file.writelines(parts)
    (folder / "design.json").write_text(json.dumps(source))
    return [str(folder / "records.csv"), str(folder / "design.json")]


def mined(files: list[str], workers: int | None) -> list[float]:
    """Wall seconds, processor seconds of all its processes, and the largest process."""
    command = [sys.executable, "-m", "candor.commands", "mine", *files, "--min-support", "0.1"]
    command += ["--min-confidence", "0.6", "--estimator", "pooled", "--engine", "bitset", "--json"]
    command += [] if workers is None else ["--workers", str(workers)]
    start = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, env=os.environ | {"OMP_NUM_THREADS": "1"})
    _, status, used = os.wait4(process.pid, 0)
    assert status == 0
    return [time.perf_counter() - start, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024]


if __name__ == "__main__":
    main()
