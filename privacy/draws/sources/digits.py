"""Two digits that were written down before, such as the last two of a banknote's number."""

from fractions import Fraction

from privacy.draws.source import Source, even
from privacy.errors import to_translate

SOURCE = Source(
    "digits",
    even([f"{number:02}" for number in range(100)]),
    delta=Fraction(5, 1000),
    of_person=True,
    unsafe=to_translate(
        "Numbers that people think of are not even. Let them take one from something, such as a banknote."
    ),
)
