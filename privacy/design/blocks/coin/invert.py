"""How a coin block is inverted: its coins, and what noise says."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

import numpy as np

from privacy.design.block import Patterns
from privacy.design.blocks.coin.design import CoinBlock, noise_of
from privacy.design.channels import Literal, replacing
from privacy.design.rationals import ONE


@dataclass(frozen=True)
class CoinPatterns(Patterns):
    block: CoinBlock

    @property
    def coin(self) -> float | None:
        return self.block.keep / ONE

    @property
    def apart(self) -> bool:
        return self.block.each

    def factors(self, first: int, literals: Sequence[Literal]) -> list[replacing.CoinFactor]:
        """The factor of all literals under one coin, or one for each literal where each item has a coin."""
        coins = [[literal] for literal in literals] if self.block.each else [list(literals)]
        return [
            replacing.CoinFactor(self.block.items, (tuple(own),), self.block.keep / ONE, self._matches(first, own))
            for own in coins
        ]

    def _matches(self, first: int, literals: Sequence[Literal]) -> float:
        """q: the chance that noise alone matches all these literals."""
        return prod(
            sum(noise_of(self.block.items[column - first])[option] for option in options) / ONE
            for column, options in literals
        )

    def along(self, axes: Sequence[int], places: Sequence[int], shape: tuple[int, ...]) -> list[replacing.CoinOfTable]:
        """The channel of all axes under one coin, or one for each axis where each item has a coin."""
        pairs = list(zip(axes, places, strict=True))
        coins = [[pair] for pair in pairs] if self.block.each else [pairs]
        channels = []
        for own in coins:
            noise = np.ones(())
            for _, place in own:
                noise = np.multiply.outer(noise, np.array(noise_of(self.block.items[place])) / ONE)
            channels.append(
                replacing.CoinOfTable.from_axes([axis for axis, _ in own], self.block.keep / ONE, noise, shape)
            )
        return channels
