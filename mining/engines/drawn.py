"""Itemsets of respondents who were not drawn alike: estimates and errors by weights, strata and clusters.

Which itemsets are looked at and how many were asked them is counted as ever; here are the figures of a population, by
the weights of `privacy.reconstruct.linearised`. A respondent's part in every figure of an itemset depends on the own
*cell* alone: the group, and for each literal whether the record matches it, does not, or was not asked.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import prod

import numpy as np

from mining.engines.bins import Binned
from mining.engines.channels import sub_weights
from mining.engines.estimates import SLACK, Supports
from mining.engines.literals import Literals
from privacy.errors import EntryError, InputError
from privacy.reconstruct.available import AVAILABLE, expanded, products
from privacy.reconstruct.bit_columns import DIRECT, DISGUISED
from privacy.reconstruct.intervals import wald
from privacy.reconstruct.linearised import part_of_direct
from privacy.reconstruct.sampling import CellSums, Sampling

_LEVEL = 0.95  # of intervals
_NOT_ASKED = 2
_MOST_CELLS = 1 << 18


@dataclass(frozen=True)
class Drawn:
    """Records and how their respondents were drawn."""

    literals: Literals
    codes: np.ndarray
    direct: np.ndarray
    sampling: Sampling
    cases: str
    bins: Mapping[int, Binned] = field(default_factory=dict)  # by column

    def disguised(self) -> "Drawn":
        """The same without the direct group: a domain of the sample."""
        here = ~self.direct
        bins = {column: binned.at(here) for column, binned in self.bins.items()}
        return Drawn(self.literals, self.codes[here], self.direct[here], self.sampling.at(here), self.cases, bins)

    @cached_property
    def digits(self) -> np.ndarray:
        """For each literal and record 1, 0, or _NOT_ASKED: (literals, n)."""
        digits = self.literals.matches(self.codes).T.astype(np.uint8)
        if self.literals.design.sampled:
            digits[(self.codes == self.literals.design.not_asked)[:, self.literals.column].T] = _NOT_ASKED
        return np.ascontiguousarray(digits)

    def estimated(self, itemset: np.ndarray, estimator: str) -> "_Itemset":
        """Every sub-pattern of one itemset."""
        usual = 3 if self.literals.design.sampled else 2
        length = len(itemset)
        binned = [self.bins.get(column) for column in self.literals.column[itemset].tolist()]
        bases = [usual if one is None else one.base for one in binned]
        count = prod(bases)
        if count > _MOST_CELLS:
            raise InputError(f"Itemsets of {count} combinations of bins are too fine; take fewer bins, or less length.")
        kind = np.min_scalar_type(2 * count)
        cell, width = self.direct.astype(kind) * kind.type(count), 1
        for place, literal in enumerate(itemset.tolist()):
            own = binned[place]
            cell += (self.digits[literal] if own is None else own.digits.astype(kind)) * kind.type(width)
            width *= bases[place]
        sums = self.sampling.in_cells(cell.astype(np.intp), 2 * count)
        digits = np.arange(count) // np.cumprod([1, *bases[:-1]])[:, None] % np.array(bases)[:, None]
        bits = 1 << np.arange(length)[:, None]
        of_bins = np.array([one is not None for one in binned])[:, None]
        asked = (bits * (of_bins | (digits != _NOT_ASKED))).sum(axis=0)
        masks = np.arange(2**length)[:, None]
        if self.cases == AVAILABLE:
            seen = (masks & asked) == masks
        else:
            seen = np.broadcast_to(asked == 2**length - 1, (2**length, count))
        cells = _Cells(self.literals, itemset, tuple(binned), digits)
        return _figures(cells, estimator, self.cases, sums, seen)


@dataclass(frozen=True)
class _Cells:
    """The cells of one group for an itemset: what each says of its literals, and its weights for the sub-patterns."""

    literals: Literals
    itemset: np.ndarray
    binned: tuple[Binned | None, ...]
    digits: np.ndarray  # literals × cells

    @cached_property
    def _matches(self) -> np.ndarray:
        """Whether a cell of true answers matches each literal: literals × cells."""
        options = np.array([1 if one is None else option for one, option in self._options])[:, None]
        matches: np.ndarray = self.digits == options
        return matches

    @property
    def _options(self) -> list[tuple[Binned | None, int]]:
        return list(zip(self.binned, self.literals.option[self.itemset].tolist(), strict=True))

    def true(self) -> np.ndarray:
        """Whether a cell of true answers matches each sub-pattern."""
        return _conjunctions([row.astype(float) for row in self._matches])

    def shown(self) -> np.ndarray:
        """Whether a cell of records, taken for true, matches the whole itemset."""
        rows = [
            row if one is None else one.padded(option)[1][digits]
            for row, (one, option), digits in zip(self._matches, self._options, self.digits, strict=True)
        ]
        return np.logical_and.reduce(rows)

    def weights(self, k: np.ndarray | None = None) -> np.ndarray:
        """The weight of each cell for each sub-pattern: sub-patterns × cells."""
        if k is not None and any(one is not None for one in self.binned):
            raise EntryError(
                "the pooled estimator replaces the totals of a coin, and no coin sends a number or a place; take "
                "stratified or combined.",
                at="bins",
            )
        plain = np.array([place for place, one in enumerate(self.binned) if one is None], dtype=np.intp)
        masks = np.arange(2 ** len(self.itemset))
        state = _bits(self._matches[plain].astype(np.int64))
        made = np.ones((len(masks), self.digits.shape[1]))
        if len(plain):
            inside = _bits(np.array([masks >> place & 1 for place in plain.tolist()]))
            made = sub_weights(self.literals, self.itemset[plain][None], k)[..., 0][inside][:, state]
        of_bins = [
            np.ones(self.digits.shape[1]) if one is None else one.padded(option)[0][digits]
            for (one, option), digits in zip(self._options, self.digits, strict=True)
        ]
        return made * _conjunctions(of_bins)


def _bits(rows: np.ndarray) -> np.ndarray:
    """Rows of 0 and 1 as numbers: the first row is the lowest bit."""
    return (rows << np.arange(len(rows))[:, None]).sum(axis=0)


def _conjunctions(rows: Sequence[np.ndarray]) -> np.ndarray:
    """The products of the rows of each mask: masks × cells."""
    made = np.ones((1, len(rows[0])))
    for row in rows:
        made = np.concatenate([made, made * row])
    return made


@dataclass(frozen=True)
class _Itemset:
    """The supports of all sub-patterns, the part of each cell in them, and the weight that is in the cells."""

    support: np.ndarray
    parts: np.ndarray  # 2^L × cells
    sums: CellSums
    observed: float
    steepest: float


class DrawnSubPatterns:
    """Every sub-pattern of itemsets of one length; what `estimates.SubPatterns` is for records that count alike."""

    def __init__(self, drawn: Drawn, itemsets: np.ndarray, estimator: str) -> None:
        made = [drawn.estimated(itemset, estimator) for itemset in itemsets]
        self.support: np.ndarray = np.stack([one.support for one in made], axis=-1)
        self._covariances = np.stack([one.sums.covariance(one.parts) for one in made], axis=-1)
        self.freedom = float(drawn.sampling.freedom)

    def covariances(self, masks: slice, others: slice) -> np.ndarray:
        """Covariances of each of `masks` with the one at its place in `others`, or with the only one there: (K, F)."""
        every = np.arange(len(self.support))
        covariances: np.ndarray = self._covariances[np.broadcast_arrays(every[masks], every[others])]
        return covariances

    def variance(self, rows: np.ndarray, masks: np.ndarray, slopes: np.ndarray) -> np.ndarray:
        """Variances of functions of the estimates of some masks (K, R) of some itemsets (R,), by the delta method."""
        spread = self._covariances[masks[:, None], masks[None], rows]
        variance: np.ndarray = np.maximum(np.einsum("ir,jr,ijr->r", slopes, slopes, spread), 0)
        return variance


def drawn_supports(drawn: Drawn, itemsets: np.ndarray, at_least: np.ndarray, estimator: str) -> Supports:
    """The figures of whole itemsets; not a number where the disguise leaves nothing of one."""
    columns = np.empty((8, len(itemsets)))
    columns[0] = at_least[:, :, 0].sum(axis=1)
    for place, itemset in enumerate(itemsets):
        one = drawn.estimated(itemset, estimator)
        variance = float(one.sums.covariance(one.parts[-1:])[0, 0])
        columns[1:4, place] = one.observed, one.support[-1], np.sqrt(variance) if variance > 0 else np.nan
        columns[7, place] = SLACK * max(one.steepest, 1)
    columns[2, ~np.isfinite(columns[2])] = np.nan
    columns[4] = np.nan  # what these respondents' own truth is, nobody asks of a sample
    columns[5:7] = wald(columns[2], columns[3] ** 2, _LEVEL, drawn.sampling.freedom)
    return Supports(*columns)


@np.errstate(divide="ignore", invalid="ignore")
def _figures(cells: _Cells, estimator: str, cases: str, sums: CellSums, seen: np.ndarray) -> _Itemset:
    """`seen`: which sub-patterns the cells of a group tell of."""
    masks = np.arange(len(seen))
    centres = cells.literals.centre[cells.itemset][:, None] if cases == AVAILABLE else np.zeros((len(cells.itemset), 1))
    totals = sums.totals.reshape(2, -1)
    size, asked = totals.sum(axis=1), totals @ seen.T  # by group; groups × sub-patterns
    there = asked > 0

    def of_cells(table: np.ndarray) -> np.ndarray:
        """From the table of sub-patterns over the cells of a group to that of centred products."""
        return np.where(seen, products(table[..., None], centres)[..., 0], 0.0)

    if estimator == "pooled":
        every = asked.sum(axis=0)
        shares = asked[DIRECT] / every
        values, place = np.unique(shares, return_inverse=True)  # one, where everybody was asked the same
        pooled = np.stack([of_cells(cells.weights(values[[at]])) for at in range(len(values))])
        own = pooled[place, masks]
        tables, share = np.stack([own, own]), asked / every
    else:
        tables = np.stack([of_cells(cells.weights()), of_cells(cells.true())])  # disguised before direct
        share = np.broadcast_to((size / size.sum())[:, None], asked.shape)
    by_group = np.where(there, np.einsum("gmc,gc->gm", tables, totals) / asked, 0.0)
    inside = np.where(there[..., None] & seen, (tables - by_group[..., None]) / asked[..., None], 0.0)
    if estimator == "combined":
        whole = expanded(by_group.T, centres)[-1], expanded(np.swapaxes(inside, 0, 1), centres)[-1]
        share = np.broadcast_to(_leaning(*whole, sums, seen[-1])[:, None], asked.shape)
    means = np.where((share > 0) & ~there, np.nan, share * by_group).sum(axis=0)
    parts = np.swapaxes(share[..., None] * inside, 0, 1)
    if estimator == "stratified":  # who is direct is chance, too
        parts = parts + ((by_group.T - means[:, None]) * (size > 0) / size.sum())[..., None]
    matching = seen[-1] & np.stack([cells.shown(), cells.true()[-1] > 0])
    return _Itemset(
        expanded(means[:, None], centres)[:, 0],
        expanded(parts.reshape(len(masks), -1, 1), centres)[..., 0],
        sums,
        float((totals * matching).sum() / asked[:, -1].sum()),
        float(np.nanmax(np.abs(tables), initial=1.0)),
    )


def _leaning(shares: np.ndarray, inside: np.ndarray, sums: CellSums, seen: np.ndarray) -> np.ndarray:
    """How far each group counts in the combined estimator: alike for all sub-patterns, by the whole itemset."""
    there = (sums.totals.reshape(2, -1) @ seen) > 0
    if not there.all():
        return there.astype(float)
    alone = inside * (np.arange(2) == DISGUISED)[:, None]
    weight, squares = (table.reshape(2, -1)[DIRECT] @ seen for table in (sums.totals, sums.squared))
    rest = float(sums.covariance(alone.reshape(1, -1))[0, 0])
    lean = part_of_direct(float(shares[DIRECT]), float(weight**2 / squares), rest)
    return np.array([1 - lean, lean])
