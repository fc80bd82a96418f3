"""Records with undisguised columns: those that name no item of the design, such as age, a weight or a group.

Undisguised columns are kept as they are: numbers, or texts in which "" says that nothing was given. A refusal begins
with the `use` that is made of a column.

>>> columns = {"age": np.array(["34", "51", "34"], object), "town": np.array(["Bonn", "", "Ulm"], object)}
>>> column(columns, "age", "on").tolist(), numbers(columns, "age", "weights").tolist()
(['34', '51', '34'], [34.0, 51.0, 34.0])
>>> literal(columns, "age", "34").tolist(), missing(columns["town"]).tolist()
([True, False, True], [False, True, False])
>>> number, values = groups(columns, "age", "by")
>>> number.tolist(), values, as_numbers(columns["town"]).tolist()
([0, 1, 0], ['34', '51'], [nan, nan, nan])
"""

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from privacy.arrays import Bools, Floats
from privacy.design import Design
from privacy.design.reading import kind, quote
from privacy.errors import InputError
from privacy.records.columns import missing_column, own_names, store, texts_of
from privacy.records.csv_rows import formula_safe, without_apostrophes
from privacy.records.frames import codes_of_values
from privacy.records.records import DIRECT, Records, check_answers, check_codes, check_direct, layout_of, without_direct

Column = NDArray[Any]
"""Numbers (NaN where nothing was given), or texts ("" there)."""
MOST_SHOWN = 8


def read_columns(path: Any) -> dict[str, Column]:
    """Read every column of a file: of Parquet as it is, of JSON lines (.jsonl) and CSV as texts.

    >>> import tempfile
    >>> with tempfile.NamedTemporaryFile("w", suffix=".csv") as file:
    ...     _ = file.write("drugs,age\\n1,34\\n0,\\n")
    ...     file.flush()
    ...     {name: column.tolist() for name, column in read_columns(file.name).items()}
    {'drugs': ['1', '0'], 'age': ['34', '']}
    """
    columns: dict[str, Column] = layout_of(path).columns(path)
    return columns


def records_of(columns: Mapping[str, Column], design: Design, source: Any, *, gaps: bool = False) -> Records:
    """Make records of columns: those that name no item are kept as undisguised ones; no `direct` means nobody was.

    With `gaps` an item that is disguised alone may lack an answer, as in studies of others; it is then not asked.

    >>> design = Design.parse({"model": "warner", "theta": 0.75, "items": ["drugs"]})
    >>> columns = {"drugs": np.array(["1", "0"], object), "age": np.array(["34", "51"], object)}
    >>> records = records_of(columns, design, "answers.csv")
    >>> records.codes.tolist(), list(records.open_columns)
    ([[1], [0]], ['age'])
    """
    first_row = layout_of(source).FIRST_ROW
    source = source if isinstance(source, str | os.PathLike) else "table"
    items = [field.name for field in design.fields]
    columns = dict(zip(own_names(columns, items, source), columns.values(), strict=True))
    rows = len(next(iter(columns.values()), ()))
    codes = np.empty((rows, len(design.fields)), design.code_type)
    alone = {block.items[0].id for block in design.blocks if gaps and len(block.items) == 1}
    for index, field in enumerate([*design.fields, DIRECT]):
        field = replace(field, optional=True) if field.name in alone else field
        if field.name not in columns:
            if field is DIRECT:
                direct = without_direct(design, rows, source=source)
                continue
            raise missing_column(source, field, list(columns), design.fields)
        values = columns[field.name].tolist()
        safe = {} if field.numeric else _options(field.scales[0])
        given = (None if value == "" else safe.get(value, value) for value in values)
        values_read = codes_of_values(given, np.arange(rows), field, source, lambda row: row + first_row)
        if field is DIRECT:
            direct = values_read == 1
        else:
            store(values_read, field, codes[:, index])
    lone = [column for column, item in enumerate(design.items) if item.id in alone]
    whole = (codes[:, lone] != design.not_asked).all(axis=1)
    check_codes(design, codes[whole] if gaps else codes, source=source, first_row=first_row)
    check_direct(design, direct, rows, source=source, first_row=first_row)
    check_answers(design, codes, direct, source=source, first_row=first_row)
    others = {name: values for name, values in columns.items() if name not in {DIRECT.name, *items}}
    return Records(design, codes, direct, others)


def _options(options: Sequence[str]) -> dict[str, str]:
    """Map every way in which a file may write an option to the option."""
    written = {form: option for option in options for form in (formula_safe(option), without_apostrophes(option))}
    return written | {option: option for option in options}


def column(columns: Mapping[str, Column], name: str, use: str) -> Column:
    """The column of this name; refused with the names there are if it is missing."""
    if not isinstance(name, str):
        raise InputError(f"{use}: {kind(name)} is not the name of an undisguised column; give the name of the column.")
    if name not in columns:
        raise InputError(f"{use}: there is no column {name!r}; the undisguised columns are {_names_in_list(columns)}.")
    return columns[name]


def numbers(columns: Mapping[str, Column], name: str, use: str) -> Floats:
    """The column as finite numbers; a cell that is no such number is refused, with its row."""
    values = column(columns, name, use)
    read = as_numbers(values)
    wrong = ~np.isfinite(read)
    if wrong.any():
        row = int(wrong.argmax())
        said = "nothing" if missing(values)[row] else quote(values[row])
        raise InputError(
            f"{use}: respondent {row + 1} has {said} in the column {name!r}, which is not a finite number."
        )
    return read


def as_numbers(values: Column) -> Floats:
    """The values as numbers, NaN where one is none."""
    if values.dtype.kind in "fiub":
        return values.astype(float)
    try:
        return values.astype(float)
    except (TypeError, ValueError):
        return np.array([_number_or_nan(value) for value in values.tolist()], dtype=float)


def groups(columns: Mapping[str, Column], name: str, use: str) -> tuple[NDArray[np.intp], list[str]]:
    """The number of each row's value among the column's different values, and these as texts; a gap is refused."""
    values = column(columns, name, use)
    empty = missing(values)
    if empty.any():
        raise InputError(f"{use}: respondent {int(empty.argmax()) + 1} has nothing in the column {name!r}.")
    different, place = np.unique(texts_of(values), return_inverse=True)
    return place.ravel(), different.tolist()


def literal(columns: Mapping[str, Column], name: str, option: str) -> Bools:
    """Which rows hold the option; one that no row holds is refused with those there are."""
    values = column(columns, name, "on")
    texts = texts_of(values)
    matches = texts == option
    if not matches.any():
        there = sorted(set(texts[~missing(values)].tolist()))
        more = ", …" if len(there) > MOST_SHOWN else ""
        raise InputError(f"No row of {name!r} holds {option!r}; its values are {', '.join(there[:MOST_SHOWN])}{more}.")
    return np.asarray(matches, dtype=bool)


def missing(values: Column) -> Bools:
    """Which rows hold nothing."""
    if values.dtype.kind == "f":
        return np.asarray(np.isnan(values))
    if values.dtype.kind in "iub":
        return np.zeros(len(values), bool)
    return np.array([value is None or value == "" or value != value for value in values.tolist()], bool)


def _number_or_nan(value: Any) -> float:
    try:
        return float(value)
    except (TypeError, ValueError):
        return np.nan


def _names_in_list(columns: Mapping[str, Column]) -> str:
    names = list(columns)
    return ", ".join(names[:MOST_SHOWN]) + (", …" if len(names) > MOST_SHOWN else "") or "none"
