"""The figures of rules and of itemsets, each declared once: columns, files, tables, forms and commands follow.

The metrics of rules are mlxtend's twelve, by its names and its conventions, in its order, and then the figures of the
test. A new one is an entry here: its formula takes the supports of many rules A ⇒ C at once.

>>> metrics(Sides(np.array([0.4]), np.array([0.25]), np.array([0.2])))["lift"].tolist()
[2.0]
>>> [metric.key for metric in metrics_to_print()], [metric.key for metric in itemset_metrics_to_print()]
(['confidence', 'lift', 'support', 'q'], ['n', 'support'])
>>> {"confidence", "lift"} <= {metric.key for metric in metrics_of_supports()} & {metric.key for metric in with_error()}
True
>>> of_itemsets()[0].key, [metric.key for metric in metrics_to_show(RULE_METRICS, {"lift": [2.0], "confidence": [0.5]})]
('support', ['confidence', 'lift'])
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Any

import numpy as np

from privacy.design import arguments
from privacy.errors import to_translate

Floats = np.ndarray
ENDS = ("se", "low", "high")
# How a page writes a figure.
PERCENT, TWO_DECIMALS, THREE_DECIMALS, THREE_DIGITS = "percent", "two decimals", "three decimals", "three digits"
PROBABILITY, COUNT = "probability", "count"


@dataclass(frozen=True)
class Sides:
    """sup(A), sup(C) and sup(A∪C) of many rules A ⇒ C. What several metrics are made of is computed once."""

    a: Floats
    c: Floats
    both: Floats

    @cached_property
    def independent(self) -> Floats:
        """The sup(A∪C) of independent sides."""
        return self.a * self.c

    @cached_property
    def confidence(self) -> Floats:
        return self.both / self.a

    @cached_property
    def lift(self) -> Floats:
        return self.confidence / self.c

    @cached_property
    def leverage(self) -> Floats:
        return self.both - self.independent


Formula = Callable[[Any], Floats]  # of rules from their `Sides`, of itemsets from their columns by key
Slopes = Callable[[Sides], Sequence[Floats | float]]


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
    slopes: Slopes | None = None
    divisor: Callable[[Sides], tuple[Floats, Floats | float, Floats | float]] | None = None
    help: str = ""
    shown: bool = True  # in the table of a page
    printed: int = 0  # its place among the figures of a rule, or of an itemset, that a command prints; 0: none
    smallest_first: bool = False  # what is small is most worth seeing
    at_most: str = ""  # the label of a field that keeps the rules up to a value
    alone: bool = False  # no other figure beside it has an error, so the columns of its error bear their ends alone

    @property
    def keys(self) -> tuple[str, ...]:
        return self.key, *self.error_keys

    @property
    def error_keys(self) -> tuple[str, ...]:
        if not self.with_error:
            return ()
        return ENDS if self.alone else tuple(f"{self.key} {end}" for end in ENDS)


Reaches = Sequence[Floats | tuple[float, float]]  # how far each of some figures may lie above and below


def reach_at_corners(metric: Metric, sides: Sides, reaches: Reaches) -> tuple[Floats, Floats]:
    """How far a metric of rules may lie above and below its estimate, where biases move the supports it is made of.

    `reaches` are those of sup(A∪C), sup(A) and sup(C). At one of the corners, where each is at an end, it is furthest:
    slopes alone know little of a quotient whose divisor may be half as large. Where it may be 0, nothing bounds it.

    >>> rule = Sides(np.array([0.3]), np.array([0.4]), np.array([0.2]))
    >>> lift = next(metric for metric in RULE_METRICS if metric.key == "lift")
    >>> above, below = reach_at_corners(lift, rule, [(0, 0), (0, 0.15), (0, 0)])
    >>> above.round(3).tolist(), below.round(3).tolist()  # 0.2 / (0.15 · 0.4) is twice 0.2 / (0.3 · 0.4)
    ([1.667], [0.0])
    """
    assert metric.formula is not None
    middle = metric.formula(sides)
    above, below = np.zeros_like(middle), np.zeros_like(middle)
    for corner in product((0, 1), repeat=3):
        parts = zip(corner, (sides.both, sides.a, sides.c), reaches, strict=True)
        both, a, c = (value - reach[1] if low else value + reach[0] for low, value, reach in parts)
        at = Sides(np.asarray(a), np.asarray(c), np.asarray(both))
        bounded = np.ones(np.shape(middle), bool) if metric.divisor is None else metric.divisor(at)[0] > 0
        moved = metric.formula(at) - middle
        above = np.maximum(above, np.where(bounded, moved, np.inf))
        below = np.maximum(below, np.where(bounded, middle - metric.formula(at), 0.0))
    return above, below


def conviction(rules: Sides) -> Floats:
    return np.where(rules.confidence < 1, (1 - rules.c) / (1 - rules.confidence), np.inf)


def zhang(rules: Sides) -> Floats:
    """Zhang's metric: the leverage scaled to −1 to 1; 0 where its divisor is 0."""
    spread = np.maximum(rules.both * (1 - rules.a), rules.a * (rules.c - rules.both))
    return np.where(spread == 0, 0, rules.leverage / spread)


