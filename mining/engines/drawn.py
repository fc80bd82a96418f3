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
from privacy.reconstruct.available import AVAILABLE
from privacy.reconstruct.by_cells import Figures, figures
from privacy.reconstruct.by_order import ordered
from privacy.reconstruct.intervals import wald
from privacy.reconstruct.sampling import Sampling

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

    def estimated(self, itemset: np.ndarray, estimator: str) -> Figures:
        """Every sub-pattern of one itemset."""
        in_order = ordered(self.literals.design, self.literals.pattern(itemset))
        if in_order is not None:
            if estimator == "pooled":
                raise InputError("estimator: pooled cannot weigh answers in an order; take stratified or combined.")
            cell = in_order.cell_of(self.codes) + self.direct * in_order.count
            return in_order.figures(self.sampling.in_cells(cell, 2 * in_order.count), estimator, self.cases)
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
        return figures(cells, estimator, self.cases, sums, seen)


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

    @property
    def centres(self) -> np.ndarray:
        centres: np.ndarray = self.literals.centre[self.itemset][:, None]
        return centres

    def known(self) -> np.ndarray:
        return np.ones((2 ** len(self.itemset), self.digits.shape[1]))

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
