"""CSV, JSON lines and Parquet, a part of the sheet at a time. Nothing in CSV is computed when it is opened; Parquet has
categories for options, and design and codebook in its metadata.
"""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

from privacy.design import YES_NO
from privacy.records.csv_rows import csv_cell, csv_text
from privacy.version import version
from surveys.domain.exports.columns import FileColumn
from surveys.domain.exports.sheet import Sheet
from surveys.domain.responses.snapshots import cite
from surveys.questions.question import ColumnKind


def write_csv(path: Path, sheet: Sheet) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        file.write(csv_text([[column.variable for column in sheet.columns]]))
        for columns in sheet.rows():
            file.writelines(f"{','.join(row)}\n" for row in zip(*map(_cells_of_csv, columns), strict=True))


def _cells_of_csv(values: list[Any]) -> list[str]:
    """The values of a column as cells of CSV; equal values are written only once, as there are many."""
    cells = {value: csv_cell(value) for value in set(values)}
    return [cells[value] for value in values]


def write_json_lines(path: Path, sheet: Sheet) -> None:
    names = [column.variable for column in sheet.columns]
    encode = json.JSONEncoder(ensure_ascii=False).encode
    with path.open("wb") as file:
        for columns in sheet.rows():
            values = [_values_of_json(column, cells) for column, cells in zip(sheet.columns, columns, strict=True)]
            rows = (dict(zip(names, row, strict=True)) for row in zip(*values, strict=True))
            file.write("".join(encode(row) + "\n" for row in rows).encode())


def _values_of_json(column: FileColumn, cells: list[Any]) -> list[Any]:
    """The cells of a column as JSON values: yes and no, and numbers of a grid, are numbers, all else texts."""
    if tuple(value.value for value in column.values) == YES_NO:
        return [cell and int(cell) for cell in cells]
    if column.kind is ColumnKind.NUMBER and column.disguised:
        return [None if cell is None else json.loads(cell) for cell in cells]
    return cells


if TYPE_CHECKING:
    import pyarrow as pa


def write_parquet(path: Path, sheet: Sheet) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    design, snapshot = sheet.design.canonical(), cite(sheet.snapshot)
    made = {"candor.design": design, "candor.snapshot": snapshot, "candor.version": version()}
    fields = []
    for column in sheet.columns:
        about = {"question": column.title(sheet.language), "disguised": str(column.disguised).lower()}
        fields.append(pa.field(column.variable, _type(column), metadata=about))
    schema = pa.schema(fields, metadata=made)
    with pq.ParquetWriter(path, schema) as writer:
        for rows in sheet.rows():
            arrays = [_array(column, values) for column, values in zip(sheet.columns, rows, strict=True)]
            writer.write_table(pa.Table.from_arrays(arrays, schema=schema))


def _type(column: FileColumn) -> pa.DataType:
    import pyarrow as pa

    if column.kind is ColumnKind.GROUP:
        return pa.bool_()
    if column.values:
        return pa.dictionary(pa.int16(), pa.string())
    return {ColumnKind.NUMBER: pa.float64(), ColumnKind.DAY: pa.date32()}.get(column.kind, pa.string())


def _array(column: FileColumn, values: list[Any]) -> pa.Array:
    import pyarrow as pa

    if column.kind is ColumnKind.GROUP:
        return pa.array([value == "1" for value in values])
    if column.values:
        options = [value.value for value in column.values]
        place = {option: number for number, option in enumerate(options)}
        codes = pa.array([None if value is None else place[value] for value in values], pa.int16())
        return pa.DictionaryArray.from_arrays(codes, pa.array(options, pa.string()))
    if column.kind is ColumnKind.NUMBER:
        values = [None if value is None else float(value) for value in values]
    elif column.kind is ColumnKind.DAY:
        values = [None if value is None else date.fromisoformat(value) for value in values]
    return pa.array(values, _type(column))
