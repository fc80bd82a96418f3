"""How a patterned block is inverted: by the strength at the places where each record has its answers."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from privacy.design.block import Patterns
from privacy.design.blocks.patterned.design import PatternedBlock
from privacy.design.channels import ByOrder, Floats, Literal, turning
from privacy.errors import InputError


@dataclass(frozen=True)
class PatternedPatterns(Patterns):
    block: PatternedBlock

    @property
    def by_order(self) -> ByOrder:
        return self.block.by_order

    def factors(self, first: int, literals: Sequence[Literal]) -> list[turning.Factor]:
        """Return the factor of flips with typical strengths (root mean squares over places), for planning errors."""
        strengths = tuple(self.by_order.typical[: len(literals) + 1].tolist())
        return [_Typical(self.block.items, tuple((literal,) for literal in literals), strengths)]

    def along(self, axes: Sequence[int], places: Sequence[int], shape: tuple[int, ...]) -> list[turning.OfTable]:
        """Return the channel of one answer with its mean strength over all places; several answers are refused."""
        if len(axes) > 1:
            names = ", ".join(repr(self.block.items[place].id) for place in places)
            raise InputError(f"{names} have a public order, which this ignores; ask for their patterns.")
        return [turning.OfTable(tuple(axes), self.by_order.mean[: len(axes) + 1])]

    def of_many(self, yes: np.ndarray) -> turning.OfPatterns:
        count, length = yes.shape
        strengths = np.zeros(length + 1)  # longer than what one respondent is asked: nothing
        strengths[: self.block.items_per_person + 1] = self.by_order.typical[: length + 1]
        return turning.OfPatterns(np.tile(strengths, (count, 1)))


class _Typical(turning.Factor):
    """A factor for planning errors, with typical strengths; records are never read with it."""

    @staticmethod
    def together(factors: Sequence[turning.Factor]) -> "_TypicalOfPatterns":
        return _TypicalOfPatterns(np.array([factor.strengths for factor in factors]))


class _TypicalOfPatterns(turning.OfPatterns):
    def line(self) -> tuple[Floats, Floats]:
        """Refuse: how records show such answers depends on the places of each record."""
        raise InputError("Answers in a public order cannot be estimated from the share of records; ask for patterns.")
