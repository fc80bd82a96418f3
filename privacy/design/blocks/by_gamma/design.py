"""A coin by γ: some questions, drawn, are asked of each respondent, and one coin keeps as much of them as γ lets it.

What is asked depends on no answer, so each set of questions may have a coin of its own. The block states γ, noise is
even, and of a set whose rarest noise has the chance q all answers stay with the chance

    a = (γ − 1)·q / (1 + (γ − 1)·q),

rounded down to 2^-32. A coin block keeps as much of every set as of the one with most options. Sets of questions with
as many options have the same coin: they are one *kind* of set, the numbers of options in ascending order.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache, reduce
from itertools import product
from math import ceil, comb, floor, prod
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from privacy.design import reading
from privacy.design.blankets import Atoms, Blanket, atoms_of_coin, mix_atoms
from privacy.design.block import Block, Explained, Words
from privacy.design.blocks.coin.advise import keep_of
from privacy.design.blocks.coin.design import WORDS as COIN_WORDS, CoinBlock, noise_of, rarest_of
from privacy.design.draws import Take, draw_options, lay_out
from privacy.design.gammas import Gamma, of_coin
from privacy.design.items import Item
from privacy.design.notation import (
    Entry,
    Notation,
    check_ask,
    check_gamma,
    read_ask,
    read_bare_item,
    read_gamma,
    write_ask,
    write_item,
)
from privacy.design.rationals import LONGEST, ONE, apportion, fraction
from privacy.design.recipes import EnteredItem, Recipe, Values, require_setting
from privacy.errors import EntryError, InputError, to_translate

NAME = "by-gamma"
MOST = 2**16  # a larger γ promises nothing
MOST_KINDS = 2**12  # of sets
Kinds = tuple[int, ...]
"""A kind of set: how many options each of its questions has, in ascending order."""


@dataclass(frozen=True)
class GammaBlock(Block):
    """`stated` is the numerator of γ, `names` how many answers a device names (`NamingBlock`)."""

    items: tuple[Item, ...]
    stated: int
    ask: int | None = None
    names: int = 1

    mark: ClassVar[str] = "by-gamma"
    symbols: ClassVar[Mapping[str, str]] = {"by-gamma": "γ"}

    @classmethod
    def read(cls, entry: Entry, where: str, notation: Notation) -> "GammaBlock":
        reading.only_keys(entry, ("by-gamma", "ask", "items"), where)
        if notation.exact:
            stated = reading.whole_number(entry, "by-gamma", where)
        else:
            stated = floor(read_gamma(entry, "by-gamma", where) * ONE)
        entries = enumerate(reading.read_filled_list(entry, "items", where))
        items = tuple(_read_item(item, f"{where}.items[{index}]", notation) for index, item in entries)
        return cls(items, stated, read_ask(entry, where))

    def check(self, where: str, direct: bool) -> None:
        del direct
        gamma, at = Fraction(self.stated, ONE), f"{where}.by-gamma"
        check_gamma(gamma, at)
        if gamma > MOST:
            raise EntryError("{gamma:.10g} is above {most}.", at=at, gamma=float(gamma), most=MOST)
        check_ask(self.ask, len(self.items), where)
        for index, item in enumerate(self.items):
            if item.noise != even(item).noise:
                raise InputError(f"{where}.items[{index}].noise: that of {item.id!r} is not even.")
        if is_too_mixed(self.kinds, self.items_per_person):
            raise EntryError("these questions make too many kinds of sets; ask fewer of them.", at=f"{where}.ask")
        for coin in self.coins.values():
            if not coin.keep:
                names = ", ".join(repr(item.id) for item in coin.items)
                raise EntryError("with this γ nothing would be kept of {items}.", at=at, items=names)

    def entry(self, notation: Notation) -> dict[str, Any]:
        noise = [{"noise": list(noise_of(item))} if notation.exact else {} for item in self.items]
        items = [write_item(item, notation) | own for item, own in zip(self.items, noise, strict=True)]
        gamma = self.stated if notation.exact else write_gamma(self.stated)
        return {"by-gamma": gamma, **write_ask(self.ask), "items": items}

    @cached_property
    def kinds(self) -> tuple[int, ...]:
        """How many options each item has."""
        return tuple(len(item.options) for item in self.items)

    @cached_property
    def coins(self) -> dict[Kinds, Any]:
        """For each kind of set a block of the first such items: the coin by which its answers are disguised."""
        made = {}
        for kinds in asked_sets(self.kinds, self.items_per_person):
            left = list(self.items)
            chosen = tuple(left.pop([len(item.options) for item in left].index(kind)) for kind in kinds)
            made[kinds] = self.coin_of(chosen)
        return made

    def coin_of(self, items: tuple[Item, ...]) -> Any:
        rarest = prod(map(rarest_of, items), start=Fraction(1))
        return CoinBlock(items, floor(keep_of(Fraction(self.stated, ONE), rarest) * ONE))

    def kinds_asked(self, here: NDArray[np.bool_]) -> NDArray[np.intp]:
        """The place among the `coins` of what each row was asked; `here` says which items, as many in each row."""
        options = np.array(self.kinds)
        counts = np.stack([here[:, options == kind].sum(axis=1) for kind in sorted({*self.kinds})], axis=1)
        unlike, place = np.unique(counts, axis=0, return_inverse=True)
        kinds = [tuple(np.repeat(sorted({*self.kinds}), own).tolist()) for own in unlike]
        places = {own: number for number, own in enumerate(self.coins)}
        return np.array([places[own] for own in kinds], np.intp)[place.ravel()]

    @cached_property
    def gamma(self) -> Gamma:
        """That of the coin that spends most; what coins keep is rounded down, so it is not above what is stated."""
        return max(coin.gamma for coin in self.coins.values())

    def item_odds(self, place: int) -> Gamma:
        own = self.kinds[place]
        return max(
            of_coin(coin.keep, rarest_of(self.items[place])) for kinds, coin in self.coins.items() if own in kinds
        )

    def coin_for(self, here: Sequence[int]) -> Any:
        """The coin of a respondent who is asked these items."""
        return self.coins[tuple(sorted(self.kinds[index] for index in here))]

    def chance(self, here: Sequence[int], truth: Sequence[int], sent: Sequence[int]) -> Fraction:
        coin = self.coin_for(here)
        return CoinBlock(tuple(self.items[index] for index in here), coin.keep).chance(range(len(here)), truth, sent)

    @property
    def blanket(self) -> Blanket | None:
        """The noise of the block. Two truths may agree in some questions; those with as many options are alike."""
        ways = asked_sets(self.kinds, self.items_per_person)
        every = comb(len(self.items), self.items_per_person)
        away = {kinds: 1 - coin.keep / ONE for kinds, coin in self.coins.items()}
        share = sum(ways[kinds] * chance for kinds, chance in away.items()) / every
        parts = []
        for kinds, coin in self.coins.items():
            rarest = float(prod(map(rarest_of, coin.items), start=Fraction(1)))
            both = tuple(_atoms(away[kinds], rarest, share, differ) for differ in (True, False))
            parts.append((kinds, ways[kinds] * away[kinds] / every / share, both))
        there = {kind: self.kinds.count(kind) for kind in self.kinds}
        pairs = []
        for alike in product(*(range(count + 1) for count in there.values())):
            mixed = []
            for kinds, weight, (differ, same) in parts:
                agree = prod(
                    comb(own, kinds.count(kind)) / comb(count, kinds.count(kind))
                    for own, (kind, count) in zip(alike, there.items(), strict=True)
                )
                mixed += [(weight * (1 - agree), differ), (weight * agree, same)]
            pairs.append(mix_atoms(mixed))
        return Blanket(share, tuple(pairs))


@lru_cache(maxsize=4096)
def asked_sets(kinds: tuple[int, ...], ask: int) -> Mapping[Kinds, int]:
    """The kinds of sets of `ask` questions, with how many sets are of each; questions are given by their options.

    >>> dict(asked_sets((2, 10, 2), 2))
    {(2, 2): 1, (2, 10): 2}
    """
    if not kinds:
        return {} if ask else {(): 1}
    others = tuple(kind for kind in kinds if kind > min(kinds))
    first = len(kinds) - len(others)
    return {
        (min(kinds),) * most + own: ways * comb(first, most)
        for most in range(min(first, ask), -1, -1)
        for own, ways in asked_sets(others, ask - most).items()
    }


def is_too_mixed(kinds: Sequence[int], ask: int) -> bool:
    """Whether `asked_sets` would list too many; where all questions differ, every set is a kind of its own.

    >>> is_too_mixed((2, 10, 2), 2), is_too_mixed(range(2, 42), 20)
    (False, True)
    """
    return bool(reduce(np.convolve, [np.ones(count + 1) for count in Counter(kinds).values()])[ask] > MOST_KINDS)


def _atoms(away: float, rarest: float, share: float, differ: bool) -> Atoms:
    """Those of one kind of set, whose part of the noise of the block is `away` of `share`."""
    own = atoms_of_coin(1 - away, rarest, differ)
    one, other = (tuple(share / away * ratio for ratio in ratios) for ratios in (own.one, own.other))
    return Atoms(one, other, own.chance)


def write_gamma(stated: int) -> float:
    """The shortest decimal that is read as this numerator: the read one is rounded down.

    >>> write_gamma(9 * ONE), write_gamma(floor(Fraction("9.4") * ONE))
    (9.0, 9.4)
    """
    written = (float(Fraction(ceil(Fraction(stated, ONE) * 10**digits), 10**digits)) for digits in range(LONGEST))
    return next(one for one in written if floor(fraction(one) * ONE) == stated)


def even(item: Item) -> Item:
    """The item with even noise.

    >>> even(Item("drugs")).noise
    (2147483648, 2147483648)
    """
    return Item(item.id, item.options, apportion([Fraction(1)] * len(item.options)))


def _read_item(entry: Any, where: str, notation: Notation) -> Item:
    item = even(read_bare_item(entry, where, *(["noise"] if notation.exact else [])))
    if not notation.exact:
        return item
    return Item(item.id, item.options, notation.shares(entry.get("noise"), f"{where}.noise"))


def disguise(block: GammaBlock, truth: np.ndarray, here: np.ndarray, take: Take) -> np.ndarray:
    """Disguise rows of answers: a word for the coin of what was asked, then one for the noise of each answer."""
    keeps = np.array([coin.keep for coin in block.coins.values()], np.uint64)[block.kinds_asked(here)]
    coins = take(len(truth))
    noise = draw_options([noise_of(item) for item in block.items], lay_out(take(here.sum()), here))
    return np.where((coins < keeps)[:, np.newaxis] | ~here, truth, noise)


def _explain(blocks: Sequence[GammaBlock]) -> Explained:
    ((_, said),) = COIN_WORDS.explain([coin for block in blocks for coin in block.coins.values()])
    return [(blocks, said)]


WORDS = Words(to_translate("γ is above this site’s limit of {limit}. State a smaller γ."), _explain)


def _block_entries(values: Values, items: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    names = {"names": values["names"]} if (values.get("names") or 1) > 1 else {}
    stated = {"by-gamma": require_setting(values, "stated"), **names, **write_ask(values.get("ask"))}
    return [stated | {"items": list(items)}]


def _item_entry(_values: Values, item: EnteredItem) -> dict[str, Any]:
    return {"id": item.id} | ({} if item.options is None else {"options": list(item.options)})


RECIPES: tuple[Recipe, ...] = (
    Recipe(name=NAME, takes=lambda item: not item.scale, write_item=_item_entry, write=_block_entries),
)
