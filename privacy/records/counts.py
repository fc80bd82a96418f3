"""Counts in place of rows: distinct records with their number in the column `count`, as any database groups them."""

import io
from collections.abc import Iterator
from typing import Any

import numpy as np

from privacy.design import Design
from privacy.design.reading import quote
from privacy.errors import InputError
from privacy.files import FileBlock
from privacy.records import parquet
from privacy.records.bits import Batch
from privacy.records.records import DIRECT, pieces, read_batch, record_blocks

COUNT = "count"
DIALECTS = {"duckdb": ('"', '""'), "postgresql": ('"', '""'), "spark": ("`", "``"), "bigquery": ("`", "\\`")}
"""What is around a name, and what is written for that mark within it."""
_AT_ONCE = 2**18  # records made of counts at a time
_MOST = 10**10  # records: counting them takes twenty minutes


def read_counted_batches(path: Any, design: Design) -> Iterator[Batch]:
    """Yield the records of a table of counts, each repeated as often as it was counted, in batches.

    >>> import tempfile
    >>> design = Design.parse({"model": "warner", "theta": 0.7, "items": ["drugs"], "direct": True})
    >>> with tempfile.NamedTemporaryFile("w", suffix=".csv") as file:
    ...     _ = file.write("direct,drugs,count\\n0,1,2\\n1,0,1\\n")
    ...     file.flush()
    ...     [(codes.tolist(), direct.tolist()) for codes, direct in read_counted_batches(file.name, design)]
    [([[1], [1], [0]], [False, False, True])]
    """
    _refuse_item_named_count(design)
    for block in record_blocks(path):
        if COUNT not in block.header:
            raise InputError(
                f"{block.path}: the column {COUNT!r} is missing; it says how often each record was counted."
            )
        for piece in pieces(block, [DIRECT, *design.fields], others=True, besides=[COUNT]):
            codes, direct = read_batch(piece, design)
            ends = np.cumsum(_read_counts(piece))
            total = int(ends[-1]) if len(ends) else 0
            for first in range(0, total, _AT_ONCE):
                rows = np.searchsorted(ends, np.arange(first, min(first + _AT_ONCE, total)), side="right")
                yield np.take(codes, rows, axis=0), direct[rows]


def statement(design: Design, dialect: str = "duckdb", table: str = "records") -> str:
    """Return the SQL that groups a table of records into counts; the table is written as it is given.

    >>> print(statement(Design.parse({"model": "warner", "theta": 0.7, "items": ["drugs"]}), table="people"))
    SELECT 0 AS "direct", CAST("drugs" AS INTEGER) AS "drugs", COUNT(*) AS "count"
    FROM people
    GROUP BY 2;
    """
    _refuse_item_named_count(design)
    mark, inside = DIALECTS[dialect]
    names: dict[str, str] = {}
    for name in [DIRECT.name, COUNT, *(field.name for field in design.fields)]:
        other = names.setdefault(name.casefold(), name)
        if other != name and dialect != "postgresql":
            raise InputError(f"--dialect: in {dialect} the columns {other!r} and {name!r} are one; rename an item.")
    fields = {
        f"{mark}{_escape_backslashes(field.name, dialect).replace(mark, inside)}{mark}": field
        for field in [DIRECT, *design.fields]
    }
    columns = [f"CAST({name} AS INTEGER) AS {name}" if field.boolean else name for name, field in fields.items()]
    if not design.direct:  # the table need not have the column
        columns[0] = f"0 AS {mark}{DIRECT.name}{mark}"
    places = range(1 if design.direct else 2, len(columns) + 1)
    return (
        f"SELECT {', '.join(columns)}, COUNT(*) AS {mark}{COUNT}{mark}\n"
        f"FROM {table}\nGROUP BY {', '.join(map(str, places))};"
    )


def _escape_backslashes(name: str, dialect: str) -> str:
    return name.replace("\\", "\\\\") if dialect == "bigquery" else name  # whose names are like its texts


def _read_counts(block: FileBlock | parquet.ParquetPart) -> np.ndarray:
    import pandas as pd

    if isinstance(block, parquet.ParquetPart):
        column = block.held[COUNT].to_pandas()
    elif block.content:
        text, names = io.BytesIO(block.content), list(block.header)
        column = pd.read_csv(text, header=None, names=names, usecols=[COUNT], index_col=False, dtype=str)[COUNT]
    else:
        return np.empty(0, np.int64)
    numbers = pd.to_numeric(column, errors="coerce").to_numpy(float)
    wrong = ~((numbers >= 1) & (numbers <= _MOST) & (numbers == np.floor(numbers)))
    if wrong.any():
        row = int(wrong.argmax())
        said = "nothing" if pd.isna(column[row]) else quote(column[row])
        raise InputError(
            f"{block.path}: row {block.row + row}, column {COUNT!r}: {said} is not a whole number from 1 to {_MOST}."
        )
    if numbers.sum() > _MOST:
        raise InputError(f"{block.path}: its counts add up to {numbers.sum():.3g} records, more than {_MOST}.")
    return numbers.astype(np.int64)


def _refuse_item_named_count(design: Design) -> None:
    if any(field.name == COUNT for field in design.fields):
        raise InputError(f"The design has an item {COUNT!r}, so no column of that name can say how often.")
