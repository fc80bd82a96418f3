"""The month in which somebody was born: by the calendar of 400 years, but births are not even.

A fixed window is off by up to .012 (US births of 1994–2014, NCHS and SSA), and more in other countries and generations.
A window drawn by lot has its chance exactly; who sees where it starts knows the chance of that window.
"""

from fractions import Fraction

from privacy.draws.source import Source
from privacy.errors import to_translate

_DAYS = 146_097
_LONG, _SHORT, _FEBRUARY = 12_400, 12_000, 11_297
_TIMES = (_LONG, _FEBRUARY, _LONG, _SHORT, _LONG, _SHORT, _LONG, _LONG, _SHORT, _LONG, _SHORT, _LONG)
_BIRTHS = (
    *(6_979_322, 6_511_697, 7_147_368, 6_850_733, 7_175_367, 7_122_586),
    *(7_527_284, 7_624_626, 7_440_659, 7_293_822, 6_884_173, 7_155_101),
)

SOURCE = Source(
    "month",
    {str(month): Fraction(times, _DAYS) for month, times in enumerate(_TIMES, start=1)},
    delta=Fraction(15, 1000),
    of_person=True,
    unsafe=to_translate("Who knows the birthday sees the answer. Take a person whom only the respondent thinks of."),
    counted={str(month): births for month, births in enumerate(_BIRTHS, start=1)},
)
