"""What a disguise does, in sentences with frequencies: so many of a hundred people, and all figures out of one number.

People understand "of 100 people who would say no, about 42" better than a chance. Every figure counts people about whom
somebody would be wrong, and is rounded down: no sentence promises more than is true. The browser has the same figures
(privacy/disguise/browser/disguise.js).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from math import floor

from privacy.errors import to_translate

_PEOPLE = (100, 1_000, 10_000, 100_000)
_LOSS = Fraction(1, 10)
# A chance of .42 is held in steps of 2^-32, and can lie this little below 42 of 100. No reader could tell.
_STEPS = Fraction(1, 2**28)

_OR_MORE = to_translate("{some} or more")
YES, NO = to_translate("Yes"), to_translate("No")

STORED = to_translate("Of {of} people who would say “{said}”, the site stores about {some} as “{stored}”.")
"""What becomes of one yes/no answer."""

EITHER = tuple((STORED, {"said": one, "stored": other}) for one, other in ((NO, YES), (YES, NO)))
"""The same of a no, which most readers would say, and of a yes, that are stored as the other one."""

FEWER = to_translate(
    "γ is above this site’s limit of {limit}. Disguise more (a smaller γ), or ask fewer questions of a block."
)
"""The advice of kinds that turn answers over."""

TOGETHER = to_translate(
    "Say half of a crowd would give your answers, and half other answers. Take {of} people in it with the same stored "
    "answers. Up to {most} would give your answers. At least {some} would give others."
)
"""Of a kind that hides every answer."""

BELIEVED = to_translate(
    "If someone is {prior} % sure that something asked in a disguised question is true of a respondent, the disguised "
    "answers cannot make them surer than {posterior} %."
)
"""The same in chances, of a kind that hides every answer."""


def three_digits(value: float) -> str:
    """A figure with three digits and no exponent, as people write it.

    >>> three_digits(1463.2), three_digits(0.12345)
    ('1460', '0.123')
    """
    return f"{Decimal(f'{value:.3g}'):f}"


@dataclass(frozen=True)
class Said:
    """One sentence, in English and marked for translation, with its figures; words and sentences among them, too.

    `or_more`: the figure `some` is the least of several.
    """

    sentence: str
    figures: Mapping[str, "int | str | Said"]
    or_more: bool = False

    def __str__(self) -> str:
        return self.as_text(str)

    def as_text(self, translated: Callable[[str], str]) -> str:
        """The sentence with its figures, in the language of the function."""
        figures = {name: _translate(value, translated) for name, value in self.figures.items()}
        if self.or_more:
            figures["some"] = translated(_OR_MORE).format(**figures)
        return translated(self.sentence).format(**figures)


def _translate(value: int | str | Said, translated: Callable[[str], str]) -> int | str:
    if isinstance(value, Said):
        return value.as_text(translated)
    return translated(value) if isinstance(value, str) else value


def of_people(shares: Sequence[Fraction]) -> tuple[int, tuple[int, ...]]:
    """A round number of people, and how many of them each share is, rounded down.

    The number is a hundred, unless rounding then hides more than a tenth of a share: a thousand, and so on.
    """
    people, rounded = 0, tuple[int, ...]()
    for people in _PEOPLE:
        rounded = tuple(_round_down(share, people) for share in shares)
        if all(share - Fraction(count, people) <= share * _LOSS for share, count in zip(shares, rounded, strict=True)):
            break
    return people, rounded


def pair_shares(texts: Sequence[tuple[str, Mapping[str, str]]], pairs: Sequence[Sequence[Fraction]]) -> list[Said]:
    """Write a sentence for each text, with the least share in its column of `pairs`; all count the same people."""
    if not pairs:
        return []
    columns = list(zip(*pairs, strict=True))
    people, least = of_people([min(column) for column in columns])
    return [
        Said(sentence, {"of": people, "some": some, **words}, or_more=_round_down(max(column), people) > some)
        for (sentence, words), some, column in zip(texts, least, columns, strict=True)
    ]


def say_odds(sentence: str, odds: Fraction) -> Said:
    """Say how sure a record can make of one of two equally likely halves, in numbers of people.

    With the prior ½ the posterior of the first half is at most odds/(1+odds). `some` are of the second.

    >>> say_odds("Of {of} people …", Fraction(3))
    Said(sentence='Of {of} people …', figures={'of': 100, 'most': 75, 'some': 25}, or_more=False)
    """
    people, (least,) = of_people([1 / (1 + odds)])
    return Said(sentence, {"of": people, "most": people - least, "some": least})


def _round_down(share: Fraction, people: int) -> int:
    return floor((share + _STEPS) * people)
