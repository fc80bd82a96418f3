"""What files and reports ask of a feature by which undisguised answers leave as counts alone: its part *counted*."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from surveys.definition import Definition
from surveys.displays import Shares
from surveys.features import parts_in
from surveys.features.feature import Source
from surveys.models import Snapshot


@dataclass(frozen=True)
class CountsPart:
    """Of such features a version has one at most.

    columns    the names of the columns that are counted
    is_there   whether a snapshot has counts to show
    counts     the counts as a JSON value; EntryError says why there are none
    shares     what pages show of a question, by its name, in a language; EntryError as above
    caption    how answers are counted
    """

    columns: Callable[[Definition], frozenset[str]]
    is_there: Callable[[Snapshot], bool]
    counts: Callable[[Snapshot], dict[str, Any]]
    shares: Callable[[Snapshot, str, str], Sequence[Shares]]
    caption: Callable[[Source], str]


def counts_part(definition: Definition) -> CountsPart | None:
    """The part of the feature by which answers of this version leave as counts; None where they do not."""
    return next(iter(parts_in(CountsPart, definition.source).values()), None)
