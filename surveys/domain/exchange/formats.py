"""The formats of files in which surveys come and go. Another one is a module and a line of `FORMATS`.

The own one is JSON: the document itself (surveys.domain.questionnaire.document), with names in order. To export, import
and export again gives the same bytes.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _, gettext_lazy

from privacy.errors import EntryError, InputError, to_translate
from surveys.domain.drafts import faults
from surveys.domain.drafts.changes import WRONG, check_computable
from surveys.domain.exchange import files, limesurvey
from surveys.domain.exchange.apart import read_apart
from surveys.domain.exchange.imported import (
    MOST_ROWS,
    Imported,
    ImportRefusedError,
    Note,
    TooLargeError,
    again,
    as_notes,
    import_refusal,
    too_many_rows,
)
from surveys.domain.exchange.xlsform import read as xlsform, write as xlsform_out
from surveys.domain.questionnaire.document import ONE_ANSWER, Document, Draft, questions, upgrade
from surveys.features import for_another, left_answer
from surveys.models import Survey


def write_document(document: Document) -> bytes:
    return (json.dumps(document, ensure_ascii=False, sort_keys=True, indent=1) + "\n").encode()


def import_document(document: Any) -> Imported:
    """Return the document of a read JSON value; ImportRefusedError lists all its faults at once."""
    anchor, document = left_answer(document), upgrade(document)
    if notes := as_notes(faults.faults(document)):
        raise ImportRefusedError(notes)
    if sum(len(question["options"]) for question in questions(document)) > MOST_ROWS:
        raise ImportRefusedError([too_many_rows()])
    try:
        check_computable(Draft.from_document(Survey(), document))
    except InputError:
        pass
    except WRONG:
        raise ImportRefusedError(as_notes([EntryError("a block has values that mean nothing.", at="blocks")])) from None
    left = (Note(f"q-{anchor}", str(ONE_ANSWER)),) if anchor else ()
    return Imported(for_another(document), left)


NOTES = 2_000  # about what was not understood of one file
_MANY_NOTES = to_translate("{count} parts of the file cannot be imported, more than {most}.")


@dataclass(frozen=True)
class SurveyFormat:
    """`fits` knows a file by its content alone: its bytes, and the JSON value of one that begins as JSON does.

    `write`: None if files are only read. `lost`: what they cannot hold.
    """

    name: str
    label: Any  # a lazy translation
    fits: Callable[[bytes, Any], bool]
    read: Callable[[bytes, Any, str], Imported]
    write: Callable[[Document], bytes] | None = None
    lost: Callable[[Document], list[Note]] = lambda _document: []
    ending: str = ""
    content_type: str = ""


FORMATS = {
    each.name: each
    for each in (
        SurveyFormat(
            "json",
            gettext_lazy("Candor (JSON)"),
            lambda _raw, json_value: isinstance(json_value, dict) and "candor" in json_value,
            lambda _raw, json_value, _title: import_document(json_value),
            write_document,
            ending="json",
            content_type="application/json",
        ),
        SurveyFormat(
            "xlsform",
            gettext_lazy("XLSForm (ODK, Kobo)"),
            lambda raw, _json: raw.startswith(files.ZIP),
            lambda raw, _json, title: xlsform.read_workbook(raw, title),
            xlsform_out.write,
            xlsform_out.list_losses,
            "xlsx",
            "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        ),
        SurveyFormat(
            "limesurvey",
            gettext_lazy("LimeSurvey (.lss)"),
            lambda raw, _json: limesurvey.fits(raw),
            lambda raw, _json, title: limesurvey.read_lss(raw, title),
        ),
    )
}


def read_import(person: int | None, raw: bytes, title: str) -> tuple[SurveyFormat, Imported]:
    """Read a person's survey file in another process, whatever its name is; `title` is used if the file has none."""
    answer = read_apart(person, "survey", raw, title)
    left = tuple(Note(again(place), again(sentence)) for place, sentence in answer["left"])
    return FORMATS[answer["format"]], Imported(answer["document"], left)


def read_survey(raw: bytes, title: str) -> tuple[SurveyFormat, Imported]:
    """Read a survey file in this process; return its format and the survey."""
    files.check_size(len(raw))
    if raw.startswith(files.OLE):
        raise import_refusal(_("this is an old workbook (.xls) or has a password: save it as a plain .xlsx."))
    json_value = files.json_of(raw) if raw.removeprefix(files.BOM).lstrip()[:1] == b"{" else None
    for each in FORMATS.values():
        if each.fits(raw, json_value):
            imported = each.read(raw, json_value, title)
            if len(imported.left) > NOTES:
                raise TooLargeError(_MANY_NOTES, count=len(imported.left), most=NOTES)
            return each, imported
    known = ", ".join(str(each.label) for each in FORMATS.values())
    raise import_refusal(_("the file has none of these formats: %(known)s.") % {"known": known})
