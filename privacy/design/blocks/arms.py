"""A block in two strengths: half of the devices, drawn by chance, disguise by the `stronger` chances.

Which arm a device drew stands openly beside the record, so that both can be held against each other: honest devices
tell the same shares in both. γ is that of the weaker arm, whichever was drawn. Together the records of both are as if
every device had disguised by the mean of the two, a block of the same kind: figures are read from that, and need not
know the arms. So it is of one coin or of one table of flips; were each item to have a coin of its own, no coins at all
would do what the arms do together.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from math import inf, nextafter
from typing import Any, ClassVar, Protocol, Self

import numpy as np

from privacy.design import reading, sentences
from privacy.design.block import ARMS, Block, Sketched, Unadvised
from privacy.design.blocks.coin import CoinBlock
from privacy.design.blocks.flips import FlipBlock
from privacy.design.channels import Factor, Literal, PatternChannel, TableChannel
from privacy.design.draws import Take
from privacy.design.forms import Form, FormField, Value, Values
from privacy.design.gammas import Gamma
from privacy.design.items import Item
from privacy.design.notation import Notation
from privacy.design.sentences import Said
from privacy.errors import EntryError, InputError, to_translate

Entry = Mapping[str, Any]


class Strength(Block, Protocol):
    """A block that can be one of two arms."""

    @classmethod
    def read(cls, entry: Entry, where: str, notation: Notation) -> Self: ...

    def keeping(self, part: Fraction) -> Self:
        """The block that keeps so much of what this one keeps, and else says what tells nothing."""

    def mean(self, other: Self) -> Self:
        """What two blocks that differ in their chances alone do to records of both, to the nearest 2^−32."""


STRENGTHS: tuple[type[Strength], ...] = (CoinBlock, FlipBlock)


@dataclass(frozen=True)
class ArmsBlock(Unadvised):
    weaker: Strength
    stronger: Strength

    mark: ClassVar[str] = "stronger"
    leaks: ClassVar[bool] = False

    @classmethod
    def read(cls, entry: Entry, where: str, notation: Notation) -> "ArmsBlock":
        kind = next((kind for kind in STRENGTHS if kind.mark in entry), STRENGTHS[0])
        common = {key: value for key, value in entry.items() if key != cls.mark}
        weaker = kind.read(common, where, notation)
        if isinstance(entry[cls.mark], int | float) and not notation.exact:
            return cls(weaker, weaker.keeping(reading.share(entry, cls.mark, where)))
        own = reading.mapping(entry[cls.mark], f"{where}.{cls.mark}")
        reading.only_keys(own, (kind.mark,), f"{where}.{cls.mark}")
        return cls(weaker, kind.read(common | dict(own), f"{where}.{cls.mark}", notation))

    @classmethod
    def of(cls, blocks: list[Block], entry: Entry, where: str) -> list[Block]:
        """The blocks of a model given by name; where the entry has a second strength, its one block in both."""
        if cls.mark not in entry:
            return blocks
        if len(blocks) > 1 or not isinstance(blocks[0], STRENGTHS):
            raise InputError(f"{where}.{cls.mark}: two arms take one coin for all items, or flips.")
        return [cls(blocks[0], blocks[0].keeping(reading.share(entry, cls.mark, where)))]

    def check(self, where: str, direct: bool) -> None:
        self.weaker.check(where, direct)
        self.stronger.check(f"{where}.{self.mark}", direct)
        if self.weaker.apart:
            raise InputError(f"{where}.coin: 'each' leaves no two arms; they take one coin for all items, or flips.")
        if not self.stronger.gamma < self.weaker.gamma:
            raise EntryError(
                "the second arm must disguise more than the first: its γ is {own:.10g}, and that of the first "
                "{first:.10g}.",
                at=f"{where}.{self.mark}",
                own=float(self.stronger.gamma),
                first=float(self.weaker.gamma),
            )

    def friendly_entry(self) -> dict[str, Any]:
        return self._written(self.weaker.friendly_entry(), self.stronger.friendly_entry())

    def exact_entry(self) -> dict[str, Any]:
        return self._written(self.weaker.exact_entry(), self.stronger.exact_entry())

    @property
    def symbols(self) -> Mapping[str, str]:
        return self.weaker.symbols

    def _written(self, weaker: dict[str, Any], stronger: dict[str, Any]) -> dict[str, Any]:
        return weaker | {self.mark: {self.weaker.mark: stronger[self.weaker.mark]}}

    @property
    def arms(self) -> tuple[Strength, Strength]:
        return self.weaker, self.stronger

    @cached_property
    def mean(self) -> Strength:
        """What both arms do to records of which the arm is not looked at."""
        return self.weaker.mean(self.stronger)

    # What it does. Which arm a record is of is drawn apart (`privacy.disguise.table`), for somebody has to note it.

    @property
    def items(self) -> tuple[Item, ...]:
        return self.weaker.items

    @property
    def asked(self) -> int:
        return self.weaker.asked

    def disguise(self, truth: np.ndarray, here: np.ndarray, take: Take) -> np.ndarray:
        return self.mean.disguise(truth, here, take)

    def chance(self, here: Sequence[int], truth: Sequence[int], sent: Sequence[int]) -> Fraction:
        """Whichever arm was drawn."""
        return sum((arm.chance(here, truth, sent) for arm in self.arms), start=Fraction(0)) / 2

    # What it promises: what the weaker arm does, for everybody can see which arm was drawn.

    @property
    def gamma(self) -> Gamma:
        return self.weaker.gamma

    @property
    def odds(self) -> Gamma:
        return self.weaker.gamma

    def item_gamma(self, place: int) -> Gamma:
        return max(arm.item_gamma(place) for arm in self.arms)

    def item_odds(self, place: int) -> Gamma:
        return self.item_gamma(place)

    def certain(self, codes: np.ndarray) -> np.ndarray:
        return np.zeros(len(codes), dtype=bool)

    blanket: ClassVar[None] = None  # each arm is a crowd of its own

    @property
    def figures(self) -> Mapping[str, Any]:
        return {"arms": {name: _at_least(arm.gamma) for name, arm in zip(ARMS, self.arms, strict=True)}}

    # What people are told of it.

    @classmethod
    def explain(cls, blocks: Sequence["ArmsBlock"]) -> list[tuple[Sequence[Strength], list[Said]]]:
        """What the weaker arm does; that there are two is said of the whole design."""
        return [one for block in blocks for one in type(block.weaker).explain([block.weaker])]

    together: ClassVar[str] = sentences.TOGETHER
    believed: ClassVar[str] = sentences.BELIEVED
    note: ClassVar[str] = ""
    advice: ClassVar[str] = to_translate(
        "γ is above this site’s limit of {limit}. Disguise more in the first of the two arms, which is the weaker one."
    )

    # How it is inverted: as the mean of both arms.

    @property
    def coin(self) -> float | None:
        return self.mean.coin

    apart: ClassVar[bool] = False

    def factors(self, first: int, literals: Sequence[Literal]) -> Sequence[Factor]:
        return self.mean.factors(first, literals)

    def along(self, axes: Sequence[int], places: Sequence[int], shape: tuple[int, ...]) -> Sequence[TableChannel]:
        return self.mean.along(axes, places, shape)

    def literal_noise(self, place: int, option: int, positive: bool) -> float:
        return self.mean.literal_noise(place, option, positive)

    @property
    def of_patterns(self) -> Callable[[np.ndarray], PatternChannel] | None:
        return self.mean.of_patterns

    ordered: ClassVar[None] = None
    distribution: ClassVar[None] = None
    cut: ClassVar[None] = None

    # No advice: whoever wants two arms knows why.

    def sketch(self, items: tuple[int, ...]) -> Sketched:
        return self.mean.sketch(items)

    forms: ClassVar[tuple[Form, ...]]


def _at_least(gamma: Gamma) -> float:
    """The least float that is not below it."""
    near = float(gamma)
    return near if gamma == inf or Fraction(near) >= gamma else nextafter(near, inf)


# How a form asks for it: as for one coin or for flips, and what the stronger arm has in place of that.

_PART = FormField(
    "stronger",
    Value.SHARE,
    to_translate("of that, the second arm keeps"),
    help=to_translate("Half of the devices, drawn by chance, keep only so much of what the first arm keeps."),
    default=0.5,
)


def _in_arms(form: Form, name: str, label: str) -> Form:
    """The form of a kind, for two arms of it."""

    def write(values: Values, items: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
        if values.get(_PART.name) is None:
            raise EntryError("say how much the second arm keeps of what the first keeps.", at=_PART.name)
        return [entry | {ArmsBlock.mark: values[_PART.name]} for entry in form.write(values, items)]

    return replace(form, name=name, label=label, fields=(*form.fields, _PART), write=write)


ArmsBlock.forms = (
    _in_arms(CoinBlock.forms[0], "coin-arms", to_translate("one coin for all items, in two strengths")),
    _in_arms(FlipBlock.forms[0], "flip-arms", to_translate("flips (yes/no items only), in two strengths")),
)
