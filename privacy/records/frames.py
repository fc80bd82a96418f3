"""Columns of DataFrames as codes, and codes as columns.

>>> import pandas as pd
>>> design = Design.parse({"model": "warner", "theta": 0.7, "items": ["drugs"]})
>>> codes_of_frame(pd.DataFrame({"drugs": ["yes", "no"]}), design, design.fields).tolist()
[[1], [0]]
"""

from collections.abc import Callable, Iterable
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np

from privacy.design import Design, arguments
from privacy.design.fields import Field
from privacy.design.reading import quote
from privacy.errors import InputError
from privacy.records.columns import OPEN_VALUES, missing_column, refusal, store
from privacy.records.json_lines import look_up
from privacy.result import DataFrame


def open_column(frame: DataFrame, name: Any, source: str = "frame") -> np.ndarray:
    """A column of the frame as an undisguised column; what no file can hold is refused here, and not when it is
    written.
    """
    values = arguments.column(frame[name])
    if values.dtype.kind not in "fiub":
        for value in values.tolist():
            if not isinstance(value, OPEN_VALUES):
                said = f"holds {quote(value)}, which is neither a number nor text."
                raise InputError(f"{source}: the column {str(name)!r} {said}")
    return values


def codes_of_frame(frame: DataFrame, design: Design, fields: tuple[Field, ...]) -> np.ndarray:
    """The codes of a DataFrame's columns: the fields of records, or of true answers."""
    missing = [field for field in fields if field.name not in frame.columns]
    if missing:
        raise missing_column("frame", missing[0], list(frame.columns), fields)
    codes = np.empty((len(frame), len(fields)), design.code_type)
    for column, field in enumerate(fields):
        store(codes_of_column(frame, field), field, codes[:, column])
    return codes


def codes_of_column(frame: DataFrame, field: Field) -> np.ndarray:
    """The codes of one column; each of its different values is looked up once."""
    import pandas as pd

    column = frame[field.name]
    try:
        places, values = pd.factorize(column)  # what is missing has the place −1, that of None here
    except TypeError:  # a list in a cell, say
        raise InputError(f"frame: the column {field.name!r} holds a value that is neither a number nor text.") from None
    return codes_of_values([*values, None], places, field, "frame", lambda row: frame.index[row])


def codes_of_values(
    values: Iterable[Any], places: np.ndarray, field: Field, source: str | Path, row_of: Callable[[int], Any]
) -> np.ndarray:
    """Look up the code of each row's value, `values[place]`; refuse what the field lacks, in the row `row_of` names."""
    known = [to_builtin(value, field) for value in values]
    codes = look_up(known, field)[places]
    if (codes < 0).any():
        row = int((codes < 0).argmax())
        raise refusal(source, row_of(row), field, known[places[row]])
    return codes


def to_builtin(value: Any, field: Field) -> Any:
    """A value as plain Python: missing is None, and 1.0 is 1, which pandas writes so beside missing values."""
    value = value.item() if isinstance(value, np.generic) else float(value) if isinstance(value, Decimal) else value
    if value != value:  # not a number
        return None
    return int(value) if isinstance(value, float) and value.is_integer() and not field.numeric else value


def column_of_codes(field: Field, codes: np.ndarray, asked: np.ndarray) -> Any:
    """Turn codes into a column for pandas: 0 and 1, numbers, or labels; missing where it was not `asked`."""
    import pandas as pd

    def whole(numbers: np.ndarray) -> Any:
        return numbers if asked.all() else pd.arrays.IntegerArray(numbers * asked, ~asked)

    if field.boolean:
        return whole(codes.astype(np.int64))
    if field.numeric:
        different, places = np.unique(codes[asked], return_inverse=True)
        texts = [field.text(int(code)) for code in different]
        if len(field.scales) == 1 and all("." not in field.text(code) for code in (0, 1)):  # files would have 5.0
            column = np.zeros(len(codes), np.int64)
            column[asked] = np.array(list(map(int, texts)), np.int64)[places]
            return whole(column)
        read = float if len(field.scales) == 1 else str
        column = np.full(len(codes), np.nan, float if read is float else object)
        column[asked] = np.array(list(map(read, texts)), column.dtype)[places]
        return column
    places = np.where(asked, codes.astype(np.int16), np.int16(-1))
    return pd.Categorical.from_codes(places.tolist(), categories=pd.Index(field.scales[0]))
