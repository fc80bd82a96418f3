"""The pairs that reports list, before and after selection: how far their shares are off, and how often intervals miss.

    python -m benchmarks.listed_pairs [--surveys 60] [--people 1000,3000,10000] [--designs coin]

Ten questions that a fifth affirms, 4 of 10 under one coin of γ = 19 (or a list of words); six populations. Each survey
draws new people; the truth is that of the population. Of the first five sure pairs: how many points the share of those
who gave the first answer is off (root mean square), how many percent of intervals miss, and how many percent of shares
are printed as 100 %.
"""

import argparse
from collections.abc import Callable

import numpy as np

from privacy.design import Design
from privacy.disguise import disguise
from privacy.disguise.table import words_from_seed
from privacy.output import as_table
from privacy.reconstruct.pairs import MOST_SAID, answers_in_pairs, look_at_pairs

ITEMS, SHARE = 10, 0.2
DESIGNS: dict[str, dict[str, object]] = {
    "coin": {"blocks": [{"keep": 0.5, "ask": 4, "items": [{"id": f"q{at}", "theta": 0.5} for at in range(ITEMS)]}]},
    "list": {"model": "one-of", "gamma": 19, "cap": 4, "longest": 2, "items": [f"q{at}" for at in range(ITEMS)]},
}
People = Callable[[np.random.Generator, int], np.ndarray]


def _latent(loadings: np.ndarray) -> People:
    """Answers of a normal score: each is what its loadings (answers × factors) make of the factors, and its own."""

    def people(chance: np.random.Generator, n: int) -> np.ndarray:
        own = np.sqrt(1 - (loadings**2).sum(axis=1))
        score = chance.standard_normal((n, loadings.shape[1])) @ loadings.T + own * chance.standard_normal((n, ITEMS))
        return (score > 0.8416).astype(np.uint8)  # a fifth

    return people


def _pairs(count: int, strength: float) -> People:
    """Independent answers, of which the first 2·count go together two by two."""

    def people(chance: np.random.Generator, n: int) -> np.ndarray:
        answers = (chance.random((n, ITEMS)) < SHARE).astype(np.uint8)
        for at in range(0, 2 * count, 2):
            answers[:, at + 1] = np.where(chance.random(n) < strength, answers[:, at], answers[:, at + 1])
        return answers

    return people


POPULATIONS: dict[str, People] = {
    "independent": _pairs(0, 0.0),
    "one pair": _pairs(1, 0.7),
    "three pairs": _pairs(3, 0.5),
    "clusters": _latent(np.repeat(np.eye(2), 5, axis=0) * 0.8),
    "one factor": _latent(np.full((ITEMS, 1), 0.7)),
    "one strong factor": _latent(np.full((ITEMS, 1), 0.97)),
}


def measure_listed(people: People, design: Design, n: int, surveys: int) -> list[float]:
    """How many pairs are listed a survey, and of these error, misses and shares of 100 %, before and after."""
    crowd = people(np.random.default_rng(0), 1_000_000).astype(bool)
    rows = []
    for seed in range(1, surveys + 1):
        truth = people(np.random.default_rng(seed), n)
        records = disguise(design, truth, np.zeros(n, bool), words_from_seed(seed))
        pairs = look_at_pairs(records, answers_in_pairs(design), 20)
        for place, pair in enumerate(pairs.sure[:MOST_SAID]):
            said = pairs.say(pair)
            true = float(crowd[crowd[:, said.given[0]], said.said[0]].mean())
            raw = pairs.counted[place].estimate(said.given, said.said, "confidence", pairs.level)
            if raw is not None:
                shares = (raw[0], raw[2], raw[3]), (said.those.value, said.those.low, said.those.high)
                rows.append([figure for share in shares for figure in _judge(*share, true)])
    if not rows:
        return [0.0] + [np.nan] * 6
    off = np.array(rows, float)
    parts = [(off[:, at] ** 2).mean() ** 0.5 if at % 3 == 0 else off[:, at].mean() for at in range(6)]
    return [len(rows) / surveys, *(100 * part for part in parts)]


def _judge(share: float, low: float, high: float, true: float) -> tuple[float, bool, bool]:
    """How far a share is off as it is printed, whether its interval misses, and whether it is 100 %."""
    return float(np.clip(share, 0, 1)) - true, not low <= true <= high, share >= 0.995


def main() -> list[tuple[str, float]]:
    parser = argparse.ArgumentParser()
    parser.add_argument("--surveys", type=int, default=60)
    parser.add_argument("--people", default="1000,3000,10000")
    parser.add_argument("--designs", default="coin")
    asked = parser.parse_args()
    figures = [f"{figure} {when}" for when in ("before", "after") for figure in ("off", "miss", "100 %")]
    for name in asked.designs.split(","):
        design = Design.parse(DESIGNS[name])
        for n in map(int, asked.people.split(",")):
            rows = [[at, *measure_listed(people, design, n, asked.surveys)] for at, people in POPULATIONS.items()]
            print(f"{name}, n = {n}, {asked.surveys} surveys")
            print(as_table(["population", "listed", *figures], rows), flush=True)
    return []


if __name__ == "__main__":
    main()
