"""What the process does that reads a file somebody has sent; `surveys.children.warm` forks it for `apart`.

It answers with JSON: what was read, or why the file is refused. Whatever a file does to its reader ends here.
"""

import json
import os
import resource
import sys
from base64 import b64encode
from collections.abc import Callable, Iterable
from dataclasses import asdict
from typing import Any

from django.utils import translation

from privacy.errors import EntryError, InputError, to_translate
from privacy.location.outline import read_outline
from surveys.children import cap_memory
from surveys.domain.exchange import formats, people, words
from surveys.domain.exchange.apart import MEBIBYTES, SECONDS
from surveys.domain.exchange.files import read_table
from surveys.domain.exchange.imported import Imported, ImportRefusedError, Note, TooLargeError, pack_text, sentence as _
from surveys.domain.questionnaire.draft_part import DraftPart
from surveys.features import parts_of
from surveys.features.page_texts.draft import read_page_texts
from surveys.media import plain_file

NAME = "reading"
FAULTS = 200  # that are listed
AS_IT_IS = "{error}"  # a sentence that is in no list of translations
NICE = 5  # how far it stands back behind the processes that serve respondents
# What reads each kind of file: its bytes, and what else the page says. JSON comes of it.
READERS: dict[str, Callable[..., Any]] = {
    "survey": lambda content, title: _survey_to_json(*formats.read_survey(content, title)),
    "texts": words.read_texts,
    "page texts": read_page_texts,
    "outline": lambda content, cell: asdict(read_outline(content, cell)),
    "hierarchy": people.read_levels,
    "everybody": people.read_everybody,
    "table": read_table,
    "medium": lambda content: _medium_to_json(*plain_file(content)),
}


def _survey_to_json(kind: formats.SurveyFormat, imported: Imported) -> dict[str, Any]:
    return {"format": kind.name, "document": imported.document, "left": _notes_to_json(imported.left)}


def _medium_to_json(name: str, plain: bytes) -> dict[str, str]:
    return {"name": name, "plain": b64encode(plain).decode()}


def _notes_to_json(notes: Iterable[Note]) -> list[Any]:
    return [[pack_text(note.place), pack_text(note.sentence)] for note in notes]


def prepare() -> None:
    """Import the slow libraries before the fork, and what features say of a document that is read."""
    import defusedxml.ElementTree  # noqa: F401
    import openpyxl  # noqa: F401
    import pyxform.xls2xform  # noqa: F401

    parts_of(DraftPart)


def main(kind: str, language: str, others: str, content: bytes) -> None:
    """Read one file of this kind under limits of time and memory, and write the answer to stdout."""
    os.nice(NICE)
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS + 1))  # the system ends it
    translation.activate(language)
    with cap_memory(MEBIBYTES):
        answer = answer_of(kind, content, json.loads(others))
    sys.stdout.buffer.write(answer.encode(errors="surrogatepass"))  # a file may hold half a letter


def answer_of(kind: str, content: bytes, others: list[Any]) -> str:
    try:
        return json.dumps({"read": READERS[kind](content, *others)}, ensure_ascii=False)
    except ImportRefusedError as error:
        notes = _notes_to_json(error.faults[:FAULTS])
        if more := len(error.faults) - len(notes):
            notes.append(["", pack_text(_("and more of this: %(count)d.") % {"count": more})])
        return json.dumps({"faults": notes})
    except InputError as error:
        return _refusal(error)
    except MemoryError:
        return _refusal(
            TooLargeError(to_translate("reading the file takes more than {most} MiB of memory."), most=MEBIBYTES)
        )


def _refusal(error: InputError) -> str:
    if not isinstance(error, EntryError):
        error = EntryError(AS_IT_IS, error=error)
    refusal = {"sentence": error.sentence, "at": error.at, "values": error.values}
    return json.dumps(refusal | {"large": isinstance(error, TooLargeError)}, default=str)
