"""Available cases: in a sampled block, every product of answers is estimated from everyone who was asked its items.

With the indicators 1[j] of the literals of a pattern E, and any constants c_j,

    1[E] = Π_{j∈E} (c_j + (1[j] − c_j)) = Σ_{S⊆E} Π_{j∈E∖S} c_j · v_S,    v_S = Π_{j∈S} (1[j] − c_j),

so P(E) is a sum of means θ_S of such products. Each is estimated from everyone who was asked S, and only the longest
from those alone who were asked all of E: that is unbiased whatever the c_j are, because who is asked what depends on no
answer. Here c_j is the share of the item's options that literal j names, ½ for a yes/no item; then
sup(A) = sup(AC) + sup(A¬C) holds, and a joint table sums to 1. Literals of blocks that are not sampled stay together as
one factor of every product.

Given who was asked what, two such means of one group have the covariance

    Cov(θ̂_S, θ̂_T) = n_{S∪T} / (n_S n_T) · (E[W_S W_T] − θ_S θ_T),

where n_S respondents were asked S and W_S is the weight that estimates v_S from one record (see `weights`). The mean of
a product of two weights is one of moments of records, E[Π_{j∈R} ±1]; each of these comes from everyone asked R, too.
The estimators differ in the parts of the two groups in θ̂_S; each draws these parts from those who were asked S.

Where everybody was asked all of a pattern, `SubPatterns` has the closed form for thousands of patterns of one length:
the same figures as by cells (`privacy.estimate.figures`), in arrays over patterns. Covariances divide squares by the
number of respondents.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from privacy.arrays import Floats
from privacy.estimate.estimators import Estimates
from privacy.estimate.intervals import wald
from privacy.estimate.weights import DIRECT, DISGUISED, states_from_supports

Weighing = Callable[[Floats | None], Floats]
"""The weights of sub-patterns (sets T of sampled literals, with all others) over the cells of records: (2^L, cells, F).

