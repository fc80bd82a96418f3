"""Whether answers go together: joint tables with the covariance of their cells, and a test of independence.

A test on disguised counts is wrong: one coin over independent answers makes their records look associated, and what is
estimated has a larger error than counts have. So the table is reconstructed, with the covariance of all its cells, and
the test asks whether it departs from the products of its own margins by more than its error.

An error that is estimated from the records of few people is often far too small: for three rare answers Wald's test was
wrong in up to 8 of 10 surveys of 60. So the error is that of independent answers (Rao's score test), and the chance of
such a statistic is counted in tables of independent answers that are drawn through the same disguise.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import prod

import numpy as np
from numpy.typing import NDArray

from privacy.design.channels import Floats
from privacy.design.patterns import Pattern
from privacy.errors import InputError
from privacy.estimate.cells import whole_records
from privacy.estimate.sampling import AlikeRows, Sampling
from privacy.estimate.weights import table_channels, table_shape, why_no_estimate
from privacy.records import Records

MOST_CELLS = 512  # the covariance has the square of it
DRAWN = 9_999  # tables of independent answers: p has an error of .0022 at .05
_SEED = 1


@dataclass(frozen=True)
class OpenAnswer:
    """An answer that is not disguised: for each record the place of its value, −1 where there is none."""

    name: str
    size: int
    codes: NDArray[np.int64]


@dataclass(frozen=True)
class Independence:
    """A test that no answer goes with another: chi-square with `df` degrees of freedom if none does and many answer."""

    statistic: float
    df: int
    p: float


@dataclass(frozen=True)
class AnsweringGroup:
    """Those who answer disguised, or directly: how many, their part of the table, what a record adds to each cell."""

    n: int
    part: float
    weights: Floats


@dataclass(frozen=True)
class JointShares:
    """Shares of all combinations of some answers, an axis for each, and the covariance of any two of its cells.

    The stratified estimate, from those who were asked and have answered all of it.
    """

    n: int
    support: Floats
    of_cells: Floats  # the covariance: cells × cells, in the order of the raveled table
    groups: Sequence[AnsweringGroup] = ()  # who has answered, where they are no sample
    freedom: float = np.inf  # of the covariance, where it is that of a sample

    @property
    def se(self) -> Floats:
        return np.sqrt(np.maximum(np.diag(self.of_cells), 0.0)).reshape(self.support.shape)

    def covariance(self, parts: Floats) -> Floats:
        """The covariance of sums of the cells, in which these have the parts in the columns of `parts`."""
        return np.asarray(parts.T @ self.of_cells @ parts)

    def independence(self, answers: Sequence[Collection[int]] = ()) -> Independence:
        """Test whether the answers are independent of one another, all of them together.

        `answers`: of a table of two axes, the values of each of which alone it is tested that they go together.

        g holds, for every set of two axes or more, the shares of their combinations less the products of the single
        shares (without the last value of each axis, which follows from the others). With its gradient G and the
        covariance V of the cells the statistic is gᵀ(G V Gᵀ)⁻¹g. G and V are those of independent answers with the same
        single shares (Rao 1948), and p is the share of so large ones among tables that are drawn from these.

        In a sample V is that of the sample (Wald 1943). Where it has f degrees of freedom, as in one of clusters,
        (f − df + 1)/(f·df) of the statistic is compared with F(df, f − df + 1) (Thomas and Rao 1987).
        """
        shape = self.support.shape
        sums = _sum_over(shape, answers) if answers else np.eye(prod(shape) - 1 - sum(size - 1 for size in shape))
        df = len(sums)
        departures = sums @ _departures(self.support[np.newaxis])[0]
        if np.isfinite(self.freedom):
            slopes = sums @ _slopes(self.support)
            precision = np.linalg.pinv(self.covariance(slopes.T), hermitian=True)
            statistic = float(departures @ precision @ departures)
            return Independence(statistic, df, self._p_of_sample(statistic, df))
        if not self.groups:
            return Independence(0.0, df, 1.0)
        precision, drawn = self._if_independent(sums)
        statistic = float(departures @ precision @ departures)
        as_large = ((drawn @ precision) * drawn).sum(axis=1) >= statistic * (1 - 1e-9)
        return Independence(statistic, df, float(1 + as_large.sum()) / (DRAWN + 1))

    def _p_of_sample(self, statistic: float, df: int) -> float:
        from scipy.special import fdtrc  # slow to import; who only takes answers does without

        rest = self.freedom - df + 1
        return float(fdtrc(df, rest, statistic * rest / (self.freedom * df))) if rest > 0 else 1.0

    def _if_independent(self, sums: Floats) -> tuple[Floats, Floats]:
        """(G V Gᵀ)⁻¹ of independent answers with these single shares, and the departures of tables drawn from them.

        Both are of these sums of departures.
        """
        shape, chance = self.support.shape, np.random.default_rng(_SEED)
        table = _independent(self.support)
        slopes = sums @ _slopes(table)
        covariance, drawn = np.zeros((len(slopes), len(slopes))), np.zeros((DRAWN, table.size))
        for group in self.groups:
            records = np.maximum(np.linalg.solve(group.weights, table.ravel()), 0.0)
            records /= records.sum()
            each = slopes @ group.weights
            mean = each @ records
            covariance += group.part**2 * ((each * records) @ each.T - np.outer(mean, mean)) / group.n
            drawn += chance.multinomial(group.n, records, DRAWN) @ (group.part / group.n * group.weights.T)
        precision = np.asarray(np.linalg.pinv(covariance, rcond=1e-10, hermitian=True), dtype=np.float64)
        return precision, _departures(drawn.reshape(DRAWN, *shape)) @ sums.T


def joint_table(
    records: Records,
    items: Sequence[str],
    beside: Sequence[OpenAnswer] = (),
    *,
    sampling: Sampling | None = None,
) -> JointShares:
    """Reconstruct the joint distribution of disguised items, and of answers that are not disguised.

    Those `beside` are the axes after the disguised items. With a sampling the table is that of the population. Raises
    `InputError` where the table is too large or its items cannot be reconstructed together.

    >>> from privacy.design import Design
    >>> design = Design.parse({"model": "warner", "theta": 0.75, "items": ["drugs", "theft"]})
    >>> codes = np.repeat([[0, 0], [0, 1], [1, 0], [1, 1]], [400, 200, 200, 200], axis=0).astype(np.uint8)
    >>> table = joint_table(Records(design, codes, np.zeros(1000, bool)), ["drugs", "theft"])
    >>> table.support.round(3).tolist(), table.independence().df
    ([[0.65, 0.05], [0.05, 0.25]], 1)
    """
    design = records.design
    columns = [design.column(item) for item in items]
    if not columns or len(set(columns)) < len(columns):
        raise InputError(f"items: {', '.join(items) or 'an empty list'} does not name each item of a table once.")
    inner = table_shape(design, columns)
    outer = tuple(each.size for each in beside)
    shape = inner + outer
    if prod(shape) > MOST_CELLS:
        raise InputError(f"The table has {prod(shape)} cells, more than {MOST_CELLS}; take fewer or smaller questions.")
    refusal = why_no_estimate(design, Pattern(tuple((c, frozenset([1])) for c in sorted(columns))), "stratified")
    if refusal:
        raise InputError(refusal)
    assert not whole_records(design, columns), "each figure of whole records is one by itself"
    given = np.logical_and.reduce([each.codes >= 0 for each in beside], axis=0) if beside else slice(None)
    kept = Records(design, records.codes[given], records.direct[given])
    stratum = np.zeros(len(kept), dtype=np.int64)
    for each in beside:
        stratum = stratum * each.size + each.codes[given]
    weights = _weights(kept, columns, inner, prod(outer))
    cell = _cells(kept, columns, inner, stratum, prod(outer))
    asked_of = [bool((cell[own] >= 0).any()) for own in (kept.direct, ~kept.direct) if own.any()]
    if len({*asked_of}) > 1:  # what its people would say is no share of 0
        raise InputError(f"One of the two groups was asked nothing of {', '.join(map(repr, items))} together.")
    place = np.where(cell < 0, prod(shape), cell) + np.where(kept.direct, prod(shape) + 1, 0)
    drawn = AlikeRows.of_counts(np.ones(len(kept), np.int64)) if sampling is None else sampling.select(given)
    if not isinstance(drawn, AlikeRows):
        people = int((cell >= 0).sum())
        sums = drawn.in_cells(place, 2 * (prod(shape) + 1))
        support, parts = _linearise(sums.totals, weights)
        return JointShares(people, support.reshape(shape), sums.covariance(parts), freedom=float(drawn.freedom))
    people = drawn.people(cell >= 0)
    counts = np.bincount(place, drawn.weights, 2 * (prod(shape) + 1)).astype(float)
    support, parts = _linearise(counts, weights)
    groups = []
    for seen, inverse in zip(counts.reshape(2, -1), (weights, np.eye(len(weights))), strict=True):
        if seen[:-1].any():
            groups.append(AnsweringGroup(int(seen[:-1].sum()), float(seen.sum() / drawn.number), inverse))
    # All parts sum to 0. The error of people who were drawn alike divides squares by their number.
    return JointShares(people, support.reshape(shape), (parts * counts) @ parts.T, groups)


def _cells(
    records: Records, columns: Sequence[int], shape: Sequence[int], stratum: NDArray[np.int64], strata: int
) -> NDArray[np.int64]:
    """Number each record's cell in the table of columns × strata; −1 where it was not asked all the columns."""
    codes = [records.codes[:, column].astype(np.int64) for column in columns]
    asked = np.logical_and.reduce([code != records.design.not_asked for code in codes])
    cell = np.zeros(len(records), dtype=np.int64)
    for code, size in zip(codes, shape, strict=True):
        cell = cell * size + code
    return np.where(asked, cell * strata + stratum, -1)


