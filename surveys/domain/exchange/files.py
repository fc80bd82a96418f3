"""Files of strangers, opened with care: nothing is executed, resolved or fetched, and nothing grows beyond its limits.

Every check is made on the bytes before a reader of the format sees them.
"""

import json
import zlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from io import BytesIO
from typing import Any
from xml.etree.ElementTree import Element, ParseError
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile

from django.utils.translation import gettext_lazy

from privacy.errors import EntryError, InputError, to_translate
from privacy.records.csv_rows import csv_table
from surveys.domain.exchange.imported import ImportRefusedError, Note, TooLargeError, import_refusal, sentence as _
from surveys.rules import LONGEST_TEXT

LARGEST = 1_500_000  # bytes of a file: what was read of it fits into the form that accepts it
UNPACKED = 20 * 2**20  # bytes of a workbook
MEMBERS = 200  # files in a workbook
ELEMENTS = 250_000  # of XML, in all of them
PARTS = 250_000  # of JSON: commas and brackets that open
ROWS = 5_000
COLUMNS = 200
ZIP = b"PK\x03\x04"
OLE = b"\xd0\xcf\x11\xe0"  # what Excel wrote before 2007, and what it writes with a password
# Parts of a workbook that compute, or fetch from elsewhere.
LIVE = ("vbaproject", "xl/macrosheets/", "xl/activex/", "xl/embeddings/", "xl/externallinks/", "customui/")
BOM = b"\xef\xbb\xbf"


def check_size(size: int, most: int = LARGEST) -> None:
    if size > most:
        raise TooLargeError(to_translate("The file has {size} bytes, more than {most}."), size=size, most=most)


def text_of(content: bytes, most: int = LARGEST) -> str:
    """The text of a file in UTF-8 of at most so many bytes."""
    check_size(len(content), most)
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise EntryError("The file is not UTF-8.") from error


def json_of(content: bytes) -> Any:
    """The JSON value; names that stand twice and numbers such as NaN are refused. Its parts are counted first."""
    if sum(map(content.count, (b",", b"[", b"{"))) > PARTS:  # a comma in a text counts, too: no survey has so many
        raise TooLargeError(to_translate("the file has more than {most} values."), most=PARTS)
    try:
        return json.loads(content.decode("utf-8-sig"), object_pairs_hook=_object, parse_constant=_refuse_nan)
    except ImportRefusedError:
        raise
    except UnicodeDecodeError:
        raise import_refusal(_("the file is not UTF-8 text.")) from None
    except json.JSONDecodeError as error:
        place = _("line %(line)d, column %(column)d") % {"line": error.lineno, "column": error.colno}
        raise import_refusal(_("the file is not JSON from here on."), place) from None
    except (ValueError, RecursionError):  # a number of thousands of digits; brackets in brackets in brackets
        raise import_refusal(_("the file is not JSON of a survey.")) from None


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    document: dict[str, Any] = {}
    for name, value in pairs:
        if name in document:
            shown = name[:40].encode(errors="replace").decode()  # a file may hold half a letter, and no page can
            raise import_refusal(_("this name appears twice in one object."), shown)
        document[name] = value
    return document


def _refuse_nan(name: str) -> float:
    raise import_refusal(_("this is not a JSON number."), name)


def xml_of(content: bytes) -> Element:
    """The root of an XML file in UTF-8 without a document type: so there are no entities, and nothing to fetch."""
    # Imported where they are needed, here and below: few pages of the site ever read such a file.
    from defusedxml.common import DefusedXmlException
    from defusedxml.ElementTree import fromstring

    if content.count(b"<") > 2 * ELEMENTS or content.count(b"=") > ELEMENTS:  # each has two marks at most, or one
        raise TooLargeError(to_translate("the file has more than {most} elements."), most=ELEMENTS)
    try:
        root: Element = fromstring(content.decode("utf-8-sig"), forbid_dtd=True)
    except UnicodeDecodeError:
        raise import_refusal(_("the file is not UTF-8 text.")) from None
    except DefusedXmlException:
        raise import_refusal(_("the file declares a document type or entities, which no survey needs.")) from None
    except ParseError as error:
        line, column = error.position
        place = _("line %(line)d, column %(column)d") % {"line": line, "column": column + 1}
        raise import_refusal(_("the file is not XML from here on."), place) from None
    except (ValueError, RecursionError):  # a declared encoding that is not UTF-8
        raise import_refusal(_("the file is not UTF-8 XML.")) from None
    return root


# ---- workbooks ------------------------------------------------------------------------------------------------------


class SheetRow(dict[str, str]):
    """The texts of a row by the heads of their columns; knows its sheet and its number, from 1."""

    def __init__(self, sheet: str, number: int, cells: Mapping[str, str]) -> None:
        super().__init__(cells)
        self.sheet, self.number = sheet, number

    def place(self, head: str = "") -> str:
        return place_in(self.sheet, self.number, head)


def place_in(sheet: str, row: int, head: str = "") -> str:
    values = {"sheet": sheet, "row": row, "column": head}
    if not head:
        return _("sheet %(sheet)s, row %(row)d") % values
    return _("sheet %(sheet)s, row %(row)d, column %(column)s") % values


@dataclass(frozen=True)
class WorkbookSheet:
    name: str
    heads: tuple[str, ...] = ()
    rows: tuple[SheetRow, ...] = ()


def workbook_of(content: bytes) -> dict[str, WorkbookSheet]:
    """The sheets of an .xlsx file by their names in small letters."""
    _check_archive(content)
    return {sheet.name.lower(): sheet for sheet in _read_sheets(content)}


