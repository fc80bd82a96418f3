"""The sources of chance: their outcomes, how likely each is, and by how much that may be wrong. A row is one source."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from privacy.errors import to_translate


@dataclass(frozen=True)
class Source:
    """A row of the table. `chances` is empty for a pack, whose cards are those that a draw names."""

    name: str
    chances: Mapping[str, Fraction]
    """How likely each outcome is, by its label, in the order in which a lot turns them."""

    delta: Fraction
    """How far the chance of any set of outcomes may be from the stated one: an assumption of the design."""

    of_person: bool = False
    """Whether it is a fact that stays the same, so that it serves one draw of a person; else one can draw again."""

    unsafe: str = ""
    """Whose knowledge of the outcome undoes the protection; English, marked for translation."""

    counted: Mapping[str, int] | None = None
    """How often each outcome was counted where it was: γ of a window drawn by lot is that of the worst one."""

    def shares(self, labels: Sequence[str]) -> Mapping[str, Fraction]:
        """The chance of each outcome, where a draw names these labels."""
        return self.chances or {label: Fraction(1, len(labels)) for label in labels}

    def windows(self, labels: Sequence[str]) -> list[Mapping[str, Fraction]]:
        """The chances of the labels for each start of a window: the lot turns all outcomes by as many places."""
        order = tuple(self.chances) or tuple(labels)
        of_each = self.counted or self.shares(labels)
        total = sum(of_each.values())
        known = [Fraction(of_each[label]) / total for label in order]
        turns = [known[start:] + known[:start] for start in range(len(known))]
        return [dict(zip(order, turned, strict=True)) for turned in turns]


def even(labels: Sequence[str]) -> dict[str, Fraction]:
    """Outcomes that are all as likely.

    >>> even(["heads", "tails"])
    {'heads': Fraction(1, 2), 'tails': Fraction(1, 2)}
    """
    return {label: Fraction(1, len(labels)) for label in labels}


_BIRTHDAY = to_translate("Who knows the birthday sees the answer. Take a person whom only the respondent thinks of.")
_DAYS = 146_097  # of 400 years of the calendar
_TIMES_OF_DAYS = [4800] * 28 + [4497, 4400, 2800]  # that each day of the month comes in them
_LONG, _SHORT, _FEBRUARY = 12_400, 12_000, 11_297
_TIMES_OF_MONTHS = (_LONG, _FEBRUARY, _LONG, _SHORT, _LONG, _SHORT, _LONG, _LONG, _SHORT, _LONG, _SHORT, _LONG)
_BIRTHS = (
    *(6_979_322, 6_511_697, 7_147_368, 6_850_733, 7_175_367, 7_122_586),
    *(7_527_284, 7_624_626, 7_440_659, 7_293_822, 6_884_173, 7_155_101),
)
_ROWS = (
    # The day of the month on which somebody was born, by the calendar. Births in the US of 1994–2014 (85 712 738; NCHS
    # and SSA) differ from it by at most .0028 for sets like days 2 to 9. Registers write day 1 where the day is
    # unknown, so a set leaves it out.
    Source(
        "day",
        {str(day): Fraction(times, _DAYS) for day, times in enumerate(_TIMES_OF_DAYS, start=1)},
        Fraction(3, 1000),
        of_person=True,
        unsafe=_BIRTHDAY,
    ),
    # The month in which somebody was born, by the calendar, but births are not even. A fixed window is off by up to
    # .012 (US births of 1994–2014, NCHS and SSA), and more in other countries and generations. A window drawn by lot
    # has its chance exactly; who sees where it starts knows the chance of that window.
    Source(
        "month",
        {str(month): Fraction(times, _DAYS) for month, times in enumerate(_TIMES_OF_MONTHS, start=1)},
        Fraction(15, 1000),
        of_person=True,
        unsafe=_BIRTHDAY,
        counted={str(month): births for month, births in enumerate(_BIRTHS, start=1)},
    ),
    Source("die", even("123456"), Fraction(5, 1000)),
    # One die thrown twice, in order: the sum of two dice would not be even.
    Source("dice", even([first + second for first in "123456" for second in "123456"]), Fraction(5, 1000)),
    # Shaken in a closed hand: a coin that is caught shows the side that was up a little more often.
    Source("coin", even(["heads", "tails"]), Fraction(1, 100)),
    # From a well-mixed pack, as printed for the survey or bought: its cards are those that the draw names.
    Source("cards", {}, Fraction(5, 1000)),
    # One digit that was written down before, such as the last one of a banknote's number. People who think of a digit
    # prefer some: only a window by lot has its chance exactly then, and who sees the window may know much more.
    Source(
        "digit",
        even("0123456789"),
        Fraction(2, 100),
        of_person=True,
        unsafe=to_translate(
            "A digit that people think of is not even. Let them take one from something, such as a banknote."
        ),
    ),
    Source(
        "digits",
        even([f"{number:02}" for number in range(100)]),
        Fraction(5, 1000),
        of_person=True,
        unsafe=to_translate(
            "Numbers that people think of are not even. Let them take one from something, such as a banknote."
        ),
    ),
    # The first digit of a house number: by Benford's law, log₁₀(1 + 1/d), in thousandths (Diekmann 2012).
    Source(
        "house",
        {str(at): Fraction(one, 1000) for at, one in enumerate((301, 176, 125, 97, 79, 67, 58, 51, 46), start=1)},
        Fraction(3, 100),
        of_person=True,
        unsafe=to_translate(
            "Who knows the address sees the answer. Never take the address that carried the invitation."
        ),
    ),
    # The last digit of a phone number, which is taken to be even.
    Source(
        "phone",
        even("0123456789"),
        Fraction(2, 100),
        of_person=True,
        unsafe=to_translate("Who knows the number sees the answer. Never take the number that carried the invitation."),
    ),
)
SOURCES: dict[str, Source] = {source.name: source for source in _ROWS}
