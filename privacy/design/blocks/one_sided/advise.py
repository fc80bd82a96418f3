"""What the advisor may vary of one-sided blocks, where such a promise is asked for: how many are asked, and g."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil
from typing import Any

from privacy.design.blocks.coin.advise import CoinSketch
from privacy.design.blocks.one_sided.design import TURNED, OneSidedBlock
from privacy.design.brief import Brief, ExpectedItem
from privacy.design.items import YES_NO, Item
from privacy.design.notation import write_ask
from privacy.design.plans import Advisor, Judge, Plan, PlannedBlock
from privacy.design.rationals import ONE, decimal
from privacy.errors import InputError

ALL_ASKED = "one-sided, all asked"
SAMPLED = "one-sided, sampled"


@dataclass(frozen=True)
class OneSidedSketch(CoinSketch):
    """A one-sided block in floats: a coin each, the odds of which are those of the answer that is hidden."""

    @property
    def odds(self) -> float:
        return (1 - self.keep) ** -self.ask

    def exact_block(self, questions: Sequence[ExpectedItem], limit: Fraction) -> OneSidedBlock | None:
        turned = max(ceil(ONE * float(limit) ** (-1 / self.ask)) - 1, 1)
        while Fraction(ONE, turned) ** self.ask > limit:
            turned += 1
        items = tuple(Item(questions[place].id, YES_NO, TURNED[_harmless(questions[place])]) for place in self.items)
        return OneSidedBlock(items, turned, self.ask if self.ask < len(items) else None) if turned < ONE else None


@dataclass(frozen=True)
class OneSidedPlan(PlannedBlock):
    def sketch(self, questions: Sequence[ExpectedItem], odds: float) -> OneSidedSketch:
        noise = tuple(tuple(share / ONE for share in TURNED[_harmless(questions[item])]) for item in self.items)
        return OneSidedSketch(self.items, self.ask, 1 - odds ** (-1 / self.ask), noise, each=True)

    def as_recipe(self, made: OneSidedBlock) -> tuple[str, Mapping[str, Any]]:
        return "one-sided", {"turned": decimal(made.turned), **write_ask(made.ask)}


def _plans(items: Sequence[int], brief: Brief, odds: float, asked: range, judge: Judge) -> Iterator[tuple[str, Plan]]:
    """One block of all items, whole and sampled."""
    del odds, judge
    for question in brief.questions:
        _check(question)
        if not _harmless(question):
            raise InputError(f"one-sided: {question.id!r} does not say which of its answers is the harmless one.")
    for ask in asked:
        yield ALL_ASKED if ask == len(items) else SAMPLED, (OneSidedPlan(tuple(items), ask),)


def _check(question: ExpectedItem) -> None:
    """Refuse a harmless answer of an item that is not yes/no, or that the item does not have."""
    harmless = _harmless(question)
    if harmless and (not question.boolean or harmless not in question.options):
        raise InputError(f"{question.id}: {harmless!r} is not a harmless answer of a yes/no item.")


def _harmless(question: ExpectedItem) -> str:
    """The option that harms nobody who gives it and is not protected; empty where the item names none."""
    return dict(question.marks).get("harmless", "")


ADVISOR = Advisor(_plans, promise="one_sided", marks=(("harmless", "0"),), check=_check)
