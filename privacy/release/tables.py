"""Tables of people as CSV: a header, and whatever columns and values there are."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from privacy.records.csv_rows import csv_text, read_csv


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
