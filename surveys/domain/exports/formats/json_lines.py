"""JSON lines: an object for each response, as `candor` reads it."""

import json
from pathlib import Path
from typing import Any

from django.utils.translation import gettext_lazy

from privacy.design import YES_NO
from surveys.domain.exports.columns import FileColumn
from surveys.domain.exports.sheet import Sheet
from surveys.questions.columns import ColumnKind

NAME, CONTENT_TYPE, NEEDS = "jsonl", "application/jsonl", ""
LABEL = gettext_lazy("JSON lines: programs, and the command candor")


def write(path: Path, sheet: Sheet) -> None:
    names = [column.variable for column in sheet.columns]
    encode = json.JSONEncoder(ensure_ascii=False).encode
    with path.open("wb") as file:
        for columns in sheet.rows():
            values = [_values(column, cells) for column, cells in zip(sheet.columns, columns, strict=True)]
            rows = (dict(zip(names, row, strict=True)) for row in zip(*values, strict=True))
            file.write("".join(encode(row) + "\n" for row in rows).encode())


def _values(column: FileColumn, cells: list[Any]) -> list[Any]:
    """The cells of a column as JSON values: yes and no, and numbers of a grid, are numbers, all else texts."""
    if tuple(value.value for value in column.values) == YES_NO:
        return [cell and int(cell) for cell in cells]
    if column.kind is ColumnKind.NUMBER and column.disguised:
        return [None if cell is None else json.loads(cell) for cell in cells]
    return cells
