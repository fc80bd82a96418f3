"""The first digit of a house number: by Benford's law, log₁₀(1 + 1/d), in thousandths (Diekmann 2012)."""

from fractions import Fraction

from privacy.draws.source import Source
from privacy.errors import to_translate

_THOUSANDTHS = (301, 176, 125, 97, 79, 67, 58, 51, 46)

SOURCE = Source(
    "house",
    {str(digit): Fraction(part, 1000) for digit, part in enumerate(_THOUSANDTHS, start=1)},
    delta=Fraction(3, 100),
    of_person=True,
    unsafe=to_translate("Who knows the address sees the answer. Never take the address that carried the invitation."),
)
