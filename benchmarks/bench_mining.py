"""From disguised records to rules: the bitset engine against mlxtend's apriori(low_memory=True), in the same run.

    python benchmarks/bench_mining.py [--full]

The questionnaires have yes/no items in one block; a fifth of the respondents answer directly. There are two settings:
that of the improved grouped unrelated-question paper (k = .2, p = .3, θ = .6), and a mild one (p = .7, θ = .3). The
smallest confidence is .6. The estimator is pooled, because a threshold on observed supports can follow only this one.
mlxtend runs apriori with the smallest observed threshold, keeps the itemsets that reach the reconstructed threshold
with all their subsets, and makes rules of them. Bitset does more: every rule also gets errors, tests and redundancy.
On a site mlxtend makes the rules of what bitset has counted, up to 5 000 itemsets: those are the seconds of the site.
A second table has the joins of both engines alone, of as many possible itemsets as a site gives mlxtend. Seconds are
processor time, the median of 5 runs (one run if mlxtend took more than 20 s). Memory is the peak above the packed
columns.
"""

import argparse
import sqlite3
import statistics
import tempfile
import time
import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import fields
from functools import cache, partial
from itertools import combinations, count, takewhile
from math import comb
from pathlib import Path

import numpy as np
import pandas as pd
from mlxtend.frequent_patterns import apriori, association_rules

from mining.engines import reference
from mining.engines.bits import pack
from mining.engines.columns import sides
from mining.engines.estimates import Supports
from mining.engines.lattice import Join, Level, candidates
from mining.engines.literals import literals_of
from mining.engines.mine import MOST_JOINED, MinedLattice, mine
from mining.engines.request import MiningRequest
from privacy.design import Design
from privacy.output import as_table
from privacy.records import Records
from privacy.records.packing import pack as pack_records, unpack

SETTINGS = {"paper": (0.3, 0.6), "mild": (0.7, 0.3)}
K, CONFIDENCE, PART = 0.2, 0.6, 65_536
SHORT = [
    (10_000, 50, 4, 0.1, "paper"),
    (10_000, 50, 3, 0.2, "paper"),
    (100_000, 50, 3, 0.1, "paper"),
    (100_000, 50, 3, 0.1, "mild"),
    (100_000, 50, 3, 0.2, "mild"),
    (100_000, 50, 4, 0.1, "mild"),
    (100_000, 20, 4, 0.1, "paper"),
    (100_000, 20, 3, 0.1, "mild"),
    (1_000_000, 20, 3, 0.1, "mild"),
]
LARGEST = (1_000_000, 100, 3, 0.1)  # bitset alone
SLOW = 20.0


def main() -> list[tuple[str, float]]:
    parser = argparse.ArgumentParser()
    parser.add_argument("--full", action="store_true", help="all sizes, hours")
    full = parser.parse_args().full
    cases = SHORT
    if full:
        cases = [
            (n, m, length, support, setting)
            for n in (10_000, 100_000, 1_000_000)
            for m in (20, 50, 100)
            for length in (3, 4)
            for support in (0.1, 0.2)
            for setting in SETTINGS
        ]
    rows: list[list[object]] = []
    ratios = []
    for n, m, length, support, setting in cases:
        row, ratio = compare(n, m, length, support, setting)
        rows.append(row)
        ratios.append((" ".join(map(str, row[:5])), ratio))
        if full:
            print(*row, flush=True)
    for setting in SETTINGS:
        rows.append(largest(setting))
    print(f"Reading 1 000 000 responses to 100 items from SQLite and packing them: {reading():.2f} s of CPU\n")
    headings = [
        "n",
        "m",
        "length",
        "support",
        "setting",
        "candidates",
        "itemsets",
        "rules",
        "mlxtend s",
        "bitset s",
        "site s",
    ]
    print(as_table([*headings, "times as fast", "peak MB"], rows))
    joins = [joining(length) for length in range(2, 7)]
    print()
    print(as_table(["length", "literals", "possible itemsets", "mlxtend s", "bitset s", "more"], joins))
    return [*ratios, *((f"joining {row[2]} itemsets up to {row[0]}", row[3] / row[4]) for row in joins)]


