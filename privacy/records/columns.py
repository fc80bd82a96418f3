"""What a file of records holds, whatever its format: known columns of known texts, and the refusals they share."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from privacy.design.fields import Field, choice
from privacy.design.reading import quote
from privacy.errors import InputError
from privacy.records.file_names import own_names

CELLS_AT_ONCE = 2**20  # what bounds the memory while a file is read or written


def column_order(names: Sequence[str], fields: Sequence[Field], where: str, others: bool = False) -> list[int]:
    """Return the place in `names` of each field, or refuse names that are doubled, missing or unknown.

    With `others` there may be further names, which are passed over.
    """
    if fields and fields[0].name == "direct":  # a file of records: true answers are called disguised nowhere
        names = own_names(names, [field.name for field in fields[1:]], where)
    places = {name: place for place, name in enumerate(names)}
    expected = {field.name for field in fields}
    for place, name in enumerate(names):
        if places[name] != place:
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


def rows_as_text(
    fields: Sequence[Field],
    texts: Sequence[Sequence[Sequence[bytes]]],
    table: np.ndarray,
    opened: Sequence[Sequence[bytes]],
) -> Iterator[bytes]:
    """Yield a table of codes as text in its parts, each code replaced by its text in its column.

    `texts` has an entry for each field, and in it one for each scale: the texts of its steps, and last the text that
    stands where there is no answer. `opened` has the texts of each undisguised column, which stand after the codes of
    their row; they may be long and all different, so that they are not looked up.
    """
    steps_of = [np.array(steps) for scales in texts for steps in scales]
    widths = [steps.dtype.itemsize for steps in steps_of]
    padded = [steps.view(np.uint8).reshape(-1, width) for steps, width in zip(steps_of, widths, strict=True)]
    filled = [
        np.arange(width) < np.char.str_len(steps)[:, np.newaxis] for steps, width in zip(steps_of, widths, strict=True)
    ]
    at_once = max(1, CELLS_AT_ONCE // sum(widths))
    for start in range(0, len(table), at_once):
        part = table[start : start + at_once]
        places = [place for column, field in enumerate(fields) for place in field.split(part[:, column])]
        line = np.hstack([look_up[place] for look_up, place in zip(padded, places, strict=True)])
        mask = np.hstack([look_up[place] for look_up, place in zip(filled, places, strict=True)])
        content = line[mask].tobytes()
        if not opened:
            yield content
            continue
        ends = np.cumsum(mask.sum(axis=1)).tolist()
        rows = [content[first:last] for first, last in zip([0, *ends], ends, strict=False)]
        cells = [column[start : start + at_once] for column in opened]
        yield from chain.from_iterable(zip(rows, *cells, strict=True))


def open_cells(texts: Iterable[str], form: Callable[[str], bytes]) -> list[bytes]:
    """Each text of an undisguised column in the `form` a file has it in; equal texts share their memory."""
    forms = {text: form(text) for text in set(texts)}
    return [forms[text] for text in texts]


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
