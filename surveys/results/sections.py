"""The parts of a report, and the list to which other apps add theirs, because surveys knows none of them."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext as _, gettext_lazy

from surveys.definition import Definition
from surveys.displays import Table
from surveys.domain.people.roles import Action, may
from surveys.features import parts_in
from surveys.models import SurveyVersion
from surveys.results.reading import ReportData


@dataclass(frozen=True)
class ReportPart:
    """One part of a report, which can also be shared alone.

    key        its name in addresses and in shared links
    title      its name for people, in the reader's language
    template   what writes it, the same on pages and behind shared links; it gets `shown`, which is `context()`. Without
               one there is nothing but figures
    context    what it shows, computed only where it is shown; the `figures` in it have files of their own, and those
               that are also `loose` are drawn below the template, and its `questions` stand after all parts
    without    the key of the same part without what reviewers rejected; "" where nothing was
    for_analysts  whether it stands folded behind what everybody reads
    """

    key: str
    title: str
    template: str
    context: Callable[[], dict[str, Any]] = field(repr=False)
    without: str = ""
    for_analysts: bool = False


@dataclass(frozen=True)
class TrustTopic:
    """Some sentences under one heading, and perhaps a table; what is `grave` forbids to trust the figures.

    `finding` says in a few words what the sentences find; it stands where they are folded. Alone it needs no fold.
    """

    heading: str
    sentences: tuple[str, ...]
    table: Table | None = None
    grave: bool = False
    finding: str = ""


@dataclass(frozen=True)
class LinkReview:
    """What the last reviewer said of a link, as a sentence for every reader."""

    said: str
    is_rejection: bool


@dataclass(frozen=True)
class Section:
    """A kind of part.

    action    what somebody must be allowed beside seeing the survey; a shared link has been given by somebody who was
    reviews   what reviewers said of links, each named by the two answers that it joins
    offered   the parts that the report of a snapshot shows by itself
    find      the part with this key, also one that is made on demand; None where the key is not one of this section's
    """

    offered: Callable[[ReportData], Sequence[ReportPart]]
    find: Callable[[ReportData, str], ReportPart | None]
    action: Action = Action.SEE
    reviews: Callable[[ReportData], Mapping[frozenset[str], LinkReview]] = lambda _data: {}


SECTIONS: list[Section] = []

TABS: list[Callable[[HttpRequest, SurveyVersion], tuple[str, str] | None]] = []
"""Each returns the name and the address of a page beside the report, or None where there is none for the reader."""


# The pages of the tabs: their template, their address, their name. Those of groups stand below one tab.
REPORT = ("report", "results", gettext_lazy("Report"))
GROUPS = (
    ("table", "results-table", gettext_lazy("Tables")),
    ("regression", "results-regression", gettext_lazy("Regression")),
    ("compare", "results-compare", gettext_lazy("Compare")),
    ("weighted", "results-weighted", gettext_lazy("Weights")),
)
LATER = (
    ("versions", "results-versions", gettext_lazy("Over time")),
    ("releases", "releases", gettext_lazy("Tables to release")),
    ("words", "results-words", gettext_lazy("Words")),
    ("share", "results-share", gettext_lazy("Share")),
)
TO_TAKE = ("releases", "words", "share")


@dataclass(frozen=True)
class Tab:
    """A link beside the report; `here` is the page that is shown."""

    label: str
    address: str
    here: bool


def tabs(request: HttpRequest, version: SurveyVersion, here: str) -> list[Tab]:
    """The report and the pages next to it; `here` is the name of the page, or of another app's function."""
    may_take = may(request.user, Action.TAKE, version.survey)
    others = [Tab(*one, tab.__name__ == here) for tab in TABS if (one := tab(request, version))]
    groups = Tab(
        _("Groups"),
        reverse("studio:results-table", args=[version.pk]),
        here in [name for name, _address, _label in GROUPS],
    )
    later = [tab(version, each, here) for each in LATER if may_take or each[0] not in TO_TAKE]
    return [tab(version, REPORT, here), *others, groups, *later]


def tab(version: SurveyVersion, page: tuple[str, str, Any], here: str) -> Tab:
    name, address, label = page
    return Tab(label, reverse(f"studio:{address}", args=[version.pk]), name == here)


@dataclass(frozen=True)
class ReportingPart:
    """A feature in reports; it is asked for versions that have it.

    parts     the parts of a report that are about it
    topics    what it tells of how far the figures can be trusted
    """

    parts: Callable[[ReportData], Sequence[ReportPart]] = lambda _data: ()
    topics: Callable[[ReportData], Sequence[TrustTopic]] = lambda _data: ()


def _own_parts(definition: Definition) -> Iterable[ReportingPart]:
    """The parts of the features that a version has."""
    return parts_in(ReportingPart, definition.source).values()


def parts_of_features(data: ReportData) -> list[ReportPart]:
    return [part for feature in _own_parts(data.version.parsed) for part in feature.parts(data)]


def topics_of_features(data: ReportData) -> list[TrustTopic]:
    return [topic for feature in _own_parts(data.version.parsed) for topic in feature.topics(data)]
