"""A coin block: with the chance `keep` the true answers stay, else every one is replaced by a draw from its noise.

One coin decides for the whole block (the improved grouped unrelated-question model), or with `each` every asked item
has a coin of its own. A coin each stands in sampled blocks alone: where all items are asked, the same channel is one
block per item, and is written so. With `ask`, only that many of the items, drawn per respondent, are asked.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, partial
from math import prod
from typing import Any, ClassVar

import numpy as np

from privacy.design import by_person, gammas, reading, sentences
from privacy.design.blankets import Blanket, agreeing, atoms_of_coin, join_atoms, mix_atoms
from privacy.design.block import Block, Explained, Patterns, Words
from privacy.design.channels import Literal, replacing
from privacy.design.draws import Take, draw_options, lay_out
from privacy.design.gammas import Gamma
from privacy.design.items import YES_NO, Item, check_noise
from privacy.design.notation import Notation, check_ask, check_keep, read_ask, write_ask, write_item
from privacy.design.rationals import ONE, numerator
from privacy.design.recipes import EnteredItem, Recipe, Values, require_setting
from privacy.design.sentences import pair_shares
from privacy.errors import EntryError, InputError, to_translate
from privacy.own_draw.person_draw import PersonDraw
from privacy.own_draw.ready import draw_of
from privacy.own_draw.sources import SOURCES
from privacy.own_draw.ways import WAYS, Numbers


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
        for index, yes in enumerate(numbers.noise):
            entries[index] = _follow_draw(entries[index], yes, f"{where}.items[{index}]", notation)
        items = tuple(_read_item(item, f"{where}.items[{index}]", notation) for index, item in enumerate(entries))
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
        for index, item in enumerate(self.items):
            check_noise(item, f"{where}.items[{index}].noise")
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


@dataclass(frozen=True)
class CoinPatterns(Patterns):
    block: Any

    def keep(self, *places: int) -> float:
        del places
        return self.block.keep / ONE

    @property
    def apart(self) -> bool:
        return self.block.each

    def factors(self, first: int, literals: Sequence[Literal]) -> list[replacing.CoinFactor]:
        """The factor of all literals under one coin, or one for each literal where each item has a coin."""
        coins = [[literal] for literal in literals] if self.apart else [list(literals)]
        return [
            replacing.CoinFactor(
                self.block.items,
                (tuple(coin),),
                self.keep(*(column - first for column, _ in coin)),
                self._matches(first, coin),
            )
            for coin in coins
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
        coins = [[pair] for pair in pairs] if self.apart else [pairs]
        channels = []
        for own in coins:
            noise, keep = np.ones(()), self.keep(*(place for _, place in own))
            for _, place in own:
                noise = np.multiply.outer(noise, np.array(noise_of(self.block.items[place])) / ONE)
            channels.append(replacing.CoinOfTable.from_axes([axis for axis, _ in own], keep, noise, shape))
        return channels


def disguise(block: CoinBlock, truth: np.ndarray, here: np.ndarray, take: Take) -> np.ndarray:
    """Disguise rows of answers: one word for the coin, or with `each` for each asked item, then one for its noise."""
    words = len(truth) * block.items_per_person
    coins = lay_out(take(words), here) if block.each else take(len(truth))[:, np.newaxis]
    noise = draw_options([noise_of(item) for item in block.items], lay_out(take(words), here))
    return np.where((coins < block.keep) | ~here, truth, noise)


_OPTIONS: tuple[tuple[str, dict[str, str]], ...] = (
    (to_translate("Of {of} people with the same true answer, the site stores another for about {some}."), {}),
    (to_translate("Of {of} people with a different true answer, it stores this answer for about {some}."), {}),
)


def _explain(blocks: Sequence[CoinBlock]) -> Explained:
    """Say how often noise turns an answer into another one."""
    noise = [(Fraction(ONE - block.keep, ONE), item) for block in blocks for item in block.items]
    yes_no = [tuple(away * Fraction(q, ONE) for q in reversed(noise_of(item))) for away, item in noise if item.boolean]
    others = [
        (away * Fraction(ONE - q, ONE), away * Fraction(q, ONE))
        for away, item in noise
        if not item.boolean
        for q in noise_of(item)
    ]
    return [(blocks, [*pair_shares(sentences.EITHER, yes_no), *pair_shares(_OPTIONS, others)])]


_ADVICE = to_translate(
    "γ is above this site’s limit of {limit}. Disguise more (smaller p), ask fewer questions of a block, or use "
    "flips; with one coin for many questions, each question multiplies γ."
)
WORDS = Words(_ADVICE, _explain)


def _item_entry(values: Values, item: EnteredItem) -> dict[str, Any]:
    if item.options is None:
        own_first = (item.values.get("noise"), item.values.get("theta"), values.get("theta"))
        theta = next((share for share in own_first if share is not None), None)
        if theta is None:
            raise EntryError("give θ, the chance that noise says yes, here or in its block.", at="theta")
        return {"id": item.id, "theta": theta}
    if item.values.get("theta") is not None:
        raise EntryError("θ is for yes/no answers under a coin: leave it empty.", at="theta")
    given = item.values.get("noise") or [None] * len(item.options)
    if all(share is None for share in given):
        given = [1 / len(item.options)] * len(item.options)
    if any(share is None for share in given):
        raise EntryError("give the noise of every option, or of none.", at="options")
    return {"id": item.id, "options": list(item.options), "noise": given}


def _block_entries(values: Values, items: Sequence[dict[str, Any]], *, each: bool) -> list[dict[str, Any]]:
    if values.get("keep") is None:
        raise EntryError("a coin needs p, the chance that the truth is kept.", at="keep")
    block = {"keep": values["keep"], **write_ask(values.get("ask"))}
    if each and "ask" not in block:
        return [block | {"items": [item]} for item in items]
    return [block | {"items": list(items)} | ({"coin": "each"} if each else {})]


def _person_entries(values: Values, items: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """A block that people draw themselves; where its way hides a yes alone, it is one-sided."""
    way, source, part = (require_setting(values, name) for name in ("draw_way", "source", "part"))
    if way not in WAYS or source not in SOURCES:
        raise EntryError(
            "people do not draw by “{way}” with “{source}” here: choose another.", at="draw_way", way=way, source=source
        )
    ask = write_ask(values.get("ask"))
    drawn = {name: bool(values.get(name)) for name in ("lot", "slips")}
    draw = draw_of(way, source, part, ask.get("ask", len(items)), values.get("fact"), **drawn)
    own = {} if WAYS[way].hides_no else {"harmless": "0"}
    return [{"by": "person", "draw": draw, **ask, "items": [item | own for item in items]}]


RECIPES: tuple[Recipe, ...] = (
    *(
        Recipe(
            name=name,
            takes=lambda item: not item.scale,
            write_item=_item_entry,
            write=partial(_block_entries, each=each),
        )
        for name, each in (("coin", False), ("each", True))
    ),
    # Who presses is asked a plain question: "yes" and "no" are the buttons.
    Recipe(name="by-person", takes=lambda item: item.options is None and not item.scale, write=_person_entries),
)
