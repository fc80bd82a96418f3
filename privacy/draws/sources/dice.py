"""One die thrown twice, in order: the sum of two dice would not be even."""

from fractions import Fraction

from privacy.draws.source import Source, even

_ORDERED = [first + second for first in "123456" for second in "123456"]

SOURCE = Source("dice", even(_ORDERED), delta=Fraction(5, 1000), of_person=False)
