"""How often 95 % intervals hold where a few of 300 people have most of the weight.

    python benchmarks/coverage_few_people.py [surveys [case …]]

Weights are lognormal; of clusters (60 of five people in the mean) their sizes are. Cases: the confidence of a rule
under one coin, also with two things on its first side, and under a coin for each item; of a table of two answers by an
undisguised one the shares in groups, of all, and the differences of groups; the coefficients of a logistic regression
of a disguised outcome, and of linear ones of a disguised outcome and on a disguised predictor; a share and a confidence
of clusters; the mean, the median and ten bins of an age behind a square wave (ε = 2). In *leaning* ones who weighs more
has another share, or predictor. For each σ of the logarithm it prints how many surveys of 100 are refused or have an
interval without ends, how often those with ends held the truth, and the median of their widths (200 surveys unless said
otherwise).
"""

import sys
from collections.abc import Callable
from functools import partial
from itertools import product

import numpy as np
from scipy.special import expit

import candor
from benchmarks.coverage_distributions import DESIGN as PLACES, ages
from privacy.design import Design
from privacy.disguise import disguise
from privacy.disguise.table import words_from_seed
from privacy.errors import InputError
from privacy.estimate.sample import Sample
from privacy.estimate.sampling import Sampling
from privacy.output import as_table
from privacy.reconstruct.association import OpenAnswer, joint_table
from privacy.reconstruct.shares_and_rules import figure
from privacy.records import Records
from privacy.regress import Respondents, regression_of
from surveys.results.table_lines import lines_of_cells

N, TOWNS = 300, 60
SIGMAS = (0.5, 1.0, 1.5, 2.0)
ITEMS = ["drugs", "theft"]
COIN = Design.parse({"model": "improved-grouped", "p": 0.5, "theta": 0.6, "items": ITEMS})
THREE = Design.parse({"model": "improved-grouped", "p": 0.5, "theta": 0.6, "items": [*ITEMS, "fraud"]})
EACH = Design.parse({"model": "warner", "theta": 0.8, "items": ITEMS})
AGE = Design(PLACES.blocks[:1], direct=False)
Figures = list[tuple[str, tuple[float, float], float]]  # each with its interval and the truth
Draw = Callable[[float, bool, np.random.Generator], Figures]


def disguised(design: Design, answers: np.ndarray, random: np.random.Generator, **columns: np.ndarray) -> Records:
    nobody = np.zeros(len(answers), bool)
    sent = disguise(design, answers.astype(design.code_type), nobody, words_from_seed(int(random.integers(2**62))))
    return Records(design, sent.codes, nobody, columns)


def rule(design: Design, both: bool, sigma: float, leaning: bool, random: np.random.Generator) -> Figures:
    lean = random.standard_normal(N)
    drugs = random.random(N) < np.clip(0.3 + 0.1 * leaning * lean, 0, 1)
    theft = random.random(N) < np.where(drugs, 0.6, 0.2)
    answers = np.stack([drugs, theft, random.random(N) < 0.4], axis=1)[:, : len(design.items)]
    records = disguised(design, answers, random, w=np.exp(sigma * lean))
    sampling = Sampling.from_columns(records.open_columns, N, Sample(weights="w"))
    text, true = ("drugs,theft => fraud", 0.4) if both else ("drugs => theft", 0.6)
    return [("confidence", figure(records, text, sampling).estimate(sampling).ci, true)]


def table(sigma: float, leaning: bool, random: np.random.Generator) -> Figures:
    lean = random.standard_normal(N)
    share = 0.3 + 0.1 * leaning * sigma  # the logarithm of weights is σz, and E[wz]/E[w] = σ
    drugs = random.random(N) < np.clip(0.3 + 0.1 * leaning * lean, 0, 1)
    theft = random.random(N) < np.where(drugs, 0.6, 0.2)
    records = disguised(COIN, np.stack([drugs, theft], axis=1), random, w=np.exp(sigma * lean))
    sampling = Sampling.from_columns(records.open_columns, N, Sample(weights="w"))
    beside = OpenAnswer("sex", 2, random.integers(0, 2, N))
    true = np.outer([1 - share, share], [1, 1]) * [[0.8, 0.2], [0.4, 0.6]]
    found: Figures = []
    for line in lines_of_cells(joint_table(records, ITEMS, [beside], sampling=sampling), [["0", "1"]] * 3, None):
        answer, said = int(line.answer), int(line.group[0])
        own = true[answer, said]
        shown = (line.share, own / true[:, said].sum()), (line.of_all, own / 2), (line.difference, 0.0)
        for name, (one, value) in zip(("in a group", "of all", "difference"), shown, strict=True):
            found.append((name, (one.low, one.high) if one else (-np.inf, np.inf), value))
    return found


