"""The experiment of the improved grouped unrelated-question paper: how far reconstructed supports are from the truth.

10 000 records of three correlated attributes, disguised again and again. W is the mean absolute error of the supports
of the itemsets (all seven are frequent: support ≥ .1), about the true answers of the same records. Either p runs from
0 to 1 at k = .2, or k from 0 to 1 at p = .3; θ = .6 throughout.

The paper's equations (7)–(16) let a share k of the respondents answer directly; its section 4 lets a share k be
disguised. Candor reads k as the equations do. The other reading is drawn beside it.
"""

from collections.abc import Iterator
from itertools import combinations, product
from math import sqrt
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from papers import about, write_chart, write_table
from papers.simulate import portable_generator, split
from privacy.arrays import Floats
from privacy.choices import ESTIMATORS
from privacy.design import Design
from privacy.design.patterns import parse_pattern
from privacy.draw.chart import Axis, Line, chart
from privacy.estimate.estimators import estimate
from privacy.estimate.weights import channel_of, disguise_shares, factors, obstacle, table_channels

TITLE = "The error W of reconstructed itemsets, by p and by k, for three estimators and both readings of k"
ABOUT = about("experiment")

Counts = NDArray[np.int64]
SEED = 2010
RECORDS = 10_000
REPETITIONS = 400
ITEMS = "abc"
THETA = 0.6
P, K = 0.3, 0.2  # where the other one runs
STEPS = [step / 20 for step in range(21)]
CELLS = np.array(list(product((0, 1), repeat=len(ITEMS))))
ITEMSETS = [",".join(chosen) for size in (1, 2, 3) for chosen in combinations(ITEMS, size)]
LENGTHS = np.array([1, 1, 1, 2, 2, 2, 3])
READINGS = {"direct": "k answer directly (the equations, and Candor)", "disguised": "k are disguised (section 4)"}


def population() -> Counts:
    """How many records fall into each of the eight cells: items of support .25, all three together .19."""
    random = np.random.default_rng(SEED)
    prone = random.random((RECORDS, 1)) < 0.21
    answers = random.random((RECORDS, len(ITEMS))) < np.where(prone, 0.97, 0.06)
    return np.bincount(answers @ [4, 2, 1], minlength=len(CELLS))


def absolute_errors(records: Counts, p: float, direct: float, random: np.random.RandomState) -> dict[str, Floats]:
    """The absolute error of every itemset in every repetition, for each estimator that exists at this p."""
    design = Design.parse({"direct": True, "model": "improved-grouped", "p": p, "theta": THETA, "items": list(ITEMS)})
    disguise = table_channels(design, range(len(ITEMS)))
    undisguised = random.binomial(records, direct, (REPETITIONS, len(CELLS)))
    sent = np.zeros_like(undisguised)
    for index, cell in enumerate(np.eye(len(CELLS))):
        chances = disguise_shares(disguise, cell.reshape(2, 2, 2)).ravel()
        sent += split(records[index] - undisguised[:, index], chances, random)
    of_estimator: dict[str, list[Floats]] = {}
    for itemset in ITEMSETS:
        pattern = parse_pattern(itemset, design)
        matching = np.all(CELLS[:, list(pattern.columns)] == 1, axis=1)
        truth = records[matching].sum() / RECORDS
        counts = np.stack([_states(sent, matching), _states(undisguised, matching)], axis=1)
        for estimator in ESTIMATORS:
            if not obstacle(design, pattern, estimator):
                estimates = estimate(counts, counts.sum(axis=-1), channel_of([factors(design, pattern)]), estimator)
                of_estimator.setdefault(estimator, []).append(np.abs(estimates.support - truth))
    return {estimator: np.array(rows) for estimator, rows in of_estimator.items()}


def write(folder: Path) -> None:
    records, random = population(), portable_generator(np.random.default_rng(SEED))
    rows: list[list[object]] = []
    for varied in ("p", "k"):
        for reading, meaning in READINGS.items():
            points = list(_sweep(records, varied, reading, random))
            rows += [[reading, varied, *point] for point in points]
            write_chart(folder / f"experiment-{varied}-{reading}.svg", _chart(varied, meaning, points))
    headings = ["reading", "varied", "value", "estimator", "w", "se", "w_items", "w_pairs", "w_triple"]
    write_table(folder / "experiment.csv", headings, rows)


def _sweep(records: Counts, varied: str, reading: str, random: np.random.RandomState) -> Iterator[list[Any]]:
    """Value, estimator, W with its standard error, and W of the items, pairs and triple apart."""
    for value in STEPS:
        p, k = (value, K) if varied == "p" else (P, value)
        for estimator, differences in absolute_errors(records, p, k if reading == "direct" else 1 - k, random).items():
            w = differences.mean(axis=0)
            by_length = [differences[length == LENGTHS].mean() for length in (1, 2, 3)]
            yield [value, estimator, w.mean(), w.std(ddof=1) / sqrt(REPETITIONS), *by_length]


def _states(counts: Counts, matching: NDArray[np.bool_]) -> Counts:
    """Counts of cells as counts of records that do not match, and that do."""
    return np.stack([counts[:, ~matching].sum(axis=1), counts[:, matching].sum(axis=1)], axis=-1)


def _chart(varied: str, meaning: str, points: list[list[Any]]) -> str:
    lines = []
    for estimator in ESTIMATORS:
        own = [point for point in points if point[1] == estimator]
        value, w, se = ([point[place] for point in own] for place in (0, 2, 3))
        low = [mean - 1.96 * error for mean, error in zip(w, se, strict=True)]
        high = [mean + 1.96 * error for mean, error in zip(w, se, strict=True)]
        lines.append(Line(estimator, value, w, low, high, markers=True))
    other = f"k = {K}" if varied == "p" else f"p = {P}"
    return chart(
        f"Error W by {varied}: {meaning}",
        lines,
        Axis(varied),
        Axis("W", low=0.0, high=0.04),
        description=f"Mean absolute error of seven itemsets, {RECORDS} records, {other}, θ = {THETA}; "
        f"each point the mean of {REPETITIONS} repetitions with its 95 % band. A curve may leave the frame at its top; "
        "the table has every figure.",
    )
