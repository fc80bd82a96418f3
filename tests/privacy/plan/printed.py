"""Settings of planned surveys, and the longer sides that simulated ones print."""

from itertools import combinations

import numpy as np
import pandas as pd

import candor

# Questions, people, γ, share of yes, longest pattern: one coin, sampled coins, lists of words, groups.
SETTINGS = [
    (1, 60, 19, 0.05, 1),
    (10, 800, 19, 0.05, 1),
    (3, 500, 9, 0.3, 2),
    (10, 60, 19, 0.05, 1),
    (1, 500, 19, 0.05, 1),
    (1, 2_000, 5, 0.5, 1),
    (2, 300, 9, 0.1, 2),
    (3, 1_000, 19, 0.01, 1),
    (5, 150, 19, 0.2, 1),
    (5, 5_000, 5, 0.5, 2),
    (10, 200, 19, 0.05, 1),
    (10, 2_000, 19, 0.05, 1),
    (10, 2_000, 19, 0.3, 2),
    (10, 800, 19, 0.05, 2),
    (10, 10_000, 9, 0.05, 2),
    (10, 10_000, 5, 0.02, 1),
    (20, 2_000, 19, 0.1, 2),
    (20, 3_000, 5, 0.01, 1),
    (30, 6_000, 9, 0.1, 1),
    (50, 4_000, 19, 0.02, 1),
]


def printed_sides(
    design: candor.Design, share: float, people: int, surveys: int, seed: int, length: int = 1
) -> np.ndarray:
    """The longer sides in simulated surveys, each on average over its questions, which nothing ties together.

    With `length` 2 those of pairs of answers.
    """
    rng, names, made = np.random.default_rng(seed), [item.id for item in design.items], []
    patterns = [",".join(some) for some in combinations(names, length)]
    for _survey in range(surveys):
        said = pd.DataFrame((rng.random((people, len(names))) < share).astype(int), columns=names)
        records = candor.disguise(said, design, seed=int(rng.integers(2**31)))
        sides = []
        for row in candor.reconstruct(records, patterns).patterns:
            assert row.share_ci is not None
            sides.append(max(row.share - row.share_ci[0], row.share_ci[1] - row.share))
        made.append(np.mean(sides))
    return np.array(made)
