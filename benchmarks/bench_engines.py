"""Counting by this project's counter against DuckDB, on the same packed columns: all pairs of 50 items, triples of 20.

    python -m benchmarks.bench_engines [--records 400000]     (DuckDB is no dependency: pip install duckdb)

*DuckDB, words* has the very columns of the counter, a word of 64 records in each row, and adds up `bit_count(a & b)`;
*DuckDB, rows* has a row for each record and a column of 0 and 1 for each item, as one would load them, and adds up
products. *DuckDB, tables* has the same rows, and counts the tables of few items that `candor sql --length` asks for;
the itemsets are counted from its answer. All use one thread, as the counter does, and every count is compared. The
ratio is the counter's time over DuckDB's.
"""

import argparse
import time
from collections.abc import Callable
from functools import partial
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd

from mining.engines.bits import BitCounter, Packer
from mining.engines.estimates import Counter
from mining.engines.literals import literals_of
from mining.engines.table_counter import TableCounter
from privacy.design import Design
from privacy.output import as_table
from privacy.records.count_tables import read_count_tables
from privacy.records.records import record_blocks
from privacy.records.sql import statement

Itemset = tuple[int, ...]
ITEMS, FEW = 50, 20
AT_ONCE = 250  # sums in one query: more take DuckDB longer to plan than to count


def main() -> list[tuple[str, float]]:
    parser = argparse.ArgumentParser()
    parser.add_argument("--records", type=int, default=400_000)  # of more DuckDB 1.5 may wait for itself
    count = parser.parse_args().records
    try:
        import duckdb  # type: ignore[import-not-found, unused-ignore]
    except ImportError:
        print("DuckDB is not installed: pip install duckdb")
        return []
    codes = (np.random.default_rng(1).random((count, ITEMS)) < 0.3).astype(np.uint8)
    start = time.process_time()
    counter = pack_codes(codes)
    packing = time.process_time() - start
    database = duckdb.connect()
    database.execute("SET threads = 1")
    start = time.process_time()
    words = np.concatenate([chunk.words for chunk in counter.chunks], axis=1)
    frame = pd.DataFrame({f"c{place}": column for place, column in enumerate(words)})
    database.execute("CREATE TABLE words AS SELECT * FROM frame")
    loading_words = time.process_time() - start
    start = time.process_time()
    people = pd.DataFrame({f"c{place}": codes[:, place].astype(np.int8) for place in range(ITEMS)})
    database.execute("CREATE TABLE people AS SELECT * FROM people")
    loading_rows = time.process_time() - start
    del frame, people

    def by_words(itemsets: list[Itemset]) -> np.ndarray:
        return query_counts(database, itemsets, lambda names: f"sum(bit_count({' & '.join(names)}))", "words")

    def by_rows(itemsets: list[Itemset]) -> np.ndarray:
        return query_counts(database, itemsets, lambda names: f"sum({' * '.join(names)})", "people")

    def by_tables(itemsets: list[Itemset]) -> np.ndarray:
        design = design_of(1 + max(max(itemset) for itemset in itemsets))
        answer = database.sql(statement(design, table="people", length=len(itemsets[0])))
        tables = read_count_tables(record_blocks(answer), design)
        return count_itemsets(TableCounter(literals_of(design), tables), itemsets)

    pairs: list[Itemset] = list(combinations(range(ITEMS), 2))
    triples: list[Itemset] = list(combinations(range(FEW), 3))
    seconds: dict[str, list[float]] = {}
    ways: dict[str, Callable[[list[Itemset]], np.ndarray]] = {
        "counter": partial(count_itemsets, counter),
        "DuckDB, words": by_words,
        "DuckDB, rows": by_rows,
        "DuckDB, tables": by_tables,
    }
    for name, ask in ways.items():
        seconds[name] = []
        for itemsets in (pairs, triples):
            ask(itemsets[:1])
            start = time.process_time()
            counts = ask(itemsets)
            seconds[name].append(time.process_time() - start)
            np.testing.assert_array_equal(counts[:: len(counts) // 50], bare(codes, itemsets[:: len(counts) // 50]))
    loading = {"counter": packing, "DuckDB, words": packing + loading_words}
    loading |= dict.fromkeys(("DuckDB, rows", "DuckDB, tables"), loading_rows)
    print(as_table(
        ["CPU seconds", "loading", f"{len(pairs)} pairs", f"{len(triples)} triples"],
        [[name, loading[name], *times] for name, times in seconds.items()],
    ))  # fmt: skip
    return [
        (f"{what}: counter / {name}", ours / theirs)
        for name in ways
        if name != "counter"
        for what, ours, theirs in zip(("pairs", "triples"), seconds["counter"], seconds[name], strict=True)
    ]


def design_of(items: int) -> Design:
    return Design.parse({"blocks": [{"keep": 0.5, "items": [{"id": f"c{n}", "theta": 0.5} for n in range(items)]}]})


def pack_codes(codes: np.ndarray) -> BitCounter:
    packer = Packer(literals_of(design_of(ITEMS)))
    packer.add(codes, np.zeros(len(codes), bool))
    return packer.counter()


def count_itemsets(counter: Counter, itemsets: list[Itemset]) -> np.ndarray:
    """As the search counts: `alone` match each of two itemsets that differ in the last literal, `either` only one."""
    below = sorted({part for itemset in itemsets for part in (itemset[:-1], (*itemset[:-2], itemset[-1]))})
    place = {itemset: at for at, itemset in enumerate(below)}
    alone = counter.singles()[0][: len(counter.literals)] if len(below[0]) == 1 else count_itemsets(counter, below)
    first = np.array([place[itemset[:-1]] for itemset in itemsets])
    second = np.array([place[*itemset[:-2], itemset[-1]] for itemset in itemsets])
    either: np.ndarray = counter.differences(np.array(below), first, second)[0]
    return (alone[first] + alone[second] - either) >> 1


def query_counts(database: Any, itemsets: list[Itemset], sum_of: Callable[[list[str]], str], table: str) -> np.ndarray:
    answers: list[int] = []
    for start in range(0, len(itemsets), AT_ONCE):
        sums = [sum_of([f"c{place}" for place in itemset]) for itemset in itemsets[start : start + AT_ONCE]]
        answers += database.execute(f"SELECT {', '.join(sums)} FROM {table}").fetchone()
    return np.array(answers, dtype=np.int64)


def bare(codes: np.ndarray, itemsets: list[Itemset]) -> np.ndarray:
    return np.array([codes[:, itemset].all(axis=1).sum() for itemset in itemsets])


if __name__ == "__main__":
    main()
