"""JSON lines: an object per row with a member per column.

A yes/no answer is the number 0 or 1 (true, false, "yes" and "no" are read too), an option its label, a number of a
grid that number, a pair of them the text "x:y", nothing is null. An option whose label is a whole number may be given
as that number.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from privacy.design.fields import NOTHING, Field, code_type
from privacy.errors import InputError
from privacy.files import FileBlock, read_lines, read_text
from privacy.records.columns import (
    CELLS_AT_ONCE,
    OpenTexts,
    column_order,
    refusal,
    rows_as_text,
    store,
    text_columns,
    unknown_codes,
)

FIRST_ROW = 1


def blocks(path: str | Path) -> Iterator[FileBlock]:
    """Yield the rows of a file of JSON lines, some at a time."""
    row = FIRST_ROW
    for content in read_lines(path):
        yield FileBlock(path, row, content)
        row += content.count(b"\n")


def table(block: FileBlock, fields: Sequence[Field], others: bool = False) -> np.ndarray:
    """The rows of a block as a table of codes: a column for each of `fields`, in their order.

    Rows may have `others`, which are not looked at.
    """
    step = max(1, CELLS_AT_ONCE // len(fields))
    breaks = np.concatenate(([0], np.flatnonzero(np.frombuffer(block.content, np.uint8) == ord("\n")) + 1))
    made = np.empty((len(breaks) - 1, len(fields)), code_type(fields))
    for first in range(0, len(made), step):
        last = min(first + step, len(made))
        part = block.content[breaks[first] : breaks[last]]
        for column, codes in enumerate(_read_rows(part, fields, block.path, block.row + first, others)):
            store(codes, fields[column], made[first:last, column])
    return made


def columns(path: str | Path) -> dict[str, np.ndarray]:
    """Read every column of a file of JSON lines, with values as CSV would hold them."""
    names: list[str] = []
    rows = []
    for number, line in enumerate(read_text(path).removesuffix("\n").split("\n"), 1):
        try:
            row = json.loads(line)
        except (ValueError, RecursionError):
            row = None
        if not isinstance(row, dict):
            raise InputError(f"{path}: row {number} is not a JSON object.")
        names = names or list(row)
        if row.keys() != set(names):
            odd = sorted(row.keys() ^ set(names))[0]
            raise InputError(f"{path}: row {number} and row 1 do not have the same names; {odd!r} is in one of them.")
        rows.append([_plain(row[name]) for name in names])
    return text_columns(names, rows)


def write(fields: Sequence[Field], table: np.ndarray, opened: Sequence[OpenTexts] = ()) -> Iterator[bytes]:
    """Yield a file's content in parts, with the undisguised columns after the fields."""
    names = [*(field.name for field in fields), *(column.name for column in opened)]
    starts = [(", " if index else "{") + _json_text(name) + ": " for index, name in enumerate(names)]
    yield from rows_as_text(
        fields,
        table,
        opened,
        [*((start, "") for start in starts[:-1]), (starts[-1], "}\n")],
        lambda field, text: text if _is_number(field) else _json_text(text),
        lambda text, numbers: "null" if not text else text if numbers else _json_text(text),
        nothing="null",
    )


def _plain(value: Any) -> object:
    """A value of JSON lines as CSV would hold it."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return int(value)
    return value if isinstance(value, str | int | float) else json.dumps(value)


def _is_number(field: Field) -> bool:
    """Whether the field's values are numbers in JSON; others are texts."""
    return field.boolean or (field.numeric and len(field.scales) == 1)


def _read_rows(
    part: bytes, fields: Sequence[Field], path: str | Path, first_row: int, others: bool
) -> Iterator[np.ndarray]:
    """Yield the codes of each field in these rows, or refuse the first value that does not fit."""
    decode = json.JSONDecoder(object_pairs_hook=tuple).decode  # pairs show a doubled name
    rows: list[list[Any]] = []
    known: list[str] | None = None  # the names of the row before, and their places: programs write all rows alike
    order: Sequence[int] = ()
    for number, line in enumerate(part.decode().split("\n")[:-1], first_row):
        try:
            row = decode(line)
        except (ValueError, RecursionError):
            row = None
        if not isinstance(row, tuple):
            raise InputError(f"{path}: row {number} is not a JSON object.")
        names = [name for name, _ in row]
        if names != known:
            known, order = names, column_order(names, fields, f"{path}: row {number}", others)
        rows.append([row[place][1] for place in order])
    for field, values in zip(fields, zip(*rows, strict=True), strict=True):
        codes = look_up(values, field)
        if (codes < 0).any():
            at = int((codes < 0).argmax())
            raise refusal(path, first_row + at, field, values[at])
        yield codes


def look_up(values: Sequence[Any], field: Field) -> np.ndarray:
    """Return the code of each value as JSON gives it, −1 for one that the field cannot hold.

    >>> from privacy.design.fields import choice
    >>> look_up(["18-29", "30+", "31"], choice("age", ["18-29", "30+"])).tolist()
    [0, 1, -1]
    """
    # Python finds 1 where True is looked up, and cannot look up a list: only these types may stand for a value.
    types = {str, int, float, type(None)} | ({bool} if field.boolean else set())
    if not set(map(type, values)) <= types:
        values = [value if type(value) in types else object() for value in values]
    return np.fromiter(map(_code_of(field), values), unknown_codes(field, 0).dtype, len(values))


def _code_of(field: Field) -> Callable[[Any], int]:
    """Return a function that turns a value of JSON into its code, or −1."""
    if len(field.scales) == 1:
        known = _values(field)
        return lambda value: known.get(value, -1)
    x, y = ({step: index for index, step in enumerate(scale)} for scale in field.scales)

    def code_of_pair(value: Any) -> int:
        if field.optional and (value is None or value in NOTHING):
            return field.size
        left, _, right = value.partition(":") if isinstance(value, str) else ("", "", "")
        left, right = left.removesuffix(".0"), right.removesuffix(".0")
        return x[left] * len(y) + y[right] if left in x and right in y else -1

    return code_of_pair


def _values(field: Field) -> dict[Any, int]:
    """The code of each value of a field with one scale, as JSON may hold it: text, number, or null if optional."""
    known: dict[Any, int] = {text: code for code, text in enumerate(field.scales[0])}
    if field.numeric:
        known |= {float(text): code for text, code in known.items()}
    else:
        known |= {int(text): code for text, code in known.items() if text.isdecimal() and str(int(text)) == text}
    return field.other_texts | known | ({None: field.size} if field.optional else {})


def _json_text(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
