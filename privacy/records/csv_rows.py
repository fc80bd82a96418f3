"""CSV as rows of texts: how cells are written, so that no spreadsheet computes them, and how files are read back.

Where the list separator is a semicolon, a spreadsheet cuts `a;=1+1` into two cells, whatever stands in quotation marks.
So an apostrophe stands wherever a formula could begin, whichever separator is taken.
"""

import csv
import io
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from privacy.design.reading import quote
from privacy.errors import InputError
from privacy.files import read_text

LONGEST = 2**31 - 1  # characters of a cell: the most that every system lets the csv module read
_OTHERS = ";\t|"  # what other programs put between columns
_SIGNS = "=+\\-@＝＋－＠"  # https://owasp.org/www-community/attacks/CSV_Injection
_NUMBER = r"[+-]?[0-9]+(?:\.[0-9]+)?"
_IS_NUMBER = re.compile(_NUMBER)
_BEGINS = rf"[\"' ]*[{_SIGNS}]"  # a formula may begin so: quotation marks and blanks may be dropped before it
_START = rf"\A(?!'*{_NUMBER}\Z)"  # of a text that is no number
_FORMULA = re.compile(rf"(?<=[;\t\r\n])(?={_BEGINS})|{_START}(?={_BEGINS}|'*[\t\r\n])")
_SAFE = re.compile(rf"(?<=[;\t\r\n])'(?={_BEGINS})|{_START}'(?={_BEGINS}|'*[\t\r\n])")


def formula_safe(text: str) -> str:
    """Return a text with an apostrophe wherever a spreadsheet could begin to compute; a plain number stays.

    Where apostrophes stand there already, there is one more, so that `without_apostrophes` gives the same text again.
    """
    return _FORMULA.sub("'", text)


def without_apostrophes(cell: str) -> str:
    """Return the text that a cell stands for.

    >>> [without_apostrophes(formula_safe(text)) for text in ("=1+1", "'=1+1", "a;=1+1", "-5", "'tis")]
    ['=1+1', "'=1+1", 'a;=1+1', '-5', "'tis"]
    """
    return _SAFE.sub("", cell) if "'" in cell else cell


def csv_cell(value: object) -> str:
    '''Return a value as a cell of CSV: numbers bare, every other text in quotation marks, and never a formula.

    >>> for value in ('say "a;=1"', "12", -0.5, None):
    ...     print(csv_cell(value))
    "say ""a;'=1"""
    12
    -0.5
    <BLANKLINE>
    '''
    if not isinstance(value, str):
        return "" if value is None else str(value)
    return value if not value or _IS_NUMBER.fullmatch(value) else '"' + formula_safe(value).replace('"', '""') + '"'


class _CellTexts(dict[str, str]):
    """Texts as cells: each is written once, however many rows have it."""

    def __missing__(self, text: str) -> str:
        self[text] = csv_cell(text)
        return self[text]


def csv_text(rows: Iterable[Iterable[object]], line_end: str = "\n") -> str:
    """Return rows as CSV; a row of one empty cell is no blank line, which other programs skip.

    >>> csv_text([["item", "n"], ["drugs", 5]])
    '"item","n"\\n"drugs",5\\n'
    >>> csv_text([["item"], [""], ["drugs"]])
    '"item"\\n""\\n"drugs"\\n'
    """
    texts = _CellTexts()
    lines = ([texts[cell] if type(cell) is str else csv_cell(cell) for cell in row] for row in rows)
    return "".join(('""' if line == [""] else ",".join(line)) + line_end for line in lines)


def csv_rows(text: str, separator: str = ",", *, strict: bool = True) -> Any:
    """Return a csv reader of a text's rows; it raises csv.Error where the text is not CSV.

    The csv module reads no cell of more than 131 072 characters unless this limit is raised, for the whole process.
    We write longer ones, and hold all of the text already.

    >>> list(csv_rows('drugs;age\\n1;"30;49"', separator=";"))
    [['drugs', 'age'], ['1', '30;49']]
    """
    csv.field_size_limit(LONGEST)
    return csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=strict)


def what_is_wrong(error: csv.Error) -> str:
    """The fault that the csv module found, as the end of a sentence.

    >>> what_is_wrong(csv.Error("line contains NUL"))
    'line contains NUL'
    """
    return f"a cell has more than {LONGEST} characters" if "field limit" in str(error) else str(error)


def read_csv(path: str | Path) -> tuple[list[str], list[list[str]]]:
    """Read a CSV file of any columns: the names in its header, and its rows; a blank line is none.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = Path(folder, "people.csv").write_text("age,disease\\n31,flu\\n")
    ...     read_csv(f"{folder}/people.csv")
    (['age', 'disease'], [['31', 'flu']])
    """
    return csv_table(read_text(path), path)


def csv_table(text: str, path: str | Path) -> tuple[list[str], list[list[str]]]:
    r"""Read the text of a CSV file into its header and rows; `path` is its name in refusals.

    >>> csv_table("age,disease\n31,flu\n", "people.csv")
    (['age', 'disease'], [['31', 'flu']])
    """
    rows, has_apostrophes = csv_rows(text), "'" in text
    table: list[list[str]] = []
    try:
        for row in filter(None, rows):
            if not table:
                _check_header(row, path)
            elif len(row) != len(table[0]):
                values = "1 value" if len(row) == 1 else f"{len(row)} values"
                header = f"the header names {len(table[0])} columns"
                raise InputError(f"{path}: line {rows.line_num} has {values}, and {header}.")
            table.append([without_apostrophes(cell) for cell in row] if has_apostrophes else row)
    except csv.Error as error:
        raise InputError(f"{path}: line {rows.line_num} is not CSV, {what_is_wrong(error)}.") from error
    if not table:
        raise InputError(f"{path}: the file is empty; its first row must name the columns.")
    return table[0], table[1:]


def _check_header(names: list[str], path: str | Path) -> None:
    if len(names) == 1 and any(other in names[0] for other in _OTHERS):
        raise InputError(f"{path}: the header {quote(names[0])} is one column; columns are separated by commas.")
    for index, name in enumerate(names):
        if name in names[:index]:
            raise InputError(f"{path}: row 1: the column {quote(name)} appears twice.")
