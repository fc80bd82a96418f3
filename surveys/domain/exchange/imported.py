"""What comes of a file that somebody imports: a document and what was left out of it, or all that is wrong with it.

Sentences about a file are in the language of the importer, and later of everybody who reads the draft. Who reads a
format imports `sentence` as `_`: it translates as gettext does, and the text knows what it was made of.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext

from privacy.errors import EntryError, InputError
from surveys.domain.questionnaire.document import Document
from surveys.sentences import sentence_of

MOST_ROWS = 10_000  # options of all questions together


class Sentence(str):
    """A text in one language that knows its English sentence and its values."""

    english: str
    values: Mapping[str, Any]

    def __mod__(self, values: Mapping[str, Any]) -> "Sentence":
        return sentence(self.english, values)


def sentence(english: str, values: Mapping[str, Any] | None = None) -> Sentence:
    """The sentence in the reader's language; `%` fills in values, as with any text."""
    text = gettext(english)
    made = Sentence(text % values if values else text)
    made.english, made.values = english, values or {}
    return made


_ = sentence


@dataclass(frozen=True)
class Note:
    """A sentence about one place of a file."""

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


def pack_text(text: str) -> Any:
    """Return the text in its stored form: a sentence by its English and its values, anything else as it is."""
    return {"sentence": text.english, "values": dict(text.values)} if isinstance(text, Sentence) else text


def again(row: Any) -> str:
    """The text that `pack_text` stored, in the reader's language; old rows hold texts in the importer's language."""
    return sentence(row["sentence"], row["values"]) if isinstance(row, dict) else row
