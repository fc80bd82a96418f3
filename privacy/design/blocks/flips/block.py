"""A flip block: d of the yes/no answers are turned over, d drawn from `flips`, every set of d equally likely.

With `ask`, only that many of the items, drawn per respondent, are asked.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil, comb, floor, inf
from typing import Any, ClassVar

import numpy as np

from privacy.design import reading, sentences
from privacy.design.blankets import Blanket, agreeing, mixed
from privacy.design.block import Judge, Plan, Planned, asks_nearby, dealt
from privacy.design.blocks.flips.form import FORMS
from privacy.design.blocks.flips.tables import (
    LONGEST_TABLE,
    TUNED_FLIPS,
    best_tables,
    gamma_of,
    of_two_truths,
    strengths_of,
    up_to,
)
from privacy.design.brief import Brief, ExpectedItem
from privacy.design.channels import Floats, Literal, Squares, turning
from privacy.design.channels.krawtchouk import eigenvalues, seen
from privacy.design.draws import Take, choose, draw, spread
from privacy.design.forms import Form
from privacy.design.gammas import Gamma
from privacy.design.items import Item
from privacy.design.notation import Notation, check_ask, read_ask, read_bare_items, write_ask, write_item
from privacy.design.rationals import ONE, apportion, apportion_within, decimals
from privacy.design.sentences import Said, paired
from privacy.errors import EntryError, InputError, to_translate

Entry = Mapping[str, Any]


_ANSWERS = (sentences.YES, sentences.NO)
_TURNED = [(sentences.STORED, {"said": one, "stored": other}) for one, other in (_ANSWERS, _ANSWERS[::-1])]
_STAYS = [(sentences.STORED, {"said": one, "stored": one}) for one in _ANSWERS]


@dataclass(frozen=True)
class FlipBlock:
    items: tuple[Item, ...]
    flips: tuple[int, ...]
    ask: int | None = None

    mark: ClassVar[str] = "flips"
    symbols: ClassVar[Mapping[str, str]] = {}
    leaks: ClassVar[bool] = False
    arms: ClassVar[None] = None

    @classmethod
    def read(cls, entry: Entry, where: str, notation: Notation) -> "FlipBlock":
        reading.only_keys(entry, ("flips", "items", "ask"), where)
        items = read_bare_items(entry, where)
        return cls(items, notation.shares(entry["flips"], f"{where}.flips"), read_ask(entry, where))

    def check(self, where: str, direct: bool) -> None:
        check_ask(self.ask, len(self.items), where)
        for place, item in enumerate(self.items):
            if not item.boolean or item.noise is not None:
                raise InputError(
                    f"{where}.items[{place}]: {item.id!r} is not a yes/no item without noise, as flips need."
                )
        if len(self.flips) != self.asked + 1 or min(self.flips) < 0 or sum(self.flips) != ONE:
            raise EntryError(
                "{count} shares do not say how likely 0 to {size} of {size} answers are turned over; "
                "give {needed} shares that sum to 1.",
                at=f"{where}.flips",
                count=len(self.flips),
                size=self.asked,
                needed=self.asked + 1,
            )
        if not direct and not any(eigenvalues(self.flips)[1:]):
            raise EntryError(
                "this table leaves nothing of any answer, so nothing could be recovered.", at=f"{where}.flips"
            )

    def friendly_entry(self) -> dict[str, Any]:
        return (
            {"flips": decimals(self.flips)} | write_ask(self.ask) | {"items": [{"id": item.id} for item in self.items]}
        )

    def exact_entry(self) -> dict[str, Any]:
        return {"flips": list(self.flips), "items": [write_item(item) for item in self.items]} | write_ask(self.ask)

    @property
    def asked(self) -> int:
        return self.ask or len(self.items)

    @property
    def gamma(self) -> Gamma:
        return gamma_of([Fraction(share, ONE) for share in self.flips])

    @property
    def odds(self) -> Gamma:
        return self.gamma

    def item_gamma(self, place: int) -> Gamma:
        """γ of the flip block that is seen on one item."""
        del place
        return gamma_of(seen(self.flips, 1))

    def item_odds(self, place: int) -> Gamma:
        return self.item_gamma(place)

    def keeping(self, part: Fraction) -> "FlipBlock":
        """As the stronger of two arms, where else every answer is turned over with an even chance."""
        size = len(self.flips) - 1
        even = [Fraction(comb(size, d), 2**size) for d in range(size + 1)]
        shares = zip(self.flips, even, strict=True)
        return replace(self, flips=apportion([part * Fraction(own, ONE) + (1 - part) * blind for own, blind in shares]))

    def mean(self, other: "FlipBlock") -> "FlipBlock":
        pairs = zip(self.flips, other.flips, strict=True)
        return replace(self, flips=apportion([Fraction(sum(pair), 2 * ONE) for pair in pairs]))

    def chance(self, here: Sequence[int], truth: Sequence[int], sent: Sequence[int]) -> Fraction:
        turned = sum(before != after for before, after in zip(truth, sent, strict=True))
        return Fraction(self.flips[turned], ONE * comb(len(here), turned))

    def certain(self, codes: np.ndarray) -> np.ndarray:
        return np.zeros(len(codes), dtype=bool)

    def disguise(self, truth: np.ndarray, here: np.ndarray, take: Take) -> np.ndarray:
        """One word for the number d of answers to turn over; then a choice of d out of the asked items."""
        turned = choose(draw(self.flips, take(len(truth))), self.asked, take)
        return truth ^ spread(turned.ravel(), here)

    @property
    def blanket(self) -> Blanket | None:
        """Every record as likely as its rarest. Two truths of s answers differ in h of them."""
        size = self.asked
        chances = [share / ONE / comb(size, d) for d, share in enumerate(self.flips)]
        if not min(chances):
            return None
        drawn = [of_two_truths([chance * 2.0**size for chance in chances], size, differ) for differ in range(size + 1)]
        ways = [agreeing(len(self.items), size, alike) for alike in range(len(self.items) + 1)]
        pairs = tuple(mixed((chance, drawn[size - j]) for j, chance in enumerate(way)) for way in ways)
        return Blanket(min(chances) * 2.0**size, pairs)

    figures: ClassVar[Mapping[str, Any]] = {}

    # What people are told of it.

    @classmethod
    def explain(cls, blocks: Sequence["FlipBlock"]) -> list[tuple[Sequence["FlipBlock"], list[Said]]]:
        """How often one answer is turned over; of blocks where that is more often than not, how often it is not."""
        seldom = [block for block in blocks if block._turned <= Fraction(1, 2)]
        mostly = [block for block in blocks if block._turned > Fraction(1, 2)]
        sides = [
            (seldom, paired(_TURNED, [(block._turned, block._turned) for block in seldom])),
            (mostly, paired(_STAYS, [(1 - block._turned, 1 - block._turned) for block in mostly])),
        ]
        return [(side, sentences) for side, sentences in sides if side]

    @property
    def _turned(self) -> Fraction:
        """How often one answer is turned over."""
        _, turned = seen(self.flips, 1)
        return turned

    together: ClassVar[str] = sentences.TOGETHER
    believed: ClassVar[str] = sentences.BELIEVED
    note: ClassVar[str] = ""
    advice: ClassVar[str] = to_translate(
        "γ is above this site’s limit of {limit}. Disguise more (a smaller γ), or ask fewer questions of a block."
    )

    # How it is inverted: by the strengths of its table.

    coin: ClassVar[None] = None
    apart: ClassVar[bool] = False

    def factors(self, first: int, literals: Sequence[Literal]) -> list[turning.Factor]:
        del first
        strengths = strengths_of(self.flips)[: len(literals) + 1]
        return [turning.Factor(self.items, tuple((literal,) for literal in literals), strengths)]

    def along(self, axes: Sequence[int], places: Sequence[int], shape: tuple[int, ...]) -> list[turning.OfTable]:
        del places, shape
        return [turning.OfTable(tuple(axes), np.array(strengths_of(self.flips)[: len(axes) + 1]))]

    def literal_noise(self, place: int, option: int, positive: bool) -> float:
        """No noise stands in place of an answer."""
        del place, option, positive
        return np.nan

    def of_patterns(self, yes: np.ndarray) -> turning.OfPatterns:
        count, length = yes.shape
        strengths = strengths_of(self.flips)[: length + 1]
        strengths += (0.0,) * (length + 1 - len(strengths))  # longer than what one respondent is asked
        return turning.OfPatterns(np.tile(strengths, (count, 1)))

    ordered: ClassVar[None] = None
    distribution: ClassVar[None] = None
    cut: ClassVar[None] = None

    # What the advisor may vary: the partition, how many are asked, and the table.

    def sketch(self, items: tuple[int, ...]) -> "FlipSketch":
        return FlipSketch(items, self.asked, tuple(share / ONE for share in self.flips))

    @staticmethod
    def plans(
        items: Sequence[int], brief: Brief, odds: float, thorough: bool, judge: Judge
    ) -> Iterator[tuple[str, Plan]]:
        """One block under the best tables, by radius and tuned; thorough: also equal blocks, by radius."""
        if not all(brief.questions[item].boolean for item in items):
            return
        for family, levels in best_tables(items, brief, odds, judge):
            yield family, (_levelled(items, levels),)
        if thorough:
            yield from _by_radius(items, brief)

    @staticmethod
    def proposals(
        brief: Brief, odds: float, asked: range, judge: Judge, error: Callable[[Plan], float]
    ) -> Iterator[Sequence[Plan]]:
        """The best tables; where it is said how many are asked, those by radius."""
        items = tuple(range(len(brief.questions)))
        if not all(question.boolean for question in brief.questions):
            return
        if len(asked) > 1:
            plans: list[Plan] = [
                (_levelled(items, own),) for _, own in best_tables(items, brief, odds, judge, asked[0])
            ]
        else:
            radii = range(min(asked[0], LONGEST_TABLE))
            plans = [(_levelled(items, up_to(radius, asked[0])),) for radius in radii]
        yield sorted(dict.fromkeys(plans), key=error)

    forms: ClassVar[tuple[Form, ...]] = FORMS


FLIP_BLOCKS = "equal blocks of flips"


@dataclass(frozen=True)
class FlipSketch:
    """A flip block in floats."""

    items: tuple[int, ...]
    ask: int
    flips: tuple[float, ...]

    @classmethod
    def tilted(cls, items: tuple[int, ...], tilt: Sequence[float]) -> "FlipSketch":
        """The flip block in which one set of d answers has a chance in proportion to tilt[d]."""
        ask = len(tilt) - 1
        shares = [comb(ask, d) * value for d, value in enumerate(tilt)]
        total = sum(shares)
        return cls(items, ask, tuple(share / total for share in shares))

    @property
    def noise(self) -> tuple[tuple[float, ...], ...]:
        return ((0.0, 0.0),) * len(self.items)

    @property
    def tilt(self) -> list[float]:
        """How much likelier one set of d answers is to be turned over than a set of the rarest size."""
        per_set = [share / comb(self.ask, d) for d, share in enumerate(self.flips)]
        least = min(per_set)
        return [share / least if least else inf for share in per_set]

    @property
    def odds(self) -> float:
        return max(self.tilt)

    @property
    def channel(self) -> "FlipSketch":
        return replace(self, items=())

    def squares(self, shares: Floats, noise: Floats) -> Squares:
        del noise
        square, hit, miss = turning.squares(np.array([self.flips]), shares)
        return square[0], hit[0], miss[0]

    def chances(self, noise: Floats) -> Floats:
        return np.tile(turning.chances(np.array([self.flips]), noise.shape[1]), (len(noise), 1, 1))

    def shared(self, size: int) -> float:
        del size
        return 1.0

    def rounded(self, questions: Sequence[ExpectedItem], limit: Fraction) -> FlipBlock | None:
        """Every share lies between unit·C(s, d) and γ·unit·C(s, d), so that γ holds whatever the rounding."""
        ways = [comb(self.ask, d) for d in range(self.ask + 1)]
        tilt = [min(Fraction(value), limit) for value in self.tilt]
        unit = Fraction(ONE) / sum(way * value for way, value in zip(ways, tilt, strict=True))
        least, most = [ceil(unit * way) for way in ways], [floor(limit * unit * way) for way in ways]
        table = apportion_within([unit * way * value for way, value in zip(ways, tilt, strict=True)], least, most, ways)
        if table is None or not any(eigenvalues(table)[1:]):
            return None
        items = tuple(Item(questions[place].id) for place in self.items)
        return FlipBlock(items, table, self.ask if self.ask < len(items) else None)


@dataclass(frozen=True)
class FlipPlan:
    """A flip block in which a set of d answers is γ^levels[d] times as likely as the rarest."""

    items: tuple[int, ...]
    ask: int
    weight: float = 1.0
    levels: tuple[float, ...] = ()

    stepped: ClassVar[str] = TUNED_FLIPS

    def under(self, questions: Sequence[ExpectedItem], odds: float) -> FlipSketch:
        del questions
        return FlipSketch.tilted(self.items, [odds**level for level in self.levels])

    def asking(self, ask: int) -> "FlipPlan":
        """The table is stretched to its new length."""
        levels = tuple(self.levels[round(d * self.ask / ask)] for d in range(ask + 1))
        return replace(self, ask=ask, levels=levels)

    def changes(self, brief: Brief) -> Iterator[Planned]:
        del brief
        yield from asks_nearby(self)
        for d, level in enumerate(self.levels):
            for changed in (0.0, 0.5, 0.8, 1.0):
                if changed != level:
                    yield replace(self, levels=(*self.levels[:d], changed, *self.levels[d + 1 :]))

    def takes(self, question: ExpectedItem) -> bool:
        return question.boolean

    def merged(self, other: Any) -> Iterator[Planned]:
        del other
        return iter(())

    def entered(self, made: FlipBlock) -> tuple[str, Mapping[str, Any]]:
        return "flip", {"flips": decimals(made.flips), **write_ask(made.ask)}


def _by_radius(items: Sequence[int], brief: Brief) -> Iterator[tuple[str, Plan]]:
    """Two and more equal blocks of flips, by radius."""
    for count in range(2, len(items) // 2 + 1):
        groups = dealt(items, count)
        for ask in range(2, len(groups[-1]) + 1):
            for radius in range(ask if count * ask <= brief.asked else 0):
                levels = up_to(radius, ask)
                yield FLIP_BLOCKS, tuple(FlipPlan(group, ask, levels=levels) for group in groups)


def _levelled(items: Sequence[int], levels: tuple[float, ...]) -> FlipPlan:
    return FlipPlan(tuple(items), len(levels) - 1, levels=levels)
