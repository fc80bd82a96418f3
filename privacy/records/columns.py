"""What a file of records holds, whatever its format: known columns of known texts, and the refusals they share.

Columns are called `drugs_disguised`, so that nobody takes a disguised answer for the truth. Files of records may have
the names of the items instead, as those of earlier versions do. The values of undisguised columns are the same texts in
a file as in the name of a group.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from itertools import chain
from numbers import Integral, Real
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from privacy.design.fields import Field, choice
from privacy.design.reading import quote
from privacy.errors import InputError

CELLS_AT_ONCE = 2**20  # what bounds the memory while a file is read or written
LONGEST = 32  # characters of a name in Stata; SPSS allows 64
DISGUISED = "_disguised"
OPEN_VALUES = (str, Real, Decimal, np.bool_, type(None))  # the types that a file can hold


def column_order(names: Sequence[str], fields: Sequence[Field], where: str, others: bool = False) -> list[int]:
    """Return the place in `names` of each field, or refuse names that are doubled, missing or unknown.

    With `others` there may be further names, which are passed over.
    """
    if fields and fields[0].name == "direct":  # a file of records: true answers are called disguised nowhere
        names = own_names(names, [field.name for field in fields[1:]], where)
    places = {name: index for index, name in enumerate(names)}
    expected = {field.name for field in fields}
    for index, name in enumerate(names):
        if places[name] != index:
            raise InputError(f"{where}: the column {quote(name)} appears twice.")
        if name not in expected and not others:
            raise wrong_columns(where, f"the column {quote(name)} is none that this file may have", names, fields)
    for field in fields:
        if field.name not in places:
            raise missing_column(where, field, names, fields)
    return [places[field.name] for field in fields]


def text_columns(names: Sequence[str], rows: Sequence[Sequence[object]]) -> dict[str, np.ndarray]:
    """Turn rows of texts and numbers, as a file has them, into named columns."""
    columns = zip(*rows, strict=True) if rows else [()] * len(names)
    return {name: np.array(values, dtype=object) for name, values in zip(names, columns, strict=True)}


def missing_column(where: str | Path, field: Field, names: Sequence[str], fields: Sequence[Field]) -> InputError:
    """Return the error for a table that lacks the column of a field.

    >>> from privacy.design.fields import choice
    >>> drugs = choice("drugs", ["0", "1"])
    >>> print(missing_column("answers.csv", drugs, ["Drugs"], [drugs]))
    answers.csv: the column 'drugs' is missing; there must be drugs.
    """
    return wrong_columns(where, f"the column {field.name!r} is missing", names, fields)


def wrong_columns(where: str | Path, said: str, names: Sequence[str], fields: Sequence[Field]) -> InputError:
    """Return the error for columns of these names, which are not those of the fields; `said` says what is wrong."""
    for mark, marks in (";", "semicolons"), ("\t", "tabs"):
        if len(names) == 1 and mark in str(names[0]):
            return InputError(f"{where}: {marks} separate the columns; use commas.")
    return InputError(f"{where}: {said}; there must be {choice('', [field.name for field in fields]).examples()}.")


def refusal(path: str | Path, row: int, field: Field, value: object) -> InputError:
    """Return the error for a value of this row that the field cannot hold.

    >>> from privacy.design.fields import choice
    >>> print(refusal("answers.csv", 2, choice("drugs", ["0", "1"]), "7"))
    answers.csv: row 2, column 'drugs': '7' is given where one of 0, 1 must be.
    """
    said = "nothing" if value in ("", None) else quote(value)
    return InputError(
        f"{path}: row {row}, column {field.name!r}: {said} is given where one of {field.examples()} must be."
    )


@dataclass(frozen=True)
class OpenTexts:
    """An undisguised column as a file holds it: `texts` has "" where nothing was given; `numbers` says that the others
    are finite numbers."""

    name: str
    texts: NDArray[Any]
    numbers: bool


def rows_as_text(
    fields: Sequence[Field],
    table: np.ndarray,
    opened: Sequence[OpenTexts],
    around: Sequence[tuple[str, str]],
    cell: Callable[[Field, str], str],
    open_cell: Callable[[str, bool], str],
    begin_pair: Callable[[str], str] = str,
    nothing: str = "",
) -> Iterator[bytes]:
    """Yield a table of codes as text in its parts, each code replaced by its text in its column.

    `around` says what stands before and after each cell of a row, `cell` and `open_cell` how a text is written, and
    `nothing` what stands where there is no answer. Undisguised columns, `opened`, stand after the codes of their row;
    their texts may be long and all different, so that they are not looked up.
    """
    texts: list[list[str]] = []
    for field, (start, end) in zip(fields, around, strict=False):
        if len(field.scales) == 1:
            texts.append([start + one + end for one in (*(cell(field, step) for step in field.scales[0]), nothing)])
        else:  # a pair, `x:y`, is a text
            first, last = field.scales
            texts.append([*(f'{start}"{begin_pair(f"{step}:")}' for step in first), start])
            texts.append([*(f'{step}"{end}' for step in last), nothing + end])
    steps_of = [np.array([text.encode() for text in steps]) for steps in texts]
    rows_of_open = []
    for column, (start, end) in zip(opened, around[len(fields) :], strict=True):
        forms = {text: (start + open_cell(text, column.numbers) + end).encode() for text in set(column.texts)}
        rows_of_open.append([forms[text] for text in column.texts])  # equal texts share their memory
    widths = [steps.dtype.itemsize for steps in steps_of]
    padded = [steps.view(np.uint8).reshape(-1, width) for steps, width in zip(steps_of, widths, strict=True)]
    filled = [
        np.arange(width) < np.char.str_len(steps)[:, np.newaxis] for steps, width in zip(steps_of, widths, strict=True)
    ]
    at_once = max(1, CELLS_AT_ONCE // sum(widths))
    for begin in range(0, len(table), at_once):
        part = table[begin : begin + at_once]
        places = [place for column, field in enumerate(fields) for place in field.split(part[:, column])]
        line = np.hstack([look_up[place] for look_up, place in zip(padded, places, strict=True)])
        mask = np.hstack([look_up[place] for look_up, place in zip(filled, places, strict=True)])
        content = line[mask].tobytes()
        if not opened:
            yield content
            continue
        ends = np.cumsum(mask.sum(axis=1)).tolist()
        rows = [content[first:last] for first, last in zip([0, *ends], ends, strict=False)]
        cells = [column[begin : begin + at_once] for column in rows_of_open]
        yield from chain.from_iterable(zip(rows, *cells, strict=True))


def read_numbers(field: Field, text: NDArray[np.uint8], starts: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Read the number, or pair of numbers, at each start: return its code (−1 if it is none) and where its text ends.

    Only what `Field.text` writes is a number of a field, but for `.0` behind a whole one. A grid has too many numbers
    to compare a text with each: they are sorted once, and looked up. The text must end with something that is no part
    of a number.
    """
    places, position = [], starts
    for scale, steps in enumerate(field.scales):
        colon = text[position] == ord(":") if scale else np.zeros(len(starts), bool)
        codes, sizes = _number_at(text, position + colon, *_sort_texts(steps))
        places.append(np.where(colon == bool(scale), codes, -1))
        position = position + colon + sizes
    return field.join(places), position


