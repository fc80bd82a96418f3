"""What analysts hand in is checked before it is used. A refusal is one sentence: the argument, its value, the rule.

Each function takes the value and the name of the argument, and returns the value as the library uses it.

>>> whole_number(3.0, "respondents")
Traceback (most recent call last):
privacy.errors.InputError: respondents: 3.0 is not a whole number.
>>> exact_number(0.3, "gamma")
Fraction(3, 10)
"""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from numbers import Integral, Real
from os import PathLike, fsencode, fspath
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from privacy.design.rationals import fraction, parse_fraction
from privacy.design.reading import LARGEST, entries, kind, quote
from privacy.errors import InputError
from privacy.result import DataFrame

if TYPE_CHECKING:
    import pandas as pd

LONGEST_SEED = 1000  # digits
NEEDS_ARROW = "Parquet and Arrow need more packages; run pip install 'candor-survey[parquet]'."


def frame(value: Any, name: str = "frame") -> DataFrame:
    """Return the frame of pandas, polars or Arrow as one of pandas; refuse others, and columns of the same name."""
    import pandas as pd

    if not isinstance(value, pd.DataFrame) and hasattr(value, "__arrow_c_stream__"):
        try:
            import pyarrow as pa
        except ImportError as error:
            raise InputError(NEEDS_ARROW) from error
        value = pa.table(value).to_pandas()
    if not isinstance(value, pd.DataFrame):
        raise InputError(f"{name}: {kind(value)} is not a DataFrame of pandas or polars.")
    if value.columns.nlevels > 1:
        raise InputError(f"{name}: the names of its columns have several levels; a column must have one name.")
    names = value.columns.map(str)  # 5 and "5" are one name in files, designs and specs
    if names.has_duplicates:
        raise InputError(f"{name}: the column {names[names.duplicated()][0]!r} appears twice.")
    return value


_UNDATED = ("string", "boolean", "integer", "floating", "empty")  # kinds of columns without a date in them


def column(values: "pd.Series[Any]") -> NDArray[Any]:
    """Return a column in the form of undisguised columns: numbers stay; of others, missing values become None.

    A date or a time is the text by which ISO 8601 writes it, and midnight the date alone, as CSV has them.
    A group of `pandas.cut`, a period or a UUID is the text that it prints as.
    """
    array = values.to_numpy()
    if array.dtype.kind in "fiub":
        return array
    from pandas.api.types import infer_dtype

    array = values.astype(object).to_numpy(copy=True)
    array[values.isna().to_numpy()] = None
    if infer_dtype(array) in _UNDATED:
        return array
    return np.fromiter(map(_as_text, array), object, len(array))


def _as_text(value: Any) -> Any:
    """A date, a time, a period, an interval or a UUID as text; any other value as it is."""
    import pandas as pd

    if isinstance(value, pd.Interval | pd.Period | UUID):
        return str(value)
    return value.isoformat().removesuffix("T00:00:00") if hasattr(value, "isoformat") else value


def path(value: Any, name: str = "path") -> Path:
    if isinstance(value, str) and not value:
        raise InputError(f"{name}: '' is empty, so it names no file.")
    if isinstance(value, str | PathLike) and isinstance(written := fspath(value), str) and "\0" not in written:
        with suppress(UnicodeEncodeError):  # half a character, which no file has in its name
            fsencode(written)
            return Path(value)
    raise InputError(f"{name}: {kind(value)} is not the path of a file.")


def texts(value: Any, name: str) -> Sequence[str]:
    """Return the texts, one or several, as a sequence."""
    listed = [value] if isinstance(value, str) else entries(value)
    if listed is None or isinstance(value, Mapping):
        raise InputError(f"{name}: {quote(value)} is neither text nor a list of texts.")
    for entry in listed:
        text(entry, name)
    return listed


