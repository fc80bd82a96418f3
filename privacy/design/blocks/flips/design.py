"""A flip block: d of the yes/no answers are turned over, d drawn from `flips`, every set of d equally likely.

With `ask`, only that many of the items, drawn per respondent, are asked.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb
from typing import Any, ClassVar, Self

from privacy.design import reading
from privacy.design.blankets import Blanket, agreeing, mix_atoms
from privacy.design.block import Block
from privacy.design.blocks.flips.krawtchouk import eigenvalues, marginal_flips
from privacy.design.blocks.flips.tables import gamma_of, of_two_truths
from privacy.design.gammas import Gamma
from privacy.design.items import Item
from privacy.design.notation import (
    Entry,
    Notation,
    check_ask,
    read_ask,
    read_bare_items,
    write_ask,
    write_item,
)
from privacy.design.rationals import ONE
from privacy.errors import EntryError, InputError


@dataclass(frozen=True)
class FlipBlock(Block):
    items: tuple[Item, ...]
    flips: tuple[int, ...]
    ask: int | None = None

    mark: ClassVar[str] = "flips"

    @classmethod
    def read(cls, entry: Entry, where: str, notation: Notation) -> Self:
        reading.only_keys(entry, ("flips", "items", "ask"), where)
        items = read_bare_items(entry, where)
        return cls(items, notation.shares(entry["flips"], f"{where}.flips"), read_ask(entry, where))

    def entry(self, notation: Notation) -> dict[str, Any]:
        items = [write_item(item, notation) for item in self.items]
        return {"flips": notation.write_all(self.flips)} | write_ask(self.ask) | {"items": items}

    def check(self, where: str, direct: bool) -> None:
        check_ask(self.ask, len(self.items), where)
        for place, item in enumerate(self.items):
            if not item.boolean or item.noise is not None:
                raise InputError(
                    f"{where}.items[{place}]: {item.id!r} is not a yes/no item without noise, as flips need."
                )
        if len(self.flips) != self.items_per_person + 1 or min(self.flips) < 0 or sum(self.flips) != ONE:
            raise EntryError(
                "{count} shares were given; 0 to {size} turned answers need {needed} shares that sum to 1.",
                at=f"{where}.flips",
                count=len(self.flips),
                size=self.items_per_person,
                needed=self.items_per_person + 1,
            )
        if not direct and not any(eigenvalues(self.flips)[1:]):
            raise EntryError(
                "this table keeps nothing of any answer, so nothing could be recovered.", at=f"{where}.flips"
            )

    @property
    def gamma(self) -> Gamma:
        return gamma_of([Fraction(share, ONE) for share in self.flips])

    def item_odds(self, place: int) -> Gamma:
        """γ of one item alone, seen as a flip block of its own."""
        return gamma_of(marginal_flips(self.flips, 1))

    def chance(self, here: Sequence[int], truth: Sequence[int], sent: Sequence[int]) -> Fraction:
        turned = sum(before != after for before, after in zip(truth, sent, strict=True))
        return Fraction(self.flips[turned], ONE * comb(len(here), turned))

    @property
    def blanket(self) -> Blanket | None:
        """Noise that gives every record the chance of the rarest one. Two truths of s answers differ in h of them."""
        size = self.items_per_person
        chances = [share / ONE / comb(size, d) for d, share in enumerate(self.flips)]
        if not min(chances):
            return None
        drawn = [of_two_truths([chance * 2.0**size for chance in chances], size, differ) for differ in range(size + 1)]
        ways = [agreeing(len(self.items), size, alike) for alike in range(len(self.items) + 1)]
        pairs = tuple(mix_atoms((chance, drawn[size - j]) for j, chance in enumerate(way)) for way in ways)
        return Blanket(min(chances) * 2.0**size, pairs)

    @property
    def turn_chance(self) -> Fraction:
        """The chance that any one answer is turned over."""
        _, turned = marginal_flips(self.flips, 1)
        return turned
