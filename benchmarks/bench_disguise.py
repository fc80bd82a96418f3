"""How fast a table of 1 000 000 × 50 is disguised, written and read, against the simplest pass over the same data.

    python benchmarks/bench_disguise.py [records]

A disguise must at least draw its random words and copy its answers, and a file must at least be copied. These passes,
in the same run, are the baseline. Each figure is the best of three, in seconds of the processor.
"""

import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from privacy.design import ONE, Design, Item
from privacy.design.blocks.coin.design import CoinBlock
from privacy.design.fields import Field, Steps
from privacy.disguise import disguise
from privacy.disguise.table import system_words, words_from_seed
from privacy.output import as_table
from privacy.records import Records, read_records, write_records
from privacy.records.packing import pack, unpack

ITEMS = 50
NAMES = [f"item{j}" for j in range(ITEMS)]
QUARTERS = {"options": ["p", "q", "r", "s"], "noise": [0.25] * 4}
DESIGNS = {
    "one coin": {"keep": 0.3, "items": [{"id": name, "theta": 0.6} for name in NAMES]},
    "one coin, four options": {"keep": 0.3, "items": [{"id": name, **QUARTERS} for name in NAMES]},
    "sampled, ask 10": {"keep": 0.3, "ask": 10, "items": [{"id": name, "theta": 0.6} for name in NAMES]},
    "flip": {"flips": [0.2] + [0.8 / ITEMS] * ITEMS, "items": [{"id": name} for name in NAMES]},
}


def seconds(run: Callable[[], object]) -> float:
    times = []
    for _ in range(3):
        start = time.process_time()
        run()
        times.append(time.process_time() - start)
    return min(times)


def words_and_copy(answers: np.ndarray, words: int) -> None:
    """The work that no disguise can do without: draw the words, in groups that fit the cache, and copy the answers."""
    take = words_from_seed(1)
    for start in range(0, words, 2**20):
        take(min(2**20, words - start))
    answers.copy()


def row(name: str, rows: int, touched: int, spent: float, baseline: float) -> list[object]:
    return [name, spent, rows / spent / 1e6, touched / rows, touched / spent / 1e9, spent / baseline]


def main() -> list[tuple[str, float]]:
    rows = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    answers = (np.random.default_rng(1).random((rows, ITEMS), np.float32) < 0.3).astype(np.uint8)
    table: list[list[Any]] = []
    for name, block in DESIGNS.items():
        design = Design.parse({"blocks": [block]})
        size = design.blocks[0].items_per_person
        words = rows * (1 + size + (ITEMS if size < ITEMS else 0))
        touched = 4 * words + 2 * answers.size
        baseline = seconds(partial(words_and_copy, answers, words))
        spent = seconds(partial(disguise_from_seed, design, answers))
        table.append(row(f"disguise, {name}", rows, touched, spent, baseline))
    design = Design.parse({"blocks": [DESIGNS["one coin"]]})
    touched = 4 * rows * (1 + ITEMS) + 2 * answers.size
    baseline = seconds(lambda: words_and_copy(answers, rows * (1 + ITEMS)))
    spent = seconds(lambda: disguise(design, answers, take=system_words()))
    table.append(row("disguise, the system's randomness", rows, touched, spent, baseline))
    records = disguise(design, answers, take=words_from_seed(1))
    table += packing(records)
    table += files(records, ".csv")
    tenth = Records(design, records.codes[: rows // 10], records.direct[: rows // 10])
    table += files(tenth, ".jsonl")
    wide = wide_records(rows // 10)
    for line in packing(wide) + files(wide, ".csv") + files(wide, ".jsonl"):
        table.append([f"{line[0]}, numbers and places", *line[1:]])
    print(as_table(["", "seconds", "M records/s", "bytes/record", "GB/s", "times the baseline"], table))
    return [(str(case), float(ratio)) for case, *_, ratio in table]


@dataclass(frozen=True)
class FieldItem(Item):
    """A stand-in for items of numbers: records know their fields alone."""

    steps: tuple[Steps, ...] = (Steps(2**16),)

    def field(self, optional: bool) -> Field:
        return Field(self.id, self.steps, optional)


def wide_records(rows: int) -> Records:
    """Eight numbers of 65 536 steps and two places in 1000 × 800 cells."""
    half, place = (ONE // 2, ONE // 2), (Steps(1000), Steps(800))
    items = [FieldItem(f"number{j}", noise=half) for j in range(8)]
    items += [FieldItem(f"place{j}", noise=half, steps=place) for j in range(2)]
    design = Design((CoinBlock(tuple(items), ONE),), direct=True)
    sizes = [field.size for field in design.fields]
    random = np.random.default_rng(1)
    codes = random.integers(0, sizes, (rows, len(items)), design.code_type)
    return Records(design, codes, random.random(rows) < 0.1)


def disguise_from_seed(design: Design, answers: np.ndarray) -> Records:
    return disguise(design, answers, take=words_from_seed(1))


def packing(records: Records) -> list[list[object]]:
    packed = pack(records)
    touched = packed.nbytes + records.codes.nbytes
    baseline = seconds(records.codes.copy)
    return [
        row("pack into bits", len(records), touched, seconds(lambda: pack(records)), baseline),
        row("unpack", len(records), touched, seconds(lambda: unpack(records.design, packed)), baseline),
    ]


def files(records: Records, suffix: str) -> list[list[object]]:
    with tempfile.TemporaryDirectory() as folder:
        path, copy = Path(folder, f"records{suffix}"), Path(folder, "copy")
        write = seconds(lambda: write_records(records, path))
        read = seconds(lambda: read_records(path, records.design))
        baseline = seconds(lambda: copy.write_bytes(path.read_bytes()))
        size = path.stat().st_size
    return [
        row(f"write {suffix}", len(records), size, write, baseline),
        row(f"read {suffix}", len(records), size, read, baseline),
    ]


if __name__ == "__main__":
    main()
