"""The parts of a report, and the list to which other apps add theirs, because surveys knows none of them."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.http import HttpRequest

from surveys.displays import Table
from surveys.domain.people.roles import Action
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

    `finding` says in a few words what the sentences find; it stands where they are folded.
    """

    heading: str
    sentences: tuple[str, ...]
    table: Table | None = None
    grave: bool = False
    finding: str = ""


@dataclass(frozen=True)
class Section:
    """A kind of part.

    action    what somebody must be allowed beside seeing the survey; a shared link has been given by somebody who was
    rejected  the links that reviewers rejected, each as the two answers that it joins
    offered   the parts that the report of a snapshot shows by itself
    find      the part with this key, also one that is made on demand; None where the key is not one of this section's
    """

    offered: Callable[[ReportData], Sequence[ReportPart]]
    find: Callable[[ReportData, str], ReportPart | None]
    action: Action = Action.SEE
    rejected: Callable[[ReportData], Collection[frozenset[str]]] = lambda _data: ()


SECTIONS: list[Section] = []

Tab = Callable[[HttpRequest, SurveyVersion], tuple[str, str] | None]
TABS: list[Tab] = []
"""Each returns the name and the address of a page beside the report, or None where there is none for the reader."""