def _weights(records: Records, columns: Sequence[int], shape: Sequence[int], strata: int) -> Floats:
    """What a disguised record adds to each cell: cells × records, the inverse of the disguise along its own axes."""
    channel = table_channels(records.design, columns)
    inverse = []
    for record in np.eye(prod(shape)):
        table = record.reshape(shape)
        for piece in channel:
            table = piece.inverse(table)
        inverse.append(table.ravel())
    return np.asarray(np.kron(np.array(inverse).T, np.eye(strata)), dtype=np.float64)


def _linearise(weighed: Floats, weights: Floats) -> tuple[Floats, Floats]:
    """From the weight at each place the share of each cell, and by how much one unit of weight there moves it."""
    cells = len(weights)
    totals = weighed.reshape(2, cells + 1)  # disguised and direct; in the last cell who was not asked
    everybody = float(totals.sum()) or 1.0
    k = float(totals[1].sum()) / everybody
    parts = np.zeros((cells, 2, cells + 1))
    shares = np.zeros((2, cells))
    for group, (factor, each) in enumerate(((1 - k, weights), (k, np.eye(cells)))):
        asked = float(totals[group, :cells].sum())
        if asked > 0:
            shares[group] = each @ (totals[group, :cells] / asked)
            parts[:, group, :cells] = factor * (each - shares[group][:, np.newaxis]) / asked
    support = (1 - k) * shares[0] + k * shares[1]
    parts += (shares - support).T[:, :, np.newaxis] / everybody
    return support, parts.reshape(cells, -1)


