"""A one-sided block ("hard garbling"): a harmless answer is turned into the other one with the chance g, each apart.

The other answer always stays. A record that says "yes" may come from anybody, so nobody has to answer for it; one that
says the harmless "no" is true. With one coin over several items such records would give each other away, as those of
the grouped model do, so every item has a coin of its own. With `ask`, only that many of the items, drawn per
respondent, are asked.

What it promises. Let x be somebody's answers to the s items asked, 0 the ones in which all are harmless, and y the
record. Then P(y|x)/P(y|0) = Π_j P(y_j|x_j)/P(y_j|0), and each factor is 1, 1/g or 0. So, whatever was believed before,

    the odds of any answers against none but harmless ones grow at most by (1/g)^s,

reached where every answer is not harmless and the record shows it. In other blocks each factor is at most the γ of
that block, so that γ and odds multiply. Of one item alone ("did it") the odds grow at most by 1/g for anyone who knows
the other answers, or to whom they tell nothing of this one. γ of the ordinary kind is infinite: a harmless answer in a
record rules the other one out. Who believes that one of two people, or one of two items, must be the one, therefore
learns from a harmless answer to one what the other is; no one-sided kind can promise against that.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil, inf
from typing import Any, ClassVar

import numpy as np

from privacy.design import reading, sentences
from privacy.design.block import Judge, Plan, Planned, Unproposed, asks_nearby
from privacy.design.blocks.one_sided.form import FORMS
from privacy.design.brief import Brief, ExpectedItem
from privacy.design.channels import Floats, Literal, Squares, replacing
from privacy.design.draws import Take, spread
from privacy.design.forms import Form
from privacy.design.gammas import Gamma
from privacy.design.items import YES_NO, Item
from privacy.design.notation import Notation, check_ask, check_numerator, read_ask, write_ask, write_item
from privacy.design.rationals import ONE, decimal
from privacy.design.sentences import Said, paired
from privacy.errors import EntryError, InputError, to_translate

Entry = Mapping[str, Any]
_TURNED = {"0": (0, ONE), "1": (ONE, 0)}  # what stands in place of a turned answer, by the harmless one

_NAMES = {  # which answer is not hidden and which is, by the harmless one
    "0": (sentences.NO, sentences.YES),
    "1": (sentences.YES, sentences.NO),
}
_OPEN = to_translate("“{open}” is not hidden here: a “{open}” that is sent is true.")
_SO = to_translate(
    "Everyone who would say “{hidden}” is stored so. So nobody can be sure from one stored “{hidden}” alone that you "
    "gave it."
)
_TOGETHER = to_translate(
    "Take the questions where one answer is not hidden. Say half of a crowd would give only such answers to them, and "
    "half would not. Of {of} people in it with the same stored answers, up to {most} would give a hidden one at least "
    "once. At least {some} would not."
)
_BELIEVED = to_translate(
    "Harmless answers are not hidden: a stored one is true. Someone who thinks that a respondent answers at "
    "least one such question otherwise with a chance of {prior} %, cannot become more than {posterior} % sure of that, "
    "whatever the disguised answers are."
)


@dataclass(frozen=True)
class OneSidedBlock(Unproposed):
    """`turned` is the numerator of g; the noise of an item is all on the answer that is not the harmless one."""

    items: tuple[Item, ...]
    turned: int
    ask: int | None = None

    mark: ClassVar[str] = "one-sided"
    symbols: ClassVar[Mapping[str, str]] = {"one-sided": "g"}
    leaks: ClassVar[bool] = False
    arms: ClassVar[None] = None

    @classmethod
    def read(cls, entry: Entry, where: str, notation: Notation) -> "OneSidedBlock":
        reading.only_keys(entry, ("one-sided", "items", "ask"), where)
        turned = notation.share(entry, "one-sided", where)
        entries = reading.filled_list(entry, "items", where)
        items = tuple(_read_item(item, f"{where}.items[{place}]") for place, item in enumerate(entries))
        return cls(items, turned, read_ask(entry, where))

    def check(self, where: str, direct: bool) -> None:
        check_ask(self.ask, len(self.items), where)
        check_numerator(self.turned, f"{where}.one-sided")
        for place, item in enumerate(self.items):
            if not item.boolean or item.noise not in _TURNED.values():
                raise InputError(f"{where}.items[{place}]: {item.id!r} is not a yes/no item with a harmless answer.")
        if self.turned == 0:
            raise EntryError("0 turns no harmless answer, so nothing would be disguised.", at=f"{where}.one-sided")
        if self.turned == ONE and not direct:
            raise EntryError(
                "1 turns every harmless answer, so without a direct group nothing could be recovered.",
                at=f"{where}.one-sided",
            )

    def friendly_entry(self) -> dict[str, Any]:
        items = [{"id": item.id, "harmless": _harmless(item)} for item in self.items]
        return {"one-sided": decimal(self.turned)} | write_ask(self.ask) | {"items": items}

    def exact_entry(self) -> dict[str, Any]:
        items = [write_item(item) | {"harmless": _harmless(item)} for item in self.items]
        return {"one-sided": self.turned, "items": items} | write_ask(self.ask)

    @property
    def asked(self) -> int:
        return self.ask or len(self.items)

    @property
    def gamma(self) -> Gamma:
        """A harmless answer in a record rules out the other one; only where all are turned does none tell anything."""
        return Fraction(1) if self.turned == ONE else inf

    @property
    def odds(self) -> Gamma:
        return Fraction(ONE, self.turned) ** self.asked

    def item_gamma(self, place: int) -> Gamma:
        del place
        return self.gamma

    def item_odds(self, place: int) -> Gamma:
        del place
        return Fraction(ONE, self.turned)

    def chance(self, here: Sequence[int], truth: Sequence[int], sent: Sequence[int]) -> Fraction:
        turned, probability = Fraction(self.turned, ONE), Fraction(1)
        for place, before, after in zip(here, truth, sent, strict=True):
            if before == int(_harmless(self.items[place])):
                probability *= turned if after != before else 1 - turned
            else:
                probability *= after == before
        return probability

    def certain(self, codes: np.ndarray) -> np.ndarray:
        """Those that hold harmless answers alone."""
        return np.not_equal(codes, self._others(codes.dtype)).all(axis=1)

    def disguise(self, truth: np.ndarray, here: np.ndarray, take: Take) -> np.ndarray:
        """One word for every asked item, whatever its answer: below g, a harmless answer is turned."""
        words = spread(take(len(truth) * self.asked), here)
        return np.where(here & (words < self.turned), self._others(truth.dtype), truth)

    def _others(self, codes: np.dtype[Any]) -> np.ndarray:
        """The answers that are not harmless."""
        return np.array([self._other(place) for place in range(len(self.items))], codes)

    blanket: ClassVar[None] = None  # an answer that is not hidden cannot hide in a crowd
    figures: ClassVar[Mapping[str, Any]] = {}

    # What people are told of it.

    @classmethod
    def explain(cls, blocks: Sequence["OneSidedBlock"]) -> list[tuple[Sequence["OneSidedBlock"], list[Said]]]:
        """Which answer is not hidden, unless it is never stored, and how often it comes as the other one."""
        said: list[Said] = []
        for harmless, (open_, hidden) in _NAMES.items():
            turned = [block.turned for block in blocks for item in block.items if _harmless(item) == harmless]
            if turned:
                names = {"open": open_, "hidden": hidden}
                text = (sentences.STORED, {"said": open_, "stored": hidden})
                (becomes,) = paired([text], [(Fraction(share, ONE),) for share in turned])
                said += [Said(_OPEN, names)] if min(turned) < ONE else []
                said += [becomes, *([Said(_SO, names)] if becomes.figures["some"] else ())]
        return [(blocks, said)]

    @property
    def together(self) -> str:
        """Where every harmless answer is turned, none is stored: all are hidden."""
        return sentences.TOGETHER if self.turned == ONE else _TOGETHER

    @property
    def believed(self) -> str:
        return sentences.BELIEVED if self.turned == ONE else _BELIEVED

    note: ClassVar[str] = (
        "Where gamma is infinite and the odds are not, the promise is one-sided: a harmless answer in a record is "
        "true.\n"
        "The odds that somebody gave another answer, against only harmless ones, grow at most by the odds named here, "
        "and\n"
        "the last column says how sure somebody can become who thought it that likely."
    )
    advice: ClassVar[str] = to_translate(
        "The odds of what is hidden can grow more than this site’s limit of {limit} times. Disguise more (turn more "
        "harmless answers), or ask fewer questions: the odds are multiplied with each of them."
    )

    # How it is inverted: a coin each that keeps with the chance 1 − g, and noise that says what is not harmless.

    @property
    def coin(self) -> float | None:
        return (ONE - self.turned) / ONE

    apart: ClassVar[bool] = True

    def factors(self, first: int, literals: Sequence[Literal]) -> list[replacing.Factor]:
        keep = (ONE - self.turned) / ONE
        return [
            replacing.Factor(self.items, ((literal,),), keep, float(self._other(literal[0] - first) in literal[1]))
            for literal in literals
        ]

    def _other(self, place: int) -> int:
        """The answer that is not harmless."""
        return 1 - int(_harmless(self.items[place]))

    def along(self, axes: Sequence[int], places: Sequence[int], shape: tuple[int, ...]) -> list[replacing.OfTable]:
        keep = (ONE - self.turned) / ONE
        return [
            replacing.OfTable.over([axis], keep, np.eye(2)[self._other(place)], shape)
            for axis, place in zip(axes, places, strict=True)
        ]

    def literal_noise(self, place: int, option: int, positive: bool) -> float:
        return float((option == self._other(place)) == positive)

    of_patterns: ClassVar[None] = None
    ordered: ClassVar[None] = None
    distribution: ClassVar[None] = None
    cut: ClassVar[None] = None

    # What the advisor may vary, where a one-sided promise is asked for: the partition, how many are asked, and g.

    def sketch(self, items: tuple[int, ...]) -> "OneSidedSketch":
        noise = tuple(_noise(_harmless(item)) for item in self.items)
        return OneSidedSketch(items, self.asked, self.turned / ONE, noise)

    @staticmethod
    def plans(
        items: Sequence[int], brief: Brief, odds: float, thorough: bool, judge: Judge
    ) -> Iterator[tuple[str, Plan]]:
        """One block of all items, whole and sampled."""
        del odds, thorough, judge
        if brief.one_sided and all(brief.questions[item].harmless is not None for item in items):
            for ask in range(1, min(len(items), brief.asked) + 1):
                yield ALL_ASKED if ask == len(items) else SAMPLED, (OneSidedPlan(tuple(items), ask),)

    forms: ClassVar[tuple[Form, ...]] = FORMS


ALL_ASKED = "one-sided, all asked"
SAMPLED = "one-sided, sampled"


@dataclass(frozen=True)
class OneSidedSketch:
    """A one-sided block in floats."""

    items: tuple[int, ...]
    ask: int
    turned: float
    noise: tuple[tuple[float, ...], ...]

    @property
    def odds(self) -> float:
        return self.turned**-self.ask

    @property
    def channel(self) -> "OneSidedSketch":
        return replace(self, items=(), noise=())

    def squares(self, shares: Floats, noise: Floats) -> Squares:
        return replacing.squares_apart(1 - self.turned, shares, noise)

    def chances(self, noise: Floats) -> Floats:
        return replacing.chances_apart(1 - self.turned, noise)

    def shared(self, size: int) -> float:
        del size
        return 1.0

    def rounded(self, questions: Sequence[ExpectedItem], limit: Fraction) -> OneSidedBlock | None:
        turned = max(ceil(ONE * float(limit) ** (-1 / self.ask)) - 1, 1)
        while Fraction(ONE, turned) ** self.ask > limit:
            turned += 1
        items = tuple(
            Item(questions[place].id, YES_NO, _TURNED[questions[place].harmless or ""]) for place in self.items
        )
        return OneSidedBlock(items, turned, self.ask if self.ask < len(items) else None) if turned < ONE else None


@dataclass(frozen=True)
class OneSidedPlan:
    items: tuple[int, ...]
    ask: int
    weight: float = 1.0

    stepped: ClassVar[None] = None

    def under(self, questions: Sequence[ExpectedItem], odds: float) -> OneSidedSketch:
        noise = tuple(_noise(questions[item].harmless or "") for item in self.items)
        return OneSidedSketch(self.items, self.ask, odds ** (-1 / self.ask), noise)

    def asking(self, ask: int) -> "OneSidedPlan":
        return replace(self, ask=ask)

    def changes(self, brief: Brief) -> Iterator[Planned]:
        del brief
        return asks_nearby(self)

    def takes(self, question: ExpectedItem) -> bool:
        return question.harmless is not None

    def merged(self, other: Any) -> Iterator[Planned]:
        if isinstance(other, OneSidedPlan):
            items, weight = (*self.items, *other.items), self.weight + other.weight
            yield replace(self, items=items, ask=self.ask + other.ask, weight=weight)

    def entered(self, made: OneSidedBlock) -> tuple[str, Mapping[str, Any]]:
        return "one-sided", {"turned": decimal(made.turned), **write_ask(made.ask)}


def _harmless(item: Item) -> str:
    return YES_NO[(item.noise or ()).index(0)]


def _noise(harmless: str) -> tuple[float, ...]:
    return tuple(share / ONE for share in _TURNED[harmless])


def _read_item(entry: Any, where: str) -> Item:
    entry = reading.mapping(entry, where)
    reading.only_keys(entry, ("id", "options", "harmless"), where)
    options = reading.labels(entry["options"], f"{where}.options") if "options" in entry else YES_NO
    if "harmless" not in entry:
        raise EntryError("{key} is missing.", at=where, key="harmless")
    harmless = entry["harmless"]
    if not isinstance(harmless, str) or harmless not in YES_NO:
        raise EntryError(
            "{value} is not 0 or 1: say which answer is the harmless one.",
            at=f"{where}.harmless",
            value=reading.shown(harmless),
        )
    return Item(reading.text(entry, "id", where), options, _TURNED[str(harmless)])
