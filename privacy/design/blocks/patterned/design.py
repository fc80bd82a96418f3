"""A patterned block: which yes/no answers are turned over is drawn from a table over all sets of places in an order.

The answers asked stand in a public order (see `privacy.design.channels.orders`), the even one where `"order": "even"`
says so, and `patterned` holds the chances of the 2^s sets of places that may be turned over: bit j of the number of a
set is the place j. Flips are the tables in which these chances depend on the number of places alone. With `ask`, only
that many of the items, drawn per respondent, are asked.

A product of answers written ±1 at the places T keeps its expectation up to λ_T = Σ_m table[m]·(−1)^|m∩T|, as in the
randomised binary matrices of Warner's model (Walsh–Hadamard; Cormode, Kulkarni and Srivastava, Marginal release under
local differential privacy, 2018, section 4). Another order puts the same answers at other places, so each record counts
by its own λ (`privacy.reconstruct.by_record`). Two records that hold the same answers at the places in which two truths
differ have chances whose quotient is at most γ = max table / min table, and some have.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from math import inf
from typing import Any, ClassVar, Self

import numpy as np

from privacy.design.blocks.patterned.tables import walsh
from privacy.design.blocks.turned import TurnedBlock
from privacy.design.channels import ByOrder
from privacy.design.channels.orders import MOST_ORDERED, has_even
from privacy.design.gammas import Gamma
from privacy.design.notation import Entry, Notation, check_ask, check_bare_items
from privacy.design.rationals import ONE
from privacy.design.reading import quote
from privacy.errors import EntryError, InputError

EVEN = "even"


def read_even(entry: Entry, where: str) -> bool:
    """Whether a block names the even order; without a name it is the order by numbers."""
    if "order" in entry and entry["order"] != EVEN:
        raise InputError(f"{where}.order: {quote(entry['order'])} is not {EVEN!r}.")
    return "order" in entry


@dataclass(frozen=True)
class PatternedBlock(TurnedBlock):
    even: bool = False

    mark: ClassVar[str] = "patterned"

    @classmethod
    def read(cls, entry: Entry, where: str, notation: Notation) -> Self:
        made = super().read({key: value for key, value in entry.items() if key != "order"}, where, notation)
        return replace(made, even=read_even(entry, where))

    def entry(self, notation: Notation) -> dict[str, Any]:
        return super().entry(notation) | ({"order": EVEN} if self.even else {})

    def check(self, where: str, direct: bool) -> None:
        check_ask(self.ask, len(self.items), where)
        if self.items_per_person > MOST_ORDERED:
            raise EntryError(
                "{count} answers in an order are more than {most}; ask fewer.",
                at=f"{where}.ask",
                count=self.items_per_person,
                most=MOST_ORDERED,
            )
        if self.even and not has_even(len(self.items), self.items_per_person):
            raise EntryError(
                "there are too many sets of {size} answers for the even order; leave the order out.",
                at=f"{where}.order",
                size=self.items_per_person,
            )
        check_bare_items(self.items, where, "patterns")
        if len(self.table) != 2**self.items_per_person or min(self.table) < 0 or sum(self.table) != ONE:
            raise EntryError(
                "{count} shares were given; the sets of {size} answers need {needed} shares that sum to 1.",
                at=f"{where}.patterned",
                count=len(self.table),
                size=self.items_per_person,
                needed=2**self.items_per_person,
            )
        mostly = [place for place, turned in enumerate(self.turn_chances) if turned > ONE // 2 + len(self.table)]
        if mostly:
            raise EntryError(
                "the answer at place {place} is turned over in more than half of the cases; swap the shares of its "
                "sets.",
                at=f"{where}.patterned",
                place=mostly[0],
            )
        if not direct and not self.by_order.strengths[1:].any():
            raise EntryError(
                "this table keeps nothing of any answer, so nothing could be recovered.", at=f"{where}.patterned"
            )

    @property
    def turn_chances(self) -> list[int]:
        """How often the answer at each place of the order is turned over, as numerators."""
        return [
            sum(share for mask, share in enumerate(self.table) if mask >> place & 1)
            for place in range(self.items_per_person)
        ]

    @property
    def gamma(self) -> Gamma:
        """γ: the largest chance of a set over the smallest, for every set turns some truth into a given record."""
        return Fraction(max(self.table), min(self.table)) if min(self.table) else inf

    def item_odds(self, place: int) -> Gamma:
        """γ of one answer, wherever it stands in the order."""
        seldom = min(min(turned, ONE - turned) for turned in self.turn_chances)
        return Fraction(ONE - seldom, seldom) if seldom else inf

    def chance(self, here: Sequence[int], truth: Sequence[int], sent: Sequence[int]) -> Fraction:
        asked = np.isin(np.arange(len(self.items)), here)[np.newaxis]
        places = self.by_order.places(asked)[0, list(here)].tolist()
        turned = sum(1 << place for place, a, b in zip(places, truth, sent, strict=True) if a != b)
        return Fraction(self.table[turned], ONE)

    @cached_property
    def by_order(self) -> ByOrder:
        """The strengths that products of answers keep, by the set of their places; 0 where one is rounding alone."""
        strengths = walsh(np.array(self.table, dtype=float) / ONE)
        return ByOrder(
            np.where(abs(strengths) > len(self.table) / ONE, strengths, 0.0), self.items_per_person, self.even
        )
