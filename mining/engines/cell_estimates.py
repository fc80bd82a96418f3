"""Itemsets whose figures follow from cells: where respondents weigh differently, or records say more than yes and no.

The search goes on as usual: it counts who matches an itemset and who was asked it. Only the figures are made here. What
a respondent adds to a figure of an itemset depends on nothing but the respondent's *cell* (`privacy.estimate.cells`):
the weight in each cell is enough. Where everybody weighs the same, that weight is a count, which any counter can give.
With weights, strata or clusters (`privacy.estimate.linearised`) all records must be held in memory.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from mining.engines.bits import RecordCells, itemset_cells
from mining.engines.estimates import LEVEL, SLACK, CountedItemsets, Counter, Supports
from mining.engines.literals import Literals
from privacy.design.grid.in_bins import Binned
from privacy.errors import InputError
from privacy.estimate.available import SubPatterns
from privacy.estimate.cells import PatternCells
from privacy.estimate.figures import CellFigures, CellVariation, figures
from privacy.estimate.intervals import standard_errors
from privacy.estimate.linearised import LEAST_EFFECTIVE
from privacy.estimate.sampling import FEW_CLUSTERS, CellSums, Sampling
from privacy.estimate.selection import KnownJoint
from privacy.estimate.weights import DISGUISED

_MOST_PARTS = 1 << 26  # of clusters in itemsets, held at once to tell how these vary together
_MOST_CELLS = 1 << 18
_AT_ONCE = 256  # itemsets that a counter is asked about at once, and
_ENTRIES = 1 << 20  # their cells: answers stay small, so the counter can be asked something else meanwhile


@dataclass(frozen=True)
class EqualWeights:
    """Respondents who all count as one; a counter says how many are in each cell."""

    counter: Counter
    rows: int
    is_simple = True

    @property
    def freedom(self) -> int:
        return max(self.rows - 1, 0)

    def without_direct(self, counter: Counter) -> "EqualWeights":
        """The same without the direct group, as it is in `counter`: a domain of the sample."""
        return replace(self, counter=counter)

    def sums(self, itemsets: np.ndarray, cells: Sequence[PatternCells]) -> Iterator[CellSums]:
        """The total weight in each of the cells of both groups, for itemsets of one length."""
        counts = self.counter.cells(itemsets)
        ends = np.cumsum([2 * cell.count for cell in cells])
        for own in np.split(counts, ends[:-1]):
            yield CellSums.alike(own, self.rows)


@dataclass(frozen=True)
class SampleWeights:
    """Respondents with the weights of a sample; every record is held in memory."""

    literals: Literals
    lines: np.ndarray  # lines × n
    direct: np.ndarray
    sampling: Sampling

    @property
    def freedom(self) -> float:
        return self.sampling.freedom

    @property
    def is_simple(self) -> bool:
        return self.sampling.is_simple

    def without_direct(self, counter: Counter) -> "SampleWeights":
        del counter
        here = ~self.direct
        return SampleWeights(self.literals, self.lines[:, here], self.direct[here], self.sampling.select(here))

    @cached_property
    def _cells(self) -> RecordCells:
        return RecordCells(self.literals, lambda line: self.lines[line])

    def sums(self, itemsets: np.ndarray, cells: Sequence[PatternCells]) -> Iterator[CellSums]:
        for itemset, cell in zip(itemsets, cells, strict=True):
            yield self.sampling.in_cells(self.cell_of_each(itemset, cell), 2 * cell.count)

    def cell_of_each(self, itemset: np.ndarray, own: PatternCells) -> np.ndarray:
        """The cell that each record is in; the cells of the direct group come after those of the disguised."""
        return self._cells.number(itemset, own).astype(np.intp) + self.direct * own.count


Weight = EqualWeights | SampleWeights


def weigh_records(literals: Literals, codes: np.ndarray, direct: np.ndarray, sampling: Sampling) -> SampleWeights:
    """The records with the weights of a sample; `codes`, `direct` and `sampling` have them in the same order."""
    lines = literals.lines.of_records(codes, direct).astype(np.uint8)
    return SampleWeights(literals, np.ascontiguousarray(lines.T), direct, sampling)


@dataclass(frozen=True)
class CellEstimates:
    literals: Literals
    weight: Weight
    cases: str
    bins: Mapping[int, Binned]  # by column

    def without_direct(self, counter: Counter) -> "CellEstimates":
        return replace(self, weight=self.weight.without_direct(counter))

    def estimate(self, itemsets: np.ndarray, estimator: str) -> Iterator[CellFigures]:
        """The figures of every sub-pattern of each itemset; itemsets are counted together as far as there is room."""
        asked: list[PatternCells] = []
        for index, own in enumerate(map(self.cells_of, itemsets)):
            if asked and (len(asked) == _AT_ONCE or 2 * (sum(one.count for one in asked) + own.count) > _ENTRIES):
                yield from self._figures(itemsets[index - len(asked) : index], asked, estimator)
                asked = []
            asked.append(own)
        if asked:
            yield from self._figures(itemsets[len(itemsets) - len(asked) :], asked, estimator)

    def have_figures(self, itemsets: np.ndarray) -> np.ndarray:
        """Whether disguised records can give each itemset's support; a list of words has no word for many itemsets."""
        if not self.literals.design.by_record:
            return np.ones(len(itemsets), bool)
        return np.array([not self.cells_of(itemset).lacks for itemset in itemsets], bool)

    def cells_of(self, itemset: np.ndarray) -> PatternCells:
        """The cells of an itemset; InputError where its bins make too many of them."""
        own = itemset_cells(self.literals, itemset, self.bins)
        if self.bins and own.count > _MOST_CELLS:
            raise InputError(
                f"Itemsets of {own.count} combinations of bins are too many; use fewer bins or a smaller length."
            )
        return own

    def _figures(self, itemsets: np.ndarray, cells: Sequence[PatternCells], estimator: str) -> Iterator[CellFigures]:
        for cell, sums in zip(cells, self.weight.sums(itemsets, cells), strict=True):
            yield figures(cell, sums, estimator, self.cases)


