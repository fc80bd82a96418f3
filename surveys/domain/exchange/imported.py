"""What comes of a file that somebody imports: a document and what was left out of it, or all that is wrong with it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from privacy.errors import EntryError, InputError
from surveys.domain.exchange.sentences import sentence as _
from surveys.domain.questionnaire.document import Document
from surveys.domain.questionnaire.languages import sentence_of

MOST_ROWS = 10_000  # options of all questions together


@dataclass(frozen=True)
class Note:
    """A sentence about one place of a file (surveys.domain.exchange.sentences)."""

    place: str
    sentence: str


@dataclass(frozen=True)
class Imported:
    """A document made of a file; `left`: a note on everything that was not understood, or became something else."""

    document: Document
    left: tuple[Note, ...] = ()


class ImportRefusedError(InputError):
    """A file that becomes no draft; `faults` are all that were found."""

    def __init__(self, faults: Iterable[Note]) -> None:
        self.faults: Sequence[Note] = tuple(faults)
        super().__init__("; ".join(f"{fault.place}: {fault.sentence}" for fault in self.faults))


class TooLargeError(EntryError):
    """A file that is larger than any survey, packed or unpacked."""


def import_refusal(sentence: Any, place: str = "") -> ImportRefusedError:
    return ImportRefusedError([Note(place, str(sentence))])


def too_many_rows() -> Note:
    return Note("", _("all questions together have at most %(most)d options.") % {"most": MOST_ROWS})


def as_notes(faults: Iterable[EntryError]) -> list[Note]:
    return [Note(fault.at, sentence_of(fault)) for fault in faults]
