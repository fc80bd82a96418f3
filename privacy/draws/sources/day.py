"""The day of the month on which somebody was born: by the calendar of 400 years, 146 097 days.

Births in the US of 1994–2014 (85 712 738; NCHS and SSA) differ from it by at most .0028 for sets like days 2 to 9.
Registers write day 1 where the day is unknown, so a set leaves it out.
"""

from fractions import Fraction

from privacy.draws.source import Source
from privacy.errors import to_translate

_DAYS = 146_097
_TIMES = [4800] * 28 + [4497, 4400, 2800]  # that each day of the month comes in 400 years

SOURCE = Source(
    "day",
    {str(day): Fraction(times, _DAYS) for day, times in enumerate(_TIMES, start=1)},
    delta=Fraction(3, 1000),
    of_person=True,
    unsafe=to_translate("Who knows the birthday sees the answer. Take a person whom only the respondent thinks of."),
)
