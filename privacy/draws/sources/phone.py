"""The last digit of a phone number, which is taken to be even."""

from fractions import Fraction

from privacy.draws.source import Source, even
from privacy.errors import to_translate

SOURCE = Source(
    "phone",
    even("0123456789"),
    delta=Fraction(2, 100),
    of_person=True,
    unsafe=to_translate("Who knows the number sees the answer. Never take the number that carried the invitation."),
)
