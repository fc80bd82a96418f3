"""A table: each outcome says the truth to all, or which row of yes and no to press, with every row equally often.

P(y|x) = a·1[x=y] + (1−a)/2^s, a the chance of the truth. A row that is missing could only be a truth.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import inf
from typing import NoReturn

from privacy.draws.way import ByPatterns, Chance, Chances, Meaning, Numbers, Odds
from privacy.errors import EntryError, to_translate


@dataclass(frozen=True)
class ByTable(ByPatterns):
    def needs(self, asked: int) -> tuple[Meaning, ...]:
        return ("truth", *super().needs(asked))

    def refuse(self, meaning: Meaning, where: str) -> NoReturn:
        if meaning == "truth":
            raise EntryError("no outcome says {meaning!r}.", at=where, meaning=meaning)
        raise EntryError(
            "no outcome says {pattern}, so a record that shows it can only be the truth.",
            at=where,
            pattern=", ".join("yes" if one else "no" for one in meaning),
        )

    def numbers(self, chances: Chances, others: Sequence[Chance], asked: int) -> Numbers:
        return Numbers(chances["truth"], (Fraction(1, 2),) * asked)

    def odds(self, chances: Chances, delta: Fraction, others: Sequence[Chance], asked: int, named: int) -> Odds:
        noise = self.rarest(chances) * 2 ** (asked - named)
        return (chances["truth"] + noise) / (noise - delta) if noise > delta else inf


WAY = ByTable("table", (2, 1), to_translate("A row that is missing in the table can only be a truth."))
