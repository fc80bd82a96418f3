"""How much protection one person has used up over several surveys or waves: γ multiplies, ε adds up."""

from dataclasses import dataclass, replace
from fractions import Fraction
from math import inf, isfinite

from privacy.design import Design
from privacy.design.rationals import fraction
from privacy.errors import InputError
from privacy.guarantee.promise import Gamma, gamma


@dataclass(frozen=True)
class Ledger:
    """Designs that the same person answered, each with fresh randomness, against a budget for the product of their γ.

    The product bounds what someone learns who knows that the records come from one person. A design that is answered
    twice counts twice.
    """

    budget: Fraction
    entries: tuple[tuple[str, Gamma], ...] = ()

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
        total = Fraction(1)
        for _, one in self.entries:
            if isinstance(one, float):
                return inf
            total *= one
        return total

    @property
    def left(self) -> Fraction:
        """The largest γ that another survey may have; 1 where nothing is left."""
        spent = self.spent
        return Fraction(1) if isinstance(spent, float) else max(Fraction(1), self.budget / spent)

    def allows(self, design: Design) -> bool:
        """Whether the product with this design stays within the budget."""
        more, spent = gamma(design), self.spent
        return isinstance(more, Fraction) and isinstance(spent, Fraction) and spent * more <= self.budget

    def add(self, name: str, design: Design) -> "Ledger":
        """The ledger after one more survey; it records what happened, also beyond the budget."""
        return replace(self, entries=(*self.entries, (name, gamma(design))))
