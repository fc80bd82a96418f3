"""How results are written: aligned tables for people, strict JSON for programs."""

import json
import math
import unicodedata
from collections.abc import Sequence
from typing import Any


def whole(count: float) -> str:
    """Return a whole number of things as it stands in a sentence or table: narrow spaces, at which no line breaks.

    >>> whole(12345).split()
    ['12', '345']
    """
    return f"{count:,.0f}".replace(",", "\u202f")


def counted(number: int, thing: str) -> str:
    """Return so many of a thing, whose plural has an s.

    >>> counted(1, "record"), counted(2, "record")
    ('1 record', '2 records')
    """
    return f"{number} {thing}{'' if number == 1 else 's'}"


def as_json(value: Any, indent: int | None = 2) -> str:
    """Return strict JSON: an infinite number is the string "Infinity", what is not a number is null.

    >>> as_json({"gamma": float("inf"), "se": float("nan")}, indent=None)
    '{"gamma": "Infinity", "se": null}'
    """
    return json.dumps(strict(value), ensure_ascii=False, allow_nan=False, indent=indent)


def as_table(headings: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """Return aligned columns: words to the left, numbers to the right with six digits, nothing as a dash.

    >>> print(as_table(["pattern", "support"], [["drugs", 0.25], ["cheating", None]]))
    pattern   support
    drugs        0.25
    cheating        -
    """
    cells = [list(headings)] + [[as_cell(value) for value in row] for row in rows]
    widths = [max(map(_width, column)) for column in zip(*cells, strict=True)]
    numeric = [
        bool(rows) and all(value is None or isinstance(value, int | float) for value in column)
        for column in zip(*rows, strict=True)
    ] or [False] * len(headings)
    lines = []
    for row in cells:
        padded = []
        for cell, width, right in zip(row, widths, numeric, strict=True):
            space = " " * (width - _width(cell))
            padded.append(space + cell if right else cell + space)
        lines.append("  ".join(padded).rstrip())
    return "\n".join(lines)


def strict(value: Any) -> Any:
    """Return a value that strict JSON can hold: numbers that it does not know are texts or None, and keys are texts.

    >>> strict({1: (float("inf"), float("nan"), 0.5)})
    {'1': ['Infinity', None, 0.5]}
    """
    if isinstance(value, dict):
        return {str(key): strict(entry) for key, entry in value.items()}
    if isinstance(value, list | tuple):
        return [strict(entry) for entry in value]
    if isinstance(value, float) and math.isnan(value):
        return None
    if isinstance(value, float) and math.isinf(value):
        return "Infinity" if value > 0 else "-Infinity"
    return value


def as_cell(value: object) -> str:
    """Return a value as it stands in a table.

    >>> as_cell(1 / 3), as_cell(None), as_cell(12)
    ('0.333333', '-', '12')
    """
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return "-"
    if isinstance(value, float):
        return f"{value:.6g}"
    return str(value)


def _width(text: str) -> int:
    """Count terminal columns: Chinese, Japanese and Korean characters take two."""
    return sum(2 if unicodedata.east_asian_width(character) in "WF" else 1 for character in text)
