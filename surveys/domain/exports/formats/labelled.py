"""What SPSS and Stata have in common: numbers with value labels, in a table that pyreadstat writes."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

from surveys.domain.exports.columns import FileColumn
from surveys.domain.exports.sheet import Sheet
from surveys.questions.columns import ColumnKind

if TYPE_CHECKING:
    import pandas as pd

LONGEST_LABEL, LONGEST_TITLE = 120, 255  # bytes of UTF-8, of a value and of a column in SPSS


def frame_of(sheet: Sheet, empty: dict[str, Any]) -> pd.DataFrame:
    """The whole sheet as a table of codes; `empty`: what an empty cell holds, by the reason why it is empty."""
    import pandas as pd

    columns: list[list[Any]] = [[] for _ in sheet.columns]
    for rows in sheet.rows():
        for column, values, kept in zip(sheet.columns, rows, columns, strict=True):
            kept += code_values(column, values, empty)
    series = {
        column.variable: pd.Series(values, dtype=_type(column, values))
        for column, values in zip(sheet.columns, columns, strict=True)
    }
    return pd.DataFrame(series)


def code_values(column: FileColumn, values: Sequence[Any], empty: dict[str, Any]) -> list[Any]:
    """The cells of a column as numbers, dates or texts; `empty`: what an empty cell holds, by the reason."""
    nothing = empty.get(column.empty) if column.values else None
    if column.values:
        codes: dict[str | None, Any] = {value.value: value.code for value in column.values} | {None: nothing}
        return [codes[value] for value in values]
    if column.kind is ColumnKind.NUMBER:
        return [None if value is None else float(value) for value in values]
    if column.kind is ColumnKind.DAY:
        return [None if value is None else date.fromisoformat(value) for value in values]
    return ["" if value is None else value for value in values]


def column_labels(sheet: Sheet) -> list[str | None]:
    return [label_of(column, sheet.language) for column in sheet.columns]


def label_of(column: FileColumn, language: str) -> str:
    title = column.title(language)
    if column.disguised:
        title = f"DISGUISED, not the truth: {title}"
    return cut(title, LONGEST_TITLE)


def value_labels(sheet: Sheet, empty: dict[str, Any]) -> dict[str, dict[Any, str]]:
    labels: dict[str, dict[Any, str]] = {}
    for column in sheet.columns:
        if column.values:
            own = {value.code: (value.label.get(sheet.language) or value.value) for value in column.values}
            if column.empty and (code := empty.get(column.empty)) is not None:
                own[code] = column.empty
            labels[column.variable] = {code: cut(label, LONGEST_LABEL) for code, label in own.items()}
    return labels


def _type(column: FileColumn, values: Sequence[Any]) -> Any:
    """The type of a column in pandas: float where all values are numbers; Stata's codes for missing are letters."""
    if column.values and not any(isinstance(value, str) for value in set(values)):
        return float
    return float if column.kind is ColumnKind.NUMBER else object


def cut(text: str, most: int) -> str:
    """The text in at most so many bytes, no character in halves."""
    return text.encode()[:most].decode(errors="ignore")


def in_lines(text: str, width: int) -> list[str]:
    return ["".join(piece) for piece in zip(*[chain(text, " " * (-len(text) % width))] * width, strict=True)]


def overwrite(path: Path, start: int, content: bytes) -> None:
    with path.open("r+b") as file:
        file.seek(start)
        file.write(content)
