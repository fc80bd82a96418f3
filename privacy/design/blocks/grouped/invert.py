"""How a grouped block is inverted: one coin, and noise that says all yes or all no, (3)–(6) of the paper."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from privacy.design.block import Patterns
from privacy.design.blocks.grouped.design import GroupedBlock
from privacy.design.channels import Literal, replacing
from privacy.design.rationals import ONE


@dataclass(frozen=True)
class GroupedPatterns(Patterns):
    block: GroupedBlock

    @property
    def coin(self) -> float | None:
        return self.block.keep / ONE

    def factors(self, first: int, literals: Sequence[Literal]) -> list[replacing.Factor]:
        yes, no = all(1 in options for _, options in literals), all(0 in options for _, options in literals)
        noise = (self.block.theta * yes + (ONE - self.block.theta) * no) / ONE
        return [replacing.Factor(self.block.items, (tuple(literals),), self.block.keep / ONE, noise)]

    def along(self, axes: Sequence[int], places: Sequence[int], shape: tuple[int, ...]) -> list[replacing.OfTable]:
        noise = np.zeros((2,) * len(axes))
        noise.flat[0], noise.flat[-1] = 1 - self.block.theta / ONE, self.block.theta / ONE
        return [replacing.OfTable.from_axes(axes, self.block.keep / ONE, noise, shape)]

    def of_many(self, yes: np.ndarray) -> replacing.OfPatterns:
        """The chance that noise matches: literals that differ are never matched."""
        said = np.where(yes[:, 0], self.block.theta / ONE, (ONE - self.block.theta) / ONE)
        noise = np.where((yes == yes[:, :1]).all(axis=1), said, 0.0)
        return replacing.OfPatterns.from_noise(np.full(len(yes), self.block.keep / ONE), noise)