def _independent(support: Floats) -> Floats:
    """The table of independent answers with the single shares of this one; shares below 0 are 0."""
    axes = range(support.ndim)
    table = np.ones_like(support)
    for axis in axes:
        single = np.maximum(support.sum(axis=tuple(other for other in axes if other != axis), keepdims=True), 0.0)
        table *= single / single.sum()
    return table


def _departures(tables: Floats) -> Floats:
    """How the combinations of each table depart from independence: tables × departures."""
    axes = range(1, tables.ndim)
    single = {axis: tables.sum(axis=tuple(other for other in axes if other != axis), keepdims=True) for axis in axes}
    departures = []
    for size in range(2, tables.ndim):
        for chosen in combinations(axes, size):
            others = tuple(axis for axis in axes if axis not in chosen)
            apart = tables.sum(axis=others, keepdims=True) - prod(single[axis] for axis in chosen)
            inner = tuple(slice(-1) if axis in chosen else slice(None) for axis in axes)
            departures.append(apart[(slice(None), *inner)].reshape(len(tables), -1))
    return np.concatenate(departures, axis=1)


def _sum_over(shape: Sequence[int], answers: Sequence[Collection[int]]) -> Floats:
    """The sum of the departures (`_departures`) at these values of both axes; those of a whole row sum to 0."""
    marks = [np.isin(np.arange(size), list(values)).astype(float) for size, values in zip(shape, answers, strict=True)]
    one, other = (mark[:-1] - mark[-1] for mark in marks)
    return np.outer(one, other).reshape(1, -1)


def _slopes(support: Floats) -> Floats:
    """How each departure from independence (`_departures`) grows with the share of a cell: departures × cells."""
    shape = support.shape
    axes = range(len(shape))
    single = [support.sum(axis=tuple(other for other in axes if other != axis)) for axis in axes]
    marks = [
        [marks_of(shape, [value if other == axis else None for other in axes]) for value in range(shape[axis])]
        for axis in axes
    ]
    slopes = []
    for size in range(2, len(shape) + 1):
        for chosen in combinations(axes, size):
            for values in np.ndindex(*(shape[axis] - 1 for axis in chosen)):
                at = dict(zip(chosen, values, strict=True))
                slope = marks_of(shape, [at.get(axis) for axis in axes])
                shares = [single[axis][value] for axis, value in at.items()]
                for index, (axis, value) in enumerate(at.items()):
                    others = prod(share for other, share in enumerate(shares) if other != index)
                    slope -= others * marks[axis][value]
                slopes.append(slope.ravel())
    return np.array(slopes)


def marks_of(shape: Sequence[int], at: Sequence[int | Collection[int] | None]) -> Floats:
    """A table with 1 in the cells that have these values, and 0 elsewhere; None stands for any value.

    >>> marks_of((2, 2), (None, 1)).tolist(), marks_of((1, 3), (0, {0, 2})).tolist()
    ([[0.0, 1.0], [0.0, 1.0]], [[1.0, 0.0, 1.0]])
    """
    marks, sets = np.zeros(shape), ({own} if isinstance(own, int | np.integer) else own for own in at)
    values = [range(size) if own is None else sorted(own) for size, own in zip(shape, sets, strict=True)]
    marks[np.ix_(*values)] = 1.0
    return marks
