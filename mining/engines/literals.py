"""What may stand in an itemset: one literal per yes/no item, one per option of a choice, and negations where asked.

Records are counted by *lines*, one bit for each record and line. First come the literals; then, where a block of the
design is sampled, who was asked each item; then the *details*, bit by bit: what else records tell of some items, as a
number for each record. Of an item in bins that is the class of the record, of a direct one the bin; of an answer of
which the record is read whole its place there.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from mining.engines.bins import Bins
from privacy.design import Design, Item
from privacy.design.patterns import Pattern, possible_itemsets
from privacy.errors import InputError
from privacy.records.bits import Bits


@dataclass(frozen=True)
class Lines:
    """The lines of some literals. What is 0 in every line matches nothing, and was asked nothing where some are."""

    bins: Bins
    column: np.ndarray  # of each literal
    option: np.ndarray
    positive: np.ndarray

    @property
    def _design(self) -> Design:
        return self.bins.design

    def __len__(self) -> int:
        return self._count_before_details + sum(self._detail_bits.values())

    @cached_property
    def asking(self) -> np.ndarray | None:
        """Return, for each literal, the line that says who was asked; None if everybody was."""
        return len(self.column) + self.column if self._design.sampled else None

    @cached_property
    def details(self) -> dict[int, int]:
        """How many values the details of each column can have."""
        sizes = dict(self.bins.classes)
        for first, block in zip(self._design.first_columns, self._design.blocks, strict=True):
            if (reader := block.patterns.by_record) is not None:
                sizes |= dict.fromkeys(range(first, first + len(block.items)), reader.most_places)
        return sizes

    @cached_property
    def detailing(self) -> dict[int, range]:
        """The lines of the details of each column, the lowest bit first."""
        made, first = {}, self._count_before_details
        for column, bits in self._detail_bits.items():
            made[column] = range(first, first + bits)
            first += bits
        return made | {column: made[other] for column, other in self._with_shared_details.items()}

    @cached_property
    def _with_shared_details(self) -> dict[int, int]:
        """The first column of its block, for columns whose details are always those of the first."""
        made: dict[int, int] = {}
        for first, block in zip(self._design.first_columns, self._design.blocks, strict=True):
            if block.patterns.by_record is not None:
                made |= dict.fromkeys(range(first + 1, first + len(block.items)), first)
        return made

    def of_records(self, codes: np.ndarray, direct: np.ndarray) -> np.ndarray:
        """Every line of records, as truth values or as 0 and 1: (n, lines)."""
        if self._are_codes:
            return codes
        codes, details = self.bins.apply(codes, direct)
        each = np.array_equal(self.column, np.arange(codes.shape[1]))  # a number has no literal, a choice several
        chosen = codes if each else np.take(codes, self.column, axis=1)
        match = chosen == self.option.astype(codes.dtype)
        if not self.positive.all():
            match = match == self.positive
        lines = [match]
        if self._design.sampled:
            not_asked = self._design.not_asked
            lines = [match & (chosen != not_asked), codes != not_asked]
        details |= self._places(codes, direct)
        lines += [
            details[column][:, np.newaxis] >> np.arange(bits) & 1 == 1 for column, bits in self._detail_bits.items()
        ]
        return np.concatenate(lines, axis=1) if len(lines) > 1 else match

    def of_bits(self, bits: Bits) -> np.ndarray:
        """Return the lines of yes/no answers that are bits already: (lines, bytes), without details."""
        asked = np.broadcast_to(bits.asked, bits.yes.shape)
        match = np.where(self.positive[:, np.newaxis], bits.yes[self.column], (bits.yes ^ asked)[self.column])
        return np.concatenate([match, asked]) if self._design.sampled else match

    def _places(self, codes: np.ndarray, direct: np.ndarray) -> dict[int, np.ndarray]:
        """For each column of a block whose records are read whole: the place of each record."""
        design = self._design
        columns: dict[int, np.ndarray] = {}
        for first, block in zip(design.first_columns, design.blocks, strict=True):
            if (reader := block.patterns.by_record) is not None:
                inside = codes[:, first : first + len(block.items)]
                places = reader.places_of(inside, inside != design.not_asked, direct)
                columns |= dict.fromkeys(range(first, first + len(block.items)), places)
        return columns

    @cached_property
    def _detail_bits(self) -> dict[int, int]:
        """How many bits the details of each column take; columns that share those of another are left out."""
        own = {column: count for column, count in self.details.items() if column not in self._with_shared_details}
        return {column: (count - 1).bit_length() for column, count in own.items()}

    @property
    def _count_before_details(self) -> int:
        return len(self.column) + (len(self._design.items) if self._design.sampled else 0)

    @cached_property
    def _are_codes(self) -> bool:
        """Whether codes are 1 where a literal matches and 0 where not: yes/no items that all are asked everyone."""
        yes_no = all(field.boolean for field in self._design.fields) and bool(self.positive.all())
        return yes_no and not self._design.sampled and not self.details


@dataclass(frozen=True)
class Literals:
    """The literals of a design in the order of its columns; arrays run over literals.

    A *unit* is what is disguised together: a block, or one item of a block whose items are disguised apart.
    """

    bins: Bins
    labels: tuple[str, ...]
    column: np.ndarray  # the item
    option: np.ndarray  # the option index the literal is about
    positive: np.ndarray  # the record has this option; else: any other
    unit: np.ndarray
    chance: np.ndarray  # how likely noise matches the literal; not a number where there is no noise
    keep: np.ndarray  # the chance that the unit's coin keeps the truth; not a number where no coin decides
    unit_block: tuple[int, ...]  # the block each unit belongs to

    def __len__(self) -> int:
        return len(self.labels)

    @property
    def design(self) -> Design:
        """The design of the records, in which an item in bins has its bins as options."""
        return self.bins.design

    @cached_property
    def lines(self) -> Lines:
        return Lines(self.bins, self.column, self.option, self.positive)

    def matches(self, codes: np.ndarray) -> np.ndarray:
        """Whether each record (n, items) that was asked everything matches each literal: (n, literals)."""
        return (codes[:, self.column] == self.option) == self.positive

    def possible(self, longest: int) -> list[float]:
        """How many itemsets of 0, 1, … `longest` literals there are, no two of one item."""
        return possible_itemsets(np.bincount(self.column).tolist(), longest)

    def pattern(self, itemset: np.ndarray) -> Pattern:
        literals = []
        for column, option, positive in zip(
            self.column[itemset].tolist(), self.option[itemset].tolist(), self.positive[itemset].tolist(), strict=True
        ):
            every = range(len(self.design.items[column].options))
            literals.append((column, frozenset(other for other in every if (other == option) == positive)))
        return Pattern.from_literals(literals, self.design)

    @cached_property
    def yes(self) -> np.ndarray:
        """Return the place of the positive literal of each literal's option; for a positive one its own place."""
        options = enumerate(zip(self.column.tolist(), self.option.tolist(), strict=True))
        place = {(column, option): at for at, (column, option) in options if self.positive[at]}
        return np.array([place[pair] for pair in zip(self.column.tolist(), self.option.tolist(), strict=True)])

    @cached_property
    def centre(self) -> np.ndarray:
        """The share of its item's options that each literal names."""
        options = np.array([len(self.design.items[column].options) for column in self.column])
        return np.where(self.positive, 1.0, options - 1.0) / options

    @cached_property
    def by_cells(self) -> bool:
        """Whether some items have more than yes, no and not asked, so that records are counted by cells."""
        return bool(self.lines.details)


