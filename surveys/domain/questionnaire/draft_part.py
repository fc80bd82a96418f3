"""What the questionnaire asks of each feature that a document may have: its part *draft*."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from privacy.errors import EntryError
from surveys.definition import Definition
from surveys.domain.questionnaire.document import Document, Draft, EnteredBlock, Page, Question
from surveys.features import parts_in, parts_of
from surveys.models import Survey, SurveyVersion
from surveys.rules import Faults, Rule
from surveys.sentences import language_name


@dataclass(frozen=True)
class Gap:
    """What is still to be entered, what it belongs to, and the language of a text that is missing.

    page    the name of the page where it is entered, if that is not the one of the questionnaire; it is `about` these
    """

    at: Survey | EnteredBlock | Question | Page
    words: str
    language: str = ""
    name: str = ""
    page: str = ""
    about: tuple[str, ...] = ()

    def __str__(self) -> str:
        return (
            self.words % {"name": self.name, "language": language_name(self.language)} if self.language else self.words
        )


@dataclass(frozen=True)
class DraftPart:
    """A feature in a questionnaire that is being written.

    has       whether this survey has it; it is asked for nothing else where not, but for refusals and what is missing
    entries   what the definition says of it
    about_answers   whether it says something about answers, and not about the page alone
    refusals  what no change elsewhere can mend
    gaps      what is missing before it can be published
    prepare   what it needs that is drawn before the first version is published
    allow     EntryError where it cannot be published now, for what is stored of this survey or of others
    others    versions of other surveys that the same people may have answered, with the name of what brings them
    settings  what every block has of it, beside its own settings
    guesses   how common the answers to its own questions are, by question
    lost      what a spreadsheet cannot hold of it, as a gettext-lazy text
    rules     the shape of each of its fields in a document
    faults    what is wrong with it beside the rest of the document, whose shape may be wrong, too
    setters   what the change of one field of the survey does, by field
    rename    gives a question another name in it; None: the question goes, and what needs it
    """

    has: Callable[[Document], bool]
    entries: Callable[[Draft], Mapping[str, Any]]
    about_answers: bool = True
    refusals: Callable[[Draft], Iterable[str]] = lambda _draft: ()
    gaps: Callable[[Draft], Iterable[Gap]] = lambda _draft: ()
    prepare: Callable[[Survey], None] = lambda _survey: None
    allow: Callable[[Survey, Definition], None] = lambda _survey, _definition: None
    others: Callable[[Survey, Definition], Iterable[tuple[str, SurveyVersion]]] = lambda _survey, _definition: ()
    guesses: Callable[[Document], Mapping[str, float]] = lambda _document: {}
    settings: Callable[[Document], Mapping[str, Any]] = lambda _document: {}
    lost: Any = ""
    rules: Mapping[str, Rule] = field(default_factory=dict)
    faults: Callable[[Any, Collection[str]], Faults] = lambda _document, _names: ()
    setters: Mapping[str, Callable[[Document, Any], None]] = field(default_factory=dict)
    rename: Callable[[Document, str, str | None], None] = lambda _document, _old, _new: None


def _own_parts(document: Document) -> Iterator[DraftPart]:
    """The parts of the features that this survey has."""
    return (part for part in parts_of(DraftPart).values() if part.has(document))


def entries(draft: Draft, *, about_answers: bool = False) -> dict[str, Any]:
    """What the definition says of the features that this survey has, or of those that say something about answers."""
    asked = (part for part in _own_parts(draft.document) if part.about_answers or not about_answers)
    return {name: entry for part in asked for name, entry in part.entries(draft).items()}


def refusals(draft: Draft) -> Iterator[str]:
    for part in parts_of(DraftPart).values():
        yield from part.refusals(draft)


def missing(draft: Draft) -> Iterator[Gap]:
    for part in parts_of(DraftPart).values():
        yield from part.gaps(draft)


def prepare(draft: Draft) -> None:
    """Draw what the definition names: keys."""
    for part in _own_parts(draft.document):
        part.prepare(draft.survey)


def allow(draft: Draft, definition: Definition) -> None:
    """EntryError where the definition cannot be published now, for what is stored of this survey or of others."""
    if definition.files and not definition.files <= set(draft.survey.media.values_list("name", flat=True)):
        raise EntryError("a picture or a sound of this survey is not on this site: send it again under Looks.")
    for part in _own_parts(draft.document):
        part.allow(draft.survey, definition)


def versions_elsewhere(survey: Survey, definition: Definition) -> Iterator[tuple[str, SurveyVersion]]:
    """Versions of other surveys that the people of this one may have answered, with the name of what brings them."""
    for part in parts_in(DraftPart, definition.source).values():
        yield from part.others(survey, definition)


def guesses(document: Document) -> dict[str, float]:
    return {name: share for part in _own_parts(document) for name, share in part.guesses(document).items()}


def block_settings(document: Document) -> dict[str, Any]:
    return {name: value for part in _own_parts(document) for name, value in part.settings(document).items()}


def names_of_features(document: Document) -> list[str]:
    """The features that this survey has. Texts of the respondent's page begin with the name of theirs."""
    return [name for name, part in parts_of(DraftPart).items() if part.has(document)]


def lost_in_spreadsheets(document: Document) -> list[str]:
    return [str(part.lost) for part in _own_parts(document) if part.lost]