def jaccard(rules: Sides) -> Floats:
    return rules.both / (rules.a + rules.c - rules.both)


def certainty(rules: Sides) -> Floats:
    """(confidence − c) / (1 − c), also where it is negative; 0 where everybody has the right side."""
    return np.where(rules.c == 1, 0, (rules.confidence - rules.c) / (1 - rules.c))


def kulczynski(rules: Sides) -> Floats:
    """The mean of the confidences of A ⇒ C and of C ⇒ A."""
    return (rules.confidence + rules.both / rules.c) / 2


_DISTANCE = to_translate("the error of the estimated support: its distance from the true one")
_OF_CONFIDENCE = to_translate("the error of the estimated confidence: its distance from the true one")
_OF_SHRUNKEN = to_translate("the error of the shrunken confidence: its distance from the true one")
RULE_METRICS: tuple[Metric, ...] = (
    Metric("antecedent support", to_translate("antecedent support"), PERCENT, lambda rules: rules.a),
    Metric("consequent support", to_translate("consequent support"), PERCENT, lambda rules: rules.c),
    Metric("support", to_translate("support"), PERCENT, lambda rules: rules.both, with_error=True, printed=3),
    Metric(
        "confidence",
        to_translate("confidence"),
        PERCENT,
        lambda rules: rules.confidence,
        with_error=True,
        slopes=lambda rules: (1 / rules.a, -rules.confidence / rules.a, 0.0),
        divisor=lambda rules: (rules.a, 1.0, 0.0),
        printed=1,
    ),
    Metric(
        "lift",
        to_translate("lift"),
        TWO_DECIMALS,
        lambda rules: rules.lift,
        with_error=True,
        slopes=lambda rules: (1 / rules.independent, -rules.lift / rules.a, -rules.lift / rules.c),
        divisor=lambda rules: (rules.independent, rules.c, rules.a),
        printed=2,
    ),
    Metric("representativity", "", THREE_DIGITS, lambda rules: np.ones_like(rules.both), shown=False),  # always 1
    Metric(
        "leverage",
        to_translate("leverage"),
        THREE_DECIMALS,
        lambda rules: rules.leverage,
        with_error=True,
        slopes=lambda rules: (1.0, -rules.c, -rules.a),
    ),
    Metric("conviction", to_translate("conviction"), THREE_DIGITS, conviction),
    Metric("zhangs_metric", to_translate("Zhang's metric"), THREE_DIGITS, zhang),
    Metric("jaccard", to_translate("Jaccard"), THREE_DIGITS, jaccard),
    Metric("certainty", to_translate("certainty"), THREE_DIGITS, certainty),
    Metric("kulczynski", to_translate("Kulczynski"), THREE_DIGITS, kulczynski),
    Metric("q", "q", PROBABILITY, smallest_first=True, at_most=to_translate("q at most"), printed=4),
    Metric("w", to_translate("distance from the truth"), PERCENT, help=_DISTANCE),
    Metric("confidence w", to_translate("distance of the confidence"), PERCENT, help=_OF_CONFIDENCE),
    Metric("shrunken confidence w", to_translate("distance of the shrunken confidence"), PERCENT, help=_OF_SHRUNKEN),
    Metric("p", "p", PROBABILITY, smallest_first=True),
)
# Figures that stay true after selection (`privacy.estimate.selection`), and the raw ones beside which they stand.
SHRINKING = tuple(metric for metric in RULE_METRICS if metric.key in ("support", "confidence", "lift"))
SHRUNKEN = (
    Metric("shrunken support", to_translate("shrunken support"), PERCENT, with_error=True),
    Metric("shrunken confidence", to_translate("shrunken confidence"), PERCENT, with_error=True),
    Metric("shrunken lift", to_translate("shrunken lift"), TWO_DECIMALS, with_error=True),
)
# What engines estimate for every itemset, and further figures, where they are known.
ITEMSET_ESTIMATES = (
    Metric("support", to_translate("support"), PERCENT, with_error=True, alone=True, printed=2),
    Metric("n", "n", COUNT, printed=1),
    Metric("observed", to_translate("observed"), PERCENT),
    Metric("se_respondents", "", PERCENT, shown=False),
)
ITEMSET_METRICS: tuple[Metric, ...] = (
    *ITEMSET_ESTIMATES,
    Metric("length", to_translate("length"), COUNT, smallest_first=True),
    Metric("truth", to_translate("truth"), PERCENT),
    Metric("w", to_translate("distance from the truth"), PERCENT, help=_DISTANCE),
)


