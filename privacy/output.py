"""How results are written: aligned tables for people, strict JSON for programs."""

import json
import math
import unicodedata
from collections.abc import Sequence
from gettext import NullTranslations
from typing import Any, Protocol


class Language(Protocol):
    """Translates sentences, as `gettext.GNUTranslations` and `django.utils.translation` do."""

    def gettext(self, message: str) -> str: ...

    def ngettext(self, singular: str, plural: str, number: int) -> str: ...


ENGLISH = NullTranslations()


def format_count(count: float) -> str:
    """Return a whole number for a sentence or table, with narrow spaces at which no line breaks.

    >>> format_count(12345).split()
    ['12', '345']
    """
    return f"{count:,.0f}".replace(",", "\u202f")


def two_digits(number: float) -> str:
    """The number to two digits, without a power of ten where it is 100 or so.

    >>> two_digits(99.6), two_digits(0.0123), two_digits(4)
    ('100', '0.012', '4')
    """
    return f"{float(f'{number:.2g}'):g}"


def tenths(number: float) -> str:
    """Return a number with one decimal, the same however the last bits of its sum fell.

    >>> 53.75 - 1e-14, tenths(53.75 - 1e-14), tenths(53.75)
    (53.74999999999999, '53.8', '53.8')
    """
    return f"{round(number, 9):.1f}"


def count_of(number: int, thing: str) -> str:
    """Return a count with its noun, whose plural ends in s.

    >>> count_of(1, "record"), count_of(2, "record")
    ('1 record', '2 records')
    """
    return f"{number} {thing}{'' if number == 1 else 's'}"


def as_json(value: Any, indent: int | None = 2) -> str:
    """Return strict JSON, as `to_json_value` makes its values.

    >>> as_json({"gamma": float("inf"), "se": float("nan")}, indent=None)
    '{"gamma": "Infinity", "se": null}'
    """
    return json.dumps(to_json_value(value), ensure_ascii=False, allow_nan=False, indent=indent)


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


def to_json_value(value: Any) -> Any:
    """Return a value that strict JSON can hold: what is not a number is None, and keys are texts.

    An infinite number is the text "Infinity" where it stands alone. In a list, where programs want numbers, it is None,
    and the `sides` of the list stand beside it.

    >>> to_json_value({1: float("inf"), "ci": (float("-inf"), 0.5), "se": [float("nan")]})
    {'1': 'Infinity', 'ci': [None, 0.5], 'ci_infinite': ['below', None], 'se': [None]}
    """
    if isinstance(value, dict):
        known = {}
        for key, entry in value.items():
            known[str(key)] = to_json_value(entry)
            if isinstance(entry, list | tuple) and (found := sides(entry)):
                known[f"{key}_infinite"] = found
        return known
    if isinstance(value, list | tuple):
        return [
            None if isinstance(entry, float) and not math.isfinite(entry) else to_json_value(entry) for entry in value
        ]
    if isinstance(value, float) and math.isnan(value):
        return None
    if isinstance(value, float) and math.isinf(value):
        return "Infinity" if value > 0 else "-Infinity"
    return value


def sides(value: Any) -> Any:
    """Return "above" or "below" for an infinite number, and a list of these for a list; None where none is infinite.

    >>> sides([[float("-inf"), 0.5], [0.2, 0.5]])
    [['below', None], None]
    """
    if isinstance(value, list | tuple):
        found = [sides(one) for one in value]
        return found if any(found) else None
    if isinstance(value, float) and math.isinf(value):
        return "above" if value > 0 else "below"
    return None


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
