"""The abuse list: files that harm, lie about what they are, or grow. Each is refused, and nothing of it is stored."""

import json
from collections.abc import Callable, Iterator
from contextlib import suppress
from io import BytesIO
from typing import Any
from zipfile import ZIP_BZIP2, ZIP_DEFLATED, ZIP_LZMA, ZipFile

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from surveys.domain.drafts.beginnings import beginning
from surveys.domain.drafts.protect import HAND, usual
from surveys.domain.exchange import formats
from surveys.domain.exchange.files import COLUMNS, LARGEST, ROWS
from surveys.domain.exchange.imported import ImportRefusedError
from surveys.domain.questionnaire.document import Document, new_question, store
from surveys.models import DraftChange, Survey
from surveys.studio.home import begin
from tests.cases import every, first
from tests.surveys.exchange.documents import every_type
from tests.surveys.exchange.workbooks import change_members, form, workbook

MARK = "<script>alert(1)</script>"
XXE = b'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><workbook>&e;</workbook>'
LAUGHS = b'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]><workbook>&b;</workbook>'
PLAIN = form(("text", "a", "A?"))
SHEET = "xl__worksheets__sheet1_dot_xml"


def archive(**members: bytes) -> bytes:
    return change_members(PLAIN, **members)


def bomb() -> bytes:
    """30 MB of spaces that are 30 kB."""
    return archive(xl__drawings__one_dot_xml=b"<a>" + b" " * (30 * 2**20) + b"</a>")


def crowd() -> bytes:
    written = BytesIO()
    with ZipFile(BytesIO(PLAIN)) as old, ZipFile(written, "w", ZIP_DEFLATED) as new:
        for name in old.namelist():
            new.writestr(name, old.read(name))
        for number in range(300):
            new.writestr(f"xl/more{number}.xml", b"<a/>")
    return written.getvalue()


def pack_oddly(way: int) -> bytes:
    """One part is packed as no program packs a workbook, and broken."""
    written = BytesIO(PLAIN)
    with ZipFile(written, "a", way) as book:
        book.writestr("xl/more.bin", bytes(range(256)) * 20)
        start = book.getinfo("xl/more.bin").header_offset + 30 + len("xl/more.bin")
    content = bytearray(written.getvalue())
    content[start + 9 : start + 21] = b"\xff" * 12
    return bytes(content)


def encrypt() -> bytes:
    """Every member says that it is: a bit in both of its headers."""
    return PLAIN.replace(b"PK\x03\x04\x14\x00\x00", b"PK\x03\x04\x14\x00\x01").replace(
        b"PK\x01\x02\x14\x03\x14\x00\x00", b"PK\x01\x02\x14\x03\x14\x00\x01"
    )


def template(**fields: object) -> bytes:
    return json.dumps({**beginning("corruption", "Mine", "en"), **fields}).encode()


FORMULA = workbook({"survey": [("type", "name", "label"), ("text", "a", "=HYPERLINK(1)"), ("text", "b", "=1+1")]})
MACROS = "the workbook contains macros or parts of other files"
ENTITIES = "the file declares a document type or entities"
UNREADABLE = "the file is not a readable workbook (.xlsx)."