_BROKEN = gettext_lazy("the file is not a readable workbook (.xlsx).")
_MACROS = gettext_lazy("the workbook contains macros or parts of other files: save it as a plain .xlsx.")


class _Count:
    """Counts the elements of XML while it is parsed, and keeps none."""

    elements = 0

    def start(self, _tag: str, _attributes: dict[str, str]) -> None:
        self.elements += 1
        if self.elements > ELEMENTS:
            raise TooLargeError(to_translate("the file has more than {most} elements."), most=ELEMENTS)

    def close(self) -> None:
        pass


def _check_archive(content: bytes) -> None:
    """Refuse files that are no workbook, contain macros, or become too large when unpacked."""
    from defusedxml.common import DefusedXmlException
    from defusedxml.ElementTree import DefusedXMLParser

    count = _Count()
    try:
        with ZipFile(BytesIO(content)) as archive:
            members = archive.infolist()
            _check_members([member.filename.lower() for member in members])
            if any(member.compress_type not in (ZIP_STORED, ZIP_DEFLATED) for member in members):  # no workbook has it
                raise import_refusal(_BROKEN)
            if len(members) > MEMBERS or sum(member.file_size for member in members) > UNPACKED:
                raise TooLargeError(
                    to_translate("unpacked, the file is larger than {most} bytes or has more than {members} parts."),
                    most=UNPACKED,
                    members=MEMBERS,
                )
            for member in members:
                part = archive.read(member)  # at most as many bytes as it announced
                if b"macroEnabled" in part:
                    raise import_refusal(_MACROS)
                # Which part is a sheet or its texts is said in other parts, and not by its name: each is counted.
                parser = DefusedXMLParser(target=count, forbid_dtd=True)
                try:
                    parser.feed(part)
                    parser.close()
                except ParseError:
                    if member.filename.lower().endswith((".xml", ".rels", ".vml")):
                        raise
    except DefusedXmlException:
        raise import_refusal(_("the file declares a document type or entities, which no survey needs.")) from None
    except InputError:
        raise
    except (BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, ParseError, ValueError, LookupError):
        raise import_refusal(_BROKEN) from None


def _check_members(names: list[str]) -> None:
    if "[content_types].xml" not in names or "xl/workbook.xml" not in names:
        raise import_refusal(_("the file is a ZIP archive, not a workbook (.xlsx)."))
    if len(set(names)) < len(names):
        raise import_refusal(_BROKEN)
    if any(part in name for name in names for part in LIVE):
        raise import_refusal(_MACROS)


def _read_sheets(content: bytes) -> list[WorkbookSheet]:
    import warnings

    from openpyxl import load_workbook

    faults: list[Note] = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of colours and rules of entry, which do not matter here
        try:
            book = load_workbook(BytesIO(content), read_only=True, data_only=False, keep_links=False)
            sheets = [
                _read_sheet(each.title, each.iter_rows(max_row=ROWS + 1, max_col=COLUMNS + 1), faults) for each in book
            ]
        except (ImportRefusedError, MemoryError):
            raise
        except Exception:  # the reader fails in any way at files that were made by hand
            raise import_refusal(_BROKEN) from None
    if faults:
        raise ImportRefusedError(faults)
    return sheets


def _read_sheet(name: str, lines: Iterable[tuple[Any, ...]], faults: list[Note]) -> WorkbookSheet:
    """Read the rows of one sheet and append what is wrong with its cells to `faults`."""
    heads: list[str] = []
    rows: list[SheetRow] = []
    for number, cells in enumerate(lines, 1):
        texts = [_cell_text(cell) for cell in cells]
        if number == 1:
            heads = [" ".join(text.split()) for text in texts]
            while heads and not heads[-1]:
                heads.pop()
        if number > ROWS or any(texts[COLUMNS:]):
            sentence = _("a sheet has at most %(rows)d rows and %(columns)d columns.")
            faults.append(Note(place_in(name, number), sentence % {"rows": ROWS, "columns": COLUMNS}))
            break
        for column, (cell, text) in enumerate(zip(cells, texts, strict=True)):
            head = heads[column] if column < len(heads) else ""
            if getattr(cell, "data_type", "") == "f":
                sentence = _("the cell contains a formula: paste its value.")
            elif len(text) > LONGEST_TEXT:
                values = {"count": len(text), "most": LONGEST_TEXT}
                sentence = _("these are %(count)d characters, more than %(most)d.") % values
            elif text and number > 1 and not head:
                sentence = _("the column has no head.")
            else:
                continue
            faults.append(Note(place_in(name, number, head or str(column + 1)), sentence))
        if number > 1:
            cells_of = {head: text for head, text in zip(heads, texts, strict=False) if head and text}
            rows.append(SheetRow(name, number, cells_of))
    doubled = {head for head in heads if head and heads.count(head) > 1}
    faults += [Note(place_in(name, 1, head), _("the head of a column appears twice.")) for head in doubled]
    while rows and not rows[-1]:
        rows.pop()
    return WorkbookSheet(name, tuple(heads), tuple(rows))


def _cell_text(cell: Any) -> str:
    value = cell.value
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value).replace("\u00a0", " ").strip()


def read_table(content: bytes) -> dict[str, Any]:
    """The names of the columns, and a text for each cell of each row."""
    if content.startswith(ZIP):
        check_size(len(content))
        sheet = next(iter(workbook_of(content).values()))
        return {"names": list(sheet.heads), "rows": [dict(row) for row in sheet.rows]}
    names, rows = csv_table(text_of(content), "file")
    if len(rows) > ROWS:
        raise EntryError("The file has {rows} rows, more than {most}.", rows=len(rows), most=ROWS)
    return {"names": names, "rows": [dict(zip(names, row, strict=True)) for row in rows]}
