"""Counts in place of rows: distinct records with their number in the column `count`, as any database groups them."""

import io
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from privacy.design import Design
from privacy.design.reading import quote
from privacy.errors import InputError
from privacy.files import FileBlock
from privacy.records import parquet
from privacy.records.bits import Batch
from privacy.records.records import DIRECT, pieces, read_batch

if TYPE_CHECKING:
    import pandas as pd

TABLE, CELL, COUNT = COLUMNS = ("table", "cell", "count")
_AT_ONCE = 2**18  # records made of counts at a time
MOST = 10**10  # records: repeating them takes twenty minutes


def read_counted_batches(blocks: Iterable[FileBlock | parquet.ParquetPart], design: Design) -> Iterator[Batch]:
    """Yield the records of a table of counts, each repeated as often as it was counted, in batches.

    >>> design = Design.parse({"model": "warner", "theta": 0.7, "items": ["drugs"], "direct": True})
    >>> block = FileBlock("counts.csv", 2, b"0,1,2\\n1,0,1\\n", ("direct", "drugs", "count"))
    >>> [(codes.tolist(), direct.tolist()) for codes, direct in read_counted_batches([block], design)]
    [([[1], [1], [0]], [False, False, True])]
    """
    refuse_item_named_count(design)
    for block in blocks:
        if has_count_tables(block):
            raise InputError(
                f"{block.path}: counts of tables tell too little for this; it needs the records, or the counts of "
                "`candor sql` without --length."
            )
        if COUNT not in block.header:
            raise InputError(
                f"{block.path}: the column {COUNT!r} is missing; it says how often each record was counted."
            )
        for piece in pieces(block, [DIRECT, *design.fields], others=True, besides=[COUNT]):
            codes, direct = read_batch(piece, design)
            ends = np.cumsum(whole_numbers(piece, COUNT, 1, MOST), dtype=float)
            total = int(ends[-1]) if len(ends) else 0
            if total > MOST:
                raise InputError(f"{block.path}: its counts add up to {total:.3g} records, more than {MOST}.")
            for first in range(0, total, _AT_ONCE):
                rows = np.searchsorted(ends, np.arange(first, min(first + _AT_ONCE, total)), side="right")
                yield np.take(codes, rows, axis=0), direct[rows]


def whole_numbers(block: FileBlock | parquet.ParquetPart, name: str, least: int, most: int) -> np.ndarray:
    """Read a column of whole numbers from `least` to `most`; refuse anything else."""
    import pandas as pd

    column = texts_of(block, name)
    numbers = pd.to_numeric(column, errors="coerce").to_numpy(float)
    wrong = ~((numbers >= least) & (numbers <= most) & (numbers == np.floor(numbers)))
    if wrong.any():
        row = int(wrong.argmax())
        said = "nothing" if pd.isna(column[row]) else quote(column[row])
        raise InputError(
            f"{block.path}: row {block.row + row}, column {name!r}: {said} is not a whole number from {least} to "
            f"{most}."
        )
    return numbers.astype(np.int64)


def texts_of(block: FileBlock | parquet.ParquetPart, name: str) -> "pd.Series[Any]":
    """Read a column as the file has it, missing where it has nothing."""
    import pandas as pd

    if isinstance(block, parquet.ParquetPart):
        return block.held[name].to_pandas().astype(object)
    if not block.content:
        return pd.Series([], dtype=object)
    text, names = io.BytesIO(block.content), list(block.header)
    return pd.read_csv(text, header=None, names=names, usecols=[name], index_col=False, dtype=str)[name]


def has_count_tables(block: FileBlock | parquet.ParquetPart) -> bool:
    """Whether a block of a file has rows of tables (`privacy.records.count_tables`)."""
    return sorted(block.header) == sorted(COLUMNS)


def refuse_item_named_count(design: Design) -> None:
    if any(field.name == COUNT for field in design.fields):
        raise InputError(f"The design has an item {COUNT!r}, so no column of that name can say how often.")
