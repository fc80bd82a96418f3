"""A coin that knows what it asks: one question, drawn, is asked of each respondent, and its coin spends all of γ.

What is asked depends on no answer, so each question may have a coin of its own. The block states γ, noise is even, and
of a question whose rarest noise has the chance q the truth stays with the chance

    a = (γ − 1)·q / (1 + (γ − 1)·q),

rounded down to 2^-32. A coin block that asks one of several questions keeps what the one with most options allows.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import product
from math import ceil, floor
from typing import Any, ClassVar

import numpy as np

from privacy.design import reading
from privacy.design.blankets import Atoms, Blanket, atoms_of_coin, mix_atoms
from privacy.design.block import Block, BlockKind, Explained, Patterns, Words
from privacy.design.blocks.coin.advise import even_noise, keep_of
from privacy.design.blocks.coin.design import WORDS as COIN_WORDS, CoinBlock, CoinPatterns, noise_of, rarest_of
from privacy.design.brief import Brief, ExpectedItem
from privacy.design.channels import Floats, Literal, Squares, replacing
from privacy.design.draws import Take, draw_options, lay_out
from privacy.design.gammas import Gamma
from privacy.design.items import Item
from privacy.design.notation import (
    Entry,
    Notation,
    check_gamma,
    read_ask,
    read_bare_item,
    write_ask,
    write_item,
)
from privacy.design.plans import Advisor, Judge, Plan, PlannedBlock, Sketched
from privacy.design.rationals import LONGEST, ONE, apportion, fraction
from privacy.design.recipes import EnteredItem, Recipe, Values, require_setting
from privacy.errors import EntryError, InputError, to_translate

NAME = "by-gamma"
SAMPLED_BY_GAMMA = "sampled, a coin by what is asked"
MOST = 2**16  # a larger γ promises nothing


@dataclass(frozen=True)
class GammaBlock(Block):
    """`stated` is the numerator of γ."""

    items: tuple[Item, ...]
    stated: int
    ask: int | None = 1

    mark: ClassVar[str] = "by-gamma"
    symbols: ClassVar[Mapping[str, str]] = {"by-gamma": "γ"}

    @classmethod
    def read(cls, entry: Entry, where: str, notation: Notation) -> "GammaBlock":
        reading.only_keys(entry, ("by-gamma", "ask", "items"), where)
        if notation.exact:
            stated = reading.whole_number(entry, "by-gamma", where)
        else:
            stated = floor(reading.number(entry, "by-gamma", where) * ONE)
        entries = enumerate(reading.read_filled_list(entry, "items", where))
        items = tuple(_read_item(item, f"{where}.items[{index}]", notation) for index, item in entries)
        return cls(items, stated, read_ask(entry, where))

    def check(self, where: str, direct: bool) -> None:
        del direct
        gamma, at = Fraction(self.stated, ONE), f"{where}.by-gamma"
        check_gamma(gamma, at)
        if gamma > MOST:
            raise EntryError("{gamma:.10g} is above {most}.", at=at, gamma=float(gamma), most=MOST)
        if self.ask != 1:
            raise EntryError(
                "{ask} is not 1; a coin by γ asks each respondent one question.", at=f"{where}.ask", ask=self.ask
            )
        for index, item in enumerate(self.items):
            if item.noise != _even(item).noise:
                raise InputError(f"{where}.items[{index}].noise: that of {item.id!r} is not even.")
            if not _keep_under(self.stated, item):
                raise EntryError("with this γ nothing would be kept of {item!r}.", at=at, item=item.id)

    def entry(self, notation: Notation) -> dict[str, Any]:
        noise = [{"noise": list(noise_of(item))} if notation.exact else {} for item in self.items]
        items = [write_item(item, notation) | own for item, own in zip(self.items, noise, strict=True)]
        gamma = self.stated if notation.exact else write_gamma(self.stated)
        return {"by-gamma": gamma, **write_ask(self.ask), "items": items}

    @cached_property
    def gamma(self) -> Gamma:
        """That of the coin that spends most; what coins keep is rounded down, so it is not above what is stated."""
        return max(own.gamma for own in self.coins)

    def item_odds(self, place: int) -> Gamma:
        return self.coins[place].gamma

    @cached_property
    def coins(self) -> tuple[CoinBlock, ...]:
        """The block of each question, by which its answer is disguised where it is the one that is asked."""
        return tuple(CoinBlock((item,), _keep_under(self.stated, item)) for item in self.items)

    def chance(self, here: Sequence[int], truth: Sequence[int], sent: Sequence[int]) -> Fraction:
        (place,) = here
        return self.coins[place].chance([0], truth, sent)

    @property
    def blanket(self) -> Blanket:
        """The noise of the block. Two truths may agree in some questions; those with as many options are alike."""
        away = [1 - own.keep / ONE for own in self.coins]
        share = sum(away) / len(away)
        groups = list(
            Counter((one, float(rarest_of(item))) for one, item in zip(away, self.items, strict=True)).items()
        )
        parts = [
            [(count * one / len(away) / share, _atoms(one, rarest, share, differ)) for differ in (True, False)]
            for (one, rarest), count in groups
        ]
        pairs = []
        for alike in product(*(range(count + 1) for _, count in groups)):
            agreeing = [same / count for same, (_, count) in zip(alike, groups, strict=True)]
            pairs.append(
                mix_atoms(
                    (weight * chance, atoms)
                    for part, same in zip(agreeing, parts, strict=True)
                    for chance, (weight, atoms) in zip((1 - part, part), same, strict=True)
                )
            )
        return Blanket(share, tuple(pairs))


def _atoms(away: float, rarest: float, share: float, differ: bool) -> Atoms:
    """Those of one question, whose part of the noise of the block is `away` of `share`."""
    own = atoms_of_coin(1 - away, rarest, differ)
    one, other = (tuple(share / away * ratio for ratio in ratios) for ratios in (own.one, own.other))
    return Atoms(one, other, own.chance)


def _keep_under(stated: int, item: Item) -> int:
    return floor(keep_of(Fraction(stated, ONE), rarest_of(item)) * ONE)


def write_gamma(stated: int) -> float:
    """The shortest decimal that is read as this numerator: the read one is rounded down.

    >>> write_gamma(9 * ONE), write_gamma(floor(Fraction("9.4") * ONE))
    (9.0, 9.4)
    """
    written = (float(Fraction(ceil(Fraction(stated, ONE) * 10**digits), 10**digits)) for digits in range(LONGEST))
    return next(one for one in written if floor(fraction(one) * ONE) == stated)


def _even(item: Item) -> Item:
    return Item(item.id, item.options, apportion([Fraction(1)] * len(item.options)))


def _read_item(entry: Any, where: str, notation: Notation) -> Item:
    item = _even(read_bare_item(entry, where, *(["noise"] if notation.exact else [])))
    if not notation.exact:
        return item
    return Item(item.id, item.options, notation.shares(entry.get("noise"), f"{where}.noise"))


def _disguise(block: GammaBlock, truth: np.ndarray, here: np.ndarray, take: Take) -> np.ndarray:
    """Disguise the one answer of each row: a word for the coin of its question, then one for its noise."""
    coins = take(len(truth))[:, np.newaxis]
    noise = draw_options([noise_of(item) for item in block.items], lay_out(take(len(truth)), here))
    return np.where((coins < [own.keep for own in block.coins]) | ~here, truth, noise)


@dataclass(frozen=True)
class GammaPatterns(Patterns):
    """Nobody is asked two of its items, so each is inverted by its own coin."""

    block: GammaBlock

    @property
    def apart(self) -> bool:
        return True

    def keep(self, place: int) -> float:
        return self.block.coins[place].keep / ONE

    def factors(self, first: int, literals: Sequence[Literal]) -> list[replacing.CoinFactor]:
        return [
            factor
            for column, options in literals
            for factor in CoinPatterns(self.block.coins[column - first]).factors(column, [(column, options)])
        ]

    def along(self, axes: Sequence[int], places: Sequence[int], shape: tuple[int, ...]) -> list[replacing.CoinOfTable]:
        return [
            channel
            for axis, place in zip(axes, places, strict=True)
            for channel in CoinPatterns(self.block.coins[place]).along([axis], [0], shape)
        ]


def _explain(blocks: Sequence[GammaBlock]) -> Explained:
    ((_, said),) = COIN_WORDS.explain([own for block in blocks for own in block.coins])
    return [(blocks, said)]


WORDS = Words(to_translate("γ is above this site’s limit of {limit}. State a smaller γ."), _explain)


@dataclass(frozen=True)
class GammaSketch(Sketched):
    """Noise is even, so that the noise of a literal tells the keep of its question; `drawn` is that of each item."""

    limit: float
    drawn: tuple[tuple[float, ...], ...]

    @property
    def noise(self) -> tuple[tuple[float, ...], ...]:
        return self.drawn

    @property
    def odds(self) -> float:
        return self.limit

    @property
    def apart(self) -> bool:
        return True

    @property
    def channel(self) -> "GammaSketch":
        return replace(self, items=(), drawn=())

    def squares(self, shares: Floats, noise: Floats) -> Squares:
        return replacing.squares(keep_of(self.limit, noise[:, 0]), shares[:, 0], noise[:, 0])

    def chances(self, noise: Floats) -> Floats:
        return replacing.chances(keep_of(self.limit, noise)[:, :, np.newaxis], noise)

    def line(self, noise: float) -> tuple[float, float]:
        keep = keep_of(self.limit, noise)
        return (1 - keep) * noise, keep

    def exact_block(self, questions: Sequence[ExpectedItem], limit: Fraction) -> GammaBlock | None:
        items = tuple(_even(Item(questions[place].id, questions[place].options)) for place in self.items)
        made = GammaBlock(items, floor(limit * ONE))
        return made if all(own.keep for own in made.coins) else None


@dataclass(frozen=True)
class GammaPlan(PlannedBlock):
    def sketch(self, questions: Sequence[ExpectedItem], odds: float) -> GammaSketch:
        noise = even_noise(tuple(len(questions[item].options) for item in self.items))
        return GammaSketch(self.items, self.ask, odds, noise)

    def as_recipe(self, made: GammaBlock) -> tuple[str, Mapping[str, Any]]:
        return NAME, {"stated": write_gamma(made.stated), **write_ask(made.ask)}


def _sketch(block: GammaBlock, items: tuple[int, ...]) -> GammaSketch:
    noise = tuple(tuple(share / ONE for share in noise_of(item)) for item in block.items)
    return GammaSketch(items, 1, block.stated / ONE, noise)


def _plans(items: Sequence[int], brief: Brief, odds: float, asked: range, judge: Judge) -> Iterator[tuple[str, Plan]]:
    """One question asked, where questions differ in how many options they have; else it is a sampled coin block."""
    del odds, judge
    if 1 in asked and len({len(brief.questions[item].options) for item in items}) > 1:
        yield SAMPLED_BY_GAMMA, (GammaPlan(tuple(items), 1),)


def _block_entries(values: Values, items: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{"by-gamma": require_setting(values, "stated"), **write_ask(values.get("ask") or 1), "items": list(items)}]


def _item_entry(_values: Values, item: EnteredItem) -> dict[str, Any]:
    return {"id": item.id} | ({} if item.options is None else {"options": list(item.options)})


KIND = BlockKind(
    GammaBlock,
    WORDS,
    _disguise,
    patterns=GammaPatterns,
    sketch=_sketch,
    advisor=Advisor(_plans),
    recipes=(Recipe(name=NAME, takes=lambda item: not item.scale, write_item=_item_entry, write=_block_entries),),
)