ABUSES: dict[str, tuple[Callable[[], bytes], int, str]] = {
    "a ZIP bomb": (bomb, 413, "unpacked, the file is larger"),
    "a thousand members": (crowd, 413, "unpacked, the file is larger"),
    "elements without end": (lambda: archive(xl__a_dot_xml=b"<a>" + b"<b/>" * 260_000 + b"</a>"), 413, "elements"),
    "an external entity": (lambda: archive(xl__workbook_dot_xml=XXE), 422, ENTITIES),
    "a billion laughs": (lambda: archive(**{SHEET: LAUGHS}), 422, ENTITIES),
    "entities in UTF-16": (
        lambda: archive(xl__workbook_dot_xml=XXE.decode().replace("?>", ' encoding="utf-16"?>', 1).encode("utf-16")),
        422,
        ENTITIES,
    ),
    "a macro": (lambda: archive(xl__vbaProject_dot_bin=b"x"), 422, MACROS),
    "the type of a workbook with macros": (
        lambda: archive(customXml__a_dot_xml=b'<a t="application/vnd.ms-excel.sheet.macroEnabled.main+xml"/>'),
        422,
        MACROS,
    ),
    "a link to another workbook": (lambda: archive(xl__externalLinks__one_dot_xml=b"<a/>"), 422, MACROS),
    "an embedded program": (lambda: archive(xl__embeddings__one_dot_bin=b"MZ"), 422, MACROS),
    "a locked workbook": (encrypt, 422, UNREADABLE),
    "a part packed by LZMA": (lambda: pack_oddly(ZIP_LZMA), 422, UNREADABLE),
    "a part packed by bzip2": (lambda: pack_oddly(ZIP_BZIP2), 422, UNREADABLE),
    "an old workbook": (lambda: b"\xd0\xcf\x11\xe0" + bytes(600), 422, "an old workbook (.xls)"),
    "an archive of something else": (
        lambda: change_members(PLAIN, xl__workbook_dot_xml=None),
        422,
        "not a workbook (.xlsx).",
    ),
    "half of a workbook": (lambda: PLAIN[: len(PLAIN) // 2], 422, UNREADABLE),
    "a sheet that is no XML": (lambda: archive(**{SHEET: b"<a>"}), 422, UNREADABLE),
    "a sheet of something else": (lambda: archive(xl__workbook_dot_xml=b"<a/>"), 422, "no sheet “survey”"),
    "formulas": (lambda: FORMULA, 422, "the cell contains a formula: paste its value."),
    "too many rows": (lambda: form(*[("text", f"a{n}", "A") for n in range(ROWS)]), 422, "a sheet has at most"),
    "too many columns": (lambda: workbook({"survey": [["type"] * (COLUMNS + 1)]}), 422, "a sheet has at most"),
    "a cell without end": (lambda: form(("text", "a", "A" * 20_001)), 422, "these are 20001 characters"),
    "a file without end": (lambda: b"{" + b" " * LARGEST, 413, f"more than {LARGEST}"),
    "nothing": (lambda: b"", 422, "The submitted file is empty."),
    "a picture": (lambda: b"\x89PNG\r\n\x1a\n" + bytes(100), 422, "has none of these formats"),
    "a page": (lambda: MARK.encode(), 422, "has none of these formats"),
    "brackets in brackets": (lambda: b'{"candor":' + b"[" * 200_000, 422, "is not JSON of a survey"),
    "a number without end": (lambda: b'{"candor":' + b"1" * 5000 + b"}", 422, "is not JSON of a survey"),
    "no number": (lambda: b'{"candor": NaN}', 422, "this is not a JSON number."),
    "a name twice": (lambda: b'{"candor": 1, "candor": 2}', 422, "this name appears twice"),
    "no text": (lambda: b'{"candor": "\xff"}', 422, "the file is not UTF-8 text."),
    "half a letter": (lambda: template(title="\ud800"), 422, "cannot be stored"),
    "a letter that no database takes": (lambda: template(title="\x00"), 422, "cannot be stored"),
    "an external entity in a survey of LimeSurvey": (
        lambda: XXE.replace(
            b"<workbook>&e;</workbook>", b"<document><LimeSurveyDocType>&e;</LimeSurveyDocType></document>"
        ),
        422,
        ENTITIES,
    ),
    "half a survey of LimeSurvey": (lambda: b"<document><LimeSurveyDocType>", 422, "is not XML from here on"),
    "a survey of LimeSurvey in UTF-16": (
        lambda: '<?xml version="1.0" encoding="utf-16"?><document><LimeSurveyDocType/></document>'.encode("utf-16"),
        422,
        "has none of these formats",
    ),
    "options without end": (
        lambda: form(("select_one l", "q", "A?"), choices=[("l", n, "c") for n in range(4_990)]),
        422,
        "a question has at most 200 options.",
    ),
    "groups in groups": (
        lambda: form(*[("begin_group", f"g{n}", "A") for n in range(200)], *[("end_group", "", "")] * 200),
        422,
        "contains no question that can be imported",
    ),
    "marks of HTML in names": (lambda: template(**{MARK: 1}), 422, "there is no field with this name."),
    "marks of HTML in a place": (
        lambda: form(("type", "name", "label", "rr_role"), ("text", "a", "A?", MARK)),
        422,
        "is not one of: open, sensitive",
    ),
}


@pytest.mark.parametrize("name", every(6, ABUSES))
def test_an_abuse_is_refused_and_nothing_is_stored(ann: Client, name: str) -> None:
    """The page says why, and repeats nothing of it as marks."""
    make, status, sentence = ABUSES[name]
    answer = ann.post("/staff/studio/import/", {"file": SimpleUploadedFile("survey.xlsx", make())})
    page = answer.content.decode()
    assert (answer.status_code, sentence in page, MARK in page) == (status, True, False)
    assert (Survey.objects.count(), DraftChange.objects.count()) == (0, 0)


def test_all_formulas_are_told_at_once(ann: Client) -> None:
    """Each by its sheet, row and column."""
    page = ann.post("/staff/studio/import/", {"file": SimpleUploadedFile("a.xlsx", FORMULA)}).content.decode()
    assert [f"row {row}, column label:" in page for row in (2, 3, 4)] == [True, True, False]


@pytest.mark.parametrize("called", ["a.json", "a.xlsx", f"{MARK}.exe"])
def test_a_file_is_known_by_its_content(ann: Client, called: str) -> None:
    """A workbook that is called .json, a survey that is called .xlsx, and a name that would be marks."""
    for content in (PLAIN, formats.write_document(beginning("corruption", "Mine", "en"))):
        answer = ann.post("/staff/studio/import/", {"file": SimpleUploadedFile(called, content)})
        assert (answer.status_code, MARK in answer.content.decode()) == (200, False)


JUNK = {
    "a list in a list": [[[0.5]]],
    "an object": {"x": 1},
    "a number beyond all": 10**400,
    "a list of texts": ["one", "two"],
    "a text": "some",
    "nothing": None,
    "empty": {},
    "numbers": [0.5, 1e299],
}


def with_a_place() -> Document:
    document = every_type()
    plan = {"map": {"width": 100, "height": 50, "cell": 10}, "zones": [[10, 10, 20, 20]]}
    document["pages"][1]["questions"].append(new_question("home", "place") | {"settings": plan})
    own = {"name": "map", "kind": "zones", "settings": {"epsilon": 2.0}, "questions": ["home"]}
    document["protection"] = usual() | {"by": HAND, "asked": 4}
    document["blocks"] += [own, {"name": "spare", "kind": "flip", "settings": {"flips": [0.5, 0.5]}, "questions": []}]
    return document


def holders(value: Any) -> Iterator[dict[str, Any]]:
    """Every object of what was entered in fields of forms."""
    if isinstance(value, dict):
        if "settings" in value:
            yield value["settings"]
            yield value["settings"].get("map", {})
        yield value.get("protection", {})
        value = value.values()
    for each in value if not isinstance(value, str | int | float | None) else ():
        yield from holders(each)


@pytest.mark.parametrize("junk", first(3, JUNK))
def test_whatever_is_imported_can_be_shown_and_changed(ann: Client, junk: str) -> None:
    """A value that no form would have taken is refused, or stands on the pages of the draft: none of them fails."""
    survey = begin(User.objects.get(), with_a_place())
    pages = [f"/staff/studio/{survey.pk}/{page}" for page in ("", "protect/", "export/xlsform/")]
    change = {"base": 1, "tab": "a", "change": {"do": "survey", "field": "expected", "value": 500}}
    failed = []
    for number, holder in enumerate(holders(with_a_place())):
        for name in holder:
            document = with_a_place()
            list(holders(document))[number][name] = JUNK[junk]
            with suppress(ImportRefusedError):
                formats.import_document(document)
                store(survey, document, 1)
                answers = [ann.get(page) for page in pages]
                answers.append(ann.post(f"{pages[0]}change/", change, content_type="application/json"))
                failed += [name] * ([answer.status_code for answer in answers] != [200] * 4)
    assert failed == []
