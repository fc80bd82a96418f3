"""How a flip block is inverted: by the strengths of its table."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from privacy.design.block import Patterns
from privacy.design.blocks.flips import turning
from privacy.design.blocks.flips.design import FlipBlock
from privacy.design.blocks.flips.tables import strengths_of
from privacy.design.channels import Literal


@dataclass(frozen=True)
class FlipPatterns(Patterns):
    block: FlipBlock

    def factors(self, first: int, literals: Sequence[Literal]) -> list[turning.FlipFactor]:
        strengths = strengths_of(self.block.flips)[: len(literals) + 1]
        return [turning.FlipFactor(self.block.items, tuple((literal,) for literal in literals), strengths)]

    def along(self, axes: Sequence[int], places: Sequence[int], shape: tuple[int, ...]) -> list[turning.FlipsOfTable]:
        return [turning.FlipsOfTable(tuple(axes), np.array(strengths_of(self.block.flips)[: len(axes) + 1]))]

    def of_many(self, yes: np.ndarray) -> turning.FlipsOfPatterns:
        count, length = yes.shape
        strengths = strengths_of(self.block.flips)[: length + 1]
        strengths += (0.0,) * (length + 1 - len(strengths))  # longer than what one respondent is asked
        return turning.FlipsOfPatterns(np.tile(strengths, (count, 1)))
