"""Available cases: their errors in closed form and in simulated surveys, their intervals at n = 200,
and the advisor against an independent optimiser.

    python benchmarks/bench_available_cases.py [--briefs 200]

The errors are those of pairs and triples of items of prevalence ½ at n = 10 000, of the best design that the advisor
finds. Simulated is a survey of that design again and again. Coverage is that of 95 % intervals of 200 respondents who
are asked 4 of 10. The optimiser searches all flip tables of every number of asked items by differential evolution
(Storn and Price 1997), with an error that it computes by itself: the variance of products under independent answers.
"""

import argparse
import math
from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np
from scipy.optimize import Bounds, differential_evolution

from privacy.design import Design
from privacy.disguise import disguise
from privacy.disguise.table import words_from_seed
from privacy.estimate.weights import DISGUISED
from privacy.output import as_table
from privacy.plan import Brief, best_designs, yes_no
from privacy.reconstruct import reconstruct

E = Fraction(math.e)
EXPECTED = {  # by γ, items and length of patterns: the best of complete cases, and of available ones
    (Fraction(19), 10, 2): (0.0178, 0.0167),
    (Fraction(19), 10, 3): (0.0225, 0.0183),
    (Fraction(19), 20, 2): (0.0318, 0.0305),
    (Fraction(19), 20, 3): (0.0573, 0.0469),
    (Fraction(19), 50, 2): (0.0762, 0.0687),
    (Fraction(19), 50, 3): (0.2270, 0.1686),
    (E, 10, 2): (0.0665, 0.0617),
    (E, 10, 3): (0.0896, 0.0741),
    (E, 20, 2): (0.1208, 0.1110),
    (E, 20, 3): (0.2154, 0.1756),
    (E, 50, 2): (0.2905, 0.2549),
    (E, 50, 3): (0.8838, 0.5623),
}
SURVEYS = 60


def main() -> list[tuple[str, float]]:
    parser = argparse.ArgumentParser()
    parser.add_argument("--briefs", type=int, default=20)
    briefs = parser.parse_args().briefs
    return [*_table(), *_coverage(), *_optimiser(briefs)]


def _table() -> list[tuple[str, float]]:
    rows: list[list[object]] = []
    ratios = []
    for (gamma, items, length), (complete, available) in EXPECTED.items():
        advice = best_designs(Brief(yes_no(items, 0.5), 10_000, gamma, length))
        best = advice.winners[-1]
        error = advice.error(best)
        size = 1 + int(np.argmax(best.errors.expected[:length]))
        simulated = _spread(best.design, size) if items <= 20 else None
        rows.append(
            [
                f"{float(gamma):.4g}",
                items,
                length,
                complete,
                available,
                error,
                simulated,
                best.family,
                best.questions_per_person,
            ]
        )
        ratios.append(
            (f"gamma {float(gamma):.3g}, {items} items, length {length}: advised / expected", error / available)
        )
    headings = ["gamma", "items", "length", "complete", "expected", "advised", "simulated", "design", "asked"]
    print(as_table(headings, rows))
    return ratios


def _spread(design: Design, size: int) -> float:
    """The standard deviation of the estimates of every pattern of so many items of some surveys, n = 10 000."""
    names = [item.id for item in design.items][: size + 3]
    patterns = [",".join(chosen) for chosen in combinations(names, size)]
    supports = []
    for survey in range(SURVEYS):
        truth = (np.random.default_rng(survey).random((10_000, len(design.items))) < 0.5).astype(np.uint8)
        records = disguise(design, truth, np.zeros(10_000, bool), words_from_seed(survey))
        supports.append([row.support or 0.0 for row in reconstruct(records, patterns).patterns])
    return float(np.sqrt(np.mean((np.array(supports) - 0.5**size) ** 2)))


def _coverage(surveys: int = 400) -> list[tuple[str, float]]:
    items = [{"id": f"q{place}", "theta": 0.5} for place in range(10)]
    designs = {
        "one coin": {"keep": 18 / 34, "ask": 4, "items": items},
        "a coin each": {"keep": 0.4, "ask": 4, "coin": "each", "items": items},
        "flips": {"model": "flip", "gamma": 19, "radius": 1, "ask": 4, "items": [item["id"] for item in items]},
    }
    rows, ratios = [], []
    for name, block in designs.items():
        design = Design.parse({"blocks": [block]})
        for size in (2, 3):
            patterns = [",".join(f"q{place}" for place in chosen) for chosen in combinations(range(4), size)]
            inside = []
            for survey in range(surveys):
                truth = (np.random.default_rng(survey).random((200, 10)) < 0.3).astype(np.uint8)
                records = disguise(design, truth, np.zeros(200, bool), words_from_seed(survey))
                report = reconstruct(records, patterns)
                inside += [row.ci[0] <= 0.3**size <= row.ci[1] for row in report.patterns if row.ci]
            rows.append([name, size, float(np.mean(inside))])
            ratios.append(
                (f"{name}, {size} items: coverage of 95 % intervals at n = 200 / .95", float(np.mean(inside)) / 0.95)
            )
    print(as_table(["design", "items", "coverage"], rows))
    return ratios


