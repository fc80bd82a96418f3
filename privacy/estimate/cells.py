"""Patterns on answers of which each record is read whole, as one word of a list.

A block says of each record at which *place* its answers are (`privacy.design.channels.ByRecord`), and gives the weight
of every centred product of literals by who matches, and where. As by available cases (`privacy.estimate.available`)
a pattern is the sum of such products over the sets of its literals; complete cases take each of them from those who
were asked the whole pattern. Literals on other blocks have their own weights. Errors are those of a sum over
respondents, whatever their records have in common.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import product
from math import prod, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from privacy.choices import AVAILABLE, COMPLETE
from privacy.design import Design
from privacy.design.channels import ByRecord, Floats, Literal, Reach
from privacy.design.patterns import Pattern
from privacy.estimate.available import expand, products, products_of_sets
from privacy.estimate.bit_columns import DIRECT
from privacy.estimate.estimators import Estimates
from privacy.estimate.figures import CellFigures, figures
from privacy.estimate.intervals import wilson_through_line
from privacy.estimate.sampled import SampledPattern
from privacy.estimate.sampling import CellSums

__all__ = ["RecordPattern", "WholeRecords", "digits_of", "estimate_by_record", "figures_by_record", "record_pattern"]

Counts = NDArray[np.int64]
_NOT_ASKED = 0


@dataclass(frozen=True)
class WholeRecords:
    """Records, the places of whose answers are read once for all patterns."""

    design: Design
    codes: NDArray[Any]
    direct: NDArray[np.bool_]
    _places: dict[int, NDArray[np.intp]] = field(default_factory=dict)

    def places(self, block: int) -> NDArray[np.intp]:
        """The place of each answer to a block that is read whole: records × items of the block."""
        if block not in self._places:
            own, first = self.design.blocks[block], self.design.first_columns[block]
            inside, reader = self.codes[:, first : first + len(own.items)], own.patterns.by_record
            assert reader is not None
            self._places[block] = reader.places_of(inside, inside != self.design.not_asked)
        return self._places[block]


@dataclass(frozen=True)
class RecordPattern:
    """A pattern of which some literals are read by whole records. A cell has a digit for each, the first the lowest.

    A digit says: not asked; or whether the record matches, and at which place it has the answer.
    """

    design: Design
    pattern: Pattern

    def cell_of(self, records: "WholeRecords") -> NDArray[np.intp]:
        """The cell of each record; those of direct people come after the others."""
        cell = records.direct * np.intp(self.count)
        for (column, options), width, merged in zip(self.pattern.literals, self._widths, self.merged, strict=True):
            block, inside = self.design.place(column)
            own = records.codes[:, column]
            place = np.zeros(len(own), np.intp)
            if self._readers[block] is not None:
                place = records.places(block)[:, inside]
                place = place if merged is None else merged[place]
            cell += digits_of(own != self.design.not_asked, np.isin(own, sorted(options)), place) * width
        return cell

    def counts(self, records: "WholeRecords") -> Counts:
        """How many records are in each cell, 2 groups × cells; those of parts of the respondents add up."""
        return np.bincount(self.cell_of(records), minlength=2 * self.count).reshape(2, -1)

    def asked_and_matching(self, counts: Counts) -> tuple[Counts, Counts]:
        """How many of each group were asked all of the pattern, and how many of their records match it."""
        asked = counts * np.all(self._digits != _NOT_ASKED, axis=0)
        return asked.sum(axis=-1), (asked * self.matching_cells()).sum(axis=-1)

    @cached_property
    def count(self) -> int:
        return prod(self.bases)

    def figures(self, sums: CellSums, estimator: str, cases: str) -> CellFigures:
        """Estimate all sub-patterns from the weight in the cells of each group, the disguised one first."""
        asked = self._digits != _NOT_ASKED
        masks = np.arange(2 ** len(asked))[:, np.newaxis]
        bits = (asked << np.arange(len(asked))[:, np.newaxis]).sum(axis=0)
        if cases == COMPLETE:
            seen = np.broadcast_to(bits == masks[-1], (len(masks), self.count))
        else:
            seen = (masks & bits) == masks
        made = figures(self, estimator, AVAILABLE, sums, seen)
        return made if sums.totals.reshape(2, -1)[DIRECT].any() else replace(made, line=self.line)

    # What `privacy.estimate.figures` asks.

    @property
    def centres(self) -> Floats:
        """The share of its item's options that each literal names: literals × 1."""
        items = self.design.items
        return np.array([[len(options) / len(items[column].options)] for column, options in self.pattern.literals])

    def weights(self, k: Floats | None = None) -> Floats:
        """The weight of each cell in the estimate of each sub-pattern: sub-patterns × cells."""
        assert k is None  # the pooled estimator is refused: it has one strength for each product
        made = self._others()
        for weights, _ in self._by_block:
            made *= weights
        return expand(made, self.centres)

    def coefficients(self) -> Floats:
        """How strongly the records of each cell show each centred product: sub-patterns × cells."""
        made = np.ones((2 ** len(self.bases), self.count))
        for _, known in self._by_block:
            made *= known
        return made

    def true(self) -> Floats:
        """Whether each cell, of true answers, matches each sub-pattern: sub-patterns × cells."""
        return products_of_sets(self._matches)

    def matching_cells(self) -> NDArray[np.bool_]:
        return np.logical_and.reduce(self._matches)

    @cached_property
    def _readers(self) -> tuple[ByRecord | None, ...]:
        """What reads the whole records of each block of the design; None where a block is read item by item."""
        return tuple(block.patterns.by_record for block in self.design.blocks)

    @cached_property
    def _blocks(self) -> tuple[int, ...]:
        return tuple(self.design.place(column)[0] for column in self.pattern.columns)

    @cached_property
    def merged(self) -> tuple[NDArray[np.intp] | None, ...]:
        """For each literal a number for each place, the same where places tell the same; None if places stay apart."""
        made: list[NDArray[np.intp] | None] = [None] * len(self._blocks)
        for block, reader, inside in self._read:
            if (rows := reader.merged(self._literals_of(block, inside))) is not None:
                for place, row in zip(inside, rows, strict=True):
                    made[place] = row
        return tuple(made)

    @cached_property
    def bases(self) -> tuple[int, ...]:
        """How many values the digit of each literal can have."""
        made = []
        for block, merged in zip(self._blocks, self.merged, strict=True):
            reader = self._readers[block]
            places = 1 if reader is None else reader.most_places if merged is None else int(merged.max()) + 1
            made.append(3 if reader is None else 1 + 2 * places)
        return tuple(made)

    @property
    def _widths(self) -> list[int]:
        """What 1 in each literal's digit adds to the number of a cell."""
        return [prod(self.bases[:place]) for place in range(len(self.bases))]

    @cached_property
    def _digits(self) -> NDArray[np.intp]:
        """The digit of each literal in each cell: literals × cells."""
        widths, bases = (np.array(values)[:, np.newaxis] for values in (self._widths, self.bases))
        return np.arange(self.count) // widths % bases

    @cached_property
    def _matches(self) -> NDArray[np.bool_]:
        """Whether each cell matches each literal: literals × cells."""
        return (self._digits != _NOT_ASKED) & (self._digits % 2 == 0)

    @cached_property
    def _by_block(self) -> list[tuple[Floats, Floats]]:
        """For each block that is read whole the weights and coefficients of all sets of its literals."""
        made = []
        for block, reader, inside in self._read:
            tables = reader.products(*self._inside(block, inside))
            sets = _bits([np.arange(2 ** len(self.bases)) >> place & 1 for place in inside])
            made.append((tables[0][sets], tables[1][sets]))
        return made

    @cached_property
    def _read(self) -> list[tuple[int, ByRecord, list[int]]]:
        """The blocks that are read whole: each block's number, its reader, and its literals by number."""
        made = []
        for block in sorted(set(self._blocks)):
            reader = self._readers[block]
            if reader is not None:
                made.append((block, reader, [place for place, own in enumerate(self._blocks) if own == block]))
        return made

    def _inside(
        self, block: int, inside: list[int]
    ) -> tuple[list[Literal], Floats, NDArray[np.bool_], NDArray[np.intp]]:
        """A block's literals by its own columns, their centres, and each cell's matches and places (−1: not asked)."""
        literals, digits = self._literals_of(block, inside), self._digits[inside]
        return literals, self.centres[inside], self._matches[inside], (np.maximum(digits, 1) - 1) // 2 - (digits == 0)

    def _literals_of(self, block: int, inside: list[int]) -> list[Literal]:
        """The literals numbered `inside`, with columns counted from the block's first."""
        first = self.design.first_columns[block]
        return [(column - first, options) for column, options in (self.pattern.literals[j] for j in inside)]

    @property
    def line(self) -> tuple[float, float] | None:
        """(c, d) of P(record shows the pattern) = c + d·π; None unless one block reads it all, by such a line."""
        if len(self._read) != 1 or len(set(self._blocks)) != 1:
            return None
        block, reader, inside = self._read[0]
        return reader.line(self._inside(block, inside)[0])

    def reaches(self, mask: int) -> list[Reach]:
        """How far a sub-pattern may lie from its estimate, for each block that caps what some people send."""
        made = []
        for block, reader, inside in self._read:
            if here := [place for place in inside if mask >> place & 1]:
                literals, _, matches, places = self._inside(block, here)
                if (own := reader.reach(literals, matches, places)) is not None:
                    made.append(own)
        return made

    def doubts(self, support: Floats, totals: Floats, worth: float) -> Floats:
        """The possible errors of the sub-patterns beside sampling, as standard deviations: 2^L × independent causes."""
        made, masks, shares = np.zeros(len(support)), np.arange(len(support)), _shares(totals)
        for block, reader, inside in self._read:
            literals, _, _, places = self._inside(block, inside)
            if (own := reader.doubt(literals, places, shares)) is not None:
                made += own[_bits([masks >> place & 1 for place in inside])]
        (cells, lacking, _), weights = self._rare(shares), self.weights()
        spread = np.sqrt(lacking / worth) if worth else np.zeros(len(cells))
        return np.hstack([np.diag(np.sqrt(made)), (weights[:, cells] - (weights @ shares)[:, np.newaxis]) * spread])

    def causes(self, totals: Floats) -> list[list[Hashable]]:
        """The names of each cause of `doubts`: the same kind of records has the same name in all patterns."""
        names: list[list[Hashable]] = [[(self.pattern, mask)] for mask in range(2 ** len(self.bases))]
        cells, _, shown = self._rare(_shares(totals))
        for cell, shows in zip(cells.tolist(), shown.T.tolist(), strict=True):
            records: list[list[Hashable]] = []
            for place, (column, options) in enumerate(self.pattern.literals):
                every = frozenset(range(len(self.design.items[column].options)))
                if self._readers[self._blocks[place]] is None:
                    records.append([(column, options, int(self._digits[place, cell]))])
                elif shows[place]:
                    records.append(
                        [(column, code) for code in (options if self._matches[place, cell] else every - options)]
                    )
            names.append([frozenset(record) for record in product(*records)])
        return names

    def _rare(self, shares: Floats) -> tuple[NDArray[np.intp], Floats, NDArray[np.bool_]]:
        """The cells with fewer records than their least chance, the chance they lack, and which literals they show."""
        least, shown = np.zeros(self.count), np.zeros((len(self.bases), self.count), bool)
        for block, reader, inside in self._read:
            literals, _, matches, places = self._inside(block, inside)
            if (rare := reader.least(literals, matches, places)) is not None:
                beside = [place for place in range(len(self.bases)) if place not in inside]
                rest = (self._digits[beside] * np.array(self._widths)[beside, np.newaxis]).sum(axis=0)
                least = np.maximum(least, rare[0] * np.bincount(rest, shares, self.count)[rest])
                shown[inside] = rare[1]
        cells = np.flatnonzero(least > shares)
        return cells, (least - shares)[cells], shown[:, cells]

    @property
    def lacks(self) -> bool:
        """Whether some block tells nothing of its literals: then disguised records give no figure."""
        return any(reader.lacks(self._literals_of(block, inside)) for block, reader, inside in self._read)

    def _others(self) -> Floats:
        """The weights of the centred products of the literals on blocks that are not read whole."""
        places = [place for place, block in enumerate(self._blocks) if self._readers[block] is None]
        masks = np.arange(2 ** len(self.bases))
        if not places:
            return np.ones((len(masks), self.count))
        literals: tuple[Literal, ...] = tuple(self.pattern.literals[place] for place in places)
        rest = SampledPattern(self.design, Pattern(literals), literals)
        weights = products(rest.weights(None), rest.centres[:, np.newaxis])[..., 0]
        return weights[_bits([masks >> place & 1 for place in places])][:, _bits([*self._matches[places]])]


