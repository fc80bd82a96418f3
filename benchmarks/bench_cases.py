"""Mining a sampled design by available cases and by least squares, against complete cases in the same run.

    python -m benchmarks.bench_cases

Respondents answer some of the items under one coin, or by flips; a fifth is direct. Seconds are processor time from
packed records to rules with their errors and tests, the median of five runs. A ratio of time is that to complete cases
of the same search, which finds other itemsets: so the time per rule stands beside it. The threshold is below every
support, or what one survey would ask for.
"""

import statistics
import time
from dataclasses import dataclass
from typing import Any

import numpy as np

from mining.engines.mine import MinedLattice, mine
from mining.engines.request import MiningRequest
from privacy.design import Design
from privacy.disguise import disguise
from privacy.disguise.random_words import words_from_seed
from privacy.output import as_table

WAYS = ("complete", "available", "least-squares")
COIN = {"keep": 0.53, "theta": 0.5}
FLIPS = {"model": "flip", "gamma": 19, "radius": 1}


@dataclass(frozen=True)
class Search:
    block: dict[str, Any]
    items: int
    asked: int
    respondents: int
    length: int
    support: float
    estimator: str = "stratified"


SEARCHES = {
    "a survey: one coin, 10 items": Search(COIN, 10, 4, 10_000, 3, 0.05),
    "all itemsets, one coin": Search(COIN, 10, 4, 10_000, 3, 1e-9),
    "all itemsets, one coin, combined": Search(COIN, 10, 4, 10_000, 3, 1e-9, "combined"),
    "all itemsets, one coin, pooled": Search(COIN, 10, 4, 10_000, 3, 1e-9, "pooled"),
    "a survey by flips, 12 items": Search(FLIPS, 12, 6, 20_000, 3, 0.05),
    "many items": Search(COIN, 50, 8, 100_000, 3, 0.1),
    "four items": Search(COIN, 20, 8, 50_000, 4, 0.05),
}


def main() -> list[tuple[str, float]]:
    rows: list[list[object]] = []
    ratios = []
    for name, search in SEARCHES.items():
        seconds = {}
        for way in WAYS:
            seconds[way], mined = _measure(search, way)
            itemsets = sum(int(level.accepted.sum()) for level in mined.lattice.levels)
            times = seconds[way] / seconds["complete"]
            per_rule = 1e6 * seconds[way] / max(len(mined.rules), 1)
            rows.append(
                [name, way, sum(mined.lattice.candidates), itemsets, len(mined.rules), seconds[way], per_rule, times]
            )
        ratios.append((f"{name}: available / complete (at most 2)", seconds["available"] / seconds["complete"]))
        ratios.append((f"{name}: least squares / complete", seconds["least-squares"] / seconds["complete"]))
    headings = ["search", "cases", "candidates", "itemsets", "rules", "seconds", "us per rule", "times complete"]
    print(as_table(headings, rows))
    return ratios


def _measure(search: Search, way: str) -> tuple[float, MinedLattice]:
    names = [f"q{place}" for place in range(search.items)]
    block = {"ask": search.asked, **search.block, "items": names}
    theta = block.pop("theta", None)
    if theta is not None:
        block["items"] = [{"id": name, "theta": theta} for name in names]
    design = Design.parse({"direct": True, "blocks": [block]})
    chance = np.random.default_rng(0)
    group = chance.random((search.respondents, 1)) < 0.4
    truth = (chance.random((search.respondents, search.items)) < np.where(group, 0.55, 0.15)).astype(np.uint8)
    records = disguise(design, truth, chance.random(search.respondents) < 0.2, words_from_seed(0))
    batches = [(records.codes, records.direct)]
    request = MiningRequest(
        search.support, 0.3, search.length, estimator=search.estimator, engine="bitset", cases=way, most_rules=10**7
    )
    mined = mine(batches, design, request)
    runs = []
    for _ in range(5):
        start = time.process_time()
        mine(batches, design, request)
        runs.append(time.process_time() - start)
    return statistics.median(runs), mined


if __name__ == "__main__":
    for name, ratio in main():
        print(f"{ratio:8.3f}  {name}")
