"""Mining bins, and words of a list: processor seconds and the largest process, by how many records there are.

    python -m benchmarks.bench_cells [--records 1000000 5000000] [--length 2]

Twenty questions: eighteen of one coin, a number and a place in bins; or one word of a list of them. Parts
are made by the real packer, and each process reads one after the other, as a run of a site does. The ratios are memory
and the processor seconds of a record with most records, over those with fewest.
"""

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from mining.engines.findings import findings
from mining.engines.request import MiningRequest
from privacy.design import Design
from privacy.disguise import disguise
from privacy.disguise.table import words_from_seed
from privacy.output import as_table
from privacy.records.bits import Batch
from privacy.records.packing import pack, row_bytes, unpack

PART = 65_536
DRAWN = 16  # parts; beyond a million the same people come again
ITEMS = [f"q{place}" for place in range(20)]
AGE = {"number": "square-wave", "epsilon": 2, "items": [{"id": "age", "min": 0, "max": 99}]}
HOME = {
    "place": "zones",
    "epsilon": 2,
    "zones": [[10, 10, 20, 20], [60, 60, 20, 20]],
    "items": [{"id": "home", "width": 100, "height": 80}],
}
COIN = {"keep": 0.6, "items": [{"id": name, "theta": 0.5} for name in ITEMS[2:]]}
KINDS: dict[str, tuple[list[dict[str, Any]], str]] = {
    "bins": ([COIN, AGE, HOME], "age=18,30,50;home=zones"),
    "words": ([{"model": "one-of", "gamma": 19, "cap": 2, "items": ITEMS}], ""),
}


def main() -> list[tuple[str, float]]:
    parser = argparse.ArgumentParser()
    parser.add_argument("--records", type=int, nargs="+", default=[100_000, 400_000])
    parser.add_argument("--length", type=int, default=2)
    options = parser.parse_args()
    rows, ratios = [], []
    for kind in KINDS:
        runs = []
        for count in options.records:
            with tempfile.NamedTemporaryFile() as file:
                make(kind, count, Path(file.name))
                command = [sys.executable, "-m", "benchmarks.bench_cells", kind, file.name, str(options.length)]
                runs.append(json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout))
            rows.append([kind, count, *runs[-1].values()])
        least, most = options.records[0], options.records[-1]
        each = [runs[-1]["CPU s"] / most, runs[0]["CPU s"] / least]
        ratios.append((f"{kind}: memory, {most} records / {least}", runs[-1]["MiB"] / runs[0]["MiB"]))
        ratios.append((f"{kind}: processor for a record, {most} / {least}", each[0] / each[1]))
    print(as_table(["kind", "records", "CPU s", "largest process, MiB", "candidates", "rules"], rows))
    return ratios


def make(kind: str, count: int, path: Path) -> None:
    """Parts of four hidden groups, which differ in what they say, how old they are and where they live."""
    design = Design.parse({"direct": True, "blocks": KINDS[kind][0]})
    chance = np.random.default_rng(1)
    habits = 0.2 + chance.beta(1.5, 3, (4, len(ITEMS)))
    drawn: list[bytes] = []
    width = row_bytes(design)
    with path.open("wb") as file:
        for place, start in enumerate(range(0, count, PART)):
            if place < DRAWN:
                group = chance.integers(0, 4, PART)
                answers = []
                for column, item in enumerate(design.items):
                    if item.has_options:
                        answers.append(chance.random(PART) < habits[group, column])
                    elif item.id == "age":
                        years = np.clip(chance.gamma(4, 9, PART) + 10 * group, 0, 99).astype(int)
                        answers.append(item.codes_at([years]))
                    else:
                        x, y = chance.integers(0, 100, PART), chance.integers(0, 80, PART)
                        x, y = (np.where(group == 2, chance.integers(10, 30, PART), at) for at in (x, y))
                        answers.append(x * 80 + y)
                codes = np.column_stack(answers).astype(design.code_type)
                drawn.append(pack(disguise(design, codes, chance.random(PART) < 0.2, words_from_seed(place))).tobytes())
            file.write(drawn[place % DRAWN][: width * min(PART, count - start)])


def mine_file(kind: str, path: Path, length: int) -> dict[str, Any]:
    blocks, bins = KINDS[kind]
    design = Design.parse({"direct": True, "blocks": blocks})
    width = row_bytes(design)

    def parts() -> Iterator[Batch]:
        with path.open("rb") as file:
            while read := file.read(PART * width):
                records = unpack(design, np.frombuffer(read, np.uint8).reshape(-1, width))
                yield records.codes, records.direct

    start = time.process_time()
    summary = findings(parts(), design, MiningRequest(0.1, 0.3, length, engine="bitset", bins=bins, least=100)).summary
    return {
        "CPU s": round(time.process_time() - start, 2),
        "MiB": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
        "candidates": sum(summary["candidates"]),
        "rules": summary["rules"],
    }


if __name__ == "__main__":
    if len(sys.argv) > 2 and sys.argv[1] in KINDS:
        print(json.dumps(mine_file(sys.argv[1], Path(sys.argv[2]), int(sys.argv[3]))))
    else:
        for name, ratio in main():
            print(f"{ratio:8.3f}  {name}")
