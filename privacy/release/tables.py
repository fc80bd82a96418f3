"""Tables of people as CSV: a header, and whatever columns and values there are."""

import csv
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from privacy.design.reading import shown
from privacy.errors import InputError
from privacy.files import read_text
from privacy.records.csv_rows import csv_rows, csv_text, what_is_wrong, without_apostrophes

_OTHERS = ";\t|"  # what other programs put between columns


def read_table(path: str | Path) -> dict[str, NDArray[np.str_]]:
    """Read a CSV file into its columns, values as they are written.

    Raises `InputError` where there is no such file, a column stands twice, or a row is not as wide as the header.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = Path(folder, "people.csv").write_text("age,disease\\n31,flu\\n32,cold\\n")
    ...     read_table(f"{folder}/people.csv")["age"].tolist()
    ['31', '32']
    """
    rows = csv_rows(read_text(path))
    try:
        header = next(rows, None)
        if header is None:
            raise InputError(f"{path}: the file is empty; its first row must name the columns.")
        if len(header) == 1 and any(other in header[0] for other in _OTHERS):
            raise InputError(f"{path}: the header {shown(header[0])} is one column; columns are separated by commas.")
        header = [without_apostrophes(name) for name in header]
        for place, name in enumerate(header):
            if name in header[:place]:
                raise InputError(f"{path}: row 1: the column {shown(name)} stands twice.")
        cells = []
        for row in filter(None, rows):  # a blank line is no row
            if len(row) != len(header):
                values = "1 value" if len(row) == 1 else f"{len(row)} values"
                raise InputError(
                    f"{path}: line {rows.line_num} has {values}, and the header names {len(header)} columns."
                )
            cells.append([without_apostrophes(cell) for cell in row])
    except csv.Error as error:
        raise InputError(f"{path}: line {rows.line_num} is no CSV, {what_is_wrong(error)}.") from error
    columns = zip(*cells, strict=True) if cells else ([] for _ in header)
    return {name: np.array(column, dtype=str) for name, column in zip(header, columns, strict=True)}


def as_csv(columns: Mapping[str, Sequence[str]]) -> bytes:
    """Write columns of one length as CSV in UTF-8 with a header, rows ending as RFC 4180 has it.

    >>> as_csv({"age": ["30-39", "30-39"], "disease": ["flu", "cold"]})
    b'"age","disease"\\r\\n"30-39","flu"\\r\\n"30-39","cold"\\r\\n'
    """
    return csv_text([columns, *zip(*columns.values(), strict=True)], "\r\n").encode()
