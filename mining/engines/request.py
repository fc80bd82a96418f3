"""What to mine: a request, checked."""

from dataclasses import dataclass
from typing import ClassVar

from mining.engines.bins import read_bins
from privacy.choices import AVAILABLE, CASES, LEAST_SQUARES
from privacy.errors import EntryError
from privacy.options.tables import MINE


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

    STORED: ClassVar = tuple(one.name for one in MINE.for_place("page"))

    def __post_init__(self) -> None:
        MINE.check(vars(self))
        if read_bins(self.bins):
            refuse_least_squares(self.cases)


def refuse_least_squares(cases: str) -> None:
    """Refuse least squares, which allow neither weights nor bins and which the site does not offer.

    >>> try:
    ...     refuse_least_squares(LEAST_SQUARES)
    ... except EntryError as error:
    ...     print(error.at)
    cases
    """
    if cases == LEAST_SQUARES:
        raise EntryError("{name!r} is not one of {known}.", "cases", name=cases, known=", ".join(CASES))
