"""What reports ask of each feature: its part *report*."""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from surveys.definition import Definition
from surveys.features import parts_in, parts_of
from surveys.models import Snapshot
from surveys.results.figures import Figure
from surveys.results.reading import ReportData
from surveys.results.sections import ReportPart, TrustTopic
from surveys.results.tables import Variable


class Beside:
    """Figures that a feature puts beside those of everybody who answered; without such a feature nothing is added.

    Each method returns all figures to show; that of rules those it adds, or sentences why there are none.
    """

    def shares(self, data: ReportData, drawings: Sequence[Figure], language: str) -> list[Figure]:
        return [*drawings]

    def table(self, data: ReportData, drawing: Figure, chosen: Sequence[Variable], language: str) -> list[Figure]:
        return [drawing]

    def alone(self, data: ReportData, drawing: Figure) -> list[Figure]:
        return [drawing]

    def rules(self, snapshot: Snapshot, rules: Sequence[str], language: str) -> tuple[list[Figure], list[str]]:
        return [], []


@dataclass(frozen=True)
class ReportingPart:
    """A feature in reports; it is asked for versions that have it.

    parts     the parts of a report that are about it
    topics    what it tells of how far the figures can be trusted
    beside    what it adds to the figures of others; one feature alone does so, because two would need an order
    alarm     what the report begins with where its figures cannot be trusted, else nothing
    share     what it adds to the share of a pattern, under a name of its own in the API
    own       the literals of its own questions, about which no rule is reported
    """

    parts: Callable[[ReportData], Sequence[ReportPart]] = lambda _data: ()
    topics: Callable[[ReportData], Sequence[TrustTopic]] = lambda _data: ()
    beside: Beside | None = None
    alarm: Callable[[ReportData], str] = lambda _data: ""
    share: tuple[str, Callable[[ReportData, str], Any]] | None = None
    own: Callable[[Definition], Collection[str]] = lambda _definition: ()


def _own_parts(definition: Definition) -> Iterable[ReportingPart]:
    """The parts of the features that a version has."""
    return parts_in(ReportingPart, definition.source).values()


def parts_of_features(data: ReportData) -> list[ReportPart]:
    return [part for feature in _own_parts(data.version.parsed) for part in feature.parts(data)]


def topics_of_features(data: ReportData) -> list[TrustTopic]:
    return [topic for feature in _own_parts(data.version.parsed) for topic in feature.topics(data)]


def alarms(data: ReportData) -> list[str]:
    """What is said first, on every page of figures: no other part may say that all is well."""
    return [said for part in _own_parts(data.version.parsed) if (said := part.alarm(data))]


def beside(definition: Definition) -> Beside:
    return next((part.beside for part in _own_parts(definition) if part.beside), Beside())


def shares(data: ReportData, text: str) -> dict[str, Any]:
    """What features add to the share of a pattern; None of those that this version has not."""
    asked = {part.share[0]: None for part in parts_of(ReportingPart).values() if part.share}
    return asked | {part.share[0]: part.share[1](data, text) for part in _own_parts(data.version.parsed) if part.share}


def own_literals(definition: Definition) -> list[str]:
    return [literal for part in _own_parts(definition) for literal in part.own(definition)]