def joining(length: int) -> tuple[int, int, int, float, float, float]:
    """The seconds of both joins up to a length, of as many literals as a site gives mlxtend."""
    literals = max(takewhile(lambda m: possible(m, length) <= MOST_JOINED, count(length)))
    mlxtend, bitset = (median(partial(join_all, join, literals, length), 5) for join in (reference.join, candidates))
    return length, literals, possible(literals, length), mlxtend, bitset, mlxtend - bitset


def possible(literals: int, length: int) -> int:
    return sum(comb(literals, size) for size in range(2, length + 1))


def join_all(join: Join, literals: int, length: int) -> None:
    """Join every level of a search in which every itemset is frequent; the levels themselves are made once."""
    for size in range(1, length):
        level = full_level(literals, size)
        joined = sum(len(items) for _, items, _ in join(level, np.arange(literals)))
        if joined != comb(literals, size + 1):
            raise SystemExit(f"{joined} of {comb(literals, size + 1)} itemsets of {size + 1} literals were joined.")


@cache
def full_level(literals: int, size: int) -> Level:
    items, none = np.array(list(combinations(range(literals), size)), np.int64), np.empty(0)
    return Level(items, none, literals, Supports(*[none] * len(fields(Supports))), none)


def compare(n: int, m: int, length: int, support: float, setting: str) -> tuple[list[object], float]:
    codes, direct, design = questionnaire(n, m, *SETTINGS[setting])
    request = MiningRequest(support, CONFIDENCE, length, estimator="pooled", engine="bitset")
    mined = mine(parts(codes, direct), design, request)
    bitset = median(lambda: mine(parts(codes, direct), design, request), 5)
    site = median(lambda: mine(parts(codes, direct), design, request, mlxtend_rules=True), 5)
    start = time.process_time()
    frequent, rules = by_mlxtend(codes, direct, *SETTINGS[setting], support, length)
    mlxtend = time.process_time() - start
    if mlxtend < SLOW:
        mlxtend = median(lambda: by_mlxtend(codes, direct, *SETTINGS[setting], support, length), 5)
    if not same(mined, frequent, rules):
        raise SystemExit(f"The engines disagree at n = {n}, {m} items, length {length}, support {support}, {setting}.")
    figures = [sum(mined.lattice.candidates), len(frequent), len(mined.rules), mlxtend, bitset, site, mlxtend / bitset]
    return [n, m, length, support, setting, *figures, peak(codes, direct, design, request)], mlxtend / bitset


def largest(setting: str) -> list[object]:
    n, m, length, support = LARGEST
    codes, direct, design = questionnaire(n, m, *SETTINGS[setting])
    request = MiningRequest(support, CONFIDENCE, length, estimator="pooled", engine="bitset")
    mined = mine(parts(codes, direct), design, request)
    bitset = median(lambda: mine(parts(codes, direct), design, request), 5)
    site = median(lambda: mine(parts(codes, direct), design, request, mlxtend_rules=True), 5)
    itemsets = sum(int(level.accepted.sum()) for level in mined.lattice.levels)
    figures = [sum(mined.lattice.candidates), itemsets, len(mined.rules), None, bitset, site, None]
    return [n, m, length, support, setting, *figures, peak(codes, direct, design, request)]


def reading() -> float:
    """The time to read sealed parts from a SQLite file, as the site keeps them, into bit columns."""
    codes, direct, design = questionnaire(1_000_000, 100, *SETTINGS["paper"])
    with tempfile.TemporaryDirectory() as folder, closing(sqlite3.connect(Path(folder) / "parts.sqlite3")) as database:
        database.execute("CREATE TABLE part (id INTEGER PRIMARY KEY, records BLOB)")
        for chosen, group in parts(codes, direct):
            records = pack_records(Records(design, chosen, group)).tobytes()
            database.execute("INSERT INTO part (records) VALUES (?)", (records,))
        database.commit()

        def unpack_parts() -> Iterator[tuple[np.ndarray, np.ndarray]]:
            for (stored,) in database.execute("SELECT records FROM part ORDER BY id"):
                records = unpack(design, stored)
                yield records.codes, records.direct

        return median(lambda: pack(unpack_parts(), literals_of(design)), 3)