def regression(family: str, on: str, sigma: float, leaning: bool, random: np.random.Generator) -> Figures:
    lean = random.standard_normal(N)
    x = 0.5 * leaning * lean + random.standard_normal(N)
    drugs = random.random(N) < np.clip(0.4 + 0.1 * leaning * lean, 0, 1)
    outcome, predictors, true = "drugs", ["x"], [-0.4, 0.8]
    if on:
        outcome, predictors, true = "y", ["drugs", "x"], [1.0, 0.8, 0.5]
    elif family == "linear":
        x, true = (x > 0).astype(float), [0.3, 0.25]
        drugs = random.random(N) < true[0] + true[1] * x
    else:
        drugs = random.random(N) < expit(true[0] + true[1] * x)
    y = 1.0 + 0.8 * drugs + 0.5 * x + random.standard_normal(N)
    records = disguised(EACH, np.stack([drugs, drugs], axis=1), random, w=np.exp(sigma * lean), x=x, y=y)
    fitted = regression_of(Respondents.of_records(records), outcome, predictors, family, sample=Sample(weights="w"))
    return [(one.name, one.ci, own) for one, own in zip(fitted.coefficients, true, strict=True)]


def clusters(sigma: float, leaning: bool, random: np.random.Generator) -> Figures:
    lean = random.standard_normal(TOWNS)
    sizes = np.maximum(np.exp(sigma * lean - sigma**2 / 2) * N / TOWNS, 1).round().astype(int)
    town = np.repeat(np.arange(TOWNS), sizes)
    shares = np.clip(0.3 + 0.1 * leaning * lean + random.uniform(-0.2, 0.2, TOWNS), 0, 1)
    answers = np.stack([random.random(len(town)) < shares[town], random.random(len(town)) < 0.4], axis=1)
    records = disguised(COIN, answers, random, town=town.astype(float))
    sampling = Sampling.from_columns(records.open_columns, len(town), Sample(cluster="town"))
    true = {"drugs => theft": 0.4} if leaning else {"drugs": 0.3, "drugs => theft": 0.4}
    return [(name, figure(records, name, sampling).estimate(sampling).ci, own) for name, own in true.items()]


def distribution(sigma: float, _leaning: bool, random: np.random.Generator) -> Figures:
    years = random.choice(100, N, p=ages())
    records = disguised(AGE, AGE.items[0].codes_at([years]).reshape(N, 1), random)
    sampling = Sampling.from_columns({"w": np.exp(sigma * random.standard_normal(N))}, N, Sample(weights="w"))
    made = candor.distribution(records, "age", bins=10, sample=sampling, seed=1)
    median = float(np.searchsorted(np.cumsum(ages()), 0.5))
    true = {"mean": float(ages() @ np.arange(100)), "median": median}
    bins = zip(*made.intervals.tolist(), ages().reshape(10, 10).sum(axis=1).tolist(), strict=True)
    return [
        *((name, made.figures["ci"][name], own) for name, own in true.items()),
        *(("bins", (low, high), own) for low, high, own in bins),
    ]


CASES: dict[str, Draw] = {
    "rule, one coin": partial(rule, COIN, False),
    "rule, a coin each": partial(rule, EACH, False),
    "rule of three, one coin": partial(rule, THREE, True),
    "table": table,
    "logistic": partial(regression, "logistic", ""),
    "linear, outcome": partial(regression, "linear", ""),
    "linear, predictor": partial(regression, "linear", "drugs"),
    "clusters": clusters,
    "distribution": distribution,
}


def main(surveys: int = 200, *cases: str) -> None:
    rows: list[list[object]] = []
    for case, leaning, sigma in product(cases or CASES, (False, True), SIGMAS):
        if leaning and case == "distribution":
            continue
        random, found, refused = np.random.default_rng([7, int(10 * sigma), leaning]), [], 0
        for _ in range(surveys):
            try:
                found += CASES[case](sigma, leaning, random)
            except InputError:  # of one person who decides, or of hardly anybody
                refused += 1
        for name in dict.fromkeys(name for name, _ci, _true in found):
            own = [(ci, true) for each, ci, true in found if each == name]
            with_interval = [
                (low - 1e-9 <= true <= high + 1e-9, high - low) for (low, high), true in own if np.isfinite(high - low)
            ]
            none = refused / surveys + (1 - refused / surveys) * (1 - len(with_interval) / len(own))
            held, wide = np.array(with_interval, float).reshape(-1, 2).T
            rows.append(
                [case, "leaning" if leaning else "alike", sigma, name, 100 * none, 100 * np.mean(held), np.median(wide)]
            )
            print(*rows[-1], file=sys.stderr, flush=True)
    print(as_table(["case", "weights", "sigma", "figure", "no figure", "held", "width"], rows))


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 200, *sys.argv[2:])
