"""How often the printed 95 % interval of a reported itemset's support holds the truth, in simulated surveys.

    python -m benchmarks.coverage_itemsets [surveys]

An itemset is reported because its estimate reaches the threshold, so noise above the truth is reported, and noise below
is not. The people and designs of `bench_selection`, where each survey draws new people, and lists of words. *usual* is
the interval of 1.96 standard errors. The bar of the printed one is .93 of all that is reported.
"""

import sys
from collections.abc import Callable
from functools import partial

import numpy as np

from benchmarks.bench_selection import Setting, settings, stress
from privacy.design import Design
from privacy.output import as_table

BAR = 0.93


def main(surveys: int = 30) -> list[tuple[str, float]]:
    rows: list[list[object]] = []
    ratios: list[tuple[str, float]] = []
    for name, make in {**settings(), **stress(), **_lists()}.items():
        reported, usual, printed = _coverage(make(), surveys)
        rows.append([name, reported, usual, printed, np.sqrt(printed * (1 - printed) / (reported * surveys))])
        ratios.append((f"{name}: bar / coverage", BAR / printed))
    print(as_table(["people", "reported", "usual", "printed", "se if apart"], rows))
    return ratios


def _coverage(setting: Setting, surveys: int) -> tuple[float, float, float]:
    """How many itemsets a survey reports, and how many intervals of both kinds hold their truth."""
    held = []
    for seed in range(surveys):
        columns = setting.survey(seed)
        itemsets = columns.itemsets
        truth = np.array([setting.support(columns.names(place)) for place in range(len(columns.items))])
        near = np.abs(itemsets["support"] - truth) <= 1.96 * itemsets["se"]
        held.append(np.stack([near, (itemsets["low"] <= truth) & (truth <= itemsets["high"])]))
    every = np.concatenate(held, axis=1)
    return every.shape[1] / surveys, *every.mean(axis=1)


def _lists() -> dict[str, Callable[[], Setting]]:
    """Words of one and two answers of six, of people of whom each says yes to few."""
    cells = np.arange(64)
    rare = np.prod([np.where(cells >> bit & 1, 0.04 + 0.03 * bit, 0.96 - 0.03 * bit) for bit in range(6)], axis=0)
    blocks = [{"model": "one-of", "items": [f"q{at}" for at in range(6)], "gamma": 19, "cap": 3, "longest": 2}]
    design = Design.parse({"blocks": blocks})
    return {
        f"list of words, {people} people": partial(Setting, rare, [2] * 6, design, people, thresholds=(0.02, 0.1))
        for people in (1_000, 5_000)
    }


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