def names(value: Any, name: str) -> list[str]:
    """Return names of columns or items: a list of them, or one text with commas between them.

    >>> names("drugs, theft", "items"), names(["drugs"], "items")
    (['drugs', 'theft'], ['drugs'])
    """
    if not isinstance(value, str):
        return list(texts(value, name))
    return [part.strip() for part in value.split(",")] if value.strip() else []


def text(value: Any, name: str) -> str:
    if isinstance(value, str):
        return value
    raise InputError(f"{name}: {quote(value)} is not text.")


def choice(value: Any, name: str, known: Iterable[str]) -> str:
    """Return the word of a list that was chosen."""
    words = list(known)
    if text(value, name) in words:
        return str(value)
    raise InputError(f"{name}: {quote(value)} is not one of {', '.join(words)}.")


def flag(value: Any, name: str) -> bool:
    """Return a flag, which must be True or False itself: 1 and 0 are refused."""
    if isinstance(value, bool | np.bool_):
        return bool(value)
    raise InputError(f"{name}: {quote(value)} is not true or false.")


def pairs(value: Any, name: str) -> Iterable[tuple[str, Any]]:
    """Return the entries of a mapping, or of a list of pairs."""
    listed = None if isinstance(value, str) else entries(value.items() if isinstance(value, Mapping) else value)
    if listed is not None and all(isinstance(entry, tuple | list) and len(entry) == 2 for entry in listed):
        return listed
    raise InputError(f"{name}: {kind(value)} is neither a mapping nor a list of pairs.")


def by_name(value: Any, name: str) -> dict[str, Any]:
    """Return the entries of a mapping, or of a list of pairs, by their names as texts; two of one name are refused."""
    found: dict[str, Any] = {}
    for each, entry in pairs(value, name):
        if str(each) in found:
            raise InputError(f"{name}: the name {quote(str(each))} appears twice; every name may appear once.")
        found[str(each)] = entry
    return found


def number(value: Any, name: str) -> float:
    return float(exact_number(value, name))


def exact_number(value: Any, name: str) -> Fraction:
    """The number as its decimals say, 0.3 as 3/10; InputError for texts, and for what is infinite or too large."""
    if isinstance(value, Real) and not isinstance(value, bool):
        try:
            read = fraction(value if isinstance(value, Fraction | int) else float(value))
        except (ValueError, OverflowError):  # no number, or infinitely many
            pass
        else:
            _refuse_large(value, name)
            return read
    raise InputError(f"{name}: {quote(value)} is not a finite number.")


def read_number(value: Any, name: str) -> Fraction:
    """The number that was written, as a decimal or as a fraction.

    >>> read_number("1/7", "rho"), read_number(0.25, "rho")
    (Fraction(1, 7), Fraction(1, 4))
    """
    if not isinstance(value, str):
        return exact_number(value, name)
    read = parse_fraction(value)
    if read is None:
        raise InputError(f"{name}: {quote(value)} is not a finite number.")
    if abs(read) > LARGEST:
        raise InputError(f"{name}: {quote(value)} is too large a number.")
    if read and not float(read):
        raise InputError(f"{name}: {quote(value)} is too small a number.")
    return read


def whole_number(value: Any, name: str) -> int:
    if isinstance(value, Integral) and not isinstance(value, bool):
        _refuse_large(value, name)
        return int(value)
    raise InputError(f"{name}: {quote(value)} is not a whole number.")


def _refuse_large(value: Any, name: str) -> None:
    """Refuse a number that is too large for a float."""
    if abs(value) > LARGEST:
        raise InputError(f"{name}: {quote(value)} is too large a number.")


def wholes(value: Any, name: str) -> tuple[int, ...]:
    """Return the whole numbers, one or several."""
    listed = None if isinstance(value, str) else entries(value)
    return tuple(whole_number(entry, name) for entry in listed or [value])


def seed(value: Any) -> int:
    """Return the seed that makes randomness repeatable."""
    if isinstance(value, Integral) and not isinstance(value, bool) and 0 <= int(value) < 10**LONGEST_SEED:
        return int(value)
    raise InputError(f"seed: {quote(value)} is not a whole number from 0.")
