"""How much protection one person has used up over several surveys or waves: γ multiplies, ε adds up."""

from dataclasses import dataclass, replace
from fractions import Fraction
from math import isfinite

from privacy.design import Design, gammas
from privacy.design.gammas import Gamma
from privacy.design.rationals import fraction
from privacy.errors import InputError


@dataclass(frozen=True)
class LedgerEntry:
    """One survey that somebody answered. Its odds are γ, or what it promises where it protects some answers only."""

    name: str
    gamma: Gamma
    odds: Gamma


@dataclass(frozen=True)
class Ledger:
    """Designs that the same person answered, each with fresh randomness, against a budget for the product of their γ.

    The product bounds what someone learns who knows that the records come from one person. A design that is answered
    twice counts twice.
    """

    budget: Fraction
    entries: tuple[LedgerEntry, ...] = ()

    def __post_init__(self) -> None:
        if not self.budget >= 1:
            raise InputError(f"budget: {float(self.budget):g} is below 1, the gamma of saying nothing.")

    @classmethod
    def of(cls, budget: float | Fraction) -> "Ledger":
        """Return an empty ledger; with the budget 19 a belief rises from 5 % to 50 % at most."""
        if not isfinite(budget):
            raise InputError(f"budget: {budget} is not a finite number.")
        return cls(fraction(budget))

    @property
    def spent(self) -> Gamma:
        """The product of the γ of all surveys."""
        return gammas.product(entry.gamma for entry in self.entries)

    @property
    def odds(self) -> Gamma:
        """By how much the odds that somebody gave a protected answer at all can grow over all surveys."""
        return gammas.product(entry.odds for entry in self.entries)

    @property
    def left(self) -> Fraction:
        """The largest γ that another survey may have; 1 where nothing is left."""
        spent = self.spent
        return Fraction(1) if isinstance(spent, float) else max(Fraction(1), self.budget / spent)

    def allows(self, design: Design) -> bool:
        """Whether the product with this design stays within the budget."""
        more, spent = design.gamma, self.spent
        return isinstance(more, Fraction) and isinstance(spent, Fraction) and spent * more <= self.budget

    def add(self, name: str, design: Design) -> "Ledger":
        """The ledger after one more survey; it records what happened, also beyond the budget."""
        return replace(self, entries=(*self.entries, LedgerEntry(name, design.gamma, design.odds)))
