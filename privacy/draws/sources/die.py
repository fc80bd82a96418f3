"""One throw of a die."""

from fractions import Fraction

from privacy.draws.source import Source, even

SOURCE = Source("die", even("123456"), delta=Fraction(5, 1000), of_person=False)
