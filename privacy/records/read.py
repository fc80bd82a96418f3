"""Files of records and of true answers, as analysts read them."""

from typing import Any

import numpy as np

from privacy.design import Design, arguments
from privacy.design.design import require_design
from privacy.errors import InputError
from privacy.records.counts import counted_batches
from privacy.records.open_columns import read_columns, records_of
from privacy.records.parquet import source_of
from privacy.records.records import Records, read_answer_codes, read_record_parts, whole_table
from privacy.result import DataFrame


def read_records(path: Any, design: Design, *, open_columns: bool = False, counts: bool = False) -> Records:
    """Read a file of disguised records.

    Parameters
    ----------
    path : str, Path or a table
        JSON lines where it ends in .jsonl, Parquet where it ends in .parquet or is a folder, a pattern or an address
        (``s3://…``) of such files, CSV otherwise: the column `direct`, and a column per item. Or a table or data set of
        pyarrow, or a frame of polars.
    design : Design
        The design that the records were disguised by.
    open_columns : bool
        Whether the file may have columns that name no item, such as an age or a weight; they are kept, and `direct` may
        be absent (with a warning where the design lets people answer directly). Otherwise such columns are passed by.
    counts : bool
        Whether the file has each distinct record once, with its number in the column `count`, as a database groups them
        (`candor sql` prints how); CSV or Parquet, without open columns.

    Returns
    -------
    Records

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
    require_design(design)
    if arguments.flag(counts, "counts"):
        if open_columns:
            raise InputError(
                "counts: weights, clusters, strata and other open columns go with a row for each respondent."
            )
        batches = list(counted_batches(path, design))
        direct = np.concatenate([own for _, own in batches] or [np.zeros(0, bool)])
        return Records(design, whole_table((np.asarray(codes) for codes, _ in batches), design.fields), direct)
    if arguments.flag(open_columns, "open_columns"):
        return records_of(read_columns(path), design, path)
    parts = list(read_record_parts(path, design))
    codes = whole_table((part.codes for part in parts), design.fields)
    return Records(design, codes, np.concatenate([part.direct for part in parts] or [np.zeros(0, bool)]))


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
    records = Records(design, codes, np.zeros(len(codes), bool))
    return records.to_frame().drop(columns="direct")
