"""Counts with noise: undisguised answers leave the site as counts with noise alone.

in a document      "protection": {"epsilon": 1, "delta"?: 1e-6, "tables"?: ["born car", …]}
in a definition    "central": {"epsilon": 1, "delta"?: 1e-6, "tables"?: [["born", "car"], …]}

Every column is counted by itself, and the pairs in `tables` together.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, isinf
from typing import Any

from django.utils.translation import gettext as _

from privacy.design.rationals import fraction
from privacy.errors import EntryError, InputError
from privacy.guarantee.bounds import LEAST_EPSILON, MOST_DELTA, MOST_EPSILON
from surveys.features.feature import Around, Feature, Named, Source
from surveys.questions import PublishedQuestion, type_of
from surveys.questions.columns import ColumnKind

RANGES = 10  # of a number that is counted
MOST_CROSSED, MOST_CELLS = 20, 400  # tables of two columns, and the cells of one


@dataclass(frozen=True)
class Central:
    """How undisguised answers are counted: with discrete Laplace noise, or with a δ discrete Gaussian."""

    epsilon: Fraction
    delta: Fraction | None
    tables: tuple[tuple[str, str], ...]

    @property
    def millionths(self) -> int:
        """What the counts cost in the budget, in millionths of ε."""
        return ceil(self.epsilon * 10**6)


def central(source: Source) -> Central | None:
    """The noise with which undisguised answers are counted; None where they leave the site as they are."""
    known = source.get("central")
    if known is None:
        return None
    delta = fraction(known["delta"]) if "delta" in known else None
    return Central(fraction(known["epsilon"]), delta, tuple((one, other) for one, other in known.get("tables", ())))


def countable(questions: Iterable[PublishedQuestion]) -> dict[str, int]:
    """The number of values of each undisguised column whose values are public, by its name: options, or ranges of a
    number.
    """
    return {
        column.name: len(column.options) or RANGES
        for question in questions
        if not question.sensitive
        for column in type_of(question).columns(question)
        if column.options
        or (
            column.kind is ColumnKind.NUMBER
            and all(isinstance(end, int | float) for end in (question.min, question.max))
        )
    }


def _check(around: Around) -> None:
    central, design = around.source["central"], around.design
    if not isinstance(central, dict) or not {"epsilon"} <= set(central) <= {"epsilon", "delta", "tables"}:
        raise InputError('central holds "epsilon", and perhaps "delta" and "tables".')
    noise = [value for name, value in central.items() if name != "tables"]
    if any(isinstance(value, bool) or not isinstance(value, int | float) for value in noise):
        raise InputError("central holds numbers.")
    _check_crossed(central.get("tables", []), countable(around.questions))
    if (
        not LEAST_EPSILON <= central["epsilon"] <= MOST_EPSILON
        or not 0 < central.get("delta", MOST_DELTA) <= MOST_DELTA
    ):
        raise EntryError(
            "ε must be from {least} to {most}, and δ above 0 and at most {delta}.",
            least=f"{LEAST_EPSILON:f}",
            most=MOST_EPSILON,
            delta=MOST_DELTA,
        )
    counted = any(question.enough for question in around.questions)
    if design.direct or isinf(design.gamma) or {"early", "beside"} & set(around.source) or counted:
        raise EntryError(
            "Where undisguised answers leave as counts with noise alone, nobody answers directly, no stored answer to "
            "a sensitive question can only be true (γ is finite), nothing is looked at early, "
            "texts stay beside no answers, and no group is closed once it has enough."
        )


def _check_crossed(tables: Any, sizes: Mapping[str, int]) -> None:
    """Check the tables of two columns; a pair that comes twice, in either order, would draw its counts again."""
    if not isinstance(tables, list) or not all(isinstance(one, list) and len(one) == 2 for one in tables):
        raise InputError("central.tables lists pairs of names.")
    for name in (name for one in tables for name in one if name not in sizes):
        raise EntryError(
            "“{name}” is no undisguised question whose answers are counted.", at="central.tables", name=name
        )
    if any(sizes[first] * sizes[second] > MOST_CELLS for first, second in tables):
        raise EntryError("a table of two questions has at most {most} cells.", at="central.tables", most=MOST_CELLS)
    if len(tables) > MOST_CROSSED:
        raise EntryError("at most {most} tables of two questions are counted.", at="central.tables", most=MOST_CROSSED)
    pairs = {frozenset(one) for one in tables}
    if len(pairs) < len(tables) or any(len(pair) < 2 for pair in pairs):
        raise InputError("central.tables names two different questions, and each pair once.")


def _says(source: Source, _named: Named) -> Iterator[str]:
    entry = source["central"]
    yield _("Undisguised answers leave the site as counts with noise alone: ε = %(epsilon)g.") % entry
    if "delta" in entry:
        yield _("This bound fails with a chance of at most δ = %(delta)g.") % entry
    for pair in entry.get("tables", ()):
        yield _("Counted together: %(pair)s.") % {"pair": " × ".join(pair)}


NOISY_COUNTS = Feature(
    "noisy_counts",
    {},
    _check,
    _says,
    entries=("central",),
    counts_alone=True,
    parts=("draft", "changes", "counted", "staff"),
)
