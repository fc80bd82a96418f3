"""The sources of chance: their outcomes, how likely each is, and by how much that may be wrong; a row each."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from privacy.errors import to_translate


@dataclass(frozen=True)
class Source:
    """A row of the table."""

    name: str
    chances: Mapping[str, Fraction]
    """How likely each outcome is, by its label, in the order in which a lot turns them."""

    delta: Fraction
    """How far the chance of any set of outcomes may be from the stated one: an assumption of the design."""

    of_person: bool
    """Whether it is a fact that stays the same, so that it serves one draw of a person; else one can draw again."""

    gives_many: bool = False
    """Whether it gives an outcome for each of many questions: a die is rolled again, a number has more digits."""

    unsafe: str = ""
    """Whose knowledge of the outcome undoes the protection; English, marked for translation."""

    def windows(self) -> list[Mapping[str, Fraction]]:
        """The chances of the labels for each start of a window: the lot turns all outcomes by as many places."""
        order, shares = tuple(self.chances), list(self.chances.values())
        turns = [shares[start:] + shares[:start] for start in range(len(shares))]
        return [dict(zip(order, turned, strict=True)) for turned in turns]


def even(labels: Sequence[str]) -> dict[str, Fraction]:
    """Outcomes that are all as likely.

    >>> even(["heads", "tails"])
    {'heads': Fraction(1, 2), 'tails': Fraction(1, 2)}
    """
    return {label: Fraction(1, len(labels)) for label in labels}


_DAYS = 146_097  # of 400 years of the calendar
_TIMES = [4800] * 28 + [4497, 4400, 2800]  # that each day of the month comes in them

SOURCES: dict[str, Source] = {
    source.name: source
    for source in (
        # The day of the month on which somebody was born. Births in the US of 1994–2014 (85 712 738; NCHS and SSA)
        # differ from the calendar by at most .0028 for sets like days 2 to 9. Registers write day 1 where the day is
        # unknown, so a set leaves it out.
        Source(
            "day",
            {str(day): Fraction(times, _DAYS) for day, times in enumerate(_TIMES, start=1)},
            delta=Fraction(3, 1000),
            of_person=True,
            unsafe=to_translate(
                "Who knows the birthday sees the answer. Take a person whom only the respondent thinks of."
            ),
        ),
        Source("die", even("123456"), delta=Fraction(5, 1000), of_person=False, gives_many=True),
        # Shaken in a closed hand: a coin that is caught shows the side that was up a little more often.
        Source("coin", even(["heads", "tails"]), delta=Fraction(1, 100), of_person=False),
        # Digits before the last one of a number, such as a banknote's. People who think of digits prefer some; and the
        # last digit of a euro note is a check digit from 1 to 9: a meaning of 0 alone would never come.
        Source(
            "digit",
            even("0123456789"),
            delta=Fraction(2, 100),
            of_person=True,
            gives_many=True,
            unsafe=to_translate(
                "Digits that people think of are not even. Let them take those of a banknote, but not its last one: on "
                "euro notes that is a check digit and never 0."
            ),
        ),
        # The last digit of a phone number, which is taken to be even.
        Source(
            "phone",
            even("0123456789"),
            delta=Fraction(2, 100),
            of_person=True,
            unsafe=to_translate(
                "Who knows the number sees the answer. Never take the number that carried the invitation."
            ),
        ),
    )
}
