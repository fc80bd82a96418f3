"""The lines by which records are counted: one bit for each record and line.

First come the literals; then, where a block of the design is sampled, who was asked each item; then the *details*, bit
by bit: what else records tell of some items, as a number for each record. Of an item in bins that is the class of the
record, of a direct one the bin; of an answer of which the record is read whole its place there.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from mining.engines.bins import Bins
from privacy.design import Design
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
        details |= self._places(codes)
        lines += [
            details[column][:, np.newaxis] >> np.arange(bits) & 1 == 1 for column, bits in self._detail_bits.items()
        ]
        return np.concatenate(lines, axis=1) if len(lines) > 1 else match

    def of_bits(self, bits: Bits) -> np.ndarray:
        """Return the lines of yes/no answers that are bits already: (lines, bytes), without details."""
        asked = np.broadcast_to(bits.asked, bits.yes.shape)
        match = np.where(self.positive[:, np.newaxis], bits.yes[self.column], (bits.yes ^ asked)[self.column])
        return np.concatenate([match, asked]) if self._design.sampled else match

    def _places(self, codes: np.ndarray) -> dict[int, np.ndarray]:
        """For each column of a block whose records are read whole: the place of its answer in each record."""
        design = self._design
        columns: dict[int, np.ndarray] = {}
        for first, block in zip(design.first_columns, design.blocks, strict=True):
            if (reader := block.patterns.by_record) is not None:
                inside = codes[:, first : first + len(block.items)]
                places = reader.places_of(inside, inside != design.not_asked)
                columns |= {first + inside: column for inside, column in enumerate(places.T)}
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
