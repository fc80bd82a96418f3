"""A coin block: with the chance `keep` the true answers stay, else every one is replaced by a draw from its noise.

One coin decides for the whole block (the improved grouped unrelated-question model), or with `each` every asked item
has a coin of its own. A coin each stands in sampled blocks alone: where all items are asked, the same channel is one
block per item, and is written so. With `ask`, only that many of the items, drawn per respondent, are asked.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from math import prod
from typing import Any, ClassVar

from privacy.design import by_person, gammas, reading
from privacy.design.blankets import Blanket, agreeing, atoms_of_coin, join_atoms, mix_atoms
from privacy.design.block import Block
from privacy.design.gammas import Gamma
from privacy.design.items import YES_NO, Item, check_noise
from privacy.design.notation import Notation, check_ask, check_keep, read_ask, write_ask, write_item
from privacy.design.rationals import ONE, numerator
from privacy.draws.person_draw import PersonDraw
from privacy.draws.ways import Numbers
from privacy.errors import InputError


@dataclass(frozen=True)
class CoinBlock(Block):
    items: tuple[Item, ...]
    keep: int
    ask: int | None = None
    each: bool = False
    draw: PersonDraw | None = None

    mark: ClassVar[str] = "keep"
    symbols: ClassVar[Mapping[str, str]] = {"keep": "p", "theta": "θ"}

    @classmethod
    def read(cls, entry: Mapping[str, Any], where: str, notation: Notation) -> "CoinBlock":
        reading.only_keys(entry, ("keep", "theta", "items", "ask", "coin", by_person.BY, by_person.DRAW), where)
        draw, numbers = by_person.read_checked_draw(entry, where, notation)
        if draw:
            entry = by_person.follow(entry, "keep", numbers.keep, where, notation)
        keep = notation.share(entry, "keep", where)
        entries = list(reading.read_filled_list(entry, "items", where))
        for place, yes in enumerate(numbers.noise):
            entries[place] = _follow_draw(entries[place], yes, f"{where}.items[{place}]", notation)
        items = tuple(_read_item(item, f"{where}.items[{place}]", notation) for place, item in enumerate(entries))
        coin = entry.get("coin", "shared")
        if coin not in ("shared", "each"):
            raise InputError(f"{where}.coin: {coin!r} is neither 'shared' nor 'each'.")
        made = cls(items, keep, read_ask(entry, where), coin == "each", draw)
        if draw:
            by_person.check_odds(entry[by_person.DRAW], made.gamma, f"{where}.{by_person.DRAW}")
        return made

    def check(self, where: str, direct: bool) -> None:
        check_ask(self.ask, len(self.items), where)
        if self.each and self.ask is None:
            raise InputError(f"{where}.coin: 'each' needs ask; without ask, give every item its own block.")
        if self.each and self.draw:
            raise InputError(f"{where}.coin: people draw once for all that are asked; 'each' is for devices.")
        for place, item in enumerate(self.items):
            check_noise(item, f"{where}.items[{place}].noise")
        check_keep(self.keep, where, direct)

    def entry(self, notation: Notation) -> dict[str, Any]:
        coin = write_ask(self.ask) | ({"coin": "each"} if self.each else {})
        items = [_write_item(item, notation) for item in self.items]
        own = by_person.write_draw(self.draw, self.gamma, notation)
        return {"keep": notation.write(self.keep)} | coin | own | {"items": items}

    def with_numbers(self, numbers: Numbers) -> "CoinBlock":
        yes = map(numerator, numbers.noise)
        items = tuple(replace(item, noise=(ONE - one, one)) for item, one in zip(self.items, yes, strict=True))
        return replace(self, items=items, keep=numerator(numbers.keep), draw=None)

    @cached_property
    def gamma(self) -> Gamma:
        """1 + a/((1−a)·q), q the least chance of noise for all asked items, those being asked for which it is least.

        Where people draw, γ of the worst chances that their source may have.
        """
        if self.draw:
            return self.draw.odds(len(self.items), self.items_per_person)
        rarest = sorted(rarest_of(item) for item in self.items)[: self.items_per_person]
        if self.each:
            return gammas.product(gammas.of_coin(self.keep, least) for least in rarest)
        return gammas.of_coin(self.keep, prod(rarest, start=Fraction(1)))

    def item_odds(self, place: int) -> Gamma:
        if self.draw:
            return self.draw.odds(len(self.items), 1)
        return gammas.of_coin(self.keep, rarest_of(self.items[place]))

    def chance(self, here: Sequence[int], truth: Sequence[int], sent: Sequence[int]) -> Fraction:
        keep = Fraction(self.keep, ONE)
        noise = [Fraction(noise_of(self.items[j])[code], ONE) for j, code in zip(here, sent, strict=True)]
        same = [before == after for before, after in zip(truth, sent, strict=True)]
        if self.each:
            return prod((keep * kept + (1 - keep) * q for kept, q in zip(same, noise, strict=True)), start=Fraction(1))
        return keep * all(same) + (1 - keep) * prod(noise, start=Fraction(1))

    @property
    def blanket(self) -> Blanket:
        """The noise of the block. Two truths may agree in some asked items; items share one coin or have one each."""
        keep = self.keep / ONE
        rarest = [float(least) for least in sorted(rarest_of(item) for item in self.items)[: self.items_per_person]]
        ways = [agreeing(len(self.items), self.items_per_person, alike) for alike in range(len(self.items) + 1)]
        if self.each:
            same, differ = (atoms_of_coin(keep, rarest[0], differ) for differ in (False, True))
            drawn = [
                join_atoms([same] * j + [differ] * (self.items_per_person - j))
                for j in range(self.items_per_person + 1)
            ]
            share = (1 - keep) ** self.items_per_person
        else:
            same, differ = (atoms_of_coin(keep, prod(rarest), differ) for differ in (False, True))
            drawn = [differ] * self.items_per_person + [same]
            share = 1 - keep
        return Blanket(share, tuple(mix_atoms(zip(way, drawn, strict=True)) for way in ways))


def noise_of(item: Item) -> tuple[int, ...]:
    assert item.noise is not None  # coin blocks are checked to have noise
    return item.noise


def rarest_of(item: Item) -> Fraction:
    """The least chance of an option in the noise of an item."""
    return Fraction(min(noise_of(item)), ONE)


def _read_item(entry: Any, where: str, notation: Notation) -> Item:
    entry = reading.mapping(entry, where)
    reading.only_keys(entry, ("id", "theta", "options", "noise"), where)
    if "theta" in entry and not notation.exact:
        if "options" in entry or "noise" in entry:
            raise InputError(
                f"{where}: theta already sets the noise of the options 0 and 1; give theta or the noise, not both."
            )
        yes = numerator(reading.share(entry, "theta", where))
        return Item(reading.text(entry, "id", where), YES_NO, (ONE - yes, yes))
    for key in ("options", "noise"):
        if key not in entry:
            raise InputError(f"{where}: {key} is missing (an item has theta, or options and noise).")
    name = reading.text(entry, "id", where)
    options = reading.labels(entry["options"], f"{where}.options")
    return Item(name, options, notation.shares(entry["noise"], f"{where}.noise"))


def _follow_draw(entry: Any, yes: Fraction, where: str, notation: Notation) -> Any:
    """The entry of an item with the noise that follows from a draw by the person."""
    if notation.exact:
        noise = [ONE - numerator(yes), numerator(yes)]
        if isinstance(entry, Mapping) and entry.get("noise") != noise:
            raise InputError(f"{where}.noise: it is not {noise}, which follows from the draw.")
        return entry
    own = reading.mapping({"id": entry} if isinstance(entry, str) else entry, where)
    return by_person.follow(own, "theta", yes, where, notation)


def _write_item(item: Item, notation: Notation) -> dict[str, Any]:
    noise = noise_of(item)
    if item.boolean and not notation.exact:
        return {"id": item.id, "theta": notation.write(noise[1])}
    return write_item(item, notation) | {"noise": notation.write_all(noise)}