It is given the share of direct answers of each pattern (F,) for the pooled estimator, or None.
"""

Places = NDArray[np.intp]
_UNKNOWN = 0.5  # as much of the spread of a weight as is ever counted as estimated: at n = 200 intervals are then right


class AvailableCases:
    """Every sub-pattern of F patterns of L sampled literals, by mask: bit j stands for literal j.

    `states` is (2 groups, 2^L sets, cells, F): of the records asked a set (and what is not sampled), how many are in
    each cell of its events. The lowest L bits of a cell are the sampled literals, further ones what else records match;
    the bits of literals that are not in the set are 0. `shares` are those of a direct answer in the combined estimator:
    by the cell of one who was asked everything (cells, F), and for all others (F,).

    `group_means` are the means of the products in each group, and `parts` what each group's mean counts: (2, 2^L, F).
    """

    def __init__(
        self,
        states: Floats,
        sizes: Floats,
        weighing: Weighing,
        centres: Floats,
        estimator: str,
        shares: tuple[Floats, Floats] | None = None,
    ) -> None:
        self._centres, self._states = centres, states
        self.asked: Floats = states.sum(axis=2)
        sets, cells, _ = states.shape[1:]
        every = self.asked.sum(axis=0)
        bits = np.arange(cells)
        everything = np.arange(sets) | (cells - sets)
        direct = products(((bits & everything[:, None]) == everything[:, None])[..., None].astype(float), centres)
        with np.errstate(divide="ignore", invalid="ignore"):
            if estimator == "pooled":
                k = self.asked[DIRECT] / every
                pooled = np.stack([products(weighing(k[mask]), centres)[mask] for mask in range(sets)])
                self._tables: tuple[Floats, Floats] = pooled, pooled
                self.parts = self.asked / every
            else:
                self._tables = products(weighing(None), centres), np.broadcast_to(direct, (sets, *states.shape[2:]))
                n = np.broadcast_to(np.reshape(sizes, (2, 1, -1)).astype(float), self.asked.shape)
                self.parts = n / n.sum(axis=0)
            self.group_means = np.stack([self._sums(group) for group in (DISGUISED, DIRECT)]) / self.asked
            from_direct = self.group_means[DIRECT] * self.parts[DIRECT]
            if shares is not None:
                by_cell, others = shares
                one = states[DIRECT, -1]
                counted = states[DIRECT].sum(axis=1) * others + ((by_cell - others) * one).sum(axis=0)
                weighed = np.einsum("scf,cf->sf", self._tables[DIRECT], (by_cell - others) * one)
                from_direct = (self._sums(DIRECT) * others + weighed) / self.asked[DIRECT]
                own = np.where(self.asked[DIRECT] > 0, counted / self.asked[DIRECT], 0.0)
                own = np.where(self.asked[DISGUISED] > 0, own, 1.0)
                from_direct = np.where(self.asked[DISGUISED] > 0, from_direct, self.group_means[DIRECT])
                self.parts = np.stack([1 - own, own])
            self._from_direct = np.where(self.parts[DIRECT] > 0, from_direct, 0.0)
            disguised = np.where(self.parts[DISGUISED] > 0, self.group_means[DISGUISED] * self.parts[DISGUISED], 0.0)
            self.means: Floats = self._from_direct + disguised
        self.support: Floats = expand(self.means, centres)
        self._combined = shares is not None
        self._between = np.zeros(states.shape[-1])
        if estimator == "stratified":
            self._between = self.parts[DIRECT, 0] * self.parts[DISGUISED, 0] / np.sum(sizes, axis=0)

    def _sums(self, group: int) -> Floats:
        """Sum what the records of a group weigh in each centred product: sets × patterns."""
        return np.einsum("scf,scf->sf", self._tables[group], self._states[group])

    @cached_property
    def covariances(self) -> Floats:
        """The covariances of all sub-patterns about the population, (2^L, 2^L, F)."""
        spread = self._covariance_part(DISGUISED)[0] + self._covariance_part(DIRECT)[0]
        covariances = expand(np.swapaxes(expand(spread, self._centres), 0, 1), self._centres)
        if self._between.any():
            apart = expand(self.group_means[DIRECT] - self.group_means[DISGUISED], self._centres)
            between = self._between * apart[:, None] * apart[None]
            covariances = covariances + np.where(self._between > 0, between, 0.0)
        return covariances

    @property
    def steepest(self) -> Floats:
        """The largest absolute weight that any record may have in each pattern."""
        most: Floats = np.abs(np.stack(self._tables)).max(axis=(0, 1, 2))
        return np.where(np.isfinite(most), most, 1.0)

    def estimates(self, matching: Floats, sizes: Floats, level: float) -> Estimates:
        """The printed figures of the whole patterns; `matching`: how many of each group match all literals, (2, F)."""
        return self.figures(self.support[-1], self.covariances[-1, -1], matching, sizes, level)

    def figures(self, support: Floats, variance: Floats, matching: Floats, sizes: Floats, level: float) -> Estimates:
        """The printed figures of whole patterns for which a support and its variance are given."""
        with np.errstate(divide="ignore", invalid="ignore"):
            asked, n = self.asked[:, -1].sum(axis=0), np.sum(sizes, axis=0)
            support = np.where(asked > 0, support, np.nan)
            variance = np.where(variance > 0, variance, np.nan)
            added = np.maximum(variance - support * (1 - support) / n, 0.0)
            interval = wald(support, variance, level, self._freedom(variance))
            return Estimates(asked, matching.sum(axis=0) / asked, support, np.sqrt(variance), np.sqrt(added), *interval)

    def _freedom(self, variance: Floats) -> Floats:
        """Degrees of freedom of a variance (Satterthwaite 1946).

        How much a weight spreads is known beforehand, but for what the truth adds to it: only that part is estimated.
        """
        scale = expand(np.eye(len(self.support))[..., None] + 0 * self._centres[0], self._centres)[-1]
        total = np.zeros_like(variance)
        for group in (DISGUISED, DIRECT):
            spread, square = self._covariance_part(group)
            own, square = (np.einsum("ssf->sf", table) for table in (spread, square))
            unknown = np.minimum(bounds(self._centres) ** 2 / square, _UNKNOWN)
            part = (own * scale**2) ** 2 * unknown / np.maximum(self.asked[group] - 1, 1)
            total = total + np.where(own > 0, part, 0.0).sum(axis=0)
        return variance**2 / total

    def _covariance_part(self, group: int) -> tuple[Floats, Floats]:
        """The part of one group in the covariances of the means, and E[W_S W_T]."""
        sets = np.arange(self._states.shape[1])
        n, parts = self.asked[group], self.parts[group]
        with np.errstate(divide="ignore", invalid="ignore"):
            square = self._of_truth() if self._combined and group == DIRECT else self._of_records(group)
            means = self.means if self._combined and group == DIRECT else self.group_means[group]
            both = n[sets[:, None] | sets] / (n[:, None] * n[None])
            # The product of two estimates exceeds that of what they estimate by their covariance, on average.
            spread = (square - means[:, None] * means[None]) / np.where(both < 1, 1 - both, 1.0)
            # A mean of few weights lies far outside of what the mean of a product v_S can be; taken at its word, it
            # would make the spread of these weights too small where it is itself far off.
            own, most = np.einsum("ssf->sf", spread), bounds(self._centres) ** 2
            mean_square = np.where(n > 1, np.clip(means**2 - 2 * own / n, 0, most), 0.0)
            spread[sets, sets] = np.where(n > 0, np.einsum("ssf->sf", square) - mean_square, np.nan)
            spread = parts[:, None] * parts[None] * both * spread
        counts = (parts[:, None] != 0) & (parts[None] != 0)
        return np.where(counts, spread, 0.0), square

    def _of_records(self, group: int) -> Floats:
        """E[W_S W_T] over the records of a group, each moment of them from everyone who was asked its items."""
        table, shares = self._tables[group], cell_shares(self._states[group])
        return np.einsum("scf,tcf,cf->stf", table, table, shares, optimize=True)

    def _of_truth(self) -> Floats:
        """E[v_S v_T] (v_S: see the module) of the true answers, by the combined estimate: direct groups are small."""
        cells = states_from_supports(self.support, 0)
        table = np.broadcast_to(products(matching(len(cells)), self._centres), (len(cells), *cells.shape))
        return np.einsum("scf,tcf,cf->stf", table, table, cells, optimize=True)


def cell_shares(states: Floats) -> Floats:
    """The chances of the cells (cells, F) of people asked everything; each moment uses all who were asked its items."""
    sets, cells, _ = states.shape
    asked = states[np.arange(cells) & (sets - 1)]
    with np.errstate(divide="ignore", invalid="ignore"):
        moments = np.einsum("rc,rcf->rf", signs(cells), asked) / asked.sum(axis=1)
    return np.einsum("rc,rf->cf", signs(cells), moments) / cells


def products(tables: Floats, centres: Floats) -> Floats:
    """Turn tables by sub-pattern T (the first axis) into tables by centred product v_S: each 1[j] becomes 1[j] − c_j.

    `centres`: literals × 1 or literals × columns. Where they are wider than `tables`, so is what is returned.

    >>> products(np.array([[1.0], [0.3]]), np.array([[0.5]])).round(6).ravel().tolist()
    [1.0, -0.2]
    """
    made = np.array(np.broadcast_to(tables, (*tables.shape[:-1], max(tables.shape[-1], centres.shape[1]))))
    for bit, centre in enumerate(centres):
        without, with_it = _halves(made, bit)
        with_it -= centre * without
    return made


def expand(means: Floats, centres: Floats) -> Floats:
    """The inverse of `products`: turn tables by centred product (the first axis) into tables by sub-pattern.

    >>> centres = np.array([[0.5], [0.5]])
    >>> tables = np.array([[1.0], [0.3], [0.4], [0.2]])
    >>> expand(products(tables, centres), centres).round(6).ravel().tolist()
    [1.0, 0.3, 0.4, 0.2]
    """
    made = np.array(means)
    for bit, centre in enumerate(centres):
        without, with_it = _halves(made, bit)
        with_it += centre * without
    return made


def _halves(table: Floats, bit: int) -> tuple[Floats, Floats]:
    """The parts of a table whose first index lacks a bit, and has it."""
    pairs = table.reshape(-1, 2, 1 << bit, *table.shape[1:])
    return pairs[:, 0], pairs[:, 1]


def bounds(centres: Floats) -> Floats:
    """The largest absolute value of each centred product v_S: 2^L sets × F patterns."""
    most = np.ones((2 ** len(centres), centres.shape[1]))
    for bit, centre in enumerate(centres):
        _, with_it = _halves(most, bit)
        with_it *= np.maximum(centre, 1 - centre)
    return most


def matching(sets: int) -> Floats:
    """Whether each cell matches all literals of each set: sets × cells × 1.

    >>> matching(4)[..., 0].astype(int).tolist()
    [[1, 1, 1, 1], [0, 1, 0, 1], [0, 0, 1, 1], [0, 0, 0, 1]]
    """
    cells = np.arange(sets)
    return ((cells & cells[:, None]) == cells[:, None])[..., None].astype(float)


def products_of_sets(factors: Iterable[Floats]) -> Floats:
    """For each set of factors, by mask, their product: sets on the first axis.

    >>> products_of_sets([np.array([2.0]), np.array([5.0])])[:, 0].tolist()
    [1.0, 2.0, 5.0, 10.0]
    """
    made = np.ones((1, 1))
    for factor in factors:
        made = np.concatenate([np.broadcast_to(made, (len(made), len(factor))), made * factor])
    return made


def signs(cells: int) -> Floats:
    """A table with, at [R, cell], the product of a sign for each bit of R: +1 where the cell has the bit, −1 if not.

    >>> signs(4).astype(int).tolist()
    [[1, 1, 1, 1], [-1, 1, -1, 1], [-1, -1, 1, 1], [1, -1, -1, 1]]
    """
    places = np.arange(cells)
    missing = np.bitwise_count(places[:, None] & ~places[None, :])
    return 1.0 - 2.0 * (missing & 1).astype(float)


@dataclass(frozen=True)
class SubPatterns:
    """Every sub-pattern of every itemset of one length: supports (2^L, F), covariances (2^L, 2^L, F).

    `reach`, where a disguise has a bias: how far each may lie above and below its estimate, (2, 2^L, F).
    """

    support: Floats
    spread: Floats
    freedom: Floats | float = np.inf  # of each itemset, or of all
    reach: Floats | None = None

    def spread_of(self, *masks: Places, rows: Places | slice = slice(None)) -> Floats:
        """The covariances of the sub-patterns with these masks, of some itemsets: masks × masks × their places."""
        of = np.stack(masks)
        return self.spread[of[:, None], of[None], rows]


@np.errstate(divide="ignore", invalid="ignore")
def sub_patterns_of(
    counts: Floats, weighing: Weighing, estimator: str, sizes: Floats, shares: Floats | None = None
) -> SubPatterns:
    """Estimate every sub-pattern of every itemset of one length from the records asked all of the itemset.

    `counts` are how many records of each group are in each cell of the literals, and `shares` the combined estimator's
    weights of direct answers, by cell and of any other (`privacy.estimate.weights.shares_of_direct`).

    The parts of a rule come from the same records and the same weights, so sup(A) = sup(AC) + sup(A¬C) holds. Itemsets
    run along the last axis, so that sums over few cells are fast.

    >>> counts = np.array([[[60.0], [40.0]], [[0.0], [0.0]]])  # disguised and direct: without the literal, and with it
    >>> weights = np.array([[[1.0], [1.0]], [[-0.5], [1.5]]])  # of nothing, and of the literal, by Warner's model
    >>> sub_patterns_of(counts, lambda _k: weights, "stratified", np.array([100, 0])).support.round(3).tolist()
    [[1.0], [0.3]]
    """
    (_, cells, count) = counts.shape
    asked = np.einsum("gsf->gf", counts)
    k = asked[DIRECT] / asked.sum(axis=0)
    match = np.broadcast_to(matching(cells), (cells, cells, count))
    if estimator == "pooled":
        tables = dict.fromkeys((DISGUISED, DIRECT), weighing(k))
    else:
        tables = {DISGUISED: weighing(None), DIRECT: match}
        tables[DISGUISED][:, :, asked[DISGUISED] == 0] = 0  # 0 times what is not a number would not be 0
    share, between = {DISGUISED: 1 - k, DIRECT: k}, np.zeros(count)
    if estimator == "stratified":
        n = np.broadcast_to(sizes, (count, 2))
        share = {group: n[:, group] / n.sum(axis=1) for group in share}
        between = share[DIRECT] * share[DISGUISED] / n.sum(axis=1)
    divisor = np.maximum(asked, 1)  # of sums that are 0 where nobody was asked
    means = np.stack([np.einsum("msf,sf->mf", tables[group], counts[group]) for group in (0, 1)]) / divisor[:, None]
    from_direct = means[DIRECT] * share[DIRECT]
    if shares is not None:
        own = counts[DIRECT] * shares[:-1]  # how far each answer counts
        from_direct = _safe(np.einsum("msf,sf->mf", match, own), asked[DIRECT])
        share[DIRECT] = _safe(own.sum(axis=0), asked[DIRECT])
        share[DISGUISED] = 1 - share[DIRECT]
    factor = _safe(np.stack([share[DISGUISED], share[DIRECT]]) ** 2, asked)
    if estimator == "stratified":  # one record of a larger group shows no spread, as in privacy.estimate.estimators
        factor[(asked == 1) & (n.T > 1)] = np.nan
    factor[:, asked.max(axis=0) <= 1] = np.nan  # nor does one in each group
    apart = means[DIRECT] - means[DISGUISED]
    spread = between * apart[:, None] * apart[None]
    for group, table in tables.items():
        squares = np.einsum("msf,nsf->mnf", table * counts[group], table) / divisor[group]
        spread += factor[group] * (squares - means[group][:, None] * means[group][None])
    return SubPatterns(from_direct + share[DISGUISED] * means[DISGUISED], spread)


def variance(covariance: Floats, *gradient: Floats | float) -> Floats:
    """The variance of a function of estimates with this covariance (K, K, …), by the delta method.

    >>> variance(np.eye(2)[:, :, np.newaxis] / 100, 1.0, -1.0).round(4).tolist()  # of a difference
    [0.02]
    """
    slope = np.stack([np.broadcast_to(part, covariance.shape[2:]) for part in gradient])
    return np.maximum(np.einsum("i...,j...,ij...->...", slope, slope, covariance), 0)


def _safe(above: Floats, below: Floats) -> Floats:
    """The quotient, 0 where there is nothing to divide by."""
    below = np.broadcast_to(below, above.shape)
    return np.divide(above, below, out=np.zeros(above.shape), where=below > 0)
