"""How often 95 % intervals of weighted figures hold what is true of the population.

    python benchmarks/coverage_weights.py [surveys]

Three populations: the margins (sex and age) explain much of the answers, or nothing of them, or people come in towns of
twenty, drawn two from each of fifteen strata. Young people answer half as often, women twice as often as men. Answers
are disguised by a coin that turns two in ten over, or one in a hundred. Weights are raked to both margins. Of the share
of a yes and of the confidence of a rule it prints how often intervals hold that take these weights as given, and that
know the margins, and the width of those that know against the given ones (200 surveys unless said otherwise: an error
of 1.5).

A second table has weights that are lognormal, up to those of which one person has a tenth: in how many of ten times as
many surveys one person decides, so that there is no figure, and how often the others' intervals hold by as many degrees
of freedom as there are respondents, and as weights leave of them.
"""

import sys
from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np

from privacy.design import Design
from privacy.estimate.linearised import with_error
from privacy.estimate.sample import Sample
from privacy.estimate.sampling import OneDecidesError, Sampling
from privacy.output import as_table
from privacy.reconstruct.shares_and_rules import figure
from privacy.records import Records

FIGURES = ("drugs", "drugs => theft")
POPULATIONS = ("explained", "unrelated", "towns")
COINS = (0.8, 0.99)
SIZES = (200, 1000)
SIGMAS = (0.5, 1.0, 1.5, 2.0, 2.5)  # of the logarithm of weights
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
    print(margins(surveys), unlike(10 * surveys), sep="\n\n")


def unlike(surveys: int) -> str:
    """The table of lognormal weights; those who weigh more say yes more often, or all alike."""
    random, rows = np.random.default_rng(6), []
    design = Design.parse({"model": "improved-grouped", "p": 0.5, "theta": 0.6, "items": ["drugs", "theft"]})
    for sigma, n, direct, leaning in product(SIGMAS, (100, 300, 1000), (0.0, 0.3), (0.0, 0.1)):
        if sigma == SIGMAS[0] and leaning:
            continue
        share = 0.3 + leaning * sigma  # the logarithm of weights is σz, and E[wz]/E[w] = σ
        truth = {"drugs": share, "drugs,theft": 0.6 * share}
        held, told = np.zeros((len(truth), 2)), 0
        for _ in range(surveys):
            lean = random.standard_normal(n)
            drugs = random.random(n) < np.clip(0.3 + leaning * lean, 0, 1)
            answers = np.stack([drugs, random.random(n) < np.where(drugs, 0.6, 0.2)], axis=1)
            honest = random.random((n, 1)) < direct
            kept = honest | (random.random((n, 1)) < 0.5)
            sent = np.where(kept, answers, random.random((n, 2)) < 0.6).astype(np.uint8)
            records = Records(design, sent, honest[:, 0], {"w": np.exp(sigma * lean)})
            try:
                sampling = Sampling.from_columns(records.open_columns, n, Sample(weights="w"))
            except OneDecidesError:
                continue
            told += 1
            for place, (name, true) in enumerate(truth.items()):
                one = figure(records, name, sampling)
                own = one.estimate(sampling)
                by_n = with_error(own.estimate, own.se**2, n - 1, 0.95)
                held[place] += [low <= true <= high for low, high in (by_n.ci, own.ci)]
        for name, shares in zip(truth, 100 * held / max(told, 1), strict=True):
            rows.append([sigma, n, direct, leaning, name, 100 - 100 * told / surveys, *shares.tolist()])
    return as_table(["sigma", "n", "direct", "leaning", "figure", "no figure", "by n", "by weights"], rows)


def margins(surveys: int) -> str:
    """The table of weights that are raked."""
    random, rows = np.random.default_rng(5), []
    for population, coin, n in product(POPULATIONS, COINS, SIZES):
        if population == "towns" and n < STRATA * TOWN * 2:
            continue
        share = float(chances(population).mean())
        truth = dict(zip(FIGURES, (share, 0.6), strict=True))
        held, width = np.zeros((len(FIGURES), 2)), np.zeros((len(FIGURES), 2))
        for _ in range(surveys):
            records, drawn = survey(population, coin, n, random)
            knowing = Sampling.from_columns(records.open_columns, n, Sample(**drawn))
            samples = [replace(knowing, calibration=None), knowing]
            for place, name in enumerate(FIGURES):
                for way, sampling in enumerate(samples):
                    low, high = figure(records, name, sampling).estimate(sampling).ci
                    held[place, way] += low <= truth[name] <= high
                    width[place, way] += min(high, 9.0) - max(low, -9.0)
        for place, name in enumerate(FIGURES):
            shares = 100 * held[place] / surveys
            rows.append([population, coin, n, name, *shares, width[place, 1] / width[place, 0]])
    heads = ["population", "coin", "n", "figure", "given", "known", "width"]
    return as_table(heads, rows)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