def by_cells(counter: Counter, cases: str, weight: Weight | None = None) -> CellEstimates:
    """The estimates of itemsets by cells; `cases` are available or complete, and all weigh alike without `weight`."""
    literals = counter.literals
    weight = weight or EqualWeights(counter, int(counter.sizes.sum()))
    binned = {}
    for column in literals.bins.cuts:  # what the classes of records tell of its bins
        itemset = np.flatnonzero(literals.column == column)[:1]
        (sums,) = weight.sums(itemset[np.newaxis], [itemset_cells(literals, itemset)])
        weights, squares = (table.reshape(2, -1)[DISGUISED] for table in (sums.totals, sums.sum_of_squares))
        worth = weights.sum() / squares.sum() if squares.any() else 1.0
        binned[column] = literals.bins.invert(column, weights * worth)
    return CellEstimates(literals, weight, cases, binned)


def cell_covariance(drawn: CellEstimates, levels: Sequence[np.ndarray], estimator: str) -> KnownJoint | None:
    """All itemsets of these levels, their supports, and the covariance; None where it is not known.

    Each respondent has the part of his or her cell in every itemset, so that the sampling gives the covariance of all.
    It is not known where respondents are not held in memory or some disguise has a bias, and not well enough where
    clusters are few. Where they are not many it is as much wider as intervals by Student's t are.
    """
    weight = drawn.weight
    count = sum(map(len, levels))
    if not isinstance(weight, SampleWeights) or drawn.bins or weight.freedom < FEW_CLUSTERS:
        return None
    if count * len(weight.sampling.stratum) > _MOST_PARTS:
        return None
    support, biased = np.empty(count), False

    def parts() -> Iterator[np.ndarray]:
        nonlocal biased
        place = 0
        for items in levels:
            for itemset, made in zip(items, drawn.estimate(items, estimator), strict=True):
                biased |= any(made.reaches[-1])
                support[place] = made.support[-1]
                place += 1
                yield np.nan_to_num(made.parts[-1])[weight.cell_of_each(itemset, drawn.cells_of(itemset))]

    covariance = weight.sampling.covariance_of(parts(), count)
    if biased:
        return None
    wider = float(standard_errors(LEVEL, weight.freedom) / standard_errors(LEVEL)) ** 2
    return KnownJoint([tuple(itemset) for items in levels for itemset in items.tolist()], support, covariance * wider)


def cell_sub_patterns(drawn: CellEstimates, itemsets: np.ndarray, estimator: str) -> SubPatterns:
    """The supports of every sub-pattern of these itemsets from their cells, with all covariances."""
    # The parts of cells are many, and not needed any longer.
    made = [
        (
            one.support,
            one.covariance if one.effective >= LEAST_EFFECTIVE else np.full_like(one.covariance, np.nan),
            one.reach_ends(CellVariation(one.sums, drawn.weight.freedom), LEVEL),
            # of few who were asked all of an itemset, so many less one
            np.array(min(drawn.weight.freedom, max(one.effective - 1, 1.0))),
        )
        for one in drawn.estimate(itemsets, estimator)
    ]
    support, spread, reach, freedoms = (np.stack(tables, axis=-1) for tables in zip(*made, strict=True))
    return SubPatterns(support, spread, freedoms, reach if reach.any() else None)


def cell_supports(drawn: CellEstimates, itemsets: CountedItemsets, estimator: str) -> Supports:
    """The figures of whole itemsets; NaN where the disguise leaves no information."""
    columns = np.full((9, len(itemsets)), np.nan)
    columns[0] = itemsets.at_least[:, :, 0].sum(axis=1)
    only_direct = itemsets.at_least[:, DISGUISED, 0] == 0  # were asked all of it, so it needs no word
    places = np.flatnonzero(only_direct | drawn.have_figures(itemsets.items))
    for place, one in zip(places.tolist(), drawn.estimate(itemsets.items[places], estimator), strict=True):
        columns[1:3, place] = one.observed, one.support[-1]
        figure = one.figure()
        estimate = figure.estimate(CellVariation(one.sums, drawn.weight.freedom), LEVEL)
        columns[3, place], columns[5:7, place] = estimate.se, estimate.ci
        columns[7, place] = SLACK * max(one.steepest, 1)
        columns[8, place] = figure.most_biased(CellVariation(one.sums), LEVEL)
    columns[2, ~np.isfinite(columns[2])] = np.nan
    columns[4] = np.nan  # what these respondents' own truth is, nobody asks of a sample
    return Supports(*columns)
