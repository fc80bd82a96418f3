"""JSON lines: an object per row with a member per column.

A yes/no answer is the number 0 or 1 (true and false are read too), an option its label, nothing is null. An option
whose label is a whole number may be given as that number.

Programs write every row alike: the same names in the same order with the same spaces, and values of few texts. Such
rows are read by looking the texts up, many rows at a time; any other rows one by one.
"""

import json
import re
from collections.abc import Iterator, Sequence
from itertools import repeat
from pathlib import Path
from typing import Any

import numpy as np

from privacy.design import NOT_ASKED
from privacy.errors import InputError
from privacy.records.columns import CELLS_AT_ONCE, Column, order_of, refusal, rendered
from privacy.records.files import read_text

FIRST_ROW = 1
MEMBER = re.compile(rb'(\s*[{,]\s*("(?:[^"\\]|\\.)*")\s*:\s*)("(?:[^"\\]|\\.)*"|[^\s"{}\[\],]+)')


def read(path: str | Path, columns: Sequence[Column]) -> np.ndarray:
    """Read a file into option indexes (uint8): a column of the result for each of `columns`, in their order."""
    content = read_text(path).encode()
    if content and not content.endswith(b"\n"):
        content += b"\n"
    text = np.frombuffer(content, np.uint8)
    breaks = np.concatenate(([0], np.flatnonzero(text == ord("\n")) + 1))
    table = np.empty((len(breaks) - 1, len(columns)), np.uint8)
    step = max(1, CELLS_AT_ONCE // len(columns))
    for first in range(0, len(table), step):
        last = min(first + step, len(table))
        part = content[breaks[first] : breaks[last]]
        codes = _alike(part, breaks[first : last + 1] - breaks[first], columns)
        if codes is None:
            codes = _one_by_one(part, columns, path, first + FIRST_ROW)
        table[first:last] = codes
    return table


def write(columns: Sequence[Column], table: np.ndarray) -> Iterator[bytes]:
    """Yield a file's content in parts of many rows."""
    texts = []
    for place, column in enumerate(columns):
        start = (", " if place else "{") + _json(column.name) + ": "
        end = "" if place < len(columns) - 1 else "}\n"
        values = column.options if column.boolean else [_json(label) for label in column.options]
        texts.append([(start + value + end).encode() for value in (*values, "null")])
    yield from rendered(texts, table)


def _alike(part: bytes, breaks: np.ndarray, columns: Sequence[Column]) -> np.ndarray | None:
    """Return the codes of rows that are all written as the first one is, or None where they are not."""
    line = part[: breaks[1]]
    members = list(MEMBER.finditer(line))
    places = {json.loads(name): place for place, (_, name, _) in enumerate(map(re.Match.groups, members))}
    end = line[members[-1].end() :] if members else line
    whole = b"".join(member[0] for member in members) + end == line and re.fullmatch(rb"\s*}\s*", end)
    if not whole or len(places) < len(members) or places.keys() != {column.name for column in columns}:
        return None
    forms = [_forms(column) for column in columns]
    longest = len(line) + max(len(form) for known in forms for form, _ in known)
    text = np.frombuffer(part + bytes(longest), np.uint8)  # so that looking beyond the last row finds nothing
    table = np.empty((len(breaks) - 1, len(columns)), np.uint8)
    position = breaks[:-1].copy()
    for number in sorted(range(len(columns)), key=lambda number: places[columns[number].name]):
        before = members[places[columns[number].name]][1]
        if not _stands(text, position, before).all():
            return None
        position += len(before)
        codes, sizes = np.full(len(position), -1, np.int16), np.zeros(len(position), np.intp)
        for form, code in forms[number]:
            found = _stands(text, position, form)
            codes[found], sizes[found] = code, len(form)
        if (codes < 0).any():
            return None
        table[:, number] = codes
        position += sizes
    return table if _stands(text, position, end).all() and (position + len(end) == breaks[1:]).all() else None


def _stands(text: np.ndarray, position: np.ndarray, form: bytes) -> np.ndarray:
    """Say where a text stands at the position of its row."""
    found = text[position] == form[0]
    for offset, byte in enumerate(form[1:], 1):
        if not found.any():
            break
        found &= text[position + offset] == byte
    return found


def _forms(column: Column) -> list[tuple[bytes, int]]:
    """The texts that stand for a value, with its code, the longer after the shorter that they may begin with."""
    values = [(value, code) for value, code in _known(column).items()]
    if column.boolean:
        values += [(False, 0), (True, 1)]
    forms = {json.dumps(value, ensure_ascii=ascii).encode(): code for value, code in values for ascii in (True, False)}
    return sorted(forms.items(), key=lambda form: len(form[0]))


def _one_by_one(part: bytes, columns: Sequence[Column], path: str | Path, first_row: int) -> np.ndarray:
    """Return the codes of any rows, or refuse the first that does not fit."""
    decode = json.JSONDecoder(object_pairs_hook=tuple).decode  # pairs show a doubled name
    rows = []
    for number, line in enumerate(part.decode().split("\n")[:-1], first_row):
        try:
            row = decode(line)
        except (ValueError, RecursionError):
            row = None
        if not isinstance(row, tuple):
            raise InputError(f"{path}: row {number} is not a JSON object.")
        order = order_of([name for name, _ in row], columns, f"{path}: row {number}")
        rows.append([row[place][1] for place in order])
    table = np.empty((len(rows), len(columns)), np.uint8)
    for place, (column, values) in enumerate(zip(columns, zip(*rows, strict=True), strict=True)):
        codes = _looked_up(values, column)
        if (codes < 0).any():
            row = int((codes < 0).argmax())
            raise refusal(path, first_row + row, column, values[row])
        table[:, place] = codes
    return table


def _looked_up(values: Sequence[Any], column: Column) -> np.ndarray:
    """Return the code of each value, −1 for one that the column cannot hold."""
    known = _known(column)
    # Python finds 1 where True or 1.0 is looked up, and cannot look up a list: only these types may stand for a value.
    types = {str, int, type(None)} | ({bool} if column.boolean else set())
    if not set(map(type, values)) <= types:
        values = [value if type(value) in types else object() for value in values]
    return np.fromiter(map(known.get, values, repeat(-1)), np.int16, len(values))


def _known(column: Column) -> dict[Any, int]:
    """The values a column may hold: its labels, a label that is a whole number also as number, null if optional."""
    known: dict[Any, int] = {label: code for code, label in enumerate(column.options)}
    known |= {int(label): code for label, code in known.items() if label.isdecimal() and str(int(label)) == label}
    return known | ({None: NOT_ASKED} if column.optional else {})


def _json(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
