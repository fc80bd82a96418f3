"""A pattern as cells of records: all that records say of its literals, and what each cell weighs in the estimate.

As by available cases (`privacy.estimate.available`) a pattern is the sum of the centred products of its literals over
their sets; complete cases take each of them from those who were asked the whole pattern. Where records are read whole,
as one word of a list, a block says at which *place* the answers of a record are (`privacy.design.channels.ByRecord`),
and gives the weight of every product by who matches, and where. Of an item in bins the class of a record is its place.
All other literals have the weights of `privacy.estimate.weights`. Errors are those of a sum over respondents, whatever
their records have in common (`privacy.estimate.figures`).

>>> from privacy.design.patterns import parse_pattern
>>> design = Design.parse({"model": "one-of", "gamma": 9, "cap": 1, "items": ["drugs"]})
>>> PatternCells(design, parse_pattern("drugs", design)).count  # no word, the word, others, and last whom nobody asked
5
"""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import product
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from privacy.arrays import Bools
from privacy.choices import COMPLETE
from privacy.design import Design
from privacy.design.channels import ByRecord, CapLoss, Floats, Literal
from privacy.design.grid.in_bins import Binned
from privacy.design.patterns import Pattern
from privacy.estimate.available import expand, matching, products, products_of_sets
from privacy.estimate.sampled import SampledPattern
from privacy.estimate.weights import channel_of, factors, states_from_supports

