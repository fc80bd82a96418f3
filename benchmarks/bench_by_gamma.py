"""Coins by γ: the people who are needed, as a part of those without them.

    python -m benchmarks by_gamma

Briefs are of questions whose options are all alike; the error is that of the worst single answer, or of the worst
answer or pair. *Before* is the best design of all other kinds. *Simulated* is the same part by the errors that single
answers and pairs of surveys of both designs had.
"""

import math
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from unittest.mock import patch

import numpy as np

from privacy.design import Design, blocks
from privacy.design.blocks import by_gamma
from privacy.design.brief import ExpectedItem
from privacy.disguise import disguise
from privacy.disguise.table import words_from_seed
from privacy.output import as_table
from privacy.plan import Brief, best_designs, search
from privacy.reconstruct import reconstruct

E, NINE, NINETEEN = Fraction(math.e), Fraction(9), Fraction(19)
CASES = (  # options of each question, length of patterns
    ((2, 10), 1),
    ((4, 10), 1),
    ((2, 2, 2, 10), 1),
    ((2,) * 9 + (10,), 1),
    ((2, 2, 6), 2),
    ((2, 2, 2, 2, 6), 2),
    ((2,) * 6 + (4,), 2),
    ((2, 2, 4, 4, 10), 2),
)
SIMULATED = {((2, 10), 1), ((2, 2, 6), 2)}
RESPONDENTS, SURVEYS = 10_000, 100


def main() -> list[tuple[str, float]]:
    rows: list[list[object]] = []
    ratios = []
    for sizes, length in CASES:
        for gamma in (E, NINE, NINETEEN):
            brief = Brief(_questions(sizes), RESPONDENTS, gamma, length)
            now, error = _best(brief)
            others = tuple(one for one in blocks.ADVISORS if one is not by_gamma.KIND.advisor)
            search._leading.cache_clear()  # it knows the plans of all kinds
            with patch.object(blocks, "ADVISORS", others):
                before, error_before = _best(brief)
            search._leading.cache_clear()
            part = (error / error_before) ** 2
            simulated = None
            if (sizes, length) in SIMULATED and gamma == NINE:
                simulated = (_simulated(now, length) / _simulated(before, length)) ** 2
            asked = [sum(block.items_per_person for block in design.blocks) for design in (before, now)]
            name = " ".join(map(str, sizes))
            rows.append([name, length, f"{float(gamma):.3g}", *asked, error_before, error, part, simulated])
            ratios.append((f"{name}, length {length}, gamma {float(gamma):.3g}: people now / before", part))
    headings = ["options", "length", "gamma", "asked before", "now", "error before", "now", "people", "simulated"]
    print(as_table(headings, rows))
    return ratios


def _questions(sizes: Sequence[int]) -> tuple[ExpectedItem, ...]:
    options = [tuple(f"o{code}" for code in range(size)) for size in sizes]
    return tuple(ExpectedItem(f"q{place}", own, (1 / len(own),) * len(own)) for place, own in enumerate(options))


def _best(brief: Brief) -> tuple[Design, float]:
    advice = best_designs(brief)
    best = min(advice.winners, key=advice.error)
    return best.design, advice.error(best)


def _simulated(design: Design, length: int) -> float:
    """The largest error of surveys of a design, of patterns of some options of each question."""
    names = [[f"{item.id}={item.options[0]}"] for item in design.items]
    patterns = [name for (name,) in names] + [f"{one},{other}" for (one,), (other,) in combinations(names, 2)]
    patterns = patterns[: len(names) if length == 1 else None]
    found = []
    for seed in range(SURVEYS):
        rng = np.random.default_rng([1, seed])  # no words of the disguise
        truth = np.stack([rng.integers(0, len(item.options), RESPONDENTS) for item in design.items], axis=1)
        records = disguise(design, truth.astype(np.uint8), take=words_from_seed(seed))
        found.append([one.support for one in reconstruct(records, patterns).patterns])
    return float(np.std(np.array(found, float), axis=0, ddof=1).max())
