"""The ways of drawing, a row each. To add one: write it here, after its class where it is like no other."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import inf
from typing import NoReturn

from privacy.draws.way import ByCoins, ByPatterns, Chance, Chances, Meaning, Numbers, Odds, OneQuestion, WayOfDrawing
from privacy.errors import EntryError, to_translate


@dataclass(frozen=True)
class ByTable(ByPatterns):
    """Each outcome says the truth to all, or which row of yes and no to press, with every row equally often.

    P(y|x) = a·1[x=y] + (1−a)/2^s, a the chance of the truth. A row that is missing could only be a truth.
    """

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


@dataclass(frozen=True)
class BySigns(ByPatterns):
    """A card says for each question "as it is" (1) or "the opposite" (0), so that nobody must say yes.

    Every pattern comes m times, and "as it is" throughout T times more: P(y|x) is that of a table of T and m.
    """

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


_PRESSES = (("fact", (1, 0)), ("not", (0, 1)))
_ONE_FACT = to_translate("Two answers with one fact show whether the two true answers are the same.")
_ROWS: tuple[WayOfDrawing, ...] = (
    # Yu, Tian and Tang (2008): whether exactly one of two sentences is true, of which one is a harmless fact.
    OneQuestion("crosswise", (4, 0), _ONE_FACT, presses=_PRESSES),
    # Heck, Hoffmann and Moshagen (2018): half of the people, by a public lot, see the opposite fact. Their record is
    # turned over before it is stored, so that its 1 means the same; the look is stored openly.
    OneQuestion("extended", (4, 0), _ONE_FACT, look=True, presses=_PRESSES),
    # Warner (1965): the draw says which of two opposite sentences to answer.
    OneQuestion(
        "warner",
        (3, 0),
        to_translate(
            "Two answers by one draw, both true or both turned over, show whether the true answers are the same."
        ),
        presses=(("truth", (0, 1)), ("opposite", (1, 0))),
    ),
    # Boruch (1971): the draw says "yes", "no", or to answer the question.
    OneQuestion(
        "forced",
        (3, 0),
        to_translate("Of two answers by one draw, a yes beside a no can only be true."),
        presses=(("yes", (1, 1)), ("no", (0, 0)), ("truth", (0, 1))),
    ),
    # Greenberg and others (1969): the draw says to answer the question, or a harmless fact instead. For a group one
    # draw says "the truth to all", or a fact of its own for each question.
    ByCoins(
        "unrelated",
        (1, 2),
        to_translate("Two answers with one fact instead are alike, so that a yes beside a no can only be true."),
        others="each",
        instead="other",
    ),
    # Yu, Tian and Tang (2008): whether at least one of two sentences is true, of which one is harmless.
    OneQuestion(
        "triangular",
        (3, 0),
        to_translate(
            "“Neither” once shows that the fact is false, so that “at least one” the other time proves a yes."
        ),
        mark="one-sided",
        hides_no=False,
        presses=(("fact", (1, 1)), ("not", (0, 1))),
    ),
    # Kuk (1990) with one card: the person says the colour from the pack of the true answer; red is record 1. The
    # outcomes are those of the pack of those who would say yes; `other` is the pack of the others.
    OneQuestion(
        "kuk",
        (4, 0),
        to_translate(
            "Two answers by the same two cards show whether the true answers are the same, where these differ."
        ),
        others="one",
        presses=(("yes", (None, 1)), ("no", (None, 0))),
    ),
    ByTable("table", (2, 1), to_translate("A row that is missing in the table can only be a truth.")),
    # The truth to all, or else a coin for each question, of which heads is yes.
    ByCoins(
        "coins",
        (1, Fraction(3, 2)),
        to_translate(
            "One coin for two questions makes both answers alike, so that a yes beside a no can only be true."
        ),
        others="coins",
        instead="coins",
    ),
    BySigns(
        "signs",
        (1, 2),
        to_translate("Signs that never come alone show that two answers are both true or both turned over."),
    ),
)
WAYS: dict[str, WayOfDrawing] = {way.name: way for way in _ROWS}
