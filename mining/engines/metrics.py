"""The figures of rules and of itemsets, each declared once: columns, files, tables and forms follow these lists.

The metrics of rules are mlxtend's twelve, by its names and its conventions, in its order, and then the figures of the
test. A new one is an entry here: its formula takes arrays of sup(A), sup(C) and sup(A∪C), of many rules A ⇒ C at once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from privacy.design.forms import to_translate

Floats = np.ndarray
Formula = Callable[[Floats, Floats, Floats], Floats]
ENDS = ("se", "low", "high")
# How a page writes a figure.
PERCENT, TWO_DECIMALS, THREE_DECIMALS, THREE_DIGITS = "percent", "two decimals", "three decimals", "three digits"
PROBABILITY, COUNT = "probability", "count"


@dataclass(frozen=True)
class Metric:
    """One figure of every rule, or of every itemset.

    `key` names its column wherever it is stored or written. One `with_error` has three columns more, its standard error
    and the ends of its interval. They follow from the errors of sup(A∪C), sup(A) and sup(C) by the `slopes`, the
    derivatives by each; one without slopes has the errors of its itemset. Of a ratio sup(A∪C)/d, `divisor` gives d and
    its derivatives by sup(A) and sup(C), so that its interval can be Fieller's where d is near 0.
    """

    key: str
    heading: str
    written: str
    formula: Formula | None = None
    with_error: bool = False
    slopes: Callable[[Floats, Floats, Floats], Sequence[Floats | float]] | None = None
    divisor: Callable[[Floats, Floats], tuple[Floats, Floats | float, Floats | float]] | None = None
    help: str = ""
    shown: bool = True  # in the table of a page
    smallest_first: bool = False  # what is small is most worth seeing
    at_most: str = ""  # the label of a field that keeps the rules up to a value

    @property
    def error_keys(self) -> tuple[str, ...]:
        return tuple(f"{self.key} {end}" for end in ENDS) if self.with_error else ()


def confidence(a: Floats, _c: Floats, both: Floats) -> Floats:
    return both / a


def lift(a: Floats, c: Floats, both: Floats) -> Floats:
    return both / a / c


def leverage(a: Floats, c: Floats, both: Floats) -> Floats:
    return both - a * c


def conviction(a: Floats, c: Floats, both: Floats) -> Floats:
    return np.where(both / a < 1, (1 - c) / (1 - both / a), np.inf)


def zhang(a: Floats, c: Floats, both: Floats) -> Floats:
    spread = np.maximum(both * (1 - a), a * (c - both))
    return np.where(spread == 0, 0, leverage(a, c, both) / spread)


def jaccard(a: Floats, c: Floats, both: Floats) -> Floats:
    return both / (a + c - both)


def certainty(a: Floats, c: Floats, both: Floats) -> Floats:
    return np.where(c == 1, 0, (both / a - c) / (1 - c))


def kulczynski(a: Floats, c: Floats, both: Floats) -> Floats:
    return (both / a + both / c) / 2


_DISTANCE = to_translate("the error of the estimated support: its distance from the true one")
RULE_METRICS: tuple[Metric, ...] = (
    Metric("antecedent support", to_translate("antecedent support"), PERCENT, lambda a, _c, _both: a),
    Metric("consequent support", to_translate("consequent support"), PERCENT, lambda _a, c, _both: c),
    Metric("support", to_translate("support"), PERCENT, lambda _a, _c, both: both, with_error=True),
    Metric(
        "confidence",
        to_translate("confidence"),
        PERCENT,
        confidence,
        with_error=True,
        slopes=lambda a, _c, both: (1 / a, -both / a / a, 0.0),
        divisor=lambda a, _c: (a, 1.0, 0.0),
    ),
    Metric(
        "lift",
        to_translate("lift"),
        TWO_DECIMALS,
        lift,
        with_error=True,
        slopes=lambda a, c, both: (1 / (a * c), -lift(a, c, both) / a, -lift(a, c, both) / c),
        divisor=lambda a, c: (a * c, c, a),
    ),
    Metric("representativity", "", THREE_DIGITS, lambda _a, _c, both: np.ones_like(both), shown=False),  # always 1
    Metric(
        "leverage",
        to_translate("leverage"),
        THREE_DECIMALS,
        leverage,
        with_error=True,
        slopes=lambda a, c, _both: (1.0, -c, -a),
    ),
    Metric("conviction", to_translate("conviction"), THREE_DIGITS, conviction),
    Metric("zhangs_metric", to_translate("Zhang's metric"), THREE_DIGITS, zhang),
    Metric("jaccard", to_translate("Jaccard"), THREE_DIGITS, jaccard),
    Metric("certainty", to_translate("certainty"), THREE_DIGITS, certainty),
    Metric("kulczynski", to_translate("Kulczynski"), THREE_DIGITS, kulczynski),
    Metric("q", "q", PROBABILITY, smallest_first=True, at_most=to_translate("q at most")),
    Metric("w", "W", PERCENT, help=_DISTANCE),
    Metric("p", "p", PROBABILITY, smallest_first=True),
)
ITEMSET_METRICS: tuple[Metric, ...] = (
    Metric("support", to_translate("support"), PERCENT, with_error=True),
    Metric("observed", to_translate("observed"), PERCENT),
    Metric("n", "n", COUNT),
    Metric("length", to_translate("length"), COUNT, smallest_first=True),
    Metric("truth", to_translate("truth"), PERCENT),
    Metric("w", "W", PERCENT, help=_DISTANCE),
)


def computed() -> list[Metric]:
    """The metrics of rules that follow from three supports."""
    return [metric for metric in RULE_METRICS if metric.formula is not None]


def with_error() -> list[Metric]:
    """The metrics of rules that have an error."""
    return [metric for metric in RULE_METRICS if metric.with_error]


@np.errstate(divide="ignore", invalid="ignore")
def metrics(a: Floats, c: Floats, both: Floats) -> dict[str, Floats]:
    """All metrics that follow from sup(A), sup(C) and sup(A∪C), by key."""
    return {metric.key: metric.formula(a, c, both) for metric in RULE_METRICS if metric.formula is not None}


def shown(every: Sequence[Metric], columns: Mapping[str, Floats]) -> list[Metric]:
    """The metrics that a table shows, among those that it has columns for.

    Those with an error come first, and what follows from other figures of the same row comes last.
    """
    here = [metric for metric in every if metric.shown and metric.key in columns]
    return sorted(here, key=lambda metric: (not metric.with_error, metric.formula is not None))
