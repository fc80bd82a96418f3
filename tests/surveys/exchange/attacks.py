"""Files within the limit of an upload that would take much memory or time where everything in them is read."""

import json
from collections.abc import Callable
from io import BytesIO
from zipfile import ZipFile

from surveys.domain.questionnaire.document import empty, new_option, new_page, new_question
from tests.surveys.exchange.workbooks import change_members, form, workbook

TEXTS = "application/vnd.openxmlformats-officedocument.spreadsheetml.sharedStrings+xml"
MAIN = b'<?xml version="1.0"?><%s xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">'


def selects(questions: int, options: int, label: str = "c") -> bytes:
    """Every question asks for one of the same long list."""
    rows = [("select_one l", f"q{number}", "A?") for number in range(questions)]
    return form(*rows, choices=[("l", f"c{number}", label) for number in range(options)])


def texts(called: str) -> bytes:
    """A workbook that keeps its texts in a part of this name, and has 600 000 of them."""
    plain = form(("text", "a", "A?"))
    types = ZipFile(BytesIO(plain)).read("[Content_Types].xml").decode()
    own = f'<Override PartName="/xl/{called}" ContentType="{TEXTS}"/></Types>'
    content = MAIN % b"sst" + b"<si><t>a</t></si>" * 600_000 + b"</sst>"
    parts = {"[Content_Types]_dot_xml": types.replace("</Types>", own).encode()}
    return change_members(plain, **parts, **{f"xl__{called.replace('.', '_dot_')}": content})


def sheet(rows: bytes, more: bytes = b"") -> bytes:
    content = MAIN % b"worksheet" + b"<sheetData>" + rows + b"</sheetData>" + more + b"</worksheet>"
    return change_members(form(("text", "a", "A?")), xl__worksheets__sheet1_dot_xml=content)


def far_cells() -> bytes:
    """Ninety sheets, each with a cell in the last row and the last column that are read."""
    book = workbook({f"sheet {number}" if number else "survey": [["type"]] for number in range(90)})
    far = MAIN % b"worksheet" + b'<sheetData><row r="5000"><c r="GS5000"><v>1</v></c></row></sheetData></worksheet>'
    return change_members(book, **{f"xl__worksheets__sheet{number}_dot_xml": far for number in range(1, 91)})


def names(count: int) -> str:
    return ",".join(f'"n{number}":0' for number in range(count))


def survey_of(part: str, count: int) -> bytes:
    return b'{"candor":1,"pages":[' + ",".join([part] * count).encode() + b"]}"


def limesurvey(inside: bytes) -> bytes:
    return b"<document><LimeSurveyDocType>Survey</LimeSurveyDocType>" + inside + b"</document>"


def rows(kind: str, questions: int, each: int) -> bytes:
    """A survey of this site with so many questions, and rows in each."""
    asked = [
        new_question(f"q{number}", kind) | {"options": [new_option(f"q{number}-{row}", {}) for row in range(each)]}
        for number in range(questions)
    ]
    document = empty("Mine", ["en"]) | {"pages": [new_page(1, asked)]}
    return json.dumps(document).encode()


MANY = "the file has more than 250000"
ATTACKS: dict[str, tuple[Callable[[], bytes], int, str]] = {
    "a long list for each of 4 990 questions": (lambda: selects(4_990, 2_000), 422, "at most 500 questions"),
    "a list of 200 for each of 499 questions": (lambda: selects(499, 200), 422, "all questions together have at most"),
    "long labels for each of 499 questions": (lambda: selects(499, 200, "x" * 19_000), 422, "all questions together"),
    "texts of cells in a part of another kind": (lambda: texts("strings.dat"), 413, f"{MANY} elements"),
    "texts of cells in a picture": (lambda: texts("strings.png"), 413, f"{MANY} elements"),
    "a cell in the last row of a spreadsheet": (
        lambda: sheet(b'<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>'),
        422,
        "a sheet has at most 5000 rows",
    ),
    "merged cells without end": (
        lambda: sheet(b"", b"<mergeCells>" + b'<mergeCell ref="A1:XFD1"/>' * 260_000 + b"</mergeCells>"),
        413,
        f"{MANY} elements",
    ),
    "a name twice among 24 000": (
        lambda: f'{{"candor":1,{names(24_000)},"n23999":1}}'.encode(),
        422,
        "n23999:</strong> this name appears twice",
    ),
    "12 000 options": (lambda: rows("choice", 120, 100), 422, "all questions together have at most 10000 options"),
    "110 000 names": (lambda: f'{{"candor":1,{names(110_000)}}}'.encode(), 422, "and more of this: 109"),
    "lists without end": (lambda: survey_of("[]", 490_000), 413, f"{MANY} values"),
    "objects without end": (lambda: survey_of('{"":0}', 200_000), 413, f"{MANY} values"),
    "questions of other types without end": (
        lambda: form(("text", "a", "A?"), *[("barcode", f"q{number}", "A?") for number in range(4_000)]),
        413,
        "4000 parts of the file cannot be imported",
    ),
    "elements of LimeSurvey without end": (
        lambda: limesurvey(b"<a></a>" * 205_000),
        422,
        "contains no question that can be imported",
    ),
    "empty elements of LimeSurvey without end": (
        lambda: limesurvey(b"<a/>" * 370_000),
        422,
        "contains no question that can be imported",
    ),
    "attributes of LimeSurvey without end": (
        lambda: limesurvey(b"<a " + b" ".join(b'a%d=""' % number for number in range(120_000)) + b"/>"),
        422,
        "contains no question that can be imported",
    ),
}
