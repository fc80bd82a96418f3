"""A block in two strengths: half of the devices, drawn by chance, disguise by the `stronger` chances.

Which arm a device drew is stored openly with the record, so that both can be compared: honest devices
tell the same shares in both. γ is that of the weaker arm, whichever was drawn. Together the records of both are as if
every device had disguised by the mean of the two, a block of the same kind: figures are read from that, and need not
know the arms. So it is of one coin or of one table of flips; were each item to have a coin of its own, no coins at all
would do what the arms do together.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any, ClassVar

from privacy.design import reading
from privacy.design.block import ARMS, Block, BlockAround, BlockKind, Words
from privacy.design.blocks.coin.design import CoinBlock
from privacy.design.blocks.coin.recipe import RECIPES as COINS
from privacy.design.blocks.flips.design import FlipBlock
from privacy.design.blocks.flips.recipe import RECIPES as FLIPS
from privacy.design.gammas import Gamma, outward
from privacy.design.notation import Entry, Notation
from privacy.design.recipes import Recipe, Values
from privacy.errors import EntryError, InputError, to_translate

Strength = CoinBlock | FlipBlock


@dataclass(frozen=True)
class ArmsBlock(BlockAround):
    inside: Strength  # the weaker arm
    stronger: Strength

    mark: ClassVar[str] = "stronger"

    @classmethod
    def read(cls, entry: Entry, where: str, notation: Notation, inside: Block | None = None) -> "ArmsBlock":
        if isinstance(entry[cls.mark], int | float) and not notation.exact:
            return cls.of_share(inside, entry, where)
        weaker, at = cls._weaker(inside, where), f"{where}.{cls.mark}"
        own = reading.mapping(entry[cls.mark], at)
        reading.only_keys(own, (weaker.mark,), at)
        common = {key: value for key, value in entry.items() if key != cls.mark}
        return cls(weaker, weaker.read(common | dict(own), at, notation))

    @classmethod
    def of_share(cls, inside: Block | None, entry: Entry, where: str) -> "ArmsBlock":
        """The block whose second arm keeps as much of the first one's answers as the entry says."""
        weaker = cls._weaker(inside, where)
        return cls(weaker, weaker.keeping(reading.share(entry, cls.mark, where)))

    @classmethod
    def _weaker(cls, inside: Block | None, where: str) -> Strength:
        if not isinstance(inside, CoinBlock | FlipBlock):
            raise InputError(f"{where}.{cls.mark}: two arms need one coin for all items, or flips.")
        if inside.draw:
            raise InputError(f"{where}.{cls.mark}: people draw in one strength; two arms are for devices.")
        return inside

    def check(self, where: str, direct: bool) -> None:
        super().check(where, direct)
        self.stronger.check(f"{where}.{self.mark}", direct)
        if self.inside.patterns.apart:
            raise InputError(f"{where}.coin: 'each' cannot have two arms; they need one coin for all items, or flips.")
        if not self.stronger.gamma < self.gamma:
            raise EntryError(
                "the second arm must disguise more than the first: its γ is {own:.10g}, and that of the first "
                "{first:.10g}.",
                at=f"{where}.{self.mark}",
                own=float(self.stronger.gamma),
                first=float(self.gamma),
            )

    def entry(self, notation: Notation) -> dict[str, Any]:
        stronger = self.stronger.entry(notation)[self.inside.mark]
        return self.inside.entry(notation) | {self.mark: {self.inside.mark: stronger}}

    @property
    def arms(self) -> tuple[Strength, Strength]:
        return self.inside, self.stronger

    @cached_property
    def whole(self) -> Strength:
        """Return the mean of both arms: the disguise of a record if nobody knows its arm."""
        return self.inside.mean(self.stronger)

    def chance(self, here: Sequence[int], truth: Sequence[int], sent: Sequence[int]) -> Fraction:
        """P(sent | truth), averaged over both arms."""
        return sum((arm.chance(here, truth, sent) for arm in self.arms), start=Fraction(0)) / 2

    # It promises what the weaker arm does, for everybody can see which arm was drawn.

    def item_odds(self, place: int) -> Gamma:
        return max(arm.item_odds(place) for arm in self.arms)

    @property
    def figures(self) -> Mapping[str, Any]:
        return {"arms": {name: outward(arm.gamma) for name, arm in zip(ARMS, self.arms, strict=True)}}


def _in_arms(recipe: Recipe, name: str) -> Recipe:
    """A recipe for two arms of a kind, from the kind's own: its settings, and how much the second arm keeps."""

    def write(values: Values, items: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
        if values.get(ArmsBlock.mark) is None:
            raise EntryError("enter the share of the first arm's answers that the second arm keeps.", at=ArmsBlock.mark)
        return [entry | {ArmsBlock.mark: values[ArmsBlock.mark]} for entry in recipe.write(values, items)]

    return replace(recipe, name=name, write=write)


KIND = BlockKind(  # respondents read the sentences about the weaker arm
    ArmsBlock,
    Words(to_translate("γ is above this site’s limit of {limit}. Disguise more in the first arm, the weaker one.")),
    recipes=(_in_arms(COINS[0], "coin-arms"), _in_arms(FLIPS[0], "flip-arms")),
)
