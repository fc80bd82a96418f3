"""JSON lines: an object per row with a member per column, read by the C parser and written by looking texts up.

A yes/no answer is the number 0 or 1 (true and false are read too), an option its label, nothing is null. An option
whose label is a whole number may be given as that number.
"""

import json
from collections.abc import Iterator, Sequence
from itertools import chain, repeat
from pathlib import Path
from typing import Any

import numpy as np

from privacy.columns import CELLS_AT_ONCE, Column, order_of, refusal, rendered
from privacy.design import NOT_ASKED
from privacy.errors import InputError
from privacy.files import read_text

FIRST_ROW = 1
Row = tuple[tuple[str, Any], ...]


def read(path: str | Path, columns: Sequence[Column]) -> np.ndarray:
    """Read a file into option indexes (uint8): a column of the result for each of `columns`, in their order."""
    lines = read_text(path).split("\n")
    if not lines[-1]:
        lines.pop()  # what follows the last line end is no row
    table = np.empty((len(lines), len(columns)), np.uint8)
    step = max(1, CELLS_AT_ONCE // len(columns))
    for first in range(0, len(lines), step):
        rows = _parsed(lines[first : first + step], path, first + FIRST_ROW)
        for place, (column, values) in enumerate(
            zip(columns, _by_column(rows, columns, path, first + FIRST_ROW), strict=True)
        ):
            codes = _looked_up(values, column)
            unknown = codes < 0
            if unknown.any():
                row = int(unknown.argmax())
                raise refusal(path, first + row + FIRST_ROW, column, values[row])
            table[first : first + len(rows), place] = codes
    return table


def write(columns: Sequence[Column], table: np.ndarray) -> Iterator[bytes]:
    """Yield a file's content in parts of many rows."""
    texts = []
    for place, column in enumerate(columns):
        start = (", " if place else "{") + json.dumps(column.name, ensure_ascii=False) + ": "
        end = "" if place < len(columns) - 1 else "}\n"
        values = (
            column.options if column.boolean else [json.dumps(label, ensure_ascii=False) for label in column.options]
        )
        texts.append([(start + value + end).encode() for value in (*values, "null")])
    yield from rendered(texts, table)


def _parsed(lines: Sequence[str], path: str | Path, first_row: int) -> list[Row]:
    """Return the members of each row, doubled ones too."""
    decode = json.JSONDecoder(object_pairs_hook=tuple).decode
    rows = []
    for number, line in enumerate(lines, first_row):
        try:
            row = decode(line)
        except (ValueError, RecursionError):
            row = None
        if not isinstance(row, tuple):
            raise InputError(f"{path}: row {number} is not a JSON object.")
        rows.append(row)
    return rows


def _by_column(
    rows: Sequence[Row], columns: Sequence[Column], path: str | Path, first_row: int
) -> list[tuple[Any, ...]]:
    """Return the values of each column; members may come in any order."""
    names = [name for name, _ in rows[0]]
    members = list(chain.from_iterable(rows))
    if [name for name, _ in members] == names * len(rows):
        order = order_of(names, columns, f"{path}: row {first_row}")
        values = [value for _, value in members]
        return [tuple(values[place :: len(names)]) for place in order]
    ordered = []
    for number, row in enumerate(rows, first_row):
        order = order_of([name for name, _ in row], columns, f"{path}: row {number}")
        ordered.append([row[place][1] for place in order])
    return list(zip(*ordered, strict=True))


def _looked_up(values: Sequence[Any], column: Column) -> np.ndarray:
    """Return the code of each value, −1 for one that the column cannot hold."""
    known: dict[Any, int] = {label: code for code, label in enumerate(column.options)}
    known |= {int(label): code for label, code in known.items() if label.isdecimal() and str(int(label)) == label}
    if column.optional:
        known[None] = NOT_ASKED
    # Python finds 1 where True or 1.0 is looked up, and cannot look up a list: only these types may stand for a value.
    types = {str, int, type(None)} | ({bool} if column.boolean else set())
    if not set(map(type, values)) <= types:
        values = [value if type(value) in types else object() for value in values]
    return np.fromiter(map(known.get, values, repeat(-1)), np.int16, len(values))
