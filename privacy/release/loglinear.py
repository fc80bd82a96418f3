"""The risk of rows that are alone in a sample by a Poisson log-linear model (Skinner and Shlomo 2008).

How many people fit a cell of the table of all labels is Poisson with a mean λ that the attributes explain, so of the
people beside a row that is alone the number is Poisson with the mean (1 − π)·λ, and the row is somebody's with the
chance E(1/F) = (1 − e^(−(1 − π)·λ)) / ((1 − π)·λ): the τ₂ of the paper for one cell. π is the sampling fraction.

λ comes from all pairs of attributes where there are several rows for each number that these need, else from each
attribute by itself. With fewer rows pairs follow chance and understate the risk: by a quarter with one row for each
number. Single attributes take usual combinations for rarer than they are, and so overstate it.
"""

from collections.abc import Sequence
from itertools import combinations
from math import prod

import numpy as np

from privacy.arrays import Floats, Ints
from privacy.errors import to_translate
from privacy.release.classes import compact
from privacy.release.everybody import TABLE, SampleClasses, SampleFigure
from privacy.release.uniques import WIDE

PAIRS, COLUMNS = to_translate("pairs of columns"), to_translate("single columns")
CELLS = 1 << 20  # of a table that is fitted by all pairs
ENOUGH = 8  # rows for each number that all pairs need
ROUNDS, NEAR_ENOUGH = 200, 1e-6


def lone_risk(seen: SampleClasses) -> SampleFigure:
    """Estimate the share of all rows that are alone and then found; a table of everybody says which.

    The interval is that of Σ 1/F if the model is true and λ known.
    """
    lone = seen.sizes == 1
    if seen.people is not None:
        return SampleFigure(float((1 / seen.people[lone]).sum()) / seen.rows, TABLE)
    columns = [compact(column + 1, int(column.max()) + 2)[0] for column in seen.columns]
    alone = np.flatnonzero(lone[seen.member])
    sizes = [int(column.max()) + 1 for column in columns]
    numbers = sum((one - 1) * (other - 1) for one, other in combinations(sizes, 2)) + sum(sizes)
    pairs = len(sizes) > 2 and prod(sizes) <= CELLS and seen.rows >= ENOUGH * numbers  # two columns are their only pair
    by, expected = (PAIRS, _by_pairs) if pairs else (COLUMNS, _by_columns)
    beside = np.maximum(expected(columns)[alone] * (1 - seen.share) / seen.share, 1e-12)
    chance = -np.expm1(-beside) / beside
    spread = WIDE * float(_variances(beside, chance).sum()) ** 0.5 / seen.rows
    value = float(chance.sum()) / seen.rows
    return SampleFigure(value, by, max(value - spread, 0.0), min(value + spread, 1.0))


def _by_columns(columns: Sequence[Ints]) -> Floats:
    """The rows that each row's cell is expected to have, if the columns were independent: n·Π n_j/n."""
    rows = len(columns[0])
    return np.asarray(rows * np.prod([np.bincount(own)[own] / rows for own in columns], axis=0))


def _by_pairs(columns: Sequence[Ints]) -> Floats:
    """The same by all pairs of columns: the table is fitted to each of their margins in turn until it has all."""
    shape = tuple(int(own.max()) + 1 for own in columns)
    table = np.zeros(shape)
    np.add.at(table, tuple(columns), 1.0)
    axes = range(len(shape))
    sums = [tuple(axis for axis in axes if axis not in pair) for pair in combinations(axes, 2)]
    margins = [table.sum(axis=others, keepdims=True) for others in sums]
    fitted = np.full(shape, len(columns[0]) / table.size)
    for _ in range(ROUNDS):
        before = fitted
        for others, margin in zip(sums, margins, strict=True):
            now = fitted.sum(axis=others, keepdims=True)
            fitted = fitted * np.divide(margin, now, out=np.zeros_like(margin), where=now > 0)
        if np.abs(fitted - before).max() < NEAR_ENOUGH:
            break
    return np.asarray(fitted[tuple(columns)])


def _variances(mean: Floats, chance: Floats) -> Floats:
    """The variance of 1/F, for F less one Poisson with the mean m: E(1/F²) = e^(−m)·(Ei(m) − ln m − γ)/m."""
    from scipy.special import expi  # slow to import

    m = np.clip(mean, 1e-4, 500.0)
    square = np.exp(-m) * (expi(m) - np.log(m) - np.euler_gamma) / m
    return np.where(mean > 500, mean**-3.0, np.maximum(square - chance**2, 0.0))
