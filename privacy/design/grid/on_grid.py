"""What every block of one item on a grid answers alike: it has no options to match, so no pattern and no advice."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from privacy.design import sentences
from privacy.design.block import Sketched, Unadvised
from privacy.design.channels import Literal
from privacy.design.gammas import Gamma
from privacy.design.items import Item
from privacy.errors import InputError, to_translate

__all__ = ["OnGrid"]


@dataclass(frozen=True)
class OnGrid(Unadvised):
    """A block with one number, or one place, of which the distribution is reconstructed and no pattern."""

    items: tuple[Item, ...]

    symbols: ClassVar[Mapping[str, str]] = {"epsilon": "ε"}
    asked: ClassVar[int] = 1
    leaks: ClassVar[bool] = False

    if TYPE_CHECKING:

        @property
        def gamma(self) -> Gamma: ...

    @property
    def odds(self) -> Gamma:
        return self.gamma

    def item_gamma(self, place: int) -> Gamma:
        del place
        return self.gamma

    def item_odds(self, place: int) -> Gamma:
        del place
        return self.odds

    def certain(self, codes: np.ndarray) -> np.ndarray:
        return np.zeros(len(codes), dtype=bool)

    blanket: ClassVar[None] = None  # the general bound from γ is what a crowd is said to add

    # What people are told of it.

    together: ClassVar[str] = sentences.TOGETHER
    believed: ClassVar[str] = sentences.BELIEVED
    note: ClassVar[str] = ""
    advice: ClassVar[str] = to_translate("γ is above this site’s limit of {limit}. Disguise more.")

    # No pattern: it is inverted as a distribution.

    coin: ClassVar[None] = None
    apart: ClassVar[bool] = True
    of_patterns: ClassVar[None] = None
    ordered: ClassVar[None] = None

    def factors(self, first: int, literals: Sequence[Literal]) -> Any:
        del first, literals
        self.items[0].check_options()

    def along(self, axes: Sequence[int], places: Sequence[int], shape: tuple[int, ...]) -> Any:
        del axes, places, shape
        self.items[0].check_options()

    def literal_noise(self, place: int, option: int, positive: bool) -> float:
        del place, option, positive
        return np.nan

    # No advice.

    def sketch(self, items: tuple[int, ...]) -> Sketched:
        del items
        raise InputError(f"{self.items[0].id!r} lies on a grid; there is no advice for it.")
