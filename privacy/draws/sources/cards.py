"""One card from a well-mixed pack, as printed for the survey or bought: its cards are those that the draw names."""

from fractions import Fraction

from privacy.draws.source import Source

SOURCE = Source("cards", {}, delta=Fraction(5, 1000), of_person=False)
