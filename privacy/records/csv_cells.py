"""CSV whose cells hold known texts: read and written by looking the texts up, not row by row.

A cell matches a text as it is or in quotation marks (RFC 4180, marks inside doubled), so nothing needs unquoting; only
commas and line ends outside of quotation marks separate. Lines end with LF or CR LF.
"""

import os
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from glob import glob
from pathlib import Path

import numpy as np

from privacy.design.fields import NOTHING, Field, code_type
from privacy.design.reading import quote
from privacy.errors import InputError
from privacy.files import FileBlock, read_lines
from privacy.records.columns import (
    CELLS_AT_ONCE,
    OpenTexts,
    column_order,
    read_numbers,
    refusal,
    rows_as_text,
    stands_at,
    store,
    text_columns,
    unknown_codes,
)
from privacy.records.csv_rows import csv_cell, csv_rows, formula_safe, read_csv

FIRST_ROW = 2  # the header is row 1, as a spreadsheet counts
LONGEST_NAME = 131_072  # characters: a header beyond is a file whose lines do not end
COMMA, LINE_END, RETURN, QUOTE, APOSTROPHE = b",\n\r\"'"
CellReader = Callable[[np.ndarray, np.ndarray, np.ndarray], np.ndarray]
"""From a text, and where its cells start and how long they are, to their codes; −1 for a cell that is no value."""


def blocks(path: str | Path) -> Iterator[FileBlock]:
    """Yield the rows of a CSV file, or of its parts, some at a time."""
    parts = parts_of(path)
    for part in parts:
        header: tuple[str, ...] = ()
        row = FIRST_ROW
        for content in read_lines(part, quotes=True):
            if not header:
                end = int(_row_ends(content, _separators(content, part))[0]) + 1
                header, content = _header(content[:end].decode(), part), content[end:]
            yield FileBlock(part, row, content, header)
            row += _rows(content, part)
        if not header:
            raise InputError(f"{part}: the file is empty; its first row must name the columns.")


def parts_of(path: str | Path) -> list[str | Path]:
    """The file itself; of a folder, its files in .csv, as Spark writes them; of a pattern, those that fit."""
    if os.path.isdir(path):
        return sorted(part for part in Path(path).glob("*.csv") if part.is_file())
    fitting = glob(str(path)) if any(mark in str(path) for mark in "*?[") and not os.path.exists(path) else []
    return sorted(fitting) or [path]


