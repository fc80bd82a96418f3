"""JSON lines: an object per row with a member per column.

A yes/no answer is the number 0 or 1 (true, false, "yes" and "no" are read too), an option its label, a number of a
grid that number, a pair of them the text "x:y", nothing is null. An option whose label is a whole number may be given
as that number.

Programs write every row alike: the same names in the same order with the same spaces, and values of few texts. Such
rows are read by looking the texts up, many rows at a time; any other rows one by one. Of a member that is no column
only the end is looked for.
"""

import json
import re
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
    own_names,
    read_numbers,
    refusal,
    rows_as_text,
    stands_at,
    store,
    text_columns,
    unknown_codes,
)

FIRST_ROW = 1
ValueReader = Callable[[np.ndarray, np.ndarray], tuple[np.ndarray, np.ndarray]]
"""From a text and the position of each row in it to the codes that stand there, −1 for none, and where they end."""
MEMBER = re.compile(rb'(\s*[{,]\s*("(?:[^"\\]|\\.)*")\s*:\s*)("(?:[^"\\]|\\.)*"|[^\s"{}\[\],]+)')


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
    readers = [_number_values(field) if field.numeric else _reader_of_list(field) for field in fields]
    step = max(1, CELLS_AT_ONCE // len(fields))
    breaks = np.concatenate(([0], np.flatnonzero(np.frombuffer(block.content, np.uint8) == ord("\n")) + 1))
    made = np.empty((len(breaks) - 1, len(fields)), code_type(fields))
    for first in range(0, len(made), step):
        last = min(first + step, len(made))
        part = block.content[breaks[first] : breaks[last]]
        codes = _read_alike_rows(part, breaks[first : last + 1] - breaks[first], fields, readers, block.path, others)
        if codes is None:
            codes = _read_row_by_row(part, fields, block.path, block.row + first, others)
        for column, field in enumerate(fields):
            store(codes[column], field, made[first:last, column])
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


def _read_alike_rows(
    part: bytes,
    breaks: np.ndarray,
    fields: Sequence[Field],
    readers: Sequence[ValueReader],
    path: str | Path,
    others: bool,
) -> list[np.ndarray] | None:
    """Return the codes, by field, of rows that are all written like the first one; None where one differs."""
    line = part[: breaks[1]]
    members = list(MEMBER.finditer(line))
    names = [json.loads(member[2]) for member in members]
    if fields[0].name == "direct":
        names = own_names(names, [field.name for field in fields[1:]], path)
    places = {field.name: index for index, field in enumerate(fields)}
    end = line[members[-1].end() :] if members else line
    whole = b"".join(member[0] for member in members) + end == line and re.fullmatch(rb"\s*}\s*", end)
    fit = len(set(names)) == len(names) and (places.keys() <= set(names) if others else places.keys() == set(names))
    if not whole or not fit:
        return None
    longest = max(
        (len(_json_text(text)) for field in fields if not field.numeric for text in field.scales[0]), default=0
    )
    # Zeros at the end: a look beyond the last row finds no value. An escaped character takes six bytes a half.
    text = np.frombuffer(part + bytes(len(line) + 12 * longest), np.uint8)
    codes: dict[int, np.ndarray] = {}
    position = breaks[:-1].copy()
    for name, member in zip(names, members, strict=True):
        before = member[1]
        if not stands_at(text, position, before).all():
            return None
        position = position + len(before)
        if name in places:
            codes[places[name]], position = readers[places[name]](text, position)
            known = codes[places[name]] >= 0
        else:
            known, position = _any_values(text, position)
        if not known.all():
            return None
    if not stands_at(text, position, end).all() or not (position + len(end) == breaks[1:]).all():
        return None
    return [codes[column] for column in range(len(fields))]


_IN_SCALARS = np.isin(np.arange(256), np.frombuffer(b"0123456789+-.eEtrufalsn", np.uint8))


def _any_values(text: np.ndarray, position: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Whether a text or a number, true, false or null stands at each position, and where it ends."""
    # An escaped quotation mark does not end a text, and a backslash that is escaped itself escapes nothing.
    plain = np.frombuffer(text.tobytes().replace(b"\\\\", b"__").replace(b'\\"', b"__"), np.uint8)
    marks = np.flatnonzero(plain == ord('"'))
    closing = np.append(marks, -1)[np.searchsorted(marks, position + 1)]
    marked = text[position] == ord('"')
    ends = np.where(marked, closing + 1, position)
    within = np.flatnonzero(~marked)
    while len(within := within[_IN_SCALARS[text[ends[within]]]]):
        ends[within] += 1
    return ends > position, ends


def _reader_of_list(field: Field) -> ValueReader:
    """Return a reader that compares what stands at a position with every text of a value."""
    values = list(_values(field).items())
    values += [(float(value), code) for value, code in values if isinstance(value, int)]
    if field.boolean:
        values += [(False, 0), (True, 1)]
    texts = {json.dumps(value, ensure_ascii=ascii).encode(): code for value, code in values for ascii in (True, False)}
    forms = sorted(texts.items(), key=lambda form: len(form[0]))  # a longer one may begin with a shorter one

    def values_at(text: np.ndarray, position: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        codes, sizes = unknown_codes(field, len(position)), np.zeros(len(position), np.intp)
        for form, code in forms:
            here = stands_at(text, position, form)
            codes[here], sizes[here] = code, len(form)
        return codes, position + sizes

    return values_at


def _number_values(field: Field) -> ValueReader:
    """Return a reader of numbers, or of pairs of them in quotation marks."""
    mark = b"" if _is_number(field) else b'"'

    def values_at(text: np.ndarray, position: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        codes, ends = read_numbers(field, text, position + len(mark))
        if mark:
            codes[~(stands_at(text, position, mark) & stands_at(text, ends, mark))] = -1
        ends = ends + len(mark)
        if field.optional:
            empty = stands_at(text, position, b"null")
            codes[empty], ends[empty] = field.size, position[empty] + len(b"null")
        return codes, ends

    return values_at


def _read_row_by_row(
    part: bytes, fields: Sequence[Field], path: str | Path, first_row: int, others: bool
) -> list[np.ndarray]:
    """Read rows that may be written in any way; return codes by field, or refuse the first that does not fit."""
    decode = json.JSONDecoder(object_pairs_hook=tuple).decode  # pairs show a doubled name
    rows = []
    for number, line in enumerate(part.decode().split("\n")[:-1], first_row):
        try:
            row = decode(line)
        except (ValueError, RecursionError):
            row = None
        if not isinstance(row, tuple):
            raise InputError(f"{path}: row {number} is not a JSON object.")
        order = column_order([name for name, _ in row], fields, f"{path}: row {number}", others)
        rows.append([row[place][1] for place in order])
    table = []
    for field, values in zip(fields, zip(*rows, strict=True), strict=True):
        codes = look_up(values, field)
        if (codes < 0).any():
            row = int((codes < 0).argmax())
            raise refusal(path, first_row + row, field, values[row])
        table.append(codes)
    return table


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
