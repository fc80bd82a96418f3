"""CSV whose cells hold one of a few known texts: read and written by looking the texts up, not row by row.

A cell matches a text as it is or in quotation marks (RFC 4180, marks inside doubled), so nothing needs unquoting; only
commas and line ends outside of quotation marks separate. Lines end with LF or CR LF.
"""

import csv
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from privacy.design import NOT_ASKED
from privacy.errors import InputError
from privacy.records.columns import CELLS_AT_ONCE, Column, order_of, refusal, rendered
from privacy.records.files import read_text

FIRST_ROW = 2  # the header is row 1, as a spreadsheet counts
COMMA, LINE_END, RETURN, QUOTE = b',\n\r"'


def read(path: str | Path, columns: Sequence[Column]) -> np.ndarray:
    """Read a file into option indexes (uint8): a column of the result for each of `columns`, in their order."""
    content = read_text(path).encode()
    if not content:
        raise InputError(f"{path}: the file is empty; its first row must name the columns.")
    text = np.frombuffer(content if content.endswith(b"\n") else content + b"\n", np.uint8)
    separates = (text == COMMA) | (text == LINE_END)
    if b'"' in content:
        inside = np.bitwise_xor.accumulate(text == QUOTE)
        if inside[-1]:
            raise InputError(f"{path}: a quotation mark is opened and never closed.")
        separates &= ~inside
    breaks = np.flatnonzero(separates & (text == LINE_END)) + 1  # where a row ends and the next begins
    header = _header(text[: breaks[0]].tobytes().decode(), path)
    order = order_of(header, columns, f"{path}: row 1")
    forms = [_forms(column) for column in columns]
    table = np.empty((len(breaks) - 1, len(columns)), np.uint8)
    step = max(1, CELLS_AT_ONCE // len(columns))
    for first in range(0, len(table), step):
        rows = slice(first, min(first + step, len(table)))
        part = slice(breaks[rows.start], breaks[rows.stop])
        starts, sizes = _cells(text[part], separates[part], len(columns), path, first + FIRST_ROW)
        for place, (column, known, source) in enumerate(zip(columns, forms, order, strict=True)):
            codes = _looked_up(text[part], starts[:, source], sizes[:, source], known)
            unknown = codes < 0
            if unknown.any():
                row = int(unknown.argmax())
                cell = text[part][starts[row, source] :][: sizes[row, source]].tobytes().decode()
                raise refusal(path, first + row + FIRST_ROW, column, cell)
            table[rows, place] = codes
    return table


def write(columns: Sequence[Column], table: np.ndarray) -> Iterator[bytes]:
    """Yield a file's content in parts: the header, then many rows at a time."""
    yield b",".join(_cell(column.name) for column in columns) + b"\n"
    ends = [b","] * (len(columns) - 1) + [b"\n"]
    texts = [
        [_cell(option) + end for option in (*column.options, "")] for column, end in zip(columns, ends, strict=True)
    ]
    yield from rendered(texts, table)


def _header(line: str, path: str | Path) -> list[str]:
    """Return the names in the first row; one that a lone CR ends would hide all other rows from us."""
    line = line.removesuffix("\n").removesuffix("\r")
    if "\r" in line.replace("\r\n", ""):
        raise InputError(f"{path}: row 1 holds a CR without LF; lines must end with LF or CR LF.")
    try:
        return next(csv.reader([line]), [""])
    except csv.Error:  # the module reads no cell of more than 131 072 characters
        raise InputError(f"{path}: row 1 holds a name of too many characters.") from None


def _cells(
    text: np.ndarray, separates: np.ndarray, width: int, path: str | Path, first_row: int
) -> tuple[np.ndarray, np.ndarray]:
    """Return where each cell starts and how long it is, or refuse a row that is not as wide as the header."""
    ends = np.flatnonzero(separates)
    last = np.flatnonzero(text[ends] == LINE_END)
    widths = np.diff(last, prepend=-1)
    wrong = widths != width
    if wrong.any():
        row = int(wrong.argmax())
        values = "1 value" if widths[row] == 1 else f"{widths[row]} values"
        raise InputError(f"{path}: row {first_row + row} has {values}, and the header names {width} columns.")
    starts = np.concatenate(([0], ends[:-1] + 1)).reshape(-1, width)
    sizes = ends.reshape(-1, width) - starts
    sizes[:, -1] -= (sizes[:, -1] > 0) & (text[ends[last] - 1] == RETURN)
    return starts, sizes


def _looked_up(
    text: np.ndarray, starts: np.ndarray, sizes: np.ndarray, forms: dict[int, list[tuple[bytes, int]]]
) -> np.ndarray:
    """Return the code that each cell stands for, −1 for a cell that is none of the known forms."""
    codes = np.full(len(starts), -1, np.int16)
    for size, known in forms.items():
        rows = np.flatnonzero(sizes == size)
        cells = text[starts[rows, np.newaxis] + np.arange(size)]
        for form, code in known:
            codes[rows[(cells == np.frombuffer(form, np.uint8)).all(axis=1)]] = code
    return codes


def _forms(column: Column) -> dict[int, list[tuple[bytes, int]]]:
    """Return the texts that stand for a value, bare and in quotation marks, with its code, by their length."""
    values = [(option, code) for code, option in enumerate(column.options)]
    if column.optional:
        values.append(("", NOT_ASKED))
    forms = defaultdict(list)
    for value, code in values:
        for form in {_cell(value), _quoted(value)}:
            forms[len(form)].append((form, code))
    return forms


def _cell(value: str) -> bytes:
    return _quoted(value) if any(mark in value for mark in ',"\r\n') else value.encode()


def _quoted(value: str) -> bytes:
    return b'"' + value.replace('"', '""').encode() + b'"'
