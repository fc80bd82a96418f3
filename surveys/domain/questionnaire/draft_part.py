"""What the questionnaire asks of each feature that a document may have: its part *draft*."""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from privacy.design import Design
from surveys.domain.questionnaire.document import Document
from surveys.domain.questionnaire.draft import Draft, EnteredBlock, Page, Question
from surveys.features import lot, parts_of
from surveys.features.feature import Named
from surveys.models import Survey
from surveys.questions import PublishedQuestion
from surveys.sentences import language_name


@dataclass(frozen=True)
class Gap:
    """What is still to be entered, what it belongs to, and the language of a text that is missing."""

    at: Survey | EnteredBlock | Question | Page
    words: str
    language: str = ""
    name: str = ""
    of_panel: bool = False
    of_media: bool = False
    of_page: bool = False  # what the respondent's page says, and not what the survey's author asks

    def __str__(self) -> str:
        return (
            self.words % {"name": self.name, "language": language_name(self.language)} if self.language else self.words
        )


@dataclass(frozen=True)
class Testable:
    """What a questionnaire and the expected number of respondents allow to test.

    questions   stand beside records
    beside      texts do, too
    entries     those of features, as in a definition
    """

    design: Design
    respondents: int
    questions: tuple[PublishedQuestion, ...]
    beside: bool
    entries: Mapping[str, Any]

    @property
    def disguising(self) -> int:
        """How many of the respondents are expected to send disguised answers, at least one."""
        return max(round(self.respondents * (1 - (lot.chance(self.entries) or 0.0))), 1)


@dataclass(frozen=True)
class DraftPart:
    """A feature in a questionnaire that is being written.

    has       whether this survey has it; it is asked for nothing else where not, but for refusals and what is missing
    entries   what the definition says of it
    about_answers   whether it says something about answers, and not about the page alone
    refusals  what no change elsewhere can mend
    gaps      what is missing before it can be published
    power     a sentence on what it will show; InputError where nothing can be tested
    guesses   how common the answers to its own questions are, by question
    speaks    the part of the respondent's page whose texts it needs
    lost      what a spreadsheet cannot hold of it, as a gettext-lazy text
    """

    has: Callable[[Document], bool]
    entries: Callable[[Draft], Mapping[str, Any]]
    about_answers: bool = True
    refusals: Callable[[Draft], Iterable[str]] = lambda _draft: ()
    gaps: Callable[[Draft], Iterable[Gap]] = lambda _draft: ()
    power: Callable[[Testable, Named], str] | None = None
    guesses: Callable[[Document], Mapping[str, float]] = lambda _document: {}
    speaks: str = ""
    lost: Any = ""


def _part_of(document: Document) -> Iterator[DraftPart]:
    """The parts of the features that this survey has."""
    return (part for part in parts_of(DraftPart).values() if part.has(document))


def entries(draft: Draft, *, about_answers: bool = False) -> dict[str, Any]:
    """What the definition says of the features that this survey has, or of those that say something about answers."""
    asked = (part for part in _part_of(draft.document) if part.about_answers or not about_answers)
    return {name: entry for part in asked for name, entry in part.entries(draft).items()}


def refusals(draft: Draft) -> Iterator[str]:
    for part in parts_of(DraftPart).values():
        yield from part.refusals(draft)


def missing(draft: Draft) -> Iterator[Gap]:
    for part in parts_of(DraftPart).values():
        yield from part.gaps(draft)


def guesses(document: Document) -> dict[str, float]:
    return {name: share for part in _part_of(document) for name, share in part.guesses(document).items()}


def spoken(document: Document) -> list[str]:
    """The parts of the respondent's page that this survey's features speak with."""
    return [part.speaks for part in _part_of(document) if part.speaks]


def lost_in_spreadsheets(document: Document) -> list[str]:
    return [str(part.lost) for part in _part_of(document) if part.lost]


def say_kinds(bypass: float | None, other: str, share: float | None) -> str:
    """The part of a sentence that lists what a test finds, each from its least share on; empty if it finds nothing."""
    kinds = [(_("devices that do not disguise, from %(percent)s %% on"), bypass), (other, share)]
    return _("; ").join(kind % {"percent": math.ceil(100 * least)} for kind, least in kinds if least is not None)
