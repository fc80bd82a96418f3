"""How much protection one person has used up over several surveys or waves: γ multiplies, ε adds up."""

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from privacy.design import Design, arguments, gammas
from privacy.design.design import require_design
from privacy.design.gammas import Gamma, outward, round_up
from privacy.design.rationals import fraction
from privacy.errors import InputError
from privacy.guarantee.bounds import epsilon, figures
from privacy.own_draw.person_draw import NamedFact
from privacy.result import DataFrame, Result, TextColumns, data_frame


@dataclass(frozen=True)
class LedgerEntry:
    """One survey that somebody answered. Its odds are γ, or what it promises where it protects some answers only."""

    name: str
    gamma: Gamma
    odds: Gamma
    facts: Mapping[NamedFact, str] = field(default_factory=dict)
    """The facts by which people drew, each with what two answers by it would show."""


@dataclass(frozen=True, repr=False)
class Ledger(Result):
    """What one person has given away over several surveys, against a budget; `candor.ledger` makes it.

    Each survey has fresh randomness; the budget is for the product of their γ.

    The product bounds what someone learns who knows that the records come from one person. A design that is answered
    twice counts twice.
    """

    budget: Fraction
    entries: tuple[LedgerEntry, ...] = ()

    def __post_init__(self) -> None:
        if not self.budget >= 1:
            raise InputError(f"budget: {float(self.budget):g} is below 1; a survey without answers has gamma 1.")

    @classmethod
    def of(cls, budget: float | Fraction) -> "Ledger":
        """Return an empty ledger; with the budget 19 a belief rises from 5 % to 50 % at most."""
        if not math.isfinite(budget):
            raise InputError(f"budget: {budget} is not a finite number.")
        return cls(fraction(budget))

    @property
    def spent(self) -> Gamma:
        """The product of the γ of all surveys; infinite where two of them draw by one fact."""
        return math.inf if self._twice else gammas.product(entry.gamma for entry in self.entries)

    @property
    def odds(self) -> Gamma:
        """The largest factor by which the odds that somebody gave a protected answer can grow over all surveys."""
        return math.inf if self._twice else gammas.product(entry.odds for entry in self.entries)

    @property
    def _twice(self) -> list[str]:
        """A sentence for each survey that draws by a fact of an earlier one."""
        known: dict[NamedFact, str] = {}
        said = []
        for entry in self.entries:
            said += [
                f"{known[before]} and {entry.name} draw by one fact, {str(before)!r}. {shows}"
                for fact, shows in entry.facts.items()
                if (before := fact.among(known))
            ]
            known |= dict.fromkeys(entry.facts, entry.name)
        return said

    @property
    def left(self) -> Fraction:
        """The largest γ that another survey may have; 1 where nothing is left."""
        spent = self.spent
        return Fraction(1) if isinstance(spent, float) else max(Fraction(1), self.budget / spent)

    def allows(self, design: Design) -> bool:
        """Say whether the product with one more design stays within the budget.

        Parameters
        ----------
        design : Design
            What the survey would disguise its answers by.

        Examples
        --------
        >>> import candor
        >>> wave = candor.models.warner(["drugs"], theta=0.7)
        >>> candor.ledger({"spring": wave}).allows(wave), candor.ledger({"spring": wave}, budget=5).allows(wave)
        (True, False)
        """
        require_design(design)
        return self.add("", design).spent <= self.budget

    def add(self, name: str, design: Design) -> "Ledger":
        """Return the ledger with one more survey, even if that exceeds the budget.

        Parameters
        ----------
        name : str
            What the survey is called.
        design : Design
            What it disguises its answers by.

        Examples
        --------
        >>> import candor
        >>> wave = candor.models.warner(["drugs"], theta=0.7)
        >>> candor.ledger({"spring": wave}).add("autumn", wave)
        survey      gamma   epsilon
        spring    2.33334  0.847298
        autumn    2.33334  0.847298
        together  5.44445    1.6946
        A gamma of 3.4898 is left of the budget of 19.
        """
        require_design(design)
        facts = {fact: block.draw.way.together for block in design.blocks if block.draw for fact in block.draw.facts}
        entry = LedgerEntry(arguments.text(name, "name"), design.gamma, design.odds, facts)
        return replace(self, entries=(*self.entries, entry))

    def contents(self) -> Iterator[str | TextColumns]:
        one_sided = any(entry.odds != entry.gamma for entry in self.entries)
        rows: list[list[object]] = []
        for entry in (*self.entries, LedgerEntry("together", self.spent, self.odds)):
            figures = (entry.gamma, epsilon(entry.gamma), *([entry.odds] if one_sided else []))
            rows.append([entry.name, *(float(round_up(figure, 6)) for figure in figures)])
        yield TextColumns(["survey", "gamma", "epsilon", *(["odds"] if one_sided else [])], rows)
        yield self._balance()
        yield from self._twice
        if self.odds != self.spent:
            yield ""
            yield (
                "Where gamma is infinite and the odds are not, a survey protects some answers only (such as: did it).\n"
                "The odds that somebody gave a protected answer in any survey, against none, grow over all of them\n"
                f"at most by {float(round_up(self.odds, 6)):g}; the budget limits gamma instead."
            )

    def _balance(self) -> str:
        budget = float(self.budget)
        if self.spent > self.budget:
            return f"This exceeds the budget of {budget:g}."
        return f"A gamma of {float(self.left):.6g} is left of the budget of {budget:g}."

    def to_frame(self) -> DataFrame:
        """Return a row per survey: its γ, ε and the odds of its protected answers, rounded outward."""
        rows = [[entry.name, outward(entry.gamma), epsilon(entry.gamma), outward(entry.odds)] for entry in self.entries]
        return data_frame(rows, columns=["survey", "gamma", "epsilon", "odds"])

    def to_json(self) -> dict[str, Any]:
        """Return the JSON of `candor guarantee` for several designs."""
        surveys = [{"survey": entry.name, **figures(entry.gamma, entry.odds)} for entry in self.entries]
        together, left = figures(self.spent, self.odds), float(self.left)
        return {"budget": float(self.budget), **together, "left": left, "surveys": surveys}


def ledger(designs: Mapping[str, Design] | Iterable[tuple[str, Design]], budget: float = 19) -> Ledger:
    """Add up what the same person gives away by answering several surveys: γ multiplies, ε adds up.

    Parameters
    ----------
    designs : mapping of str to Design, or pairs
        Each survey by its name, with the design it disguises by. A survey answered twice counts twice.
    budget : float
        The largest product of γ that is accepted; 19 lets a belief go from 5 % to 50 % at most.

    Examples
    --------
    >>> import candor
    >>> wave = candor.models.warner(["drugs"], theta=0.7)
    >>> candor.ledger({"spring": wave, "autumn": wave})
    survey      gamma   epsilon
    spring    2.33334  0.847298
    autumn    2.33334  0.847298
    together  5.44445    1.6946
    A gamma of 3.4898 is left of the budget of 19.
    """
    account = Ledger.of(arguments.exact_number(budget, "budget"))
    for name, design in arguments.pairs(designs, "designs"):
        account = account.add(name, design)
    return account
