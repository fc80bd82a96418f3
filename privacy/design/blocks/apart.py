"""What blocks that disguise each item apart have in common: a word of its own decides what is sent of it.

With some chances an option is sent whatever is true; else the true answer is. So each item has a coin of its own.
"""

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from math import prod
from typing import Any

import numpy as np

from privacy.design import gammas
from privacy.design.block import Block
from privacy.design.blocks.coin.advise import sketch
from privacy.design.blocks.coin.design import CoinBlock, CoinPatterns
from privacy.design.draws import Take, draw_options, lay_out
from privacy.design.gammas import Gamma
from privacy.design.items import Item
from privacy.design.rationals import ONE, apportion


@dataclass(frozen=True)
class ApartBlock(Block):
    @abstractmethod
    def replacements(self, item: Item) -> tuple[int, ...]:
        """The numerators of the chances that each option is sent whatever is true; all items have the same sum."""

    @property
    def gamma(self) -> Gamma:
        each = sorted(self.item_gamma(index) for index in range(len(self.items)))
        return gammas.product(each[-self.items_per_person :])

    def item_gamma(self, place: int) -> Gamma:
        replaced = self.replacements(self.items[place])
        return gammas.of_coin(ONE - sum(replaced), Fraction(min(replaced), sum(replaced)))

    def item_odds(self, place: int) -> Gamma:
        return self.item_gamma(place)

    def chance(self, here: Sequence[int], truth: Sequence[int], sent: Sequence[int]) -> Fraction:
        own = [self.replacements(self.items[place]) for place in here]
        each = ((ONE - sum(one)) * (a == b) + one[b] for one, a, b in zip(own, truth, sent, strict=True))
        return prod((Fraction(chance, ONE) for chance in each), start=Fraction(1))

    def certain(self, codes: np.ndarray) -> np.ndarray:
        """Say which records hold no answer that may have been sent whatever is true."""
        replaced = [np.flatnonzero(self.replacements(item)) for item in self.items]
        return ~np.any([np.isin(codes[:, index], own) for index, own in enumerate(replaced)], axis=0)

    @cached_property
    def coins(self) -> CoinBlock:
        """The coin block by which it is inverted, as near as 2^-32: noise is what is sent whatever is true."""
        shares = [self.replacements(item) for item in self.items]
        noise = [apportion([Fraction(share, sum(own)) for share in own]) for own in shares]
        items = tuple(replace(item, noise=own) for item, own in zip(self.items, noise, strict=True))
        return CoinBlock(items, ONE - sum(shares[0]), self.ask, each=True)


def _disguise(block: ApartBlock, truth: np.ndarray, here: np.ndarray, take: Take) -> np.ndarray:
    """Disguise each asked item by one word: the lowest words replace the answer, in the order of the options."""
    replaced = [block.replacements(item) for item in block.items]
    words = lay_out(take(len(truth) * block.items_per_person), here)
    drawn = draw_options([(*own, ONE - sum(own)) for own in replaced], words)
    return np.where(here & (drawn < [len(own) for own in replaced]), drawn, truth)


PARTS: dict[str, Any] = {
    "disguise": _disguise,
    "patterns": lambda block: CoinPatterns(block.coins),
    "sketch": lambda block, items: sketch(block.coins, items),
}
"""What the rows of such kinds have in common."""
