"""Itemsets of respondents who were not drawn alike: estimates and errors by weights, strata and clusters.

Which itemsets are looked at and how many were asked them is counted as ever; here are the figures of a population, by
the weights of `privacy.reconstruct.linearised`. A respondent's part in every figure of an itemset depends on the own
*cell* alone: the group, and for each literal whether the record matches it, does not, or was not asked.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from mining.engines.channels import sub_weights
from mining.engines.estimates import SLACK, Supports
from mining.engines.literals import Literals
from privacy.reconstruct.available import AVAILABLE, expanded, products
from privacy.reconstruct.bit_columns import DIRECT, DISGUISED
from privacy.reconstruct.intervals import wald
from privacy.reconstruct.linearised import part_of_direct
from privacy.reconstruct.sampling import CellSums, Sampling

_LEVEL = 0.95  # of intervals
_NOT_ASKED = 2


@dataclass(frozen=True)
class Drawn:
    """Records and how their respondents were drawn."""

    literals: Literals
    codes: np.ndarray
    direct: np.ndarray
    sampling: Sampling
    cases: str

    def disguised(self) -> "Drawn":
        """The same without the direct group: a domain of the sample."""
        here = ~self.direct
        return Drawn(self.literals, self.codes[here], self.direct[here], self.sampling.at(here), self.cases)

    @cached_property
    def digits(self) -> np.ndarray:
        """For each literal and record 1, 0, or _NOT_ASKED: (literals, n)."""
        digits = self.literals.matches(self.codes).T.astype(np.uint8)
        if self.literals.design.sampled:
            digits[(self.codes == self.literals.design.not_asked)[:, self.literals.column].T] = _NOT_ASKED
        return np.ascontiguousarray(digits)

    def estimated(self, itemset: np.ndarray, estimator: str) -> "_Itemset":
        """Every sub-pattern of one itemset."""
        base = 3 if self.literals.design.sampled else 2
        length = len(itemset)
        cell = self.direct.astype(np.uint16) * np.uint16(base**length)
        for place, literal in enumerate(itemset.tolist()):
            cell += self.digits[literal] * np.uint16(base**place)
        sums = self.sampling.in_cells(cell.astype(np.intp), 2 * base**length)
        digits = np.arange(base**length) // base ** np.arange(length)[:, None] % base
        bits = 1 << np.arange(length)[:, None]
        state, asked = (bits * (digits == 1)).sum(axis=0), (bits * (digits != _NOT_ASKED)).sum(axis=0)
        masks = np.arange(2**length)[:, None]
        if self.cases == AVAILABLE:
            seen = (masks & asked) == masks
        else:
            seen = np.broadcast_to(asked == 2**length - 1, (2**length, len(state)))
        return _figures(self.literals, itemset, estimator, self.cases, sums, state, seen)


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
def _figures(
    literals: Literals,
    itemset: np.ndarray,
    estimator: str,
    cases: str,
    sums: CellSums,
    state: np.ndarray,
    seen: np.ndarray,
) -> _Itemset:
    """`state` and `seen` are those of the cells of one group: what matches, and which sub-patterns it tells of."""
    rows, masks = itemset[None], np.arange(len(seen))
    centres = literals.centre[itemset][:, None] if cases == AVAILABLE else np.zeros((len(itemset), 1))
    totals = sums.totals.reshape(2, -1)
    size, asked = totals.sum(axis=1), totals @ seen.T  # by group; groups × sub-patterns
    there = asked > 0

    def of_cells(table: np.ndarray) -> np.ndarray:
        """From a table of sub-patterns over states to that of centred products over the cells of a group."""
        return np.where(seen, products(table[..., None], centres)[:, state, 0], 0.0)

    if estimator == "pooled":
        every = asked.sum(axis=0)
        shares = asked[DIRECT] / every
        values, place = np.unique(shares, return_inverse=True)  # one, where everybody was asked the same
        pooled = np.stack([of_cells(sub_weights(literals, rows, values[[at]])[..., 0]) for at in range(len(values))])
        own = pooled[place, masks]
        tables, share = np.stack([own, own]), asked / every
    else:
        true = of_cells(((masks & masks[:, None]) == masks[:, None]).astype(float))
        tables = np.stack([of_cells(sub_weights(literals, rows)[..., 0]), true])  # disguised before direct
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
    matching = seen[-1] & (state == masks[-1])
    return _Itemset(
        expanded(means[:, None], centres)[:, 0],
        expanded(parts.reshape(len(masks), -1, 1), centres)[..., 0],
        sums,
        float((totals @ matching).sum() / asked[:, -1].sum()),
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
