"""How often 95 % intervals of a number's figures hold what is true, whatever the shape of its distribution.

    python benchmarks/coverage_numbers.py [surveys] [respondents] [noise …]

Ages from 0 to 99, asked behind each noise: with two peaks, skewed (most are young, and at the edge), and spiky (half
of all people are 18 or 40 years old). Of each case it prints how often intervals held the mean, the quantiles, the
share of 50 or more, and the bins of five years, and how wide those of the share and of the bins were. Of the bins six
are looked at in each survey, drawn anew. What a smooth fit adds to an interval is left out: it can only help.
"""

import sys
from collections.abc import Iterator
from itertools import product
from math import log
from typing import Any

import numpy as np

from privacy.design import Design
from privacy.output import as_table
from privacy.reconstruct.bounds import bounds

SEED = 20261121
AGE = {"id": "age", "min": 0, "max": 99, "step": 1}
NOISES: dict[str, dict[str, Any]] = {
    "uniform20": {"number": "uniform", "spread": 20},
    "uniform50": {"number": "uniform", "spread": 50},
    "normal20": {"number": "normal", "spread": 20},
    "wave1": {"number": "square-wave", "epsilon": 1},
    "wave2": {"number": "square-wave", "epsilon": 2},
    "wave3": {"number": "square-wave", "epsilon": 3},
}
QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)
BINS, LOOKED_AT = 20, 6
HEADINGS = ("mean", *(f"{share:g}" for share in QUANTILES), "50 and more", "bins", "width of 50 and more", "of bins")


def shapes() -> dict[str, np.ndarray]:
    at = np.arange(100)
    peaks = 0.6 * np.exp(-((at - 30) ** 2) / 128) / 8 + 0.4 * np.exp(-((at - 65) ** 2) / 200) / 10
    skewed = np.exp(-at / 15)
    spiky = np.where((at >= 16) & (at < 80), 0.5 / 64, 0)
    spiky[[18, 40]] += (0.2, 0.3)
    return {name: np.asarray(one / one.sum()) for name, one in (("peaks", peaks), ("skewed", skewed), ("spiky", spiky))}


def held(own: Any, years: Any, truth: np.ndarray, n: int, chance: np.random.Generator) -> np.ndarray:
    fine, edges = own.finer, np.arange(101)
    records = truth @ years.channel
    counts = chance.multinomial(n, records / records.sum()).astype(float)
    up_to = np.concatenate([[0], np.cumsum(truth)])
    crossed = np.interp(QUANTILES, up_to, edges)
    starts = np.array(fine.starts)
    # A quantile is held where no more than its share may lie below its piece, and no less up to the end of that.
    pieces = np.searchsorted(starts, crossed, side="right") - 1
    below = (
        np.arange(len(starts) - 1) < np.array([*pieces, *(pieces + 1), np.searchsorted(starts, 50)])[:, np.newaxis]
    ) * 1.0
    picked = chance.choice(BINS, LOOKED_AT, replace=False)
    bins = (starts[:-1] * BINS // 100 == picked[:, np.newaxis]).astype(float)
    figures = np.concatenate([fine.mean(np.eye(*fine.shape))[np.newaxis], below, bins])
    low, high = bounds(fine.channel, counts, figures, np.full(len(figures), -log(0.05)))
    wide, count = high - low, 1 + len(QUANTILES)
    true = np.array([up_to[50], *truth.reshape(BINS, -1).sum(axis=1)[picked]])
    others = (low[2 * count - 1 :] <= true) & (true <= high[2 * count - 1 :])
    return np.array(
        [
            low[0] <= truth @ np.arange(100) <= high[0],
            *((low[1:count] <= QUANTILES) & (high[count : 2 * count - 1] >= QUANTILES)),
            others[0],
            others[1:].mean(),
            wide[2 * count - 1],
            wide[2 * count :].mean(),
        ]
    )


def cases(noises: list[str], n: int, surveys: int) -> Iterator[list[object]]:
    for noise, (shape, truth) in product(noises, shapes().items()):
        block = Design.parse({"blocks": [{**NOISES[noise], "items": [AGE]}]}).blocks[0]
        assert block.distribution is not None
        own, years = block.distribution((BINS,)), block.distribution((100,))
        chance = np.random.default_rng([SEED, n, *shape.encode()])
        figures = np.mean([held(own, years, truth, n, chance) for _ in range(surveys)], axis=0)
        yield [
            f"{noise}, {shape}",
            *(f"{100 * one:.1f}" for one in figures[:8]),
            *(f"{one:.3f}" for one in figures[8:]),
        ]


def main(surveys: str = "1000", n: str = "500", *noises: str) -> None:
    rows = []
    for row in cases(list(noises or NOISES), int(n), int(surveys)):
        print(*row, flush=True)
        rows.append(row)
    print(as_table(["", *HEADINGS], rows))


if __name__ == "__main__":
    main(*sys.argv[1:])