_POINT_ZERO = b".0"
_IN_NUMBERS = np.isin(np.arange(256), np.frombuffer(b"0123456789.-", np.uint8))


@lru_cache(maxsize=16)
def _sort_texts(scale: Sequence[str]) -> tuple[np.ndarray, np.ndarray]:
    texts = np.array([text.encode() for text in scale])
    order = np.argsort(texts)
    return texts[order], order


def _number_at(
    text: NDArray[np.uint8], starts: np.ndarray, known: np.ndarray, codes: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """The code of the number at each start, −1 where it is not among `known`, and how long its text is.

    No text of `known` ends in `.0`, which other programs put behind whole numbers: it is passed over.
    """
    width = known.dtype.itemsize
    most = width + len(_POINT_ZERO) + 1
    window = text[np.minimum(starts[:, np.newaxis] + np.arange(most), len(text) - 1)]
    sizes = np.logical_and.accumulate(_IN_NUMBERS[window], axis=1).sum(axis=1)
    ends = starts + sizes
    whole = (sizes > 2) & (text[ends - 2] == _POINT_ZERO[0]) & (text[ends - 1] == _POINT_ZERO[1])
    digits = sizes - 2 * whole
    window[np.arange(most) >= digits[:, np.newaxis]] = 0
    numbers = np.ascontiguousarray(window[:, :width]).view(known.dtype)[:, 0]
    place = np.minimum(np.searchsorted(known, numbers), len(known) - 1)
    return np.where((known[place] == numbers) & (digits <= width), codes[place], -1), sizes


def stands_at(text: np.ndarray, position: np.ndarray, form: bytes) -> np.ndarray:
    """Return, for each row, whether this text stands at its position."""
    here = text[position] == form[0]
    for offset, byte in enumerate(form[1:], 1):
        if not here.any():
            break
        here &= text[position + offset] == byte
    return here


def unknown_codes(field: Field, rows: int) -> np.ndarray:
    """A column of −1, in the narrowest type that can hold all codes of the field and "not asked"."""
    return np.full(rows, -1, np.min_scalar_type(-field.size - 1))


def store(codes: np.ndarray, field: Field, column: np.ndarray) -> None:
    """Put codes into their column of a table; what was read as the value after the last is "not asked" there.

    >>> from privacy.design.fields import choice
    >>> column = np.zeros(3, np.uint8)
    >>> store(np.array([0, 1, 2]), choice("drugs", ["0", "1"], optional=True), column)
    >>> column.tolist()
    [0, 1, 255]
    """
    column[:] = codes
    if field.optional:
        column[codes == field.size] = np.iinfo(column.dtype).max


def open_texts(columns: Mapping[str, NDArray[Any]]) -> list[OpenTexts]:
    """Turn undisguised columns into texts, or refuse a value that no file can hold."""
    written = []
    for name, values in columns.items():
        if not _is_utf8(name):
            raise InputError(f"The records: the name of the column {quote(name)} is not UTF-8 text.")
        if values.dtype.kind not in "fiub":
            for row, value in enumerate(values.tolist()):
                where = f"The records: row {row}, column {quote(name)}"
                if not isinstance(value, OPEN_VALUES):
                    raise InputError(f"{where}: {quote(value)} is neither text nor a number, true or false.")
                if isinstance(value, str) and not _is_utf8(value):
                    raise InputError(f"{where}: {quote(value)} is not UTF-8 text.")
        finite = values.dtype.kind in "iub" or (values.dtype.kind == "f" and not np.isinf(values).any())
        written.append(OpenTexts(name, texts_of(values), finite))
    return written


def texts_of(values: NDArray[Any]) -> NDArray[Any]:
    """Return values as texts: a number is the shortest text that is read as the same number.

    >>> texts_of(np.array([1.0, 2.5])).tolist()
    ['1', '2.5']
    """
    if values.dtype.kind in "fiub":
        different, place = np.unique(values, return_inverse=True)
        return np.array([_text(value) for value in different.tolist()], object)[place]
    return np.array([_text(value) for value in values.tolist()], object)


def _text(value: object) -> str:
    """One value as text: "" where it is missing, a number as short as can be, true and false as 1 and 0."""
    if isinstance(value, str):
        return str(value)
    if isinstance(value, Integral | np.bool_):
        return str(int(value))
    if value is None or (isinstance(value, Real | Decimal) and value != value):
        return ""
    if isinstance(value, Real):
        return repr(float(value) + 0.0).removesuffix(".0")  # −0.0 + 0.0 is 0.0
    return str(value)


def _is_utf8(text: str) -> bool:
    """Whether a file can hold the text; half of a pair of surrogates is no character."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def unique_name(name: str, taken: set[str], end: str = "") -> str:
    """A name of letters, digits and _ that none of `taken` is, with this end, and short enough for Stata; taken then.

    >>> taken = {"direct"}
    >>> unique_name("drunk-driving", taken, DISGUISED), unique_name("drunk_driving", taken, DISGUISED)
    ('drunk_driving_disguised', 'drunk_driving_2_disguised')
    """
    plain = name.replace("-", "_")
    made, count = plain[: LONGEST - len(end)] + end, 1
    while made in taken:
        count += 1
        made = plain[: LONGEST - len(end) - len(str(count)) - 1] + f"_{count}{end}"
    taken.add(made)
    return made


@lru_cache(maxsize=16)
def file_names(items: tuple[str, ...]) -> dict[str, str]:
    """The column of each item of a design, in its order."""
    taken = {"direct"}
    return {item: unique_name(item, taken, DISGUISED) for item in items}


def own_names(names: Iterable[str], items: Sequence[str], where: object) -> list[str]:
    """The names of a file's columns, in which `drugs_disguised` becomes the item's own name `drugs`."""
    names = list(names)
    if not any(str(name).endswith(DISGUISED) for name in names):
        return names
    known, there = file_names(tuple(items)), set(names)
    # Where all have their own names, a column may be called as an item that ends so itself.
    found = {} if there.issuperset(known) else {column: item for item, column in known.items() if column in there}
    for item, column in known.items():
        if item in there and column in there and item not in found and (found or column not in known):
            raise InputError(f"{where}: the columns {item!r} and {column!r} are both there; keep one of them.")
    return [found.get(name, name) for name in names]