def questionnaire(n: int, m: int, p: float, theta: float) -> tuple[np.ndarray, np.ndarray, Design]:
    """Answers of four hidden groups, each with habits of its own, disguised by one coin."""
    chance = np.random.default_rng(n + m)
    habits = chance.beta(1.5, 3, m) * chance.uniform(0.5, 1.5, (4, m))
    direct = chance.random(n) < K
    codes = np.empty((n, m), dtype=np.uint8)
    for start in range(0, n, PART):
        rows = slice(start, start + PART)
        count = len(direct[rows])
        truth = chance.random((count, m), np.float32) < habits[chance.integers(0, 4, count)]
        keep = direct[rows] | (chance.random(count) < p)
        codes[rows] = np.where(keep[:, None], truth, chance.random((count, m), np.float32) < theta)
    items = [f"q{place}" for place in range(m)]
    block = {"model": "improved-grouped", "p": p, "theta": theta, "items": items, "direct": True}
    return codes, direct, Design.parse(block)


def parts(codes: np.ndarray, direct: np.ndarray) -> list[tuple[np.ndarray, np.ndarray]]:
    return [(codes[start : start + PART], direct[start : start + PART]) for start in range(0, len(codes), PART)]


def by_mlxtend(
    codes: np.ndarray, direct: np.ndarray, p: float, theta: float, support: float, length: int
) -> tuple[dict[frozenset[int], float], pd.DataFrame]:
    """What an analyst would write: one observed threshold, the paper's inversion, a check of all subsets, and rules."""
    a = direct.mean() + (1 - direct.mean()) * p
    frame = pd.DataFrame(codes.astype(bool))
    threshold = min(a * support + (1 - a) * theta**size for size in range(1, length + 1)) - 1e-9
    candidates = apriori(frame, min_support=threshold, max_len=length, low_memory=True)
    frequent: dict[frozenset[int], float] = {}
    for itemset, observed in zip(candidates["itemsets"], candidates["support"], strict=True):
        reconstructed = (observed - (1 - a) * theta ** len(itemset)) / a
        if reconstructed < support - 1e-9 / a:
            continue
        if all(frozenset(part) in frequent for part in combinations(itemset, len(itemset) - 1) if part):
            frequent[itemset] = reconstructed
    table = pd.DataFrame({"itemsets": list(frequent), "support": list(frequent.values())})
    return frequent, association_rules(table, metric="confidence", min_threshold=CONFIDENCE)


def same(mined: MinedLattice, frequent: dict[frozenset[int], float], table: pd.DataFrame) -> bool:
    """Whether both give the same supports and rules. Bitset may give more: itemsets with a part that is too rare."""
    ours: dict[frozenset[int], float] = {}
    for level in mined.lattice.levels:
        itemsets = map(frozenset, level.items[level.accepted].tolist())
        ours |= zip(itemsets, level.supports.support[level.accepted].tolist(), strict=True)
    accepted = list(ours)
    confidence = {}
    for place, mask, value in zip(
        mined.rules.itemset.tolist(),
        mined.rules.antecedent.tolist(),
        mined.rules.values["confidence"].tolist(),
        strict=True,
    ):
        whole = accepted[place]
        antecedent, consequent = sides(sorted(whole), mask)
        if whole in frequent:
            confidence[frozenset(antecedent), frozenset(consequent)] = value
    theirs = dict(zip(zip(table["antecedents"], table["consequents"], strict=True), table["confidence"], strict=True))
    return (
        frequent.keys() <= ours.keys()
        and all(abs(ours[itemset] - support) < 1e-9 for itemset, support in frequent.items())
        and all(abs((confidence | theirs)[rule] - CONFIDENCE) < 1e-8 for rule in confidence.keys() ^ theirs.keys())
        and all(abs(confidence[rule] - value) < 1e-6 for rule, value in theirs.items() if rule in confidence)
    )


def peak(codes: np.ndarray, direct: np.ndarray, design: Design, request: MiningRequest) -> float:
    """The largest memory at any time, in MB above the packed columns; NumPy reports its arrays to tracemalloc."""
    packed = pack(parts(codes, direct), literals_of(design)).nbytes
    given = parts(codes, direct)
    tracemalloc.start()
    mine(given, design, request)
    highest = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return (highest - packed) / 1e6


def median(run: Callable[[], object], times: int) -> float:
    seconds = []
    for _ in range(times):
        start = time.process_time()
        run()
        seconds.append(time.process_time() - start)
    return statistics.median(seconds)


if __name__ == "__main__":
    main()
