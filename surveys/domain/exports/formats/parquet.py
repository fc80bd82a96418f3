"""Parquet, with categories for options, and design and codebook in its metadata; written a part at a time."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext_lazy

from surveys.domain.exports.columns import FileColumn
from surveys.domain.exports.sheet import Sheet
from surveys.domain.responses.snapshots import cite
from surveys.questions.columns import ColumnKind

if TYPE_CHECKING:
    import pyarrow as pa

NAME, CONTENT_TYPE, NEEDS = "parquet", "application/vnd.apache.parquet", "pyarrow"
LABEL = gettext_lazy("Parquet: pandas, R, DuckDB")


def write(path: Path, sheet: Sheet) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    design = {"candor.design": sheet.design.canonical(), "candor.snapshot": cite(sheet.snapshot).encode()}
    fields = [pa.field(column.variable, _type(column), metadata=_metadata(column, sheet)) for column in sheet.columns]
    schema = pa.schema(fields, metadata=design)
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


def _metadata(column: FileColumn, sheet: Sheet) -> dict[str, str]:
    return {"question": column.title(sheet.language), "disguised": str(column.disguised).lower()}
