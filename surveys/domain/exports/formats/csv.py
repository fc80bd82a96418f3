"""CSV, as `candor` and spreadsheets read it; nothing in it is computed when it is opened."""

from __future__ import annotations

import csv
from collections.abc import Iterable
from io import StringIO
from pathlib import Path

from django.utils.translation import gettext_lazy

from privacy.output import formula_safe
from surveys.domain.exports.sheet import Sheet
from surveys.questions.columns import ColumnKind

NAME, CONTENT_TYPE, NEEDS = "csv", "text/csv; charset=utf-8", ""
LABEL = gettext_lazy("CSV: spreadsheets, R, Python, and the command candor")
SAFE = (ColumnKind.GROUP, ColumnKind.NUMBER, ColumnKind.DAY)  # no spreadsheet computes anything from them


def write(path: Path, sheet: Sheet) -> None:
    with path.open("wb") as file:
        file.write(lines([[column.name for column in sheet.columns]]))
        for columns in sheet.rows():
            cells = [
                values if column.kind in SAFE else list(map(_safe, values))
                for column, values in zip(sheet.columns, columns, strict=True)
            ]
            file.write(lines(zip(*cells, strict=True)))


def lines(rows: Iterable[Iterable[object]]) -> bytes:
    text = StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue().encode()


def _safe(value: str | None) -> str | None:
    return value and formula_safe(value)
