"""One toss of a coin, shaken in a closed hand: a coin that is caught shows the side that was up a little more often."""

from fractions import Fraction

from privacy.draws.source import Source, even

SOURCE = Source("coin", even(["heads", "tails"]), delta=Fraction(1, 100), of_person=False)