Array = NDArray[Any]
Counts = NDArray[np.int64]


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
class PatternCells:
    """The cells of one group for a pattern: all that records say of it. The digit of the first literal is the lowest.

    Each literal that is `apart` (all are, without it) has a digit: whether the record matches it, and at which
    place it has the answer; the last digit says that it was not asked. Of an item in bins (`classes` has how many) it
    is the class of the record. The other literals, the `rest`, have one digit together: the state of their atoms, and
    in a sampled design a last one of who was not asked all of them, and all of the columns `needed`.
    Sub-patterns have the rest and some of the literals apart, by mask: bit j stands for the j-th.
    """

    design: Design
    pattern: Pattern
    apart: tuple[Literal, ...] | None = None
    needed: tuple[int, ...] = ()
    classes: Mapping[int, int] = field(default_factory=dict)  # by column
    binned: Mapping[int, Binned] = field(default_factory=dict)  # what the classes tell; to be counted nobody need know
    all_asked: bool = False  # whether every record has an answer to each plain literal

    def cell_of(self, records: WholeRecords) -> NDArray[np.intp]:
        """The cell of each record; those of direct people come after the others."""
        cell = records.direct * np.intp(self.count)
        for j, (column, options) in enumerate(self.literals):
            own = records.codes[:, column]
            place = None
            if self._readers[j] is not None:
                block, inside = self.design.place(column)
                place = records.places(block)[:, inside]
            digits = self.digits_of(j, own != self.design.not_asked, np.isin(own, sorted(options)), place)
            cell += digits * self.widths[j]
        if self.has_rest:
            state = np.zeros(len(cell), np.intp)
            for bit, atom in enumerate(reversed(self._plain.rest)):
                matches = [np.isin(records.codes[:, column], sorted(options)) for column, options in atom]
                state |= np.logical_and.reduce(matches).astype(np.intp) << bit
            columns = [*self.needed, *(column for atom in self._plain.rest for column, _ in atom)]
            asked = (records.codes[:, columns] != self.design.not_asked).all(axis=1)
            state = np.where(asked, state, self._states_of_rest)
            cell += state * self.widths[-1]
        return cell

    def digits_of(self, j: int, asked: Array, matches: Array, detail: Array | None) -> Array:
        """The digit of the j-th literal in records; `detail` is the place of each, or its class where it is in bins."""
        if self.literals[j][0] in self.classes:
            assert detail is not None
            return detail
        if detail is None:
            return np.where(asked, matches, matches.dtype.type(2) if matches.dtype != bool else 2)
        places = self.merged[j]
        digits = matches + 2 * (detail if places is None else places[detail]).astype(np.intp)
        return np.where(asked, digits, 2 * self._places[j])

    def counts(self, records: WholeRecords) -> Counts:
        """How many records are in each cell, 2 groups × cells; those of parts of the respondents add up."""
        return np.bincount(self.cell_of(records), minlength=2 * self.count).reshape(2, -1)

    def asked_and_matching(self, counts: Counts) -> tuple[Counts, Counts]:
        """How many of each group were asked all of the pattern, and how many of their records match it."""
        asked = counts * self.asked_all
        return asked.sum(axis=-1), (asked * self.matching_cells()).sum(axis=-1)

    def telling_cells(self, cases: str) -> Bools:
        """Which cells tell of each sub-pattern: sub-patterns × cells."""
        masks = self._masks[:, np.newaxis]
        if cases == COMPLETE:
            return np.broadcast_to(self.asked_all, (len(masks), self.count))
        return ((masks & _bits([*self._literals_asked], self.count)) == masks) & self._rest_asked

    @cached_property
    def literals(self) -> tuple[Literal, ...]:
        """Those that have a digit each."""
        return self.pattern.literals if self.apart is None else self.apart

    @property
    def has_rest(self) -> bool:
        """Whether there is a digit of the other literals."""
        return len(self.literals) < len(self.pattern.literals)

    @cached_property
    def count(self) -> int:
        return prod(self.bases)

    @cached_property
    def bases(self) -> tuple[int, ...]:
        """How many values each digit can have: those of the literals, and that of the rest."""
        # In every design records may lack an answer: a rare one of a direct person counts as if it had not been asked.
        made = [
            self.classes.get(column, 2 * places + (not self.all_asked or reader is not None))
            for (column, _), places, reader in zip(self.literals, self._places, self._readers, strict=True)
        ]
        return (*made, *([self._states_of_rest + (not self.all_asked)] if self.has_rest else []))

    @cached_property
    def widths(self) -> tuple[int, ...]:
        """What 1 in each digit adds to the number of a cell."""
        return tuple(prod(self.bases[:index]) for index in range(len(self.bases)))

    # What `privacy.estimate.figures` asks.

    @cached_property
    def centres(self) -> Floats:
        """The share of its item's options that each literal names: literals × 1."""
        items = self.design.items
        shares = [len(options) / len(items[column].options) for column, options in self.literals]
        return np.array(shares).reshape(-1, 1)

    def weights(self, k: Floats | None = None) -> Floats:
        """The weight of each cell in the estimate of each centred product of literals, with the rest: masks × cells."""
        # The pooled estimator has one strength for each product; where records are read whole it is refused.
        made = self._of_plain(k)
        for weights, _ in self._by_block:
            made = made * weights
        for j, (one, option) in self._in_bins.items():
            centred = one.pad(option)[0][self._digits[j]] - self.centres[j]
            made = made * np.where(self._masks[:, np.newaxis] >> j & 1, centred, 1.0)
        return made

    def coefficients(self) -> Floats:
        """How strongly the records of each cell show each centred product: sub-patterns × cells."""
        made = np.ones((len(self._masks), self.count))
        for _, known in self._by_block:
            made *= known
        return made

    @cached_property
    def true(self) -> Floats:
        """Whether each cell, of true answers, matches each sub-pattern: sub-patterns × cells."""
        of_bins = {j: self._digits[j] == option for j, (_, option) in self._in_bins.items()}
        return products_of_sets([of_bins.get(j, row) for j, row in enumerate(self._matches)]) * self._rest_matches

    def matching_cells(self) -> Bools:
        """Whether each cell of records, taken for true, matches the whole pattern."""
        return np.logical_and.reduce([self._rest_matches, *self._matches])

    @cached_property
    def asked_all(self) -> Bools:
        """Whether the records of each cell were asked all of the pattern."""
        return self._literals_asked.all(axis=0) & self._rest_asked

    @cached_property
    def _masks(self) -> NDArray[np.intp]:
        return np.arange(2 ** len(self.literals))

    @cached_property
    def _in_bins(self) -> dict[int, tuple[Binned, int]]:
        """What classes tell of each literal in bins, by its number, and the bin that it names."""
        literals = enumerate(self.literals)
        return {j: (self.binned[column], min(options)) for j, (column, options) in literals if column in self.binned}

    @cached_property
    def _readers(self) -> tuple[ByRecord | None, ...]:
        """What reads the whole records of each literal's block; None where its answers are read one by one."""
        return tuple(self.design.blocks[block].patterns.by_record for block in self._blocks)

    @cached_property
    def _blocks(self) -> tuple[int, ...]:
        return tuple(self.design.place(column)[0] for column, _ in self.literals)

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
    def _places(self) -> tuple[int, ...]:
        """At how many places that count as different the answer of each literal may be."""
        return tuple(
            1 if reader is None else reader.most_places if merged is None else int(merged.max()) + 1
            for reader, merged in zip(self._readers, self.merged, strict=True)
        )

    @cached_property
    def _digits(self) -> NDArray[np.intp]:
        """The digits of each cell: literals, and the rest where there is one, × cells."""
        widths, bases = (np.array(values, np.intp)[:, np.newaxis] for values in (self.widths, self.bases))
        return np.arange(self.count) // widths % bases

    @cached_property
    def _literals_asked(self) -> Bools:
        """Whether the records of each cell were asked each literal: literals × cells."""
        last = [self.bases[j] if c in self.classes else 2 * self._places[j] for j, (c, _) in enumerate(self.literals)]
        return self._digits[: len(last)] < np.array(last, np.intp)[:, np.newaxis]

    @cached_property
    def _matches(self) -> Bools:
        """Whether records of each cell match each literal: literals × cells."""
        made = self._literals_asked & (self._digits[: len(self.literals)] % 2 == 1)
        for j, (one, option) in self._in_bins.items():
            made[j] = one.pad(option)[1][self._digits[j]]
        return made

    @cached_property
    def _states_of_rest(self) -> int:
        return 2 ** len(self._plain.rest) if self.has_rest else 1

    @cached_property
    def _rest_asked(self) -> Bools:
        """Whether the records of each cell were asked all of the rest."""
        return self._digits[-1] < self._states_of_rest if self.has_rest else np.ones(self.count, bool)

    @cached_property
    def _rest_matches(self) -> Bools:
        return self._digits[-1] == self._states_of_rest - 1 if self.has_rest else np.ones(self.count, bool)

    @cached_property
    def _plain_places(self) -> list[int]:
        """The literals apart that are neither in bins nor read by whole records."""
        pairs = zip(self.literals, self._readers, strict=True)
        return [j for j, ((column, _), reader) in enumerate(pairs) if reader is None and column not in self.classes]

    @cached_property
    def _plain(self) -> SampledPattern:
        """The pattern of these literals and the rest."""
        own = {self.literals[j] for j in self._plain_places}
        others = set(self.literals) - own
        literals = tuple(literal for literal in self.pattern.literals if literal not in others)
        return SampledPattern(self.design, Pattern(literals), tuple(self.literals[j] for j in self._plain_places))

    def _of_plain(self, k: Floats | None) -> Floats:
        """The weights of the centred products of the literals that are read one by one, with the rest."""
        places = self._plain_places
        if not places and not self.has_rest:
            return np.ones((len(self._masks), self.count))
        weights = products(self._plain.weights(k), self.centres[places])[..., 0]
        cell = _bits([*self._matches[places]], self.count)
        if self.has_rest:
            cell = cell | self._digits[-1] % self._states_of_rest << len(places)
        return weights[_bits([self._masks >> place & 1 for place in places], len(self._masks))][:, cell]

    @cached_property
    def _by_block(self) -> list[tuple[Floats, Floats]]:
        """For each block that is read whole the weights and coefficients of all sets of its literals."""
        made = []
        for block, reader, inside in self._read:
            tables = reader.products(*self._inside(block, inside))
            sets = _bits([self._masks >> place & 1 for place in inside])
            made.append((tables[0][sets], tables[1][sets]))
        return made

    @cached_property
    def _read(self) -> list[tuple[int, ByRecord, list[int]]]:
        """The blocks that are read whole: each block's number, its reader, and its literals by number."""
        made = []
        for block in sorted(set(self._blocks)):
            if (reader := self.design.blocks[block].patterns.by_record) is not None:
                made.append((block, reader, [index for index, own in enumerate(self._blocks) if own == block]))
        return made

    def _inside(
        self, block: int, inside: list[int]
    ) -> tuple[list[Literal], Floats, NDArray[np.bool_], NDArray[np.intp]]:
        """A block's literals by its own columns, their centres, and each cell's matches and places (−1: not asked)."""
        places = np.where(self._literals_asked[inside], self._digits[inside] // 2, -1)
        return self._literals_of(block, inside), self.centres[inside], self._matches[inside], places

    def _literals_of(self, block: int, inside: list[int]) -> list[Literal]:
        """The literals numbered `inside`, with columns counted from the block's first."""
        first = self.design.first_columns[block]
        return [(column - first, options) for column, options in (self.literals[j] for j in inside)]

    @property
    def line(self) -> tuple[float, float] | None:
        """(c, d) of P(record shows the pattern) = c + d·π; None unless one block shows it by such a line."""
        if not self._read and not self._in_bins:
            channel = channel_of([factors(self.design, self.pattern)])
            return None if channel.atoms > 1 else (float(channel.line()[0][0]), float(channel.line()[1][0]))
        if len(self._read) != 1 or len(set(self._blocks)) != 1:
            return None
        block, reader, inside = self._read[0]
        return reader.line(self._inside(block, inside)[0])

    @property
    def slope_of_squares(self) -> float | None:
        """Where several events show the pattern: as `Channel.slope_of_squares`; None where records are read whole."""
        if self._read or self._in_bins:
            return None
        channel = channel_of([factors(self.design, self.pattern)])
        return None if channel.atoms == 1 else float(channel.slope_of_squares()[0])

    def reaches(self, mask: int) -> list[CapLoss]:
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
        made, masks, shares = np.zeros(len(support)), self._masks, _shares(totals)
        for block, reader, inside in self._read:
            literals, _, _, places = self._inside(block, inside)
            if (own := reader.doubt(literals, places, shares)) is not None:
                made += own[_bits([masks >> place & 1 for place in inside])]
        (cells, lacking, _), weights = self._rare(shares), expand(self.weights(), self.centres)
        spread = np.sqrt(lacking / worth) if worth else np.zeros(len(cells))
        of_rare = (weights[:, cells] - (weights @ shares)[:, np.newaxis]) * spread
        return np.hstack([np.diag(np.sqrt(made)), of_rare, *self._doubts_of_bins(support)])

    def _doubts_of_bins(self, support: Floats) -> list[Floats]:
        """How far bins may move each support, a column per source of doubt.

        People of one number may match other literals more often than those of another; the shares who do vary as the
        answers of one such person.
        """
        states = np.maximum(states_from_supports(support, dtype=float), 0)
        states = states / states.sum()
        made = []
        for place, (one, option) in self._in_bins.items():
            with_bin = (self._masks >> place & 1)[:, np.newaxis]
            match = matching(len(support))[self._masks & ~(1 << place), :, 0] * with_bin
            shares = match @ states
            made.append(np.sqrt(one.doubt[option] * states) * (match - shares[:, np.newaxis]))
            made.append(np.sqrt(one.drift[option]) * shares[:, np.newaxis])
        return made

    def causes(self, totals: Floats) -> list[list[Hashable]]:
        """The names of each cause of `doubts`: the same kind of records has the same name in all patterns."""
        names: list[list[Hashable]] = [[(self.pattern, mask)] for mask in self._masks.tolist()]
        cells, _, shown = self._rare(_shares(totals))
        for cell, shows in zip(cells.tolist(), shown.T.tolist(), strict=True):
            records: list[list[Hashable]] = []
            for index, (column, options) in enumerate(self.literals):
                every = frozenset(range(len(self.design.items[column].options)))
                if self._readers[index] is None:
                    records.append([(column, options, int(self._digits[index, cell]))])
                elif shows[index]:
                    records.append(
                        [(column, code) for code in (options if self._matches[index, cell] else every - options)]
                    )
            names.append([frozenset(record) for record in product(*records)])
        return names

    def _rare(self, shares: Floats) -> tuple[NDArray[np.intp], Floats, NDArray[np.bool_]]:
        """The cells with fewer records than their least chance, the chance they lack, and which literals they show."""
        least, shown = np.zeros(self.count), np.zeros((len(self.literals), self.count), bool)
        for block, reader, inside in self._read:
            literals, _, matches, places = self._inside(block, inside)
            if (rare := reader.least(literals, matches, places)) is not None:
                beside = [index for index in range(len(self.bases)) if index not in inside]
                rest = (self._digits[beside] * np.array(self.widths)[beside, np.newaxis]).sum(axis=0)
                least = np.maximum(least, rare[0] * np.bincount(rest, shares, self.count)[rest])
                shown[inside] = rare[1]
        cells = np.flatnonzero(least > shares)
        return cells, (least - shares)[cells], shown[:, cells]

    @property
    def lacks(self) -> bool:
        """Whether some block tells nothing of its literals: then disguised records give no figure."""
        return any(reader.lacks(self._literals_of(block, inside)) for block, reader, inside in self._read)


def _shares(totals: Floats) -> Floats:
    return totals / max(totals.sum(), 1e-300)


def is_read_whole(design: Design, pattern: Pattern) -> bool:
    """Whether some block of the pattern is read by whole records.

    >>> from privacy.design.patterns import parse_pattern
    >>> design = Design.parse({"model": "warner", "theta": 0.7, "items": ["drugs"]})
    >>> is_read_whole(design, parse_pattern("drugs", design))  # a coin for each answer
    False
    """
    return bool(whole_records(design, pattern.columns))


def whole_records(design: Design, columns: Sequence[int]) -> list[int]:
    """The columns of which each record is read whole: of a list of words.

    >>> whole_records(Design.parse({"model": "one-of", "gamma": 9, "cap": 1, "items": ["drugs", "theft"]}), [0, 1])
    [0, 1]
    """
    return [column for column in columns if design.blocks[design.place(column)[0]].patterns.by_record is not None]


def _bits(rows: Sequence[NDArray[np.generic]], count: int = 1) -> NDArray[np.intp]:
    """Rows of 0 and 1, `count` in each, as numbers: the first row is the lowest bit."""
    made = np.zeros(len(rows[0]) if len(rows) else count, np.intp)
    for index, row in enumerate(rows):
        made |= row.astype(np.intp) << index
    return made