def _counts(share: float, ask: int, size: int, n: int, surveys: int) -> tuple[np.ndarray, np.ndarray]:
    """What is counted of ten independent items under one coin, γ = 19, θ = ½, and the weights of records."""
    random, sets = np.random.default_rng(16), 2**size
    keep = 18 / (18 + 2**ask)
    masks = np.arange(sets)
    items = np.bitwise_count(masks).astype(int)
    chances = [math.comb(10 - size, ask - count) / math.comb(10, ask) if count <= ask else 0.0 for count in items]
    states = np.zeros((2, sets, sets, surveys))
    for asked, people in zip(masks, random.multinomial(n, chances, size=surveys).T, strict=True):
        cells = masks[masks & asked == masks]
        true = share ** items[cells] * (1 - share) ** (items[asked] - items[cells])
        seen = random.multinomial(people, keep * true + (1 - keep) * 0.5 ** items[asked]).T
        for mask in masks[masks & asked == masks]:
            np.add.at(states[DISGUISED, mask], cells & mask, seen)
    matching = (masks & masks[:, None]) == masks[:, None]
    weights = np.where(items[:, None] > 0, (matching - (1 - keep) * 0.5 ** items[:, None]) / keep, 1.0)
    return states, weights[..., None]


def _optimiser(briefs: int) -> list[tuple[str, float]]:
    """The error of the best flip table of all over that of the advice: below .99 the advisor has missed one."""
    random = np.random.default_rng(16)
    worst, rows = math.inf, []
    known = Brief(yes_no(6, 0.3), 2_000, Fraction(6), 3)
    for brief in [known, *(_random_brief(random) for _ in range(briefs))]:
        advice = best_designs(brief)
        advised = advice.error(advice.winners[-1])
        best = min(_best_table(brief, ask) for ask in range(brief.length, len(brief.questions) + 1))
        worst = min(worst, best / advised)
        share = (brief.questions[0].expected or (0, 0))[1]
        rows.append(
            [
                len(brief.questions),
                brief.respondents,
                float(brief.gamma),
                share,
                brief.length,
                advised,
                best,
                best / advised,
            ]
        )
    print(as_table(["items", "respondents", "gamma", "prevalence", "length", "advised", "optimiser", "ratio"], rows))
    return [(f"best flip table / advised, the smallest of {briefs + 1} briefs", worst)]


def _random_brief(random: np.random.Generator) -> Brief:
    items = int(random.integers(3, 9))
    share, gamma = float(random.choice([0.05, 0.1, 0.3, 0.5])), Fraction(int(random.choice([2, 3, 6, 9, 19, 60])))
    return Brief(
        yes_no(items, share),
        int(random.choice([500, 2_000, 10_000])),
        gamma,
        int(random.integers(1, min(items, 3) + 1)),
    )


def _best_table(brief: Brief, ask: int) -> float:
    share = (brief.questions[0].expected or (0, 0.5))[1]
    items, gamma = len(brief.questions), float(brief.gamma)
    ways = np.array([math.comb(ask, d) for d in range(ask + 1)])
    signs = np.array(
        [
            [
                sum((-1) ** j * math.comb(d, j) * math.comb(ask - d, m - j) for j in range(m + 1)) / math.comb(ask, m)
                for d in range(ask + 1)
            ]
            for m in range(ask + 1)
        ]
    )

    def worst(levels: np.ndarray, /) -> Any:  # one error for each table: scipy's types know of one table only
        tables = ways[:, None] * gamma ** levels.reshape(ask + 1, -1)
        strengths = signs @ (tables / tables.sum(axis=0))
        errors = [_variance(strengths, share, length, items, ask) for length in range(1, brief.length + 1)]
        return np.sqrt(np.max(errors, axis=0) / brief.respondents)

    optimum = differential_evolution(
        worst,
        Bounds(np.zeros(ask + 1), np.ones(ask + 1)),
        seed=1,
        maxiter=150,
        popsize=8,
        tol=1e-7,
        vectorized=True,
        updating="deferred",
        polish=False,
    )
    return float(optimum.fun)


def _variance(strengths: np.ndarray, share: float, length: int, items: int, ask: int) -> np.ndarray:
    """n·Var of available cases, summed over pairs of sets by how many items they have, and have in common."""
    mean = 2 * share - 1
    seen = [math.comb(items - m, ask - m) / math.comb(items, ask) for m in range(length + 1)]
    total = np.zeros(strengths.shape[1])
    for one in range(1, length + 1):
        for two in range(1, length + 1):
            for common in range(max(0, one + two - length), min(one, two) + 1):
                ways = math.comb(length, one) * math.comb(one, common) * math.comb(length - one, two - common)
                apart = one + two - 2 * common
                given = seen[one + two - common] / (seen[one] * seen[two])
                with np.errstate(divide="ignore", invalid="ignore"):
                    product = strengths[apart] / (strengths[one] * strengths[two]) * mean**apart
                total += ways * given * (product - mean ** (one + two))
    lost = (np.abs(strengths[1 : length + 1]) < 1e-7).any(axis=0)
    return np.where(lost | ~np.isfinite(total), np.inf, np.maximum(total, 0) / 4**length)


if __name__ == "__main__":
    for name, ratio in main():
        print(f"{ratio:8.4f}  {name}")