def table(block: FileBlock, fields: Sequence[Field], others: bool = False) -> np.ndarray:
    """The rows of a block as a table of codes: a column for each of `fields`, in their order.

    There may be `others`, which are not looked at.
    """
    order = column_order(block.header, fields, f"{block.path}: row 1", others)
    readers = [_number_cells(field) if field.numeric else _reader_of_list(field) for field in fields]
    text = np.frombuffer(block.content, np.uint8)
    separates = _separators(block.content, block.path)
    breaks = np.concatenate(([0], _row_ends(block.content, separates) + 1))  # between two rows
    made = np.empty((len(breaks) - 1, len(fields)), code_type(fields))
    step = max(1, CELLS_AT_ONCE // len(block.header))
    for first in range(0, len(made), step):
        rows = slice(first, min(first + step, len(made)))
        part = slice(breaks[rows.start], breaks[rows.stop])
        row = block.row + first
        starts, sizes = _cells(text[part], separates[part], len(block.header), block.path, row)
        for column, (field, codes_of, source) in enumerate(zip(fields, readers, order, strict=True)):
            codes = codes_of(text[part], starts[:, source], sizes[:, source])
            unknown = codes < 0
            if unknown.any():
                wrong = int(unknown.argmax())
                cell = text[part][starts[wrong, source] :][: sizes[wrong, source]].tobytes().decode()
                raise refusal(block.path, row + wrong, field, cell)
            store(codes, field, made[rows, column])
    return made


def columns(path: str | Path) -> dict[str, np.ndarray]:
    """Read every column of a CSV file, or of its parts, as texts."""
    tables = {part: text_columns(*read_csv(part)) for part in parts_of(path)}
    names = list(next(iter(tables.values())))
    for part, table in tables.items():
        if odd := sorted(set(names) ^ table.keys()):
            raise InputError(f"{part}: not all files have the same columns; {odd[0]!r} is in some of them.")
    return {name: np.concatenate([table[name] for table in tables.values()]) for name in names}


def write(fields: Sequence[Field], table: np.ndarray, opened: Sequence[OpenTexts] = ()) -> Iterator[bytes]:
    """Yield a file's content in parts: the header, then the rows, with the undisguised columns after the fields."""
    names = [*(field.name for field in fields), *(column.name for column in opened)]
    for name in names:
        if len(name) > LONGEST_NAME:
            raise InputError(f"The records: the name of the column {quote(name)} has too many characters for CSV.")
    yield ",".join(map(csv_cell, names)).encode() + b"\n"
    around = [*[("", ",")] * (len(names) - 1), ("", "\n")]
    yield from rows_as_text(
        fields,
        table,
        opened,
        around,
        lambda _field, text: csv_cell(text),
        lambda text, numbers: text if numbers else csv_cell(text),
        formula_safe,
    )


def _separators(content: bytes, path: str | Path) -> np.ndarray:
    """Which bytes separate cells: commas and line ends outside of quotation marks."""
    text = np.frombuffer(content, np.uint8)
    separates = (text == COMMA) | (text == LINE_END)
    if b'"' in content:
        inside = np.bitwise_xor.accumulate(text == QUOTE)
        if inside[-1]:
            raise InputError(f"{path}: a quotation mark is opened and never closed.")
        separates &= ~inside
    return separates


def _row_ends(content: bytes, separates: np.ndarray) -> np.ndarray:
    return np.flatnonzero(separates & (np.frombuffer(content, np.uint8) == LINE_END))


def _rows(content: bytes, path: str | Path) -> int:
    """Count the rows; without quotation marks counting line ends is faster than finding them."""
    return len(_row_ends(content, _separators(content, path))) if b'"' in content else content.count(b"\n")


def _header(line: str, path: str | Path) -> tuple[str, ...]:
    """Return the names in the first row; refuse lines that end in a lone CR, for all would look like one row."""
    line = line.removesuffix("\n").removesuffix("\r")
    if "\r" in line.replace("\r\n", ""):
        raise InputError(f"{path}: row 1 holds a CR without LF; lines must end with LF or CR LF.")
    names: tuple[str, ...] = tuple(next(csv_rows(line, strict=False), [""]))
    if max(map(len, names)) > LONGEST_NAME:
        raise InputError(f"{path}: row 1 holds a name of too many characters.")
    return names


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


def _reader_of_list(field: Field) -> CellReader:
    """Return a reader of cells that compares them with every text of a value, bare and in quotation marks."""
    (options,) = field.scales
    forms = defaultdict(list)  # by their length
    values = [*options, ""] if field.optional else options
    for text, code in field.other_texts.items():
        for form in (_cell(text), _quote(text)):
            forms[len(form)].append((form, code))
    for written in (str, formula_safe):  # of an option that looks like another one as we write it, ours comes last
        for code, value in enumerate(values):
            for form in {_cell(written(value)), _quote(written(value))}:
                forms[len(form)].append((form, code))

    single = unknown_codes(field, 256)  # of each byte: most cells hold 0 or 1, which are looked up at once
    for byte, code in forms.pop(1, []):
        single[ord(byte)] = code
    nothing = dict(forms.pop(0, [])).get(b"", -1)

    def codes_of(text: np.ndarray, starts: np.ndarray, sizes: np.ndarray) -> np.ndarray:
        codes = single[text[starts]]
        others = np.flatnonzero(sizes != 1)
        lengths = sizes[others]
        codes[others] = np.where(lengths, -1, nothing)
        for size, known in forms.items():
            rows = others[lengths == size]
            if not len(rows):
                continue
            windows = np.ndarray(len(text) - size + 1, f"V{size}", text, strides=(1,))  # one at each byte
            cells = windows[starts[rows]]
            for form, code in known:
                codes[rows[cells == np.void(form)]] = code
        return codes

    return codes_of


def _number_cells(field: Field) -> CellReader:
    """Return a reader of cells that hold numbers or pairs of them, bare or in quotation marks."""

    def codes_of(text: np.ndarray, starts: np.ndarray, sizes: np.ndarray) -> np.ndarray:
        lasts = starts + sizes - 1
        marked = (sizes > 1) & (text[starts] == QUOTE) & (text[lasts] == QUOTE)
        safe = marked & (text[starts + marked] == APOSTROPHE)
        codes, ends = read_numbers(field, text, starts + marked + safe)
        codes[ends != lasts + 1 - marked] = -1
        if field.optional:
            codes[sizes == 2 * marked] = field.size
            for word in NOTHING:
                rows = np.flatnonzero(sizes == len(word))
                codes[rows[stands_at(text, starts[rows], word.encode())]] = field.size
        return codes

    return codes_of


def _cell(value: str) -> bytes:
    return _quote(value) if any(mark in value for mark in ',"\r\n') else value.encode()


def _quote(value: str) -> bytes:
    return b'"' + value.replace('"', '""').encode() + b'"'
