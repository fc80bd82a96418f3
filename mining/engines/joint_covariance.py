"""The raw supports of all itemsets that a search has counted, and how they err together.

Each record adds a part of its own to every support: of an itemset E in one group, of which n_E were asked E,

    ψ_E = 1[asked E] · (w_E − ŵ_E) / n_E

with the weight w_E and its mean ŵ_E. Supports add up such parts, so Σ·v for any weights v is Σ ψ·y, a sum over records,
where y = Σ_F v_F ψ_F: two passes, however many itemsets there are. A weight is a sum of products of lines, 1 where a
record matches a literal (or was asked it) and 0 where not. Weights are rounded to whole numbers of a grid so fine that
hardly anything is lost, and so coarse that all sums are exact: no figure depends on the order of the records.

By available cases the same holds of the products v_S in place of itemsets, and supports are sums of these (see
`privacy.estimate.available`). The estimators differ in the part of each group. The covariances among the parts of one
itemset follow from its counts, as those of raw rules do.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from mining.engines.estimates import Counted, CountedItemsets, available_cases, keys, sub_patterns, sub_weights
from mining.engines.lattice import Lattice
from mining.engines.literals import Literals
from mining.engines.table_counter import TableCounter
from privacy.estimate.available import expand, matching, products
from privacy.estimate.weights import DIRECT, DISGUISED, states_from_supports

Floats = np.ndarray


def itemset_counts(lattice: Lattice) -> Counted:
    """Return all counted itemsets that are to be shrunk, without the copies that differ only in negations."""
    levels = []
    parts = [*lattice.levels, *lattice.dropped]
    for length in sorted({part.items.shape[1] for part in parts if len(part)})[: lattice.shrinkable]:
        here = [part for part in parts if part.items.shape[1] == length]
        items = np.concatenate([part.items for part in here])
        levels.append(_positive(lattice.literals, items, np.concatenate([part.at_least for part in here])))
    return Counted(lattice.counter, levels, lattice.available)


def _positive(literals: Literals, items: np.ndarray, at_least: np.ndarray) -> CountedItemsets:
    """The same itemsets with positive literals alone, each once, and the counts that follow for them."""
    negated, at_least = ~literals.positive[items], at_least.copy()
    for bit in range(items.shape[1]):
        rows = np.flatnonzero(negated[:, bit])
        table = at_least[rows].reshape(len(rows), 2, at_least.shape[2] >> bit + 1, 2, 1 << bit)
        table[:, :, :, 1] = table[:, :, :, 0] - table[:, :, :, 1]
        at_least[rows] = table.reshape(len(rows), *at_least.shape[1:])
    items = literals.yes[items]
    first = np.unique(keys(items, len(literals)), return_index=True)[1]
    return CountedItemsets(items[first], at_least[first], len(literals))


@dataclass(frozen=True)
class _Weighed:
    """Itemsets of one length, (…, F): what their supports are made of.

    What is estimated is a mean for each itemset and group. A record's part in it is the sum of these `factors`
    (2, 2^L, F) over the sets of literals that it matches, if it was asked all; the support is the sum over the parts of
    the itemset, and over the groups, of `parts` (2, 2^L, F) times the mean of each.
    """

    places: np.ndarray  # of the parts among all itemsets, −1 for the empty one: (2^L, F)
    support: Floats
    means: Floats  # (2, F)
    factors: Floats
    parts: Floats


@dataclass(frozen=True)
class _Table:
    """Products of lines that are alike but for their last two: a row and a column for each of these."""

    prefix: np.ndarray
    rows: np.ndarray  # lines, as the columns
    columns: np.ndarray
    places: np.ndarray  # of each product among all, with its row and column
    row: np.ndarray
    column: np.ndarray

    def matrix(self, factors: Floats) -> Floats:
        table = np.zeros((len(self.rows), len(self.columns)))
        table[self.row, self.column] = factors[self.places]
        return table

    def select(self, lines: Floats) -> tuple[np.ndarray | slice, Floats, Floats]:
        """Which records the prefix leaves, and their lines of the rows and of the columns."""
        if not len(self.prefix):
            return slice(None), lines[self.rows], lines[self.columns]
        here = np.flatnonzero(lines[self.prefix].all(axis=0))
        some = np.take(lines, here, axis=1)
        return here, some[self.rows], some[self.columns]


@dataclass(frozen=True)
class RecordJoint:
    """Itemsets that a search has counted, and how they err together; see `privacy.estimate.selection.Joint`."""

    counted: Counted
    estimator: str

    @cached_property
    def firsts(self) -> np.ndarray:
        """The place of the first itemset of each length."""
        return np.cumsum([0, *map(len, self.counted.levels)])

    @cached_property
    def places(self) -> list[np.ndarray]:
        return [self._places_of_parts(level.items) for level in self.counted.levels]

    @cached_property
    def support(self) -> Floats:
        return np.concatenate([each.support for each in self._levels])

    def of_parts(self, places: np.ndarray) -> Floats:
        counted, length = self.counted, len(places).bit_length() - 1
        some = counted.levels[length - 1].select(places[-1] - self.firsts[length - 1])
        if counted.literals.design.sampled:
            covariances = available_cases(counted, some, self.estimator).covariances
        else:
            covariances = sub_patterns(counted.literals, some, self.estimator, counted.sizes).spread
        covariances[0] = covariances[:, 0] = 0
        return covariances

    def with_sum(self, weights: Floats) -> Floats:
        counted, covariances = self.counted, np.zeros(len(weights))
        of_groups = np.zeros((2, len(weights)))
        for group in (DISGUISED, DIRECT):
            of_means = np.zeros(len(weights) + 1)  # the last one is the empty itemset, whose place is −1
            for level in self._levels:
                np.add.at(of_means, level.places, level.parts[group] * weights[level.places[-1]])
            of_each = np.append(self._with_means(group, of_means[:-1]), 0.0)
            means = np.append(np.concatenate([level.means[group] for level in self._levels]), 1.0)
            for level in self._levels:
                covariances[level.places[-1]] += (level.parts[group] * of_each[level.places]).sum(axis=0)
                of_groups[group, level.places[-1]] = (level.parts[group] * means[level.places]).sum(axis=0)
        if self.estimator == "stratified" and counted.sizes.all():
            n = counted.sizes.sum()
            apart = of_groups[DIRECT] * n / counted.sizes[DIRECT] - of_groups[DISGUISED] * n / counted.sizes[DISGUISED]
            covariances += apart * (apart @ weights) * np.prod(counted.sizes / n) / n
        return covariances

    @cached_property
    def _levels(self) -> list[_Weighed]:
        every = zip(self.counted.levels, self.places, strict=True)
        return [_weigh_level(self.counted, level, places, self.estimator) for level, places in every]

    def _places_of_parts(self, items: np.ndarray) -> np.ndarray:
        places = np.full((2 ** items.shape[1], len(items)), -1)
        for mask in range(1, len(places)):
            inside = [bit for bit in range(items.shape[1]) if mask >> bit & 1]
            places[mask] = self.firsts[len(inside) - 1] + self.counted.levels[len(inside) - 1].find(items[:, inside])
        return places

    @cached_property
    def _terms(self) -> list[_Table]:
        """The products of lines of which the parts of records are sums, those of each length after one another."""
        tables, first = [], 0
        for lines in self._lines:
            tables += list(_tables(lines, first))
            first += len(lines)
        return tables

    @cached_property
    def _lines(self) -> list[np.ndarray]:
        """The lines of each product, of one length after the other: by itemset, in a sampled design by set and itemset.

        Where everybody was asked everything, the first product is that of no line.
        """
        literals = self.counted.literals
        asking, always = literals.lines.asking, len(literals.lines)
        products = [np.full((1, 2), always)] if asking is None else []
        for level in self.counted.levels:
            lines, length = level.items, level.items.shape[1]
            if asking is not None:
                matches = (np.arange(2**length)[:, None] >> np.arange(length) & 1 == 1)[:, None]
                lines = np.where(matches, lines, asking[lines]).reshape(-1, length)
            products.append(np.column_stack([np.full((len(lines), max(2 - length, 0)), always), lines]))
        return products

    def _with_means(self, group: int, weights: Floats) -> Floats:
        """The covariance of each mean of a group with the sum of all, each times its weight."""
        factors = [level.factors[group] * weights[level.places[-1]] for level in self._levels]
        if self.counted.literals.design.sampled:
            sums = self._sums(group, np.concatenate([table.ravel() for table in factors]))
            ends = np.cumsum([table.size for table in factors])[:-1]
            of_sets = [part.reshape(table.shape) for part, table in zip(np.split(sums, ends), factors, strict=True)]
        else:
            joined = np.zeros(len(weights) + 1)
            for level, table in zip(self._levels, factors, strict=True):
                np.add.at(joined, level.places, table)
            sums = np.append(self._sums(group, np.roll(joined, 1))[1:], 0.0)  # the parts of all records add up to 0
            of_sets = [sums[level.places] for level in self._levels]
        pairs = zip(self._levels, of_sets, strict=True)
        return np.concatenate([(level.factors[group] * sums).sum(axis=0) for level, sums in pairs])

    def _sums(self, group: int, factors: Floats) -> Floats:
        """For each product its sum over the records of a group, each times its sum of all products by their factors."""
        most = np.abs(factors).sum() * max(int(self.counted.sizes[group]), 1)
        sums, grid = np.zeros(len(factors)), 2.0 ** np.floor(52 - np.log2(most or 1.0))
        whole = np.rint(factors * grid)  # a float holds sums up to 2⁵³ exactly
        matrices = [(table, table.matrix(whole)) for table in self._terms]
        counter = self.counted.counter
        assert not isinstance(counter, TableCounter)  # nothing of it is shrunk
        for lines in counter.records(group) if most else ():
            lines = np.concatenate([lines, np.ones_like(lines[:1])])
            score = np.zeros(lines.shape[1])
            for table, matrix in matrices:
                here, rows, columns = table.select(lines)
                score[here] += np.einsum("ir,ir->r", matrix @ columns, rows)
            for table in self._terms:
                here, rows, columns = table.select(lines)
                sums[table.places] += ((rows * score[here]) @ columns.T)[table.row, table.column]
        return sums / grid


def _tables(lines: np.ndarray, first: int) -> Iterator[_Table]:
    """These products (products, lines of each), put together; `first` is the place of the first of them."""
    prefix = keys(lines[:, :-2], int(lines.max(initial=0)) + 1)
    order = np.argsort(prefix, kind="stable")
    for places in np.split(order, np.flatnonzero(np.diff(prefix[order])) + 1):
        rows, row = np.unique(lines[places, -2], return_inverse=True)
        columns, column = np.unique(lines[places, -1], return_inverse=True)
        yield _Table(lines[places[0], :-2], rows, columns, first + places, row, column)


def _weigh_level(counted: Counted, level: CountedItemsets, places: np.ndarray, estimator: str) -> _Weighed:
    """What the supports of all itemsets of one length are made of."""
    literals = counted.literals
    items, (count, cells) = level.items, (len(level), len(places))
    states = states_from_supports(np.moveaxis(level.at_least, 0, -1), 1, float)  # (2, cells, F)
    asked = states.sum(axis=1)
    k = asked[DIRECT] / np.maximum(asked.sum(axis=0), 1) if estimator == "pooled" else None
    disguised = np.nan_to_num(sub_weights(literals, items, k))  # where nothing is left no record counts
    direct = disguised if k is not None else np.broadcast_to(matching(cells), disguised.shape)
    cases, centres = available_cases(counted, level, estimator), literals.centre[items.T] * counted.available
    tables = [products(table, centres) for table in (disguised, direct)]
    times = expand(np.eye(cells)[..., None] * np.ones(count), centres)[-1]
    weights = np.stack([table[-1] for table in tables])
    means = np.einsum("gcf,gcf->gf", weights, states) / np.maximum(asked, 1)
    centred = np.where(asked[:, None] > 0, (weights - means[:, None]) / np.maximum(asked, 1)[:, None], 0.0)
    factors = np.stack([products(table, np.ones((items.shape[1], 1))) for table in centred])
    return _Weighed(places, cases.support[-1], means, factors, np.nan_to_num(cases.parts * times))