def _shares(totals: Floats) -> Floats:
    return totals / max(totals.sum(), 1e-300)


def digits_of(
    asked: NDArray[np.generic], matches: NDArray[np.generic], places: NDArray[np.integer[Any]]
) -> NDArray[np.integer[Any]]:
    """Return the digit of each record: 0 if not asked, else 1 + match + 2·place; of other literals all places are 0.

    >>> digits_of(np.array([1, 1, 0]), np.array([0, 1, 0]), np.array([0, 2, 0])).tolist()
    [1, 6, 0]
    """
    return asked * (1 + matches + 2 * places)  # type: ignore[operator]


def record_pattern(design: Design, pattern: Pattern) -> RecordPattern | None:
    """The pattern with its cells; None where none of its blocks is read by whole records.

    >>> from privacy.design.patterns import parse_pattern
    >>> design = Design.parse({"model": "warner", "theta": 0.7, "items": ["drugs"]})
    >>> record_pattern(design, parse_pattern("drugs", design)) is None  # a coin for each answer
    True
    """
    if all(design.blocks[design.place(column)[0]].patterns.by_record is None for column in pattern.columns):
        return None
    return RecordPattern(design, pattern)


def figures_by_record(own: RecordPattern, counts: Counts, estimator: str, cases: str) -> CellFigures:
    """All figures of one pattern from how many records are in its cells: 2 groups × cells."""
    return own.figures(CellSums.alike(counts.ravel(), int(counts.sum())), estimator, cases)


