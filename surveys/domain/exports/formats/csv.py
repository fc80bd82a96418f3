"""CSV, as `candor` and spreadsheets read it; nothing in it is computed when it is opened."""

from __future__ import annotations

import csv
from collections.abc import Iterable
from io import StringIO
from pathlib import Path
from typing import Any

from django.utils.translation import gettext_lazy

from privacy.output import formula_safe
from privacy.records.open_texts import spreadsheet_safe
from surveys.domain.exports.columns import FileColumn
from surveys.domain.exports.sheet import Sheet
from surveys.questions.columns import ColumnKind

NAME, CONTENT_TYPE, NEEDS = "csv", "text/csv; charset=utf-8", ""
LABEL = gettext_lazy("CSV: spreadsheets, R, Python, and the command candor")
SAFE = (ColumnKind.GROUP, ColumnKind.NUMBER, ColumnKind.DAY)  # no spreadsheet computes anything from them


def write(path: Path, sheet: Sheet) -> None:
    with path.open("wb") as file:
        file.write(lines([[column.name for column in sheet.columns]]))
        for columns in sheet.rows():
            cells = map(_cells, sheet.columns, columns)
            file.write(lines(zip(*cells, strict=True)))


def lines(rows: Iterable[Iterable[object]]) -> bytes:
    text = StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue().encode()


def _cells(column: FileColumn, values: list[Any]) -> list[Any]:
    """The values of a column, of which none is computed; what people wrote is read back as it was.

    The values of a disguised column are those of the design, which their readers know with and without an apostrophe.
    """
    if column.kind in SAFE:
        return values
    safe = formula_safe if column.disguised else spreadsheet_safe
    return [value and safe(value) for value in values]
