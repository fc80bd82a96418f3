"""How near reconstructed distributions of a number come to the truth: the table of docs/numbers-and-places.md.

    python benchmarks/accuracy_numbers.py [surveys]

Ages from 0 to 99 with two peaks, in 20 bins. For each noise and number of respondents: the mean total variation and
Wasserstein distance (in years) of plain maximum likelihood and of the smooth fit, over so many surveys (20).
"""

import sys

import numpy as np

from privacy.design import Design
from privacy.output import as_table
from privacy.reconstruct.distribution import most_likely
from privacy.reconstruct.smoothing import smoothest

SEED = 20031108
NOISES = {
    "square wave, ε = 1": {"number": "square-wave", "epsilon": 1},
    "square wave, ε = 2": {"number": "square-wave", "epsilon": 2},
    "square wave, ε = 3": {"number": "square-wave", "epsilon": 3},
}
BINS, WIDTH = 20, 5


def ages() -> np.ndarray:
    at = np.arange(100)
    heights = 0.6 * np.exp(-((at - 30) ** 2) / 128) / 8 + 0.4 * np.exp(-((at - 65) ** 2) / 200) / 10
    return np.asarray(heights / heights.sum())


def main(surveys: int = 20) -> None:
    truth, chance, rows = ages().reshape(BINS, WIDTH).sum(axis=1), np.random.default_rng(SEED), []
    for name, noise in NOISES.items():
        block = Design.parse({"blocks": [{**noise, "items": [{"id": "age", "min": 0, "max": 99, "step": 1}]}]}).blocks[
            0
        ]
        assert block.distribution is not None
        years, own = block.distribution((100,)).forward(ages()), block.distribution((BINS,))
        channel = own.forward(np.eye(own.shape[0]))
        for n in (10**3, 10**4, 10**5):
            counts = chance.multinomial(n, years / years.sum(), size=surveys).astype(float)
            plain = [own.bin_shares(fit.shares) for fit in most_likely(own, counts)]
            smooth = [own.bin_shares(smoothest(channel, table, own.rows, own.free).shares) for table in counts]
            figures = [distance(found, truth) for found in (plain, smooth) for distance in (variation, wasserstein)]
            rows.append(
                [
                    name,
                    n,
                    *(f"{figure:.3f}" if place % 2 == 0 else f"{figure:.1f}" for place, figure in enumerate(figures)),
                ]
            )
    print(as_table(["noise", "n", "TV plain", "W plain", "TV smooth", "W smooth"], rows))


def variation(fit: list[np.ndarray], truth: np.ndarray) -> float:
    return float(np.mean([np.abs(shares - truth).sum() / 2 for shares in fit]))


def wasserstein(fit: list[np.ndarray], truth: np.ndarray) -> float:
    """The mean distance that people must be moved, in years."""
    return float(np.mean([WIDTH * np.abs(np.cumsum(shares - truth)).sum() for shares in fit]))


if __name__ == "__main__":
    main(*map(int, sys.argv[1:2]))