def estimate_by_record(
    own: RecordPattern, counts: Counts, estimator: str, cases: str, level: float, made: CellFigures | None = None
) -> Estimates:
    """The printed figures of one pattern from the records in its cells; `made`: its figures, if already computed."""
    made = made or figures_by_record(own, counts, estimator, cases)
    n, asked = int(counts.sum()), own.asked_and_matching(counts)[0].sum()
    support = float(made.support[-1])
    # As everywhere, the error of respondents drawn alike divides squares by their number.
    variance = made.variance * (n - 1) / n if n > 1 else 0.0
    variance = variance if variance > 0 and np.isfinite(support) else np.nan
    added = max(variance - support * (1 - support) / n, 0.0) if n else np.nan
    low, high = np.nan, np.nan
    if made.line is not None and n:
        share, size, c, d = (np.array([float(value)]) for value in (support, asked, *made.line))
        ends = wilson_through_line(share, size, c, d, level)
        low, high = made.interval(level, np.inf, n, (float(ends[0][0]), float(ends[1][0])))
    elif np.isfinite(variance):
        # What is known of the variance takes no degree of freedom (Satterthwaite 1946).
        sampled = max(1 - made.doubt / made.variance, 1e-9)
        low, high = made.interval(level, _freedom(made.sums.totals, made.parts[-1]) / sampled**2, n)
    columns = (np.array([float(value)]) for value in (asked, made.observed, support, sqrt(variance), sqrt(added)))
    n_asked, observed, share, se, se_respondents = columns
    return Estimates(n_asked, observed, share, se, se_respondents, np.array([low]), np.array([high]))


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
