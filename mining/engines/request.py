"""What to mine: a request, checked. And who hears how far the work is."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

from mining.engines.bins import Bins, read_bins
from mining.engines.options import MINE
from privacy.choices import AVAILABLE
from privacy.errors import EntryError

READING, COUNTING, REFERENCE, RULES = "reading", "counting", "reference", "rules"
Progress = Callable[[str, int, int, float], None]
"""Hears how far the work is: the phase, the length of itemsets and the candidates counted so far, and the share of this
phase that is done; 0 where it is not known."""


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
        read_bins(self.bins)


def require_cells(bins: Bins, request: MiningRequest) -> None:
    """Refuse what cells cannot serve: an estimator, a way to take cases, or itemsets that join what cannot be joined.

    >>> from privacy.design import Design
    >>> item = {"id": "age", "min": 0, "max": 100}
    >>> design = Design.parse({"blocks": [{"number": "square-wave", "epsilon": 2, "items": [item]}]})
    >>> request = MiningRequest(min_support=0.1, min_confidence=0.5, estimator="pooled", bins="age=18,50")
    >>> try:
    ...     require_cells(Bins(design, request.bins), request)
    ... except EntryError as error:
    ...     print(error.at)
    bins
    """
    whole = [item.id for block in bins.before.blocks if block.patterns.by_record is not None for item in block.items]
    if bins.cuts and whole and request.max_length > 1:  # patterns of both cannot be inverted
        raise EntryError(
            "{name!r} in bins cannot share an itemset with {other!r}, of which each record is read whole; leave the "
            "bins out, or use itemsets of one item.",
            at="bins",
            name=next(bins.before.items[column].id for column in bins.cuts),
            other=whole[0],
        )
    if request.estimator == "pooled" and bins.design.by_record:
        raise EntryError(
            "pooled cannot weigh answers of which each record is read whole; use stratified or combined.",
            at="estimator",
        )
    if request.estimator == "pooled" and bins.cuts:
        raise EntryError(
            "the pooled estimator works for coins, and numbers and places have none; use stratified or combined.",
            at="bins",
        )


def silent(phase: str, level: int, candidates: int, share: float) -> None:
    """Say nothing.

    >>> silent(COUNTING, 2, 10, 0.5) is None
    True
    """
