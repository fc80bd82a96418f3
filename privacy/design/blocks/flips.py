"""A flip block: d of the yes/no answers are turned over, d drawn from `flips`, every set of d equally likely.

With `ask`, only that many of the items, drawn per respondent, are asked.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache, partial
from itertools import combinations
from math import ceil, comb, floor, inf
from typing import Any, ClassVar

import numpy as np

from privacy.design import forms, reading, sentences
from privacy.design.blankets import Atoms, Blanket, agreeing, mixed
from privacy.design.block import Judge, Plan, Planned, asks_nearby, dealt
from privacy.design.brief import Brief, ExpectedItem
from privacy.design.channels import Floats, Literal, Squares, turning
from privacy.design.channels.krawtchouk import eigenvalues, seen
from privacy.design.draws import Take, choose, draw, spread
from privacy.design.forms import EnteredItem, Form, FormField, Term, Value, Values, to_translate
from privacy.design.gammas import Gamma
from privacy.design.items import Item
from privacy.design.notation import Notation, check_ask, read_ask, read_bare_items, write_item
from privacy.design.rationals import ONE, apportion, apportion_within, decimals
from privacy.design.sentences import Said, paired
from privacy.errors import EntryError, InputError

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

    def friendly(self) -> dict[str, Any]:
        return {"flips": decimals(self.flips)} | self._shape | {"items": [{"id": item.id} for item in self.items]}

    def exact(self) -> dict[str, Any]:
        return {"flips": list(self.flips), "items": [write_item(item) for item in self.items]} | self._shape

    @property
    def _shape(self) -> dict[str, Any]:
        return {} if self.ask is None else {"ask": self.ask}

    @property
    def asked(self) -> int:
        return self.ask or len(self.items)

    @property
    def gamma(self) -> Gamma:
        return _gamma([Fraction(share, ONE) for share in self.flips])

    @property
    def odds(self) -> Gamma:
        return self.gamma

    def item_gamma(self, place: int) -> Gamma:
        """γ of the flip block that is seen on one item."""
        del place
        return _gamma(seen(self.flips, 1))

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
        drawn = [_apart([chance * 2.0**size for chance in chances], size, differ) for differ in range(size + 1)]
        ways = [agreeing(len(self.items), size, alike) for alike in range(len(self.items) + 1)]
        pairs = tuple(mixed((chance, drawn[size - j]) for j, chance in enumerate(way)) for way in ways)
        return Blanket(min(chances) * 2.0**size, pairs)

    figures: ClassVar[Mapping[str, Any]] = {}

    # What people are told of it.

    @classmethod
    def told(cls, blocks: Sequence["FlipBlock"]) -> list[tuple[Sequence["FlipBlock"], list[Said]]]:
        """How often one answer is turned over; of blocks where that is more often than not, how often it is not."""
        seldom = [block for block in blocks if block._turned <= Fraction(1, 2)]
        mostly = [block for block in blocks if block._turned > Fraction(1, 2)]
        told = [
            (seldom, paired(_TURNED, [(block._turned, block._turned) for block in seldom])),
            (mostly, paired(_STAYS, [(1 - block._turned, 1 - block._turned) for block in mostly])),
        ]
        return [(side, sentences) for side, sentences in told if side]

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
        strengths = _strengths(self.flips)[: len(literals) + 1]
        return [turning.Factor(self.items, tuple((literal,) for literal in literals), strengths)]

    def along(self, axes: Sequence[int], places: Sequence[int], shape: tuple[int, ...]) -> list[turning.OfTable]:
        del places, shape
        return [turning.OfTable(tuple(axes), np.array(_strengths(self.flips)[: len(axes) + 1]))]

    def literal_noise(self, place: int, option: int, positive: bool) -> float:
        """No noise stands in place of an answer."""
        del place, option, positive
        return np.nan

    def of_patterns(self, yes: np.ndarray) -> turning.OfPatterns:
        count, length = yes.shape
        strengths = _strengths(self.flips)[: length + 1]
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
        yield from _by_table(items, brief, odds, judge)
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
            plans = [plan for _, plan in _by_table(items, brief, odds, judge, asked[0])]
        else:
            radii = range(min(asked[0], _LONGEST_TABLE))
            plans = [(FlipPlan(items, asked[0], levels=_up_to(radius, asked[0])),) for radius in radii]
        yield sorted(dict.fromkeys(plans), key=error)

    forms: ClassVar[tuple[Form, ...]]


def _apart(ratios: Sequence[float], size: int, differ: int) -> Atoms:
    """Of a record drawn evenly: how much likelier each of two truths that differ in so many answers makes it.

    It may lie i steps from the first in those answers, and j in the others.
    """
    steps = [(i, j) for i in range(differ + 1) for j in range(size - differ + 1)]
    return Atoms(
        tuple(ratios[i + j] for i, j in steps),
        tuple(ratios[differ - i + j] for i, j in steps),
        tuple(comb(differ, i) * comb(size - differ, j) / 2**size for i, j in steps),
    )


FLIP_BLOCKS = "equal blocks of flips"
FLIPS = "flips by radius, all asked"
SAMPLED_FLIPS = "flips by radius, sampled"
TUNED_FLIPS = "flips by a tuned table"
_LONGEST_TABLE = 30  # beyond it steps of 2^-32 are too coarse for the share that turns nothing over
_MOST_TABLES = 4000
_STEPS = (0.5, 0.2, 0.08, 0.03, 0.01)  # by which one level is moved
_LEADING = 2  # tables of one block that are kept for every length of pattern


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
        ask = {} if made.ask is None else {"ask": made.ask}
        return "flip", {"flips": decimals(made.flips), **ask}


def _by_radius(items: Sequence[int], brief: Brief) -> Iterator[tuple[str, Plan]]:
    """Two and more equal blocks of flips, by radius."""
    for count in range(2, len(items) // 2 + 1):
        groups = dealt(items, count)
        for ask in range(2, len(groups[-1]) + 1):
            for radius in range(ask if count * ask <= brief.asked else 0):
                levels = _up_to(radius, ask)
                yield FLIP_BLOCKS, tuple(FlipPlan(group, ask, levels=levels) for group in groups)


def _up_to(radius: int, ask: int) -> tuple[float, ...]:
    """The levels of a table by radius: whatever lies so near to the truth is likely."""
    return tuple(1.0 if d <= radius else 0.0 for d in range(ask + 1))


def _by_table(
    items: Sequence[int], brief: Brief, gamma: float, judge: Judge, least: int = 1
) -> Iterator[tuple[str, Plan]]:
    """The best tables of one flip block, for every length of pattern, by radius and tuned."""
    best: dict[tuple[str, int], list[tuple[float, tuple[float, ...]]]] = {}
    for ask in range(least, min(len(items), brief.asked, _LONGEST_TABLE) + 1):
        levels = _tables(ask, min(brief.length, ask))
        squares = partial(turning.squares, _shares(levels, gamma))
        worst = np.maximum.accumulate(judge(items, ask, len(levels), squares), axis=1)
        steps = np.diff(levels, axis=1)
        radii, mirrored = (steps <= 0).all(axis=1), (steps >= 0).all(axis=1)
        by_radius = FLIPS if ask == len(items) else SAMPLED_FLIPS
        for family, rows in ((by_radius, radii), (TUNED_FLIPS, ~radii & ~mirrored)):
            if not rows.any():
                continue
            for length in range(brief.length):
                order = np.argsort(worst[rows, length])[:_LEADING]
                entries = [(float(worst[rows][row, length]), tuple(levels[rows][row])) for row in order]
                best.setdefault((family, length), []).extend(entries)
    for (family, length), entries in best.items():
        for error, tuned in sorted(entries)[:_LEADING]:
            tables = {family: tuned, TUNED_FLIPS: _polished(items, tuned, error, length, gamma, judge)}
            for name, table in tables.items():
                levels_of = tuple(float(level) for level in table)
                yield name, (FlipPlan(tuple(items), len(levels_of) - 1, levels=levels_of),)


def _polished(
    items: Sequence[int], table: tuple[float, ...], error: float, length: int, gamma: float, judge: Judge
) -> tuple[float, ...]:
    """The table with levels between the bounds where that lessens the error: one of them, moved again and again."""
    for step in _STEPS:
        while True:
            here = np.array(table)
            moved = np.clip(here + np.concatenate([step * np.eye(len(here)), -step * np.eye(len(here))]), 0, 1)
            moved = moved[np.lexsort(moved.T[::-1])]
            squares = partial(turning.squares, _shares(moved, gamma))
            errors = judge(items, len(table) - 1, len(moved), squares, length + 1).max(axis=1)
            best = int(np.argmin(errors))
            if errors[best] >= error * (1 - 1e-6):
                break
            table, error = tuple(moved[best]), float(errors[best])
    return table


def _shares(levels: Floats, gamma: float) -> Floats:
    ask = levels.shape[1] - 1
    ways = np.array([comb(ask, d) for d in range(ask + 1)], dtype=float)
    tilted = ways * gamma**levels
    shares: Floats = tilted / tilted.sum(axis=1, keepdims=True)
    return shares


@lru_cache(maxsize=256)
def _tables(ask: int, changes: int) -> Floats:
    """Tables of two levels that change at most that often.

    For weights held fixed the error is linear in the table, with a coefficient that is a polynomial of degree `length`
    in d; so the best table is at one of its two bounds but where that polynomial is 0, and changes at most that often.
    """
    rows: list[Floats] = []
    for count in range(1, changes + 1):
        cuts = list(combinations(range(1, ask + 1), count))
        if len(rows) + 2 * len(cuts) > _MOST_TABLES:
            break
        for cut in cuts:
            row = np.zeros(ask + 1)
            for place in cut:
                row[place:] = 1 - row[place]
            rows += [row, 1 - row]
    return np.unique(rows, axis=0)


def _gamma(flips: Sequence[Fraction]) -> Gamma:
    """max f / min f, f(d) = flips[d]/C(s, d): every distance d from what was sent is that of some truth."""
    size = len(flips) - 1
    per_set = [share / comb(size, d) for d, share in enumerate(flips)]
    return max(per_set) / min(per_set) if min(per_set) > 0 else inf


@lru_cache(maxsize=64)
def _strengths(flips: tuple[int, ...]) -> tuple[float, ...]:
    return tuple(float(value) for value in eigenvalues(flips))


# How a form asks for it.

_TABLE = FormField(
    "flips",
    Value.SHARES,
    to_translate("flips"),
    help=to_translate("The chances that 0, 1, 2, … of the answers asked are turned over: 0.5, 0.3, 0.2."),
    term=Term(
        to_translate("Flips"),
        to_translate(
            "The chances that none, one, two and more of the yes/no answers asked are turned over; every choice of so "
            "many is alike."
        ),
        to_translate(
            "They can tell more than a coin under the same γ, and know no third answer: no “Prefer not to say”."
        ),
    ),
)
_GAMMA = FormField(
    "gamma",
    Value.NUMBER,
    to_translate("flips by γ"),
    help=to_translate("In place of the flips: their γ, and the radius beside it."),
    term=Term(
        to_translate("γ: the promise"),
        to_translate("Whatever is stored, it changes the odds between two truths of a person at most by this factor."),
        to_translate("Somebody who was 5 % sure becomes at most γ ∕ (γ + 19) sure: 50 % with γ = 19, 33 % with 9.4."),
    ),
)
_RADIUS = FormField(
    "radius",
    Value.COUNT,
    to_translate("radius"),
    help=to_translate("Up to so many turned answers are as likely as none."),
    term=Term(
        to_translate("Radius"),
        to_translate("Up to so many turned answers are as likely as none; more are rarer."),
        to_translate("Which radius errs least depends on how many questions are asked; the proposal tries them all."),
    ),
)


def _entered_item(values: Values, item: EnteredItem) -> dict[str, Any]:
    del values
    return {"id": item.id}


def _entered(values: Values, items: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    ask = {} if values.get("ask") is None else {"ask": values["ask"]}
    flips, gamma, radius = (values.get(name) for name in ("flips", "gamma", "radius"))
    if flips is not None and (gamma or radius is not None):
        raise EntryError("Give either the flips, or γ and radius.", at="flips")
    if flips is not None:
        return [{"flips": flips, "items": list(items), **ask}]
    if gamma is None or radius is None:
        raise EntryError("a flip block needs its flips, or γ and radius.", at="gamma" if gamma is None else "radius")
    return [{"model": "flip", "gamma": gamma, "radius": radius, "items": list(items), **ask}]


def _needs(values: Values) -> int:
    if values.get("ask") is not None:
        return max(values["ask"], 1)
    flips = values.get("flips")
    return len(flips) - 1 if isinstance(flips, list) else (values.get("radius") or 0) + 1


FlipBlock.forms = (
    Form(
        name="flip",
        label=to_translate("flips (yes/no items only)"),
        fields=(_GAMMA, _RADIUS, forms.ASK, _TABLE),
        item_fields=(),
        takes=lambda item: item.boolean,
        refusal=to_translate("a flip block takes yes/no answers only."),
        write_item=_entered_item,
        write=_entered,
        needs=_needs,
    ),
)
