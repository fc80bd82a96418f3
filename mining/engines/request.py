"""What to mine: a request, checked."""

from dataclasses import dataclass
from typing import ClassVar

from mining.engines.bins import read_bins
from privacy.choices import AVAILABLE, CASES, ESTIMATORS, EVERY_CASES, LEAST_SQUARES
from privacy.errors import EntryError

ENGINES = ("auto", "bitset", "mlxtend")
LONGEST = 6
# Where nobody has said otherwise. A link of medium strength, of which plans speak, has a confidence of .51 where three
# in ten say yes: by .5 a quarter of those that are true stayed hidden, however many people answered.
USUAL_SUPPORT, USUAL_CONFIDENCE = 0.1, 0.4


@dataclass(frozen=True)
class MiningRequest:
    """What to mine, checked: every value is refused with one sentence where it makes no sense."""

    min_support: float
    min_confidence: float
    max_length: int = 3
    negated: bool = False
    estimator: str = "stratified"
    engine: str = "auto"
    cases: str = AVAILABLE  # of a design that asks each respondent only some items
    least: int = 1  # figures about fewer respondents are not reported
    bins: str = ""  # of numbers and places, as age=18,30,50;home=zones
    most_itemsets: int = 200_000
    most_rules: int = 100_000

    ASKED: ClassVar = ("min_support", "min_confidence", "max_length", "negated", "estimator", "engine", "cases", "bins")

    def __post_init__(self) -> None:
        if not 0 < self.min_support <= 1:
            raise EntryError(
                "{min_support} is not a share above 0 and up to 1.", "min_support", min_support=plain(self.min_support)
            )
        if not 0 <= self.min_confidence <= 1:
            raise EntryError(
                "{min_confidence} is not a share from 0 to 1.",
                "min_confidence",
                min_confidence=plain(self.min_confidence),
            )
        if not 1 <= self.max_length <= LONGEST:
            raise EntryError(
                "{max_length} is not from 1 to {longest} items.",
                "max_length",
                max_length=self.max_length,
                longest=LONGEST,
            )
        for at, known in (("estimator", ESTIMATORS), ("cases", EVERY_CASES), ("engine", ENGINES)):
            if (name := getattr(self, at)) not in known:
                raise EntryError("{name!r} is not one of {known}.", at, name=name, known=", ".join(known))
        if read_bins(self.bins):
            refuse_least_squares(self.cases)
        if self.least < 1:
            raise EntryError("{least} respondents are fewer than one.", "least", least=self.least)


def refuse_least_squares(cases: str) -> None:
    """Least squares count all respondents alike, and know no bins; nor does the site offer them.

    >>> try:
    ...     refuse_least_squares(LEAST_SQUARES)
    ... except EntryError as error:
    ...     print(error.at)
    cases
    """
    if cases == LEAST_SQUARES:
        raise EntryError("{name!r} is not one of {known}.", "cases", name=cases, known=", ".join(CASES))


def plain(number: float) -> str:
    """A number with all the digits it has: rounded, 1.0000001 would be refused as 1, and two runs look alike.

    >>> plain(0.1), plain(2.0)
    ('0.1', '2')
    """
    return repr(float(number)).removesuffix(".0")
