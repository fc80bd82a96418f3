"""A coin block: with the chance `keep` the true answers stay, else every one is replaced by a draw from its noise.

One coin decides for the whole block (the improved grouped unrelated-question model), or with `each` every asked item
has a coin of its own. A coin each stands in sampled blocks alone: where all items are asked, the same channel is one
block per item, and is written so. With `ask`, only that many of the items, drawn per respondent, are asked.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from math import floor, prod
from typing import Any, ClassVar

import numpy as np

from privacy.design import gammas, reading, sentences
from privacy.design.blankets import Blanket, agreeing, joined, mixed, replaced
from privacy.design.block import Judge, Plan, Planned, asked, asks_nearby, dealt
from privacy.design.blocks.coin.form import FORMS
from privacy.design.blocks.coin.noise import (
    expected_noise,
    friendly_item,
    gamma_of,
    keep_of,
    keep_of_each,
    noise_of,
    rarest_of,
    read_item,
)
from privacy.design.brief import Brief, ExpectedItem
from privacy.design.channels import Floats, Literal, Squares, replacing
from privacy.design.draws import Take, draw_options, spread
from privacy.design.forms import Form
from privacy.design.gammas import Gamma
from privacy.design.items import Item, check_noise
from privacy.design.notation import Notation, check_ask, check_numerator, read_ask, write_ask, write_item
from privacy.design.rationals import ONE, apportion, decimal
from privacy.design.sentences import Said, paired
from privacy.errors import EntryError, InputError, to_translate

_YES_NO = (
    (sentences.STORED, {"said": sentences.YES, "stored": sentences.NO}),
    (sentences.STORED, {"said": sentences.NO, "stored": sentences.YES}),
)
_OPTIONS: tuple[tuple[str, dict[str, str]], ...] = (
    (to_translate("Of {of} people who would choose any one answer, the site stores about {some} with another."), {}),
    (to_translate("Of {of} people who would choose another, it stores about {some} with that one."), {}),
)


@dataclass(frozen=True)
class CoinBlock:
    items: tuple[Item, ...]
    keep: int
    ask: int | None = None
    each: bool = False

    mark: ClassVar[str] = "keep"
    symbols: ClassVar[Mapping[str, str]] = {"keep": "p", "theta": "θ"}
    leaks: ClassVar[bool] = False
    arms: ClassVar[None] = None

    @classmethod
    def read(cls, entry: Mapping[str, Any], where: str, notation: Notation) -> "CoinBlock":
        reading.only_keys(entry, ("keep", "theta", "items", "ask", "coin"), where)
        keep = notation.share(entry, "keep", where)
        entries = reading.filled_list(entry, "items", where)
        items = tuple(read_item(item, f"{where}.items[{place}]", notation) for place, item in enumerate(entries))
        coin = entry.get("coin", "shared")
        if coin not in ("shared", "each"):
            raise InputError(f"{where}.coin: {coin!r} is neither 'shared' nor 'each'.")
        return cls(items, keep, read_ask(entry, where), coin == "each")

    def check(self, where: str, direct: bool) -> None:
        check_ask(self.ask, len(self.items), where)
        if self.each and self.ask is None:
            raise InputError(f"{where}.coin: 'each' needs ask; without it, give every item a block of its own.")
        check_numerator(self.keep, f"{where}.keep")
        for place, item in enumerate(self.items):
            check_noise(item, f"{where}.items[{place}].noise")
        if self.keep == 0 and not direct:
            raise EntryError(
                "0 keeps no answer, so without a direct group nothing could be recovered.", at=f"{where}.keep"
            )

    def friendly_entry(self) -> dict[str, Any]:
        return {"keep": decimal(self.keep)} | self._shape | {"items": [friendly_item(item) for item in self.items]}

    def exact_entry(self) -> dict[str, Any]:
        items = [write_item(item) | {"noise": list(noise_of(item))} for item in self.items]
        return {"keep": self.keep, "items": items} | self._shape

    @property
    def _shape(self) -> dict[str, Any]:
        return write_ask(self.ask) | ({"coin": "each"} if self.each else {})

    @property
    def asked(self) -> int:
        return self.ask or len(self.items)

    @cached_property
    def gamma(self) -> Gamma:
        """1 + a/((1−a)·min q), where the least likely noise is that of the s asked items whose noise can be rarest."""
        rarest = sorted(rarest_of(item) for item in self.items)[: self.asked]
        if self.each:
            return gammas.product(gammas.of_coin(self.keep, least) for least in rarest)
        return gammas.of_coin(self.keep, prod(rarest, start=Fraction(1)))

    @property
    def odds(self) -> Gamma:
        return self.gamma

    def item_gamma(self, place: int) -> Gamma:
        return gammas.of_coin(self.keep, rarest_of(self.items[place]))

    def item_odds(self, place: int) -> Gamma:
        return self.item_gamma(place)

    def keeping(self, part: Fraction) -> "CoinBlock":
        """As the stronger of two arms, where else noise speaks."""
        return replace(self, keep=round(part * self.keep))

    def mean(self, other: "CoinBlock") -> "CoinBlock":
        return replace(self, keep=(self.keep + other.keep) // 2)

    def chance(self, here: Sequence[int], truth: Sequence[int], sent: Sequence[int]) -> Fraction:
        keep = Fraction(self.keep, ONE)
        noise = [Fraction(noise_of(self.items[j])[code], ONE) for j, code in zip(here, sent, strict=True)]
        same = [before == after for before, after in zip(truth, sent, strict=True)]
        if self.each:
            return prod((keep * kept + (1 - keep) * q for kept, q in zip(same, noise, strict=True)), start=Fraction(1))
        return keep * all(same) + (1 - keep) * prod(noise, start=Fraction(1))

    def certain(self, codes: np.ndarray) -> np.ndarray:
        return np.zeros(len(codes), dtype=bool)

    def disguise(self, truth: np.ndarray, here: np.ndarray, take: Take) -> np.ndarray:
        """One word for the coin, or with `each` one per asked item; then one of noise per asked item, used or not."""
        words = len(truth) * self.asked
        coins = spread(take(words), here) if self.each else take(len(truth))[:, np.newaxis]
        noise = draw_options([noise_of(item) for item in self.items], spread(take(words), here))
        return np.where((coins < self.keep) | ~here, truth, noise)

    @property
    def blanket(self) -> Blanket:
        """The noise. Two truths may be alike in some of the asked items, which draw on one coin or each on its own."""
        keep = self.keep / ONE
        rarest = [float(least) for least in sorted(rarest_of(item) for item in self.items)[: self.asked]]
        ways = [agreeing(len(self.items), self.asked, alike) for alike in range(len(self.items) + 1)]
        if self.each:
            same, differ = (replaced(keep, rarest[0], differ) for differ in (False, True))
            drawn = [joined([same] * j + [differ] * (self.asked - j)) for j in range(self.asked + 1)]
            share = (1 - keep) ** self.asked
        else:
            same, differ = (replaced(keep, prod(rarest), differ) for differ in (False, True))
            drawn = [differ] * self.asked + [same]
            share = 1 - keep
        return Blanket(share, tuple(mixed(zip(way, drawn, strict=True)) for way in ways))

    figures: ClassVar[Mapping[str, Any]] = {}

    # What people are told of it.

    @classmethod
    def explain(cls, blocks: Sequence["CoinBlock"]) -> list[tuple[Sequence["CoinBlock"], list[Said]]]:
        """A yes/no answer comes as the other one by noise alone; so does any option as another one."""
        noise = [(Fraction(ONE - block.keep, ONE), item) for block in blocks for item in block.items]
        yes_no = [tuple(away * Fraction(q, ONE) for q in noise_of(item)) for away, item in noise if item.boolean]
        others = [
            (away * Fraction(ONE - q, ONE), away * Fraction(q, ONE))
            for away, item in noise
            if not item.boolean
            for q in noise_of(item)
        ]
        return [(blocks, [*paired(_YES_NO, yes_no), *paired(_OPTIONS, others)])]

    together: ClassVar[str] = sentences.TOGETHER
    believed: ClassVar[str] = sentences.BELIEVED
    note: ClassVar[str] = ""
    advice: ClassVar[str] = to_translate(
        "γ is above this site’s limit of {limit}. Disguise more (smaller p), ask fewer questions of a block, or use "
        "flips; one coin over many questions multiplies γ with each of them."
    )

    # How it is inverted: its coins, and what noise says.

    @property
    def coin(self) -> float | None:
        return self.keep / ONE

    @property
    def apart(self) -> bool:
        return self.each

    def factors(self, first: int, literals: Sequence[Literal]) -> list[replacing.Factor]:
        coins = [[literal] for literal in literals] if self.each else [list(literals)]
        return [
            replacing.Factor(self.items, (tuple(own),), self.keep / ONE, self._matches(first, own)) for own in coins
        ]

    def _matches(self, first: int, literals: Sequence[Literal]) -> float:
        """q(E_b): how likely noise alone matches the literals."""
        return prod(
            sum(noise_of(self.items[column - first])[option] for option in options) / ONE
            for column, options in literals
        )

    def along(self, axes: Sequence[int], places: Sequence[int], shape: tuple[int, ...]) -> list[replacing.OfTable]:
        pairs = list(zip(axes, places, strict=True))
        coins = [[pair] for pair in pairs] if self.each else [pairs]
        channels = []
        for own in coins:
            noise = np.ones(())
            for _, place in own:
                noise = np.multiply.outer(noise, np.array(noise_of(self.items[place])) / ONE)
            channels.append(replacing.OfTable.over([axis for axis, _ in own], self.keep / ONE, noise, shape))
        return channels

    def literal_noise(self, place: int, option: int, positive: bool) -> float:
        share = noise_of(self.items[place])[option]
        return (share if positive else ONE - share) / ONE

    of_patterns: ClassVar[None] = None
    ordered: ClassVar[None] = None
    distribution: ClassVar[None] = None
    cut: ClassVar[None] = None

    # What the advisor may vary: the partition, how many are asked, whether coins are shared, and the noise.

    def sketch(self, items: tuple[int, ...]) -> "CoinSketch":
        noise = tuple(tuple(share / ONE for share in noise_of(item)) for item in self.items)
        return CoinSketch(items, self.asked, self.keep / ONE, noise, self.each)

    @staticmethod
    def plans(
        items: Sequence[int], brief: Brief, odds: float, thorough: bool, judge: Judge
    ) -> Iterator[tuple[str, Plan]]:
        """Equal blocks of every size, whole and sampled; thorough: also noise near what yes/no items expect."""
        del odds, judge
        for count in range(1, len(items) + 1):
            groups = dealt(items, count)
            for ask in range(1, len(groups[0]) + 1):
                plan = tuple(CoinPlan(group, min(ask, len(group))) for group in groups)
                if ask == len(groups[0]):
                    family = ONE_COIN if count == 1 else COIN_EACH if ask == 1 else COIN_BLOCKS
                else:
                    family = SAMPLED_COIN if count == 1 else SAMPLED_BLOCKS
                if asked(plan) > brief.asked:
                    continue
                plans = [(family, plan)]
                if family == SAMPLED_COIN and ask > 1:
                    plans.append((SAMPLED_EACH, (CoinPlan(groups[0], ask, each=True),)))
                for name, even in plans:
                    yield name, even
                    if thorough and brief.guessed and all(brief.questions[item].boolean for item in items):
                        for skew in _SKEWS:
                            yield name + SKEWED, tuple(replace(block, skew=skew) for block in even)

    @staticmethod
    def proposals(
        brief: Brief, odds: float, asked: range, judge: Judge, error: Callable[[Plan], float]
    ) -> Iterator[Sequence[Plan]]:
        """One coin, and a coin each of sampled items. Asking more helps up to a number, where trying more ends."""
        del odds, judge
        items = tuple(range(len(brief.questions)))
        for each in (False, True):
            first = asked[0] if len(asked) == 1 else max(asked[0], brief.length)
            last = asked[-1] if len(asked) == 1 else min(asked[-1], len(items) - each)
            if each and not 1 < first <= last < len(items):
                continue
            tried: dict[Plan, float] = {}
            for ask in range(first, last + 1):
                plan = (CoinPlan(items, ask, each=each),)
                tried[plan] = error(plan)
                if tried[plan] > min(tried.values()):
                    break
            yield sorted(tried, key=tried.__getitem__)

    forms: ClassVar[tuple[Form, ...]] = FORMS


ONE_COIN = "one coin over all items"
COIN_EACH = "a coin per item"
COIN_BLOCKS = "equal blocks, a coin each"
SAMPLED_COIN = "sampled, one coin"
SAMPLED_EACH = "sampled, a coin per item"
SAMPLED_BLOCKS = "equal sampled blocks, a coin each"
SKEWED = ", noise near what is expected"
_SKEWS = (0.25, 0.5, 0.75, 1.0)


@dataclass(frozen=True)
class CoinSketch:
    """A coin block in floats; `noise` is a distribution for each item."""

    items: tuple[int, ...]
    ask: int
    keep: float
    noise: tuple[tuple[float, ...], ...]
    each: bool = False

    @classmethod
    def under(
        cls, items: tuple[int, ...], ask: int, gamma: float, noise: tuple[tuple[float, ...], ...], each: bool = False
    ) -> "CoinSketch":
        """The coin block that keeps most under γ."""
        rarest = cls(items, ask, 0.0, noise).rarest
        if not each:
            return cls(items, ask, float(keep_of(gamma, prod(rarest))), noise)
        return cls(items, ask, keep_of_each(gamma, rarest), noise, each=True)

    @property
    def rarest(self) -> list[float]:
        """The least likely noise of the asked items for which it can be rarest."""
        return sorted(min(noise) for noise in self.noise)[: self.ask]

    @property
    def odds(self) -> float:
        if self.each:
            return prod(gamma_of(self.keep, least) for least in self.rarest)
        return gamma_of(self.keep, prod(self.rarest))

    @property
    def channel(self) -> "CoinSketch":
        return replace(self, items=(), noise=())

    def squares(self, shares: Floats, noise: Floats) -> Squares:
        if self.each:
            return replacing.squares_apart(self.keep, shares, noise)
        return replacing.squares(self.keep, shares.prod(axis=1), noise.prod(axis=1))

    def chances(self, noise: Floats) -> Floats:
        return (replacing.chances_apart if self.each else replacing.chances)(self.keep, noise)

    def shared(self, size: int) -> float:
        del size
        return 1.0

    def rounded(self, questions: Sequence[ExpectedItem], limit: Fraction) -> CoinBlock | None:
        items = tuple(
            Item(questions[place].id, questions[place].options, apportion([Fraction(share) for share in noise]))
            for place, noise in zip(self.items, self.noise, strict=True)
        )
        ask = self.ask if self.ask < len(items) else None
        if self.each:
            keep = floor(self.keep * ONE)
        else:
            rarest = sorted(rarest_of(item) for item in items)[: self.ask]
            keep = floor(keep_of(limit, prod(rarest, start=Fraction(1))) * ONE)
        while keep > 0:
            made = CoinBlock(items, keep, ask, self.each)
            if made.gamma <= limit:
                return made
            keep -= 1 + keep // 2**30
        return None


@dataclass(frozen=True)
class CoinPlan:
    """A coin block whose noise lies between even (skew 0) and what is expected of the answers (skew 1)."""

    items: tuple[int, ...]
    ask: int
    weight: float = 1.0
    each: bool = False
    skew: float = 0.0

    stepped: ClassVar[None] = None

    def under(self, questions: Sequence[ExpectedItem], odds: float) -> CoinSketch:
        noise = tuple(expected_noise(questions[item], self.skew) for item in self.items)
        return CoinSketch.under(self.items, self.ask, odds, noise, self.each)

    def asking(self, ask: int) -> "CoinPlan":
        return replace(self, ask=ask, each=self.each and ask < len(self.items))

    def changes(self, brief: Brief) -> Iterator[Planned]:
        yield from asks_nearby(self)
        if 1 < self.ask < len(self.items):
            yield replace(self, each=not self.each)
        if brief.guessed and all(brief.questions[item].boolean for item in self.items):
            for skew in (self.skew - 0.1, self.skew + 0.1):
                if 0 <= skew <= 1:
                    yield replace(self, skew=skew)

    def takes(self, question: ExpectedItem) -> bool:
        del question
        return True

    def merged(self, other: Any) -> Iterator[Planned]:
        if isinstance(other, CoinPlan):
            for ask in {self.ask + other.ask, max(self.ask, other.ask)}:
                items, weight = (*self.items, *other.items), self.weight + other.weight
                yield replace(self, items=items, ask=ask, weight=weight, each=False)

    def entered(self, made: CoinBlock) -> tuple[str, Mapping[str, Any]]:
        """Even noise needs one θ alone."""
        return "each" if made.each else "coin", {"keep": decimal(made.keep), "theta": 0.5, **write_ask(made.ask)}
