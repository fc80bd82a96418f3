"""CSV as rows of texts: how files with open columns, tables of people and hierarchies are read."""

import csv
import io
from typing import Any

LONGEST = 2**31 - 1  # characters of a cell: the most that every system lets the csv module read


def csv_rows(text: str, separator: str = ",", *, strict: bool = True) -> Any:
    """A reader of the rows of a text, which says with csv.Error what is wrong with them.

    The csv module reads no cell of more than 131 072 characters unless it is told otherwise, for the whole process.
    We write longer ones, and hold all of the text already.

    Parameters
    ----------
    text : str
        The content of a file.
    separator : str
        What stands between two cells.
    strict : bool
        Whether quotes in a wrong place are refused.

    Returns
    -------
    iterator of list of str
        The cells of each row.

    Examples
    --------
    >>> list(csv_rows('drugs;age\\n1;"30;49"', separator=";"))
    [['drugs', 'age'], ['1', '30;49']]
    """
    csv.field_size_limit(LONGEST)
    return csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=strict)


def what_is_wrong(error: csv.Error) -> str:
    """What the csv module found, as the end of a sentence.

    Parameters
    ----------
    error : csv.Error
        What the csv module raised.

    Returns
    -------
    str

    Examples
    --------
    >>> what_is_wrong(csv.Error("line contains NUL"))
    'line contains NUL'
    """
    return f"a cell has more than {LONGEST} characters" if "field limit" in str(error) else str(error)
