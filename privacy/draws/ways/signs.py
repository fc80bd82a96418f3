"""A card of signs: for each question it says "as it is" (1) or "the opposite" (0), so that nobody must say yes.

Every pattern comes m times, and "as it is" throughout T times more: P(y|x) is that of a table of T and m.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import inf

from privacy.draws.way import ByPatterns, Chance, Chances, Numbers, Odds
from privacy.errors import EntryError, to_translate


@dataclass(frozen=True)
class BySigns(ByPatterns):
    def check(self, chances: Chances, asked: int, where: str) -> None:
        as_it_is = (1,) * asked
        super().check({**chances, as_it_is: self.rarest(chances)} if as_it_is in chances else chances, asked, where)
        if not chances[as_it_is] > self.rarest(chances):
            raise EntryError("“as it is” throughout must be more likely than other signs.", at=f"{where}.outcomes")

    def _not_kept(self, chances: Chances, asked: int) -> Fraction:
        """The chance of every pattern but one."""
        return self.rarest(chances) * 2**asked

    def numbers(self, chances: Chances, others: Sequence[Chance], asked: int) -> Numbers:
        return Numbers(1 - self._not_kept(chances, asked), (Fraction(1, 2),) * asked)

    def odds(self, chances: Chances, delta: Fraction, others: Sequence[Chance], asked: int, named: int) -> Odds:
        noise = self.rarest(chances) * 2 ** (asked - named)
        true = 1 - noise * (2**named - 1)
        return (true + delta) / (noise - delta) if noise > delta else inf


WAY = BySigns(
    "signs",
    (1, 2),
    to_translate("Signs that never come alone show that two answers are both true or both turned over."),
)
