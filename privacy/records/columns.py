"""What a file of answers holds, whatever its format: known columns of known texts, and the refusals they share."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from privacy.design.reading import shown
from privacy.errors import InputError

CELLS_AT_ONCE = 2**20  # what bounds the memory while a file is read or written
SHOWN = 8  # options that a refusal lists before it stops


@dataclass(frozen=True)
class Column:
    """A column and the values it may hold; one that is `optional` may also hold nothing."""

    name: str
    options: tuple[str, ...]
    optional: bool = False

    @property
    def boolean(self) -> bool:
        return self.options == ("0", "1")


def order_of(names: Sequence[str], columns: Sequence[Column], where: str) -> list[int]:
    """Return the place in `names` of each column, or refuse names that are doubled, unknown or missing."""
    places = {name: place for place, name in enumerate(names)}
    expected = {column.name for column in columns}
    for place, name in enumerate(names):
        if places[name] != place:
            raise InputError(f"{where}: the column {shown(name)} stands twice.")
        if name not in expected:
            raise InputError(f"{where}: the column {shown(name)} is none that this file may have.")
    for column in columns:
        if column.name not in places:
            raise InputError(f"{where}: the column {column.name!r} is missing.")
    return [places[column.name] for column in columns]


def refusal(path: str | Path, row: int, column: Column, value: object) -> InputError:
    """Return the error for a value that the column cannot hold."""
    options = ", ".join(column.options[:SHOWN]) + (", …" if len(column.options) > SHOWN else "")
    said = "nothing" if value in ("", None) else shown(value)
    return InputError(f"{path}: row {row}, column {column.name!r}: {said} is given where one of {options} must be.")


def rendered(texts: Sequence[Sequence[bytes]], table: np.ndarray) -> Iterator[bytes]:
    """Yield a table of codes as text, many rows at a time, each code replaced by its text in its column.

    `texts` has an entry per column: the texts of the codes 0, 1, …; the last stands for every greater code too.
    """
    widths = [max(map(len, choices)) for choices in texts]
    padded = [
        np.frombuffer(b"".join(text.ljust(width) for text in choices), np.uint8).reshape(-1, width)
        for choices, width in zip(texts, widths, strict=True)
    ]
    filled = [
        np.arange(width) < np.array([[len(text)] for text in choices])
        for choices, width in zip(texts, widths, strict=True)
    ]
    step = max(1, CELLS_AT_ONCE // sum(widths))
    for start in range(0, len(table), step):
        part = table[start : start + step]
        codes = [np.minimum(part[:, place], len(choices) - 1) for place, choices in enumerate(texts)]
        line = np.hstack([look_up[code] for look_up, code in zip(padded, codes, strict=True)])
        mask = np.hstack([look_up[code] for look_up, code in zip(filled, codes, strict=True)])
        yield line[mask].tobytes()
