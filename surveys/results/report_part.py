"""What reports ask of each feature: its part *reported*."""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from surveys.definition import Definition
from surveys.features import parts_of
from surveys.results.figures import Figure
from surveys.results.reading import ReportData
from surveys.results.sections import ReportPart
from surveys.results.tables import Variable


class Beside(Protocol):
    """Figures that a feature puts beside those of everybody who answered; each method returns all figures to show."""

    def shares(self, data: ReportData, drawings: Sequence[Figure], language: str) -> list[Figure]: ...

    def table(self, data: ReportData, drawing: Figure, chosen: Sequence[Variable], language: str) -> list[Figure]: ...

    def alone(self, data: ReportData, drawing: Figure) -> list[Figure]: ...

    def rules(self, data: ReportData, rules: Sequence[str], language: str) -> tuple[list[Figure], list[str]]:
        """Figures of rules, and sentences where there are none; both empty where nothing is added."""


@dataclass(frozen=True)
class ReportingPart:
    """A feature in reports.

    parts     the parts of a report that are about it, where the version has it
    beside    what it adds to the figures of others; at most one feature does so
    share     what it adds to the share of a pattern, under a name of its own in the API
    own       the literals of its own questions, about which no rule is reported
    """

    parts: Callable[[ReportData], Sequence[ReportPart]] = lambda _data: ()
    beside: Beside | None = None
    share: tuple[str, Callable[[ReportData, str], Any]] | None = None
    own: Callable[[Definition], Collection[str]] = lambda _definition: ()


def of_features(data: ReportData) -> list[ReportPart]:
    return [part for feature in parts_of(ReportingPart).values() for part in feature.parts(data)]


def beside() -> Beside:
    return next(part.beside for part in parts_of(ReportingPart).values() if part.beside)


def shares(data: ReportData, text: str) -> Iterator[tuple[str, Any]]:
    for part in parts_of(ReportingPart).values():
        if part.share:
            yield part.share[0], part.share[1](data, text)


def own_literals(definition: Definition) -> list[str]:
    return [literal for part in parts_of(ReportingPart).values() for literal in part.own(definition)]