def metrics_of_supports() -> list[Metric]:
    """The metrics of rules that follow from three supports."""
    return [metric for metric in RULE_METRICS if metric.formula is not None]


def of_itemsets() -> list[Metric]:
    """The metrics that every itemset has: those that are estimated, and those that follow from their columns."""
    return [*ITEMSET_ESTIMATES, *(metric for metric in ITEMSET_METRICS if metric.formula is not None)]


def with_error() -> list[Metric]:
    """The metrics of rules that have an error."""
    return [metric for metric in RULE_METRICS if metric.with_error]


def shrunken_keys() -> list[str]:
    return [key for metric in SHRUNKEN for key in metric.keys]


def keys_with_error() -> list[str]:
    return [metric.key for metric in with_error()]


def measure_of(key: str) -> Metric:
    """The metric of rules with this key, if it has an error; else refused."""
    arguments.choice(key, "measure", keys_with_error())
    return next(metric for metric in RULE_METRICS if metric.key == key)


def metrics_to_print() -> list[Metric]:
    """The metrics of a rule that a command prints, in order of print."""
    return _in_print_order(RULE_METRICS)


def itemset_metrics_to_print() -> list[Metric]:
    """The metrics of an itemset that a command prints, in order of print."""
    return _in_print_order(of_itemsets())


def _in_print_order(every: Sequence[Metric]) -> list[Metric]:
    return sorted((metric for metric in every if metric.printed), key=lambda metric: metric.printed)


@np.errstate(divide="ignore", invalid="ignore")
def metrics(rules: Sides) -> dict[str, Floats]:
    """All metrics that follow from sup(A), sup(C) and sup(A∪C), by key."""
    return {metric.key: metric.formula(rules) for metric in RULE_METRICS if metric.formula is not None}


def metrics_to_show(every: Sequence[Metric], columns: Mapping[str, Floats]) -> list[Metric]:
    """The metrics that a table shows, among those that it has columns for.

    Those with an error come first, and what follows from other figures of the same row comes last.
    """
    here = [metric for metric in every if metric.shown and metric.key in columns]
    return sorted(here, key=lambda metric: (not metric.with_error, metric.formula is not None))
