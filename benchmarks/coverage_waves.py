"""How far sets and single answers of a second wave are from the truth, as they came out and fitted together.

    python benchmarks/coverage_waves.py [surveys]

Eight answers of which most are rare, and two of them go with the first; each person says yes to more or fewer of them.
A first wave by single answers (γ = 19) makes the list of the second, of six sets. For each size of both waves and each
level of the answers it prints, of single answers, of sets, of what the fit moved and of sets that were above a part,
how many they were, how often 95 % intervals held the truth, as they came out and as pages show them, and the root mean
square errors and the mean errors of both (100 surveys unless said otherwise).
"""

import sys
from collections.abc import Iterator

import numpy as np
import pandas as pd

import candor
from privacy.estimate.intervals import interval_of_shares
from privacy.output import as_table
from privacy.reconstruct.likeliest import Itemset

NAMES = [f"q{place}" for place in range(8)]
CASES = ((1000, 1500, 0.25), (3000, 6000, 0.25), (1000, 1500, 0.08), (12_000, 28_000, 0.3))


def people(count: int, level: float, random: np.random.Generator) -> pd.DataFrame:
    shares = level / np.arange(1, 9) ** 0.7 * random.gamma(2, 0.5, (count, 1))
    answers = random.random((count, 8)) < shares
    answers[:, 4] |= answers[:, 0] & (random.random(count) < 0.3)
    answers[:, 1] |= answers[:, 0] & (random.random(count) < 0.8)
    return pd.DataFrame(answers.astype(np.uint8), columns=NAMES)


def survey(first: int, second: int, level: float, seed: int) -> tuple[pd.DataFrame, tuple[Itemset, ...]]:
    """The truth of all people, and the figures of the list of the second wave."""
    everybody = people(first + second, level, np.random.default_rng(1000 + seed))
    design = candor.models.one_of(NAMES, gamma=19, cap=3, direct=False)
    before = candor.disguise(everybody[:first], design, seed=seed)
    listed = candor.wave(before, second, top=6, both=NAMES)
    after = candor.disguise(everybody[first:], listed, seed=5000 + seed)
    return everybody, candor.likeliest(after, 1000, first=before, both=NAMES).itemsets


def rows_of(everybody: pd.DataFrame, itemsets: tuple[Itemset, ...]) -> Iterator[tuple[float, ...]]:
    """Of each word: whether it is a set, was moved, was above a part; whether each interval held; both errors."""
    support = {one.items: one.support for one in itemsets}
    for one in itemsets:
        assert one.fitted is not None
        truth = everybody[list(one.items)].all(axis=1).mean()
        low, high = interval_of_shares(one.support, one.ci, one.fitted)
        above = any(support[part] < one.support for part in support if {*part} < {*one.items})
        held, shown = one.ci[0] <= truth <= one.ci[1], low <= truth <= high
        is_set, moved = len(one.items) > 1, one.fitted != one.support
        yield is_set, moved, above, held, shown, one.support - truth, one.fitted - truth


def main(surveys: int) -> None:
    head = ["first", "second", "level", "of", "figures", "held", "held as shown", "rms", "fitted", "mean", "fitted"]
    table = []
    for case in CASES:
        made = np.array([row for seed in range(surveys) for row in rows_of(*survey(*case, seed))], float)
        groups = {
            "single answers": made[:, 0] == 0,
            "sets": made[:, 0] == 1,
            "moved": made[:, 1] == 1,
            "sets above a part": made[:, 2] == 1,
        }
        for name, inside in groups.items():
            own = made[inside]
            if len(own):
                rms, mean = np.sqrt((own[:, 5:] ** 2).mean(axis=0)), own[:, 5:].mean(axis=0)
                figures = (f"{one:.4f}" for one in (*rms, *mean))
                table.append(
                    [*map(str, case), name, str(len(own)), *(f"{one:.3f}" for one in own[:, 3:5].mean(0)), *figures]
                )
    print(as_table(head, table))


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 100)
