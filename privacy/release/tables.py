"""Tables of people as CSV: a header, and whatever columns and values there are."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from privacy.design import arguments
from privacy.records.csv_rows import csv_text, read_csv
from privacy.result import DataFrame


def read_table(path: str | Path) -> dict[str, NDArray[np.str_]]:
    """Read a CSV file into its columns, values as they are written.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = Path(folder, "people.csv").write_text("age,disease\\n31,flu\\n32,cold\\n")
    ...     read_table(f"{folder}/people.csv")["age"].tolist()
    ['31', '32']
    """
    names, rows = read_csv(path)
    columns = zip(*rows, strict=True) if rows else ([] for _ in names)
    return {name: np.array(column, dtype=str) for name, column in zip(names, columns, strict=True)}


def as_csv(columns: Mapping[str, Sequence[str]]) -> bytes:
    """Write columns of one length as CSV in UTF-8 with a header, rows ending as RFC 4180 has it.

    >>> as_csv({"age": ["30-39", "30-39"], "disease": ["flu", "cold"]})
    b'"age","disease"\\r\\n"30-39","flu"\\r\\n"30-39","cold"\\r\\n'
    """
    return csv_text([columns, *zip(*columns.values(), strict=True)], "\r\n").encode()


def texts_of(frame: DataFrame, name: str = "frame") -> dict[str, list[str]]:
    """The columns of a DataFrame as lists of texts, as a CSV file holds them."""
    table = arguments.frame(frame, name)
    return {str(one): [cell_text(value) for value in arguments.column(table[one]).tolist()] for one in table.columns}


def cell_text(value: Any) -> str:
    """A value as a CSV file holds it: nothing where it is missing.

    >>> cell_text(31), cell_text(None)
    ('31', '')
    """
    return "" if value is None or value != value else str(value)
