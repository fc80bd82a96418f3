"""Files of records and of true answers, as analysts read them."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import chain, islice
from typing import Any

import numpy as np

from privacy.design import Design, arguments
from privacy.design.design import require_design
from privacy.errors import InputError
from privacy.records.bits import Batch
from privacy.records.count_tables import CountTables, read_count_tables
from privacy.records.counts import has_count_tables, read_counted_batches
from privacy.records.frames import column_of_codes
from privacy.records.open_columns import read_columns, records_of
from privacy.records.parquet import source_of
from privacy.records.records import Records, names_design, read_answer_codes, read_batches, record_blocks, whole_table
from privacy.result import DataFrame, data_frame

NOT_COUNTED = "counts: records have a row for each respondent; read their file with counts=True."


def read_records(path: Any, design: Design, *, open_columns: bool = False, counts: bool = False) -> Records:
    """Read a file of disguised records.

    Parameters
    ----------
    path : str, Path or a table
        JSON lines where it ends in .jsonl, Parquet where it ends in .parquet or is a folder, a pattern or an address
        (``s3://…``) of such files, CSV otherwise, or a folder of its parts: the column `direct`, and a column per item.
        Or a table or data set of pyarrow, or a frame of polars.
    design : Design
        The design that the records were disguised by. A Parquet file that names another is refused.
    open_columns : bool
        Whether the file may have columns that name no item, such as an age or a weight; they are kept, and `direct` may
        be absent (with a warning where the design lets people answer directly). Otherwise such columns are passed by.
    counts : bool
        Whether the file has each distinct record once, with its number in the column `count`, as a database groups them
        (`candor sql` prints how); CSV or Parquet, without undisguised columns. Counts of tables, which `candor sql
        --length` asks for, are no records: `candor.mine`, `candor.reconstruct` and `candor.table` read them.

    Raises
    ------
    InputError
        Where there is no such file or it does not fit the design; the sentence names the row and the column.

    Examples
    --------
    >>> import candor, tempfile
    >>> design = candor.models.warner(["drugs"], theta=0.7)
    >>> with tempfile.NamedTemporaryFile("w", suffix=".csv") as file:
    ...     _ = file.write("direct,drugs\\n0,1\\n1,0\\n")
    ...     file.flush()
    ...     candor.read_records(file.name, design)
    2 records of 1 item, 1 of them direct
    direct  drugs
         0      1
         1      0
    """
    path = source_of(path)
    named = names_design(path, require_design(design))
    if arguments.flag(counts, "counts"):
        if arguments.flag(open_columns, "open_columns"):
            raise InputError(
                "counts: weights, clusters, strata and other undisguised columns go with a row for each respondent."
            )
    elif arguments.flag(open_columns, "open_columns"):
        return replace(records_of(read_columns(path), design, path), named=named)
    parts = list(_records_of(record_batches(source_of(path), design, counts=counts), design))
    codes = whole_table((part.codes for part in parts), design.fields)
    direct = np.concatenate([part.direct for part in parts] or [np.zeros(0, bool)])
    return Records(design, codes, direct, named=named)


def record_batches(source: Any, design: Design, *, counts: bool = False) -> Iterator[Batch]:
    """Yield the records of a file or a table some at a time, as codes or bits for counting: it may exceed the memory.

    Raises `InputError` at the first rows that do not fit the design; those before them have been given then.

    >>> import tempfile
    >>> design = Design.parse({"model": "warner", "theta": 0.7, "items": ["drugs"], "direct": True})
    >>> with tempfile.NamedTemporaryFile("w", suffix=".csv") as file:
    ...     _ = file.write("direct,drugs\\n1,1\\n0,0\\n")
    ...     file.flush()
    ...     [codes.tolist() for codes, direct in record_batches(file.name, design)]
    [[[1], [0]]]
    """
    if arguments.flag(counts, "counts"):
        yield from read_counted_batches(record_blocks(source), design)
    else:
        for block in record_blocks(source):
            yield from read_batches(block, design)


def record_parts(records: Any, design: Design, *, counts: bool = False) -> Iterable[Records] | CountTables:
    """Give records as they are, or those of a file or a table some at a time; or the tables that a database counted.

    >>> design = Design.parse({"model": "warner", "theta": 0.7, "items": ["drugs"]})
    >>> records = Records(design, np.array([[1], [0]], np.uint8), np.zeros(2, bool))
    >>> [len(part) for part in record_parts(records, design)]
    [2]
    """
    if isinstance(records, Records):
        if arguments.flag(counts, "counts"):
            raise InputError(NOT_COUNTED)
        return [records]
    batches = batches_or_tables(source_of(records), design, counts=counts)
    return batches if isinstance(batches, CountTables) else _records_of(batches, design)


def batches_or_tables(source: Any, design: Design, *, counts: bool = False) -> Iterator[Batch] | CountTables:
    """Yield records as `record_batches` does, or give the tables that a database counted; a stream is read once.

    >>> import tempfile
    >>> design = Design.parse({"model": "warner", "theta": 0.7, "items": ["drugs"]})
    >>> with tempfile.NamedTemporaryFile("w", suffix=".csv") as file:
    ...     _ = file.write("table,cell,count\\n1,2,40\\n1,0,60\\n")
    ...     file.flush()
    ...     batches_or_tables(file.name, design, counts=True).tables[0].sizes
    [100, 0]
    """
    if not arguments.flag(counts, "counts"):
        return record_batches(source, design)
    blocks = record_blocks(source)
    first = list(islice(blocks, 1))
    read = read_count_tables if first and has_count_tables(first[0]) else read_counted_batches
    return read(chain(first, blocks), design)


def _records_of(batches: Iterable[Batch], design: Design) -> Iterator[Records]:
    return (Records(design, np.asarray(codes), direct) for codes, direct in batches)


def read_answers(path: Any, design: Design) -> DataFrame:
    """Read a file of true answers, as `candor disguise` does.

    Parameters
    ----------
    path : str, Path or a table
        As `read_records` has it: a column per item of the design, and nothing else.
    design : Design
        What the answers are to be disguised by.

    Returns
    -------
    DataFrame
        A column per item, ready for `candor.disguise`.

    Raises
    ------
    InputError
        Where there is no such file or it does not fit the design; the sentence names the row and the column.

    Examples
    --------
    >>> import candor, tempfile
    >>> design = candor.models.warner(["drugs"], theta=0.7)
    >>> with tempfile.NamedTemporaryFile("w", suffix=".csv") as file:
    ...     _ = file.write("drugs\\n1\\n0\\n")
    ...     file.flush()
    ...     candor.read_answers(file.name, design)
       drugs
    0      1
    1      0
    """
    codes = read_answer_codes(source_of(path), require_design(design))
    columns = zip(design.answer_fields, codes.T, strict=True)
    return data_frame({field.name: column_of_codes(field, row, row != design.not_asked) for field, row in columns})
