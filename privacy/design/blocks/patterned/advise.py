"""What the advisor may vary of patterned blocks: how many are asked, and the table."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil, comb, floor, inf
from typing import Any, ClassVar

import numpy as np

from privacy.design.blocks.patterned.design import PatternedBlock
from privacy.design.blocks.patterned.tables import likelier, of_typical, shared, walsh
from privacy.design.blocks.turned import TurnedSketch
from privacy.design.brief import Brief, ExpectedItem
from privacy.design.channels import Floats, by_size
from privacy.design.channels.orders import MOST_ORDERED
from privacy.design.items import Item
from privacy.design.notation import write_ask
from privacy.design.plans import Advisor, Judge, Plan, Planned
from privacy.design.rationals import ONE, apportion_within, decimals

PATTERNED = "patterned, sampled"
_SETS = 50  # asked sets that hold a pattern: of fewer, some patterns would stand at much worse places than others


@dataclass(frozen=True)
class PatternedSketch(TurnedSketch):
    """A patterned block in floats.

    Its errors are those of flips with the same typical strengths, but for what two products of answers `share`.
    """

    patterned: tuple[float, ...]

    @property
    def odds(self) -> float:
        return max(self.patterned) / min(self.patterned) if min(self.patterned) else inf

    @property
    def table(self) -> Floats:
        return of_typical(np.sqrt(by_size(walsh(np.array(self.patterned)) ** 2)))[np.newaxis]

    def shared(self, size: int) -> Floats:
        return shared(self.patterned, size)

    def rounded(self, questions: Sequence[ExpectedItem], limit: Fraction) -> PatternedBlock | None:
        """Every share lies between unit and γ·unit, so that γ holds whatever the rounding."""
        tilt = [min(Fraction(share / min(self.patterned)), limit) for share in self.patterned]
        unit = Fraction(ONE) / sum(tilt)
        least, most = [ceil(unit)] * len(tilt), [floor(limit * unit)] * len(tilt)
        table = apportion_within([unit * value for value in tilt], least, most, tilt)
        if table is None or len(set(table)) == 1:
            return None
        items = tuple(Item(questions[place].id) for place in self.items)
        return PatternedBlock(items, table, self.ask if self.ask < len(items) else None)


@dataclass(frozen=True)
class PatternedPlan(Planned):
    """A patterned block under the best table for patterns up to a length."""

    length: int = 2

    stepped: ClassVar[str] = PATTERNED

    def under(self, questions: Sequence[ExpectedItem], odds: float) -> PatternedSketch:
        high = likelier(len(self.items), self.ask, odds, min(self.length, self.ask))
        table = np.array([odds if mask in high else 1.0 for mask in range(2**self.ask)])
        return PatternedSketch(self.items, self.ask, tuple((table / table.sum()).tolist()))

    def asking(self, ask: int) -> "PatternedPlan":
        return replace(self, ask=min(ask, MOST_ORDERED))

    def changes(self, brief: Brief) -> Iterator[Planned]:
        return iter(())

    def entered(self, made: PatternedBlock) -> tuple[str, Mapping[str, Any]]:
        return "patterned", {"patterned": decimals(made.table), **write_ask(made.ask)}


def sketch(block: PatternedBlock, items: tuple[int, ...]) -> PatternedSketch:
    return PatternedSketch(items, block.asked, tuple(share / ONE for share in block.table))


def _plans(items: Sequence[int], brief: Brief, odds: float, thorough: bool, judge: Judge) -> Iterator[tuple[str, Plan]]:
    """One sampled block of all items, under the best table for patterns of each length."""
    del odds, thorough, judge
    if not all(brief.questions[item].boolean for item in items):
        return
    for ask in range(2, min(MOST_ORDERED, len(items) - 1, brief.asked) + 1):
        if ask >= brief.length and comb(len(items) - brief.length, ask - brief.length) >= _SETS:
            for length in range(2, brief.length + 1):
                yield PATTERNED, (PatternedPlan(tuple(items), ask, length=length),)


# No proposals: the lead begins with more respondents than questionnaires have, and reports tell less of them.
ADVISOR = Advisor(_plans)
