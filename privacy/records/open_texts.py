"""The values of undisguised columns as texts: in a file they are the same as in the name of a group."""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from numbers import Integral, Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from privacy.design.reading import quote
from privacy.errors import InputError

OPEN_VALUES = (str, Real, Decimal, np.bool_, type(None))  # the types that a file can hold


@dataclass(frozen=True)
class OpenTexts:
    """An undisguised column as a file holds it: `texts` has "" where nothing was given; `numbers` says that the others
    are finite numbers."""

    name: str
    texts: NDArray[Any]
    numbers: bool


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
