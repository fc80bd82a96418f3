"""One digit that was written down before, such as the last one of a banknote's number.

People who think of a digit prefer some: only a window by lot has its chance exactly then, and who sees the window may
know much more than the chance.
"""

from fractions import Fraction

from privacy.draws.source import Source, even
from privacy.errors import to_translate

SOURCE = Source(
    "digit",
    even("0123456789"),
    delta=Fraction(2, 100),
    of_person=True,
    unsafe=to_translate(
        "A digit that people think of is not even. Let them take one from something, such as a banknote."
    ),
)
