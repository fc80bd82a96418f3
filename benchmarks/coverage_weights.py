"""How often 95 % intervals of weighted figures hold what is true of the population.

    python benchmarks/coverage_weights.py [surveys]

Three populations: the margins (sex and age) explain much of the answers, or nothing of them, or people come in towns of
twenty, drawn two from each of fifteen strata. Young people answer half as often, women twice as often as men. Answers
are disguised by a coin that turns two in ten over, or one in a hundred. Weights are raked to both margins. Of the share
of a yes and of the confidence of a rule it prints how often intervals hold that take these weights as given, that know
the margins, and that come from the jackknife (in towns), and the width of those that know against the given ones (200
surveys unless said otherwise: an error of 1.5).
"""

import sys
from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np

from privacy.design import Design
from privacy.output import as_table
from privacy.reconstruct.sampling import Sampling
from privacy.reconstruct.shares_and_rules import figure
from privacy.records import Records

FIGURES = ("drugs", "drugs => theft")
POPULATIONS = ("explained", "unrelated", "towns")
COINS = (0.8, 0.99)
SIZES = (200, 1000)
STRATA, TOWN = 15, 20
ANSWERED = np.outer([1.0, 0.5], [0.5, 1.0, 1.0])  # women before men, by age


def chances(population: str) -> np.ndarray:
    """The chance of drugs, by sex and age."""
    explained = np.array([[0.6, 0.2, 0.05], [0.9, 0.5, 0.15]])
    return {"unrelated": np.full((2, 3), 0.3), "towns": 0.2 + 0.6 * explained}.get(population, explained)


def survey(population: str, coin: float, n: int, random: np.random.Generator) -> tuple[Records, dict[str, Any]]:
    town = np.arange(n) // TOWN if population == "towns" else np.arange(n)
    towns = int(town.max()) + 1
    cell = random.choice(6, n, p=(ANSWERED / ANSWERED.sum()).ravel())
    shift = random.uniform(-0.2, 0.2, towns)[town] if population == "towns" else 0.0
    drugs = random.random(n) < chances(population).ravel()[cell] + shift
    theft = random.random(n) < np.where(drugs, 0.6, 0.2)
    codes = np.stack([drugs, theft], axis=1) ^ (random.random((n, 2)) > coin)
    design = Design.parse({"model": "warner", "theta": coin, "items": ["drugs", "theft"]})
    beside = {"sex": np.array(["f", "m"], object)[cell // 3], "age": np.array(["a", "b", "c"], object)[cell % 3]}
    drawn: dict[str, Any] = {}
    if population == "towns":
        beside |= {"town": town.astype(float), "region": (town * STRATA // towns).astype(float)}
        drawn = {"cluster": "town", "strata": "region"}
    margins = {"sex": {"f": 1, "m": 1}, "age": {"a": 2 / 3, "b": 2 / 3, "c": 2 / 3}}
    return Records(design, codes.astype(np.uint8), np.zeros(n, bool), beside), drawn | {"margins": {"margins": margins}}


def main(surveys: int = 200) -> None:
    random, rows = np.random.default_rng(5), []
    for population, coin, n in product(POPULATIONS, COINS, SIZES):
        if population == "towns" and n < STRATA * TOWN * 2:
            continue
        share = float(chances(population).mean())
        truth = dict(zip(FIGURES, (share, 0.6), strict=True))
        held, width = np.zeros((len(FIGURES), 3)), np.zeros((len(FIGURES), 2))
        for _ in range(surveys):
            records, drawn = survey(population, coin, n, random)
            knowing = Sampling.from_columns(records.open_columns, n, **drawn)
            samples = [replace(knowing, calibration=None), knowing]
            if population == "towns":
                samples.append(Sampling.from_columns(records.open_columns, n, **drawn, replicates="jkn"))
            for place, name in enumerate(FIGURES):
                for way, sampling in enumerate(samples):
                    low, high = figure(records, name, sampling).estimate(sampling).ci
                    held[place, way] += low <= truth[name] <= high
                    if way < 2:
                        width[place, way] += min(high, 9.0) - max(low, -9.0)
        for place, name in enumerate(FIGURES):
            shares = 100 * held[place] / surveys
            last = shares[2] if population == "towns" else "-"
            rows.append([population, coin, n, name, shares[0], shares[1], last, width[place, 1] / width[place, 0]])
    heads = ["population", "coin", "n", "figure", "given", "known", "jackknife", "width"]
    print(as_table(heads, rows))


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
