"""The fields that a question may have beside those of its type, each in a row.

A new one is a row and its line, an attribute of the question as it is entered (surveys.questions.entered) and perhaps
as it is published, its shape in a document (surveys.domain.drafts.faults), and its input on the writing page.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from surveys.features.questions.ends import Enough, Out
from surveys.features.questions.field import QuestionField
from surveys.features.questions.media import Media
from surveys.features.questions.no_skip import NoSkip
from surveys.features.questions.pipes import Pipes
from surveys.features.questions.unasked import Chances, Parameter
from surveys.features.questions.when import When
from surveys.questions import PublishedQuestion
from surveys.questions.entered import Question

FIELDS: dict[str, QuestionField] = {  # in the order in which people read them
    field.name: field for field in (Chances(), Parameter(), Out(), Enough(), When(), Pipes(), Media(), NoSkip())
}
CELLS = [field for field in FIELDS.values() if field.is_cell]  # that spreadsheets have, each in a column


def fields_of(entry: Mapping[str, Any]) -> Iterator[QuestionField]:
    """The fields that a published entry has."""
    return (field for name, field in FIELDS.items() if name in entry)


def no_fields(of_type: bool = False) -> dict[str, Any]:
    """The fields of a question that has none of them; `of_type`: those alone that another type would not have."""
    return {name: field.empty() for name, field in FIELDS.items() if field.of_type or not of_type}


def outcomes(question: PublishedQuestion | Question) -> set[str]:
    """How an answer to it may end a visit."""
    return {field.outcome for field in FIELDS.values() if field.outcome and getattr(question, field.name)}


def asks_people(entry: Mapping[str, Any]) -> bool:
    """Whether people answer it, and not their address or a draw."""
    return not any(entry.get(name) for name, field in FIELDS.items() if field.unasked)


def check_references(questions: Iterable[PublishedQuestion]) -> None:
    """Refuse a condition or text that names anything but an earlier undisguised question: no sensitive answer may
    decide what is shown.
    """
    earlier: dict[str, PublishedQuestion] = {}
    for question in questions:
        for field in FIELDS.values():
            field.check_references(question, earlier)
        earlier[question.id] = question


def late_references(pages: Sequence[Mapping[str, Any]]) -> Iterator[tuple[str, QuestionField]]:
    """Yield each question, by its name, with a field by which it names one that a device may ask later."""
    moving = [place for place, page in enumerate(pages) if page.get("moves")]
    places = [(moving[0], moving[-1]) if page.get("moves") else (at, at) for at, page in enumerate(pages)]
    page_of = {entry["id"]: at for at, page in enumerate(pages) for entry in page["questions"] if asks_people(entry)}

    def may_be_later(earlier: int, at: int, same_page: bool) -> bool:
        if earlier == at and same_page:
            return bool(pages[at].get("shuffle"))
        return places[earlier][1] >= places[at][0]

    for at, page in enumerate(pages):
        for entry in page["questions"]:
            for field in FIELDS.values():
                places_of = [page_of[name] for name in field.references(entry) if name in page_of]
                if any(may_be_later(earlier, at, field.same_page) for earlier in places_of):
                    yield entry["id"], field
