"""A flip block: d of the yes/no answers are turned over, d drawn from `flips`, every set of d equally likely.

With `ask`, only that many of the items, drawn per respondent, are asked.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb
from typing import Any, ClassVar, Self

import numpy as np

from privacy.design import reading, sentences
from privacy.design.blankets import Blanket, agreeing, mix_atoms
from privacy.design.block import Block, Explained, Patterns, Words
from privacy.design.blocks.flips import turning
from privacy.design.blocks.flips.krawtchouk import eigenvalues, marginal_flips
from privacy.design.blocks.flips.tables import gamma_of, of_two_truths, strengths_of
from privacy.design.channels import Literal
from privacy.design.draws import Take, choose, draw, lay_out
from privacy.design.gammas import Gamma
from privacy.design.items import Item
from privacy.design.notation import Entry, Notation, check_ask, read_ask, read_bare_items, write_ask, write_item
from privacy.design.rationals import ONE
from privacy.design.recipes import Recipe, Values
from privacy.design.sentences import pair_shares
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
        for index, item in enumerate(self.items):
            if not item.boolean or item.noise is not None:
                raise InputError(
                    f"{where}.items[{index}]: {item.id!r} is not a yes/no item without noise, as flips need."
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


def disguise(block: FlipBlock, truth: np.ndarray, here: np.ndarray, take: Take) -> np.ndarray:
    """Disguise rows of answers: one word draws how many are turned over, then so many of the asked items are chosen."""
    turned = choose(draw(block.flips, take(len(truth))), block.items_per_person, take)
    return truth ^ lay_out(turned.ravel(), here)


_STAYS = [(sentences.STORED, {"said": one, "stored": one}) for one in (sentences.NO, sentences.YES)]


def _explain(blocks: Sequence[FlipBlock]) -> Explained:
    """How often one answer is turned over; if that is more than half of the cases, how often it is not."""
    seldom = [block for block in blocks if block.turn_chance <= Fraction(1, 2)]
    mostly = [block for block in blocks if block.turn_chance > Fraction(1, 2)]
    sides = [
        (seldom, pair_shares(sentences.EITHER, [(block.turn_chance, block.turn_chance) for block in seldom])),
        (mostly, pair_shares(_STAYS, [(1 - block.turn_chance, 1 - block.turn_chance) for block in mostly])),
    ]
    return [(side, said) for side, said in sides if side]


WORDS = Words(sentences.FEWER, _explain)


def _block_entries(values: Values, items: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    ask = write_ask(values.get("ask"))
    flips, gamma, radius = (values.get(name) for name in ("flips", "gamma", "radius"))
    if flips is not None and (gamma or radius is not None):
        raise EntryError("Give either the flips, or γ and radius.", at="flips")
    if flips is not None:
        return [{"flips": flips, "items": list(items), **ask}]
    if gamma is None or radius is None:
        raise EntryError("a flip block needs its flips, or γ and radius.", at="gamma" if gamma is None else "radius")
    return [{"model": "flip", "gamma": gamma, "radius": radius, "items": list(items), **ask}]


def _items_needed(values: Values) -> int:
    if values.get("ask") is not None:
        return max(values["ask"], 1)
    flips = values.get("flips")
    return len(flips) - 1 if isinstance(flips, list) else (values.get("radius") or 0) + 1


RECIPES: tuple[Recipe, ...] = (
    Recipe(name="flip", takes=lambda item: item.boolean, write=_block_entries, needs=_items_needed),
)
