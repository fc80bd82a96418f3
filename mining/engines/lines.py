"""The lines by which records are counted: one bit for each record and line.

First come the literals; then, where a block of the design is sampled, who was asked each item; then the *details*, bit
by bit: what else records tell of some items, as a number for each record. Of an item in bins that is the class of the
record, of a direct one the bin; of an answer in a public order its place there.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from privacy.design.channels.orders import ordered_places

if TYPE_CHECKING:
    from mining.engines.literals import Literals


@dataclass(frozen=True)
class Lines:
    """The lines of some literals. What is 0 in every line matches nothing, and was asked nothing where some are."""

    literals: Literals

    def __len__(self) -> int:
        return self._plain + sum(self._bits.values())

    @cached_property
    def asked(self) -> np.ndarray | None:
        """Of each literal the line that says who was asked; None where everybody was."""
        return len(self.literals) + self.literals.column if self.literals.design.sampled else None

    @cached_property
    def details(self) -> dict[int, int]:
        """How many details there are, by column."""
        bins, design = self.literals.bins, self.literals.design
        found = {column: max(cut.channel.shape[1], len(cut.labels)) for column, cut in bins.cuts.items()}
        for first, block in zip(design.first_columns, design.blocks, strict=True):
            if block.ordered is not None:
                found |= dict.fromkeys(range(first, first + len(block.items)), block.ordered.asked)
        return found

    @cached_property
    def detailing(self) -> dict[int, range]:
        """The lines of the details of each column, the lowest bit first."""
        made, first = {}, self._plain
        for column, bits in self._bits.items():
            made[column] = range(first, first + bits)
            first += bits
        return made

    def of(self, codes: np.ndarray, direct: np.ndarray) -> np.ndarray:
        """Every line of records, as truth values or as 0 and 1: (n, lines)."""
        literals = self.literals
        if literals.plain:
            return codes
        codes, details = literals.bins.read(codes, direct)
        each = np.array_equal(literals.column, np.arange(codes.shape[1]))  # a number has no literal, a choice several
        chosen = codes if each else np.take(codes, literals.column, axis=1)
        match = chosen == literals.option.astype(codes.dtype)
        if not literals.positive.all():
            match = match == literals.positive
        lines = [match]
        if literals.design.sampled:
            not_asked = literals.design.not_asked
            lines = [match & (chosen != not_asked), codes != not_asked]
        details |= self._places(codes)
        lines += [details[column][:, np.newaxis] >> np.arange(bits) & 1 == 1 for column, bits in self._bits.items()]
        return np.concatenate(lines, axis=1) if len(lines) > 1 else match

    def _places(self, codes: np.ndarray) -> dict[int, np.ndarray]:
        """The places of answers in a public order, 0 of those that were not asked."""
        design = self.literals.design
        found: dict[int, np.ndarray] = {}
        for first, block in zip(design.first_columns, design.blocks, strict=True):
            if block.ordered is not None:
                here = codes[:, first : first + len(block.items)] != design.not_asked
                places = np.maximum(ordered_places(here, block.ordered.asked), 0)
                found |= {first + inside: column for inside, column in enumerate(places.T)}
        return found

    @cached_property
    def _bits(self) -> dict[int, int]:
        return {column: (count - 1).bit_length() for column, count in self.details.items()}

    @property
    def _plain(self) -> int:
        design = self.literals.design
        return len(self.literals) + (len(design.items) if design.sampled else 0)
