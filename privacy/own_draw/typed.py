"""Answers that others typed from paper: how many of them are wrong, from forms that two people entered.

An error turns an answer over with the chance e, whatever it says. Two entries then differ with the chance 2e(1−e).
"""

from dataclasses import dataclass
from fractions import Fraction
from math import sqrt

from privacy.errors import InputError


@dataclass(frozen=True)
class EntryErrors:
    """How many answers were entered twice, how many of them not alike, and which share of all records was typed.

    >>> errors = EntryErrors(400, 8, Fraction(1, 2))
    >>> round(errors.error, 6), round(errors.mean, 6)
    (0.010102, 0.005051)
    """

    compared: int
    differing: int
    share: Fraction = Fraction(1)

    def __post_init__(self) -> None:
        if not 0 <= self.differing <= self.compared or self.compared == 0:
            raise InputError(
                f"typed: {self.differing} of {self.compared} answers that were entered twice cannot differ."
            )
        if 2 * self.differing >= self.compared:
            raise InputError("typed: half of the answers that were entered twice differ, so entries tell nothing.")
        if not 0 < self.share <= 1:
            raise InputError(f"typed: {self.share} is no share of records that were typed.")

    @property
    def error(self) -> float:
        """The share of typed answers that are wrong: e = (1 − √(1 − 2d))/2."""
        return (1 - sqrt(1 - 2 * self.differing / self.compared)) / 2

    @property
    def variance(self) -> float:
        """That of the error, by the delta method: of the share that differs, over 4(1 − 2d)."""
        share = (self.differing + 0.5) / (self.compared + 1)
        return share * (1 - share) / self.compared / (4 * (1 - 2 * self.differing / self.compared))

    @property
    def mean(self) -> float:
        """The share of wrong answers among all records, of which those that came by web have none."""
        return float(self.share) * self.error

    @property
    def doubt(self) -> float:
        """The standard error of `mean`."""
        return float(self.share) * sqrt(self.variance)
