"""CSV, as `candor` and spreadsheets read it; nothing in it is computed when it is opened."""

from pathlib import Path
from typing import Any

from django.utils.translation import gettext_lazy

from privacy.records.csv_rows import csv_cell, csv_text
from surveys.domain.exports.sheet import Sheet

NAME, CONTENT_TYPE, NEEDS = "csv", "text/csv; charset=utf-8", ""
LABEL = gettext_lazy("CSV: spreadsheets, R, Python, and the command candor")


def write(path: Path, sheet: Sheet) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        file.write(csv_text([[column.variable for column in sheet.columns]]))
        for columns in sheet.rows():
            file.writelines(f"{','.join(row)}\n" for row in zip(*map(_cells, columns), strict=True))


def _cells(values: list[Any]) -> list[str]:
    """The values of a column as cells of CSV; equal values are written only once, as there are many."""
    cells = {value: csv_cell(value) for value in set(values)}
    return [cells[value] for value in values]
