"""Workbooks for the tests, as a spreadsheet writes them."""

from collections.abc import Mapping, Sequence
from io import BytesIO
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile

from openpyxl import Workbook

Rows = Sequence[Sequence[Any]]


def workbook(sheets: Mapping[str, Rows]) -> bytes:
    book = Workbook()
    book.remove(book.worksheets[0])
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(list(row))
    content = BytesIO()
    book.save(content)
    return content.getvalue()


def form(*rows: Sequence[Any], choices: Rows = (), **sheets: Rows) -> bytes:
    """An XLSForm with these questions: type, name, label, and what stands in further columns of the first row."""
    heads, *questions = rows if rows and rows[0][0] == "type" else [("type", "name", "label"), *rows]
    listed = [("list_name", "name", "label"), *choices]
    return workbook({"survey": [heads, *questions], "choices": listed, **sheets})


def change_members(content: bytes, **members: bytes | None) -> bytes:
    """The archive with members replaced, added, or (None) taken away; `__` stands for `/`, and `_dot_` for a dot."""
    contents = {name.replace("__", "/").replace("_dot_", "."): data for name, data in members.items()}
    written = BytesIO()
    with ZipFile(BytesIO(content)) as old, ZipFile(written, "w", ZIP_DEFLATED) as new:
        for name in old.namelist():
            if name not in contents:
                new.writestr(name, old.read(name))
        for name, data in contents.items():
            if data is not None:
                new.writestr(name, data)
    return written.getvalue()
