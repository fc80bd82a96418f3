"""Patterns on answers in a public order: each record counts by how much is left where its answers stand.

At the places T of the order a product of answers ±1 keeps λ_T of its expectation θ (`privacy.design.channels.ByOrder`),
and where a set S of answers stands differs from record to record. Of all unbiased sums Σ_i c_i·λ_i·χ_i, that with the
least variance for even answers is

    θ̂_S = Σ_i λ_i χ_i / Σ_i λ_i²,   n·Var = 1/mean λ² less a part that is at most θ²,

over all records that were asked S: each weighs as much as it tells. As by available cases (`privacy.reconstruct.
available`) a pattern is the sum of such products over the sets of its literals; complete cases take each of them from
those who were asked the whole pattern. Literals on other blocks have their own weights. Errors are those of a sum over
respondents, whatever their records have in common.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import prod, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from privacy.choices import AVAILABLE, COMPLETE
from privacy.design import Design
from privacy.design.channels import ByOrder, Floats, Literal
from privacy.design.patterns import Pattern
from privacy.reconstruct.available import expand, products, products_of_sets
from privacy.reconstruct.by_cells import CellFigures, figures
from privacy.reconstruct.estimators import Estimates
from privacy.reconstruct.intervals import wald
from privacy.reconstruct.sampled import SampledPattern
from privacy.reconstruct.sampling import CellSums
from privacy.records import Records

__all__ = ["OrderedPattern", "digits_of", "estimate_ordered", "pattern_in_order"]

Counts = NDArray[np.int64]
_NOT_ASKED = 0


@dataclass(frozen=True)
class OrderedPattern:
    """A pattern with some literals in an order. A cell has a digit for each literal, the first literal the lowest one.

    A digit says: not asked; or whether the record matches, and at which place of the order.
    """

    design: Design
    pattern: Pattern

    def cell_of(self, codes: np.ndarray) -> NDArray[np.intp]:
        cell = np.zeros(len(codes), np.intp)
        places: dict[int, NDArray[np.intp]] = {}
        for (column, options), width in zip(self.pattern.literals, self._widths, strict=True):
            block, inside = self.design.place(column)
            own, place = codes[:, column], np.zeros(len(codes), np.intp)
            if self._orders[block] is not None:
                if block not in places:
                    places[block] = self._places(codes, block)
                place = np.maximum(places[block][:, inside], 0)
            cell += digits_of(own != self.design.not_asked, np.isin(own, sorted(options)), place) * width
        return cell

    def _places(self, codes: np.ndarray, block: int) -> NDArray[np.intp]:
        first, own = self.design.first_columns[block], self.design.blocks[block]
        here = codes[:, first : first + len(own.items)] != self.design.not_asked
        order = self._orders[block]
        assert order is not None
        return order.places(here)

    def counts(self, records: Records) -> Counts:
        """How many records are in each cell, 2 groups × cells; those of parts of the respondents add up."""
        cell = self.cell_of(records.codes) + records.direct * self.count
        return np.bincount(cell, minlength=2 * self.count).reshape(2, -1)

    def asked_and_matching(self, counts: Counts) -> tuple[Counts, Counts]:
        """How many of each group were asked all of the pattern, and how many of their records match it."""
        asked = counts * np.all(self._digits != _NOT_ASKED, axis=0)
        return asked.sum(axis=-1), (asked * self.matching_cells()).sum(axis=-1)

    @cached_property
    def count(self) -> int:
        return prod(self._bases)

    def figures(self, sums: CellSums, estimator: str, cases: str) -> CellFigures:
        """Every sub-pattern, from how much weight is in the cells of each group, the disguised one first."""
        asked = self._digits != _NOT_ASKED
        masks = np.arange(2 ** len(asked))[:, np.newaxis]
        bits = (asked << np.arange(len(asked))[:, np.newaxis]).sum(axis=0)
        if cases == COMPLETE:
            seen = np.broadcast_to(bits == masks[-1], (len(masks), self.count))
        else:
            seen = (masks & bits) == masks
        return figures(self, estimator, AVAILABLE, sums, seen)

    # What `privacy.reconstruct.by_cells` asks.

    @property
    def centres(self) -> Floats:
        items = self.design.items
        return np.array([[len(options) / len(items[column].options)] for column, options in self.pattern.literals])

    def weights(self, k: Floats | None = None) -> Floats:
        assert k is None  # the pooled estimator is refused: it has one strength for each product
        made = self._others()
        for signs, strengths in self._by_block():
            made *= signs * strengths
        return expand(made, self.centres)

    def coefficients(self) -> Floats:
        made = np.ones((2 ** len(self._bases), self.count))
        for _, strengths in self._by_block():
            made *= strengths**2
        return made

    def true(self) -> Floats:
        return products_of_sets(self._matches)

    def matching_cells(self) -> NDArray[np.bool_]:
        return np.logical_and.reduce(self._matches)

    @cached_property
    def _orders(self) -> tuple[ByOrder | None, ...]:
        return tuple(block.patterns.by_order for block in self.design.blocks)

    @cached_property
    def _blocks(self) -> tuple[int, ...]:
        return tuple(self.design.place(column)[0] for column in self.pattern.columns)

    @cached_property
    def _bases(self) -> tuple[int, ...]:
        orders = [self._orders[block] for block in self._blocks]
        return tuple(3 if order is None else 1 + 2 * order.asked for order in orders)

    @property
    def _widths(self) -> list[int]:
        return [prod(self._bases[:place]) for place in range(len(self._bases))]

    @cached_property
    def _digits(self) -> NDArray[np.intp]:
        widths, bases = (np.array(values)[:, np.newaxis] for values in (self._widths, self._bases))
        return np.arange(self.count) // widths % bases

    @cached_property
    def _matches(self) -> NDArray[np.bool_]:
        return (self._digits != _NOT_ASKED) & (self._digits % 2 == 0)

    def _by_block(self) -> list[tuple[Floats, Floats]]:
        """Return, for each order, the products of signs and the strengths λ of every set of its literals."""
        made = []
        for block in sorted(set(self._blocks)):
            order = self._orders[block]
            if order is None:
                continue
            signs, at = np.ones((1, self.count)), np.zeros((1, self.count), np.intp)
            for own, digits, matches in zip(self._blocks, self._digits, self._matches, strict=True):
                inside = own == block
                sign = np.where(matches, 0.5, -0.5) if inside else 1.0
                place = np.where(digits != _NOT_ASKED, 1 << (np.maximum(digits, 1) - 1) // 2, 0) if inside else 0
                signs, at = np.concatenate([signs, signs * sign]), np.concatenate([at, at | place])
            made.append((signs, order.strengths[at]))
        return made

    def _others(self) -> Floats:
        """The weights of the centred products of all literals in no order."""
        places = [place for place, block in enumerate(self._blocks) if self._orders[block] is None]
        masks = np.arange(2 ** len(self._bases))
        if not places:
            return np.ones((len(masks), self.count))
        literals: tuple[Literal, ...] = tuple(self.pattern.literals[place] for place in places)
        rest = SampledPattern(self.design, Pattern(literals), literals)
        weights = products(rest.weights(None), rest.centres[:, np.newaxis])[..., 0]
        return weights[_bits([masks >> place & 1 for place in places])][:, _bits([*self._matches[places]])]


def digits_of(
    asked: NDArray[np.generic], matches: NDArray[np.generic], places: NDArray[np.integer[Any]]
) -> NDArray[np.integer[Any]]:
    """Return the digit of each record: 0 if not asked, else 1 + match + 2·place; the place 0 is in no order.

    >>> digits_of(np.array([1, 1, 0]), np.array([0, 1, 0]), np.array([0, 2, 0])).tolist()
    [1, 6, 0]
    """
    return asked * (1 + matches + 2 * places)  # type: ignore[operator]


def pattern_in_order(design: Design, pattern: Pattern) -> OrderedPattern | None:
    """The pattern with its orders; None where no literal stands in one."""
    if all(design.blocks[design.place(column)[0]].patterns.by_order is None for column in pattern.columns):
        return None
    return OrderedPattern(design, pattern)


def estimate_ordered(own: OrderedPattern, counts: Counts, estimator: str, cases: str, level: float) -> Estimates:
    """The figures of one pattern from how many records are in its cells: 2 groups × cells."""
    n = int(counts.sum())
    sums = CellSums.alike(counts.ravel(), n)
    made = own.figures(sums, estimator, cases)
    asked = own.asked_and_matching(counts)[0].sum()
    support = float(made.support[-1])
    # As everywhere, the error of respondents drawn alike divides squares by their number.
    variance = float(sums.covariance(made.parts[-1:])[0, 0]) * (n - 1) / n if n > 1 else 0.0
    variance = variance if variance > 0 and np.isfinite(support) else np.nan
    added = max(variance - support * (1 - support) / n, 0.0) if n else np.nan
    low, high = wald(np.array([support]), np.array([variance]), level, _freedom(sums.totals, made.parts[-1]))
    columns = (np.array([float(value)]) for value in (asked, made.observed, support, sqrt(variance), sqrt(added)))
    n_asked, observed, share, se, se_respondents = columns
    return Estimates(n_asked, observed, share, se, se_respondents, low, high)


def _freedom(weight: Floats, parts: Floats) -> float:
    """Degrees of freedom of a sum of squares: one less than the records of equal part that would vary as much.

    A product of three answers rests on the few who were asked all three, however many have answered (Kish 1965).
    """
    squares, fourths = (float(weight @ np.abs(parts) ** power) for power in (2, 4))
    return max(squares**2 / fourths - 1, 1.0) if fourths > 0 else 1.0


def _bits(rows: Sequence[NDArray[np.generic]]) -> NDArray[np.intp]:
    """Rows of 0 and 1 as numbers: the first row is the lowest bit."""
    made = np.zeros(len(rows[0]), np.intp)
    for place, row in enumerate(rows):
        made |= row.astype(np.intp) << place
    return made
