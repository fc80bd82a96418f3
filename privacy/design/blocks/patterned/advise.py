"""What the advisor may vary of patterned blocks: how many are asked, and the table."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil, comb, floor, inf
from typing import Any, ClassVar, Self

import numpy as np

from privacy.design.blocks.patterned.design import PatternedBlock
from privacy.design.blocks.patterned.tables import by_pattern, is_counted, likely_masks, mean_products, of_typical
from privacy.design.blocks.turned import TurnedSketch
from privacy.design.brief import Brief, ExpectedItem
from privacy.design.channels import Floats
from privacy.design.channels.orders import MOST_ORDERED, has_even
from privacy.design.items import Item
from privacy.design.notation import write_ask
from privacy.design.plans import Advisor, Judge, Plan, Planned
from privacy.design.rationals import ONE, apportion_within, decimals

PATTERNED = "patterned, sampled"
_SETS = 50  # sets that hold a pattern where not all are looked at: of fewer, some would stand at much worse places
_STANDING: Mapping[str, Callable[[Floats], Any]] = {"worst": np.min, "typical": np.mean, "best": np.max}


@dataclass(frozen=True)
class PatternedSketch(TurnedSketch):
    """A patterned block in floats.

    Its errors are those of flips with the strengths of the patterns that stand at the `worst` places (or `typical`, or
    `best` ones), but for what two products of answers `share`. `of` counts the items.
    """

    patterned: tuple[float, ...]
    even: bool
    of: int
    at: str = "worst"

    @property
    def odds(self) -> float:
        return max(self.patterned) / min(self.patterned) if min(self.patterned) else inf

    @property
    def table(self) -> Floats:
        kept = by_pattern(self.patterned, self.of, self.even)
        return of_typical(np.sqrt([_STANDING[self.at](own) for own in kept]))[np.newaxis]

    def standing(self, where: str) -> Self:
        return replace(self, at=where)

    def overlap_factor(self, size: int) -> Floats:
        return mean_products(self.patterned, size)

    def exact_block(self, questions: Sequence[ExpectedItem], limit: Fraction) -> PatternedBlock | None:
        """The block in numerators: every share lies between unit and γ·unit, so that γ holds whatever the rounding."""
        tilt = [min(Fraction(share / min(self.patterned)), limit) for share in self.patterned]
        unit = Fraction(ONE) / sum(tilt)
        least, most = [ceil(unit)] * len(tilt), [floor(limit * unit)] * len(tilt)
        table = apportion_within([unit * value for value in tilt], least, most, tilt)
        if table is None or len(set(table)) == 1:
            return None
        items = tuple(Item(questions[place].id) for place in self.items)
        return PatternedBlock(items, table, self.ask if self.ask < len(items) else None, self.even)


@dataclass(frozen=True)
class PatternedPlan(Planned):
    """A patterned block under the best table for patterns up to a length; in the even order where there is one."""

    length: int = 2
    even: bool = True

    stepped: ClassVar[str] = PATTERNED

    def sketch(self, questions: Sequence[ExpectedItem], odds: float) -> PatternedSketch:
        """The block in floats whose likely sets are γ times as likely as the others (`likely_masks`)."""
        high = likely_masks(len(self.items), self.ask, odds, min(self.length, self.ask))
        table = np.array([odds if mask in high else 1.0 for mask in range(2**self.ask)])
        size = len(self.items)
        even = self.even and has_even(size, self.ask)
        return PatternedSketch(self.items, self.ask, tuple((table / table.sum()).tolist()), even, size)

    def asking(self, ask: int) -> "PatternedPlan":
        return replace(self, ask=min(ask, MOST_ORDERED))

    def changes(self, brief: Brief) -> Iterator[Planned]:
        return iter(())

    def as_recipe(self, made: PatternedBlock) -> tuple[str, Mapping[str, Any]]:
        return "patterned", {"patterned": decimals(made.table), **write_ask(made.ask)}


def sketch(block: PatternedBlock, items: tuple[int, ...]) -> PatternedSketch:
    table = tuple(share / ONE for share in block.table)
    return PatternedSketch(items, block.items_per_person, table, block.even, len(block.items))


def _plans(items: Sequence[int], brief: Brief, odds: float, thorough: bool, judge: Judge) -> Iterator[tuple[str, Plan]]:
    """One sampled block of all items, under the best table for patterns of each length."""
    del odds, thorough, judge
    if not all(brief.questions[item].boolean for item in items):
        return
    for ask in range(2, min(MOST_ORDERED, len(items) - 1, brief.most_questions) + 1):
        many = is_counted(len(items), ask) or comb(len(items) - brief.length, ask - brief.length) >= _SETS
        if ask >= brief.length and many:
            for length in range(2, brief.length + 1):
                yield PATTERNED, (PatternedPlan(tuple(items), ask, length=length),)


# No proposals: the lead begins with more respondents than questionnaires have, and reports tell less of them.
ADVISOR = Advisor(_plans)