def literals_of(design: Design, negated: bool = False, bins: str = "") -> Literals:
    """The literals of `design`; with `negated` also one that says no for every yes/no item.

    Numbers and places have literals where `bins` are asked of them, one per bin.

    A choice with three options or more has no negations: they would say little that its options do not say.

    >>> design = Design.parse({"model": "warner", "theta": 0.9, "items": ["drugs", "cheating"]})
    >>> literals_of(design, negated=True).labels
    ('drugs', '!drugs', 'cheating', '!cheating')
    """
    binned = Bins(design, bins)
    rows: list[tuple[str, int, int, bool, int, float, float]] = []
    unit_block: list[int] = []
    column = 0
    for index, block in enumerate(binned.design.blocks):
        patterns = block.patterns
        if not patterns.apart:
            unit_block.append(index)
        for inside, item in enumerate(block.items):
            if patterns.apart:
                unit_block.append(index)
            for label, option, positive in _literals_of_item(item, negated):
                matching = frozenset(code for code in range(len(item.options)) if (code == option) == positive)
                chance, keep = patterns.noise(inside, matching), patterns.keep(inside)
                kept = np.nan if keep is None else keep
                rows.append((label, column, option, positive, len(unit_block) - 1, chance, kept))
            column += 1
    if not rows:
        raise InputError("No item of this design has options, so there is nothing to mine.")
    labels, *arrays = zip(*rows, strict=True)
    named = dict(zip(("column", "option", "positive", "unit", "chance", "keep"), map(np.array, arrays), strict=True))
    return Literals(binned, labels, **named, unit_block=tuple(unit_block))


def _literals_of_item(item: Item, negated: bool) -> list[tuple[str, int, bool]]:
    if item.boolean:
        return [(item.id, 1, True)] + ([(f"!{item.id}", 1, False)] if negated else [])
    return [(f"{item.id}={label}", option, True) for option, label in enumerate(item.options)]
