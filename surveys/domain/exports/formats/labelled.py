"""SPSS (.sav) and Stata (.dta): numbers with value labels and codes for missing answers, as pyreadstat writes them.

SPSS files have the design in their note; Stata's have no note, only a label.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from itertools import chain
from mmap import ACCESS_READ, mmap
from pathlib import Path
from typing import TYPE_CHECKING, Any

from privacy.version import maker
from surveys.domain.exports.columns import NOT_ANSWERED, NOT_ASKED, FileColumn
from surveys.domain.exports.sheet import Sheet
from surveys.domain.responses.snapshots import cite
from surveys.questions.question import ColumnKind

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


SPSS_EMPTY: dict[str, Any] = {NOT_ASKED: -1, NOT_ANSWERED: -2}  # codes of values are never negative
CREATED = 92  # where the header says when the file was written: the same file has the same bytes, whenever it is made
NOTE = (
    "Disguised answers may differ from the truth at random: never tabulate them.",
    "Shares are reconstructed; the codebook and the scripts beside this file say how.",
    "Exact design, numerators out of 2^32:",
)


def write_spss(path: Path, sheet: Sheet) -> None:
    import pyreadstat

    coded = [column for column in sheet.columns if column.values and column.empty]
    pyreadstat.write_sav(
        frame_of(sheet, SPSS_EMPTY),
        str(path),
        file_label=f"Candor, snapshot {cite(sheet.snapshot)[:40]}",
        column_labels=column_labels(sheet),
        variable_value_labels=value_labels(sheet, SPSS_EMPTY),
        missing_ranges={column.variable: [SPSS_EMPTY[column.empty]] for column in coded},
        note=[maker(), *NOTE, *in_lines(sheet.design.canonical().decode(), 80)],
        variable_measure={column.variable: "nominal" if column.values else "unknown" for column in sheet.columns},
    )
    overwrite(path, CREATED, b"01 Jan 00" + b"00:00:00")


STATA_EMPTY: dict[str, Any] = {NOT_ASKED: "a", NOT_ANSWERED: "b"}  # .a and .b


LONGEST_NAME = 129  # bytes of a name in the file, with the zero that ends it


def write_stata(path: Path, sheet: Sheet) -> None:
    import pyreadstat

    # pyreadstat calls the labels of a column as the column with its number, and refuses what is longer than a name of
    # Stata. So it writes short names, and the columns get their own afterwards.
    names = {column.variable: f"v{number}" for number, column in enumerate(sheet.columns)}
    coded = [column for column in sheet.columns if column.values and column.empty]
    pyreadstat.write_dta(
        frame_of(sheet, STATA_EMPTY).rename(columns=names),
        str(path),
        file_label=f"Disguised answers; design {sheet.design.sha256[:12]}; {maker()}"[:80],
        column_labels=[(label or "")[:80] for label in column_labels(sheet)],
        variable_value_labels={
            names[variable]: labels for variable, labels in value_labels(sheet, STATA_EMPTY).items()
        },
        missing_user_values={names[column.variable]: [STATA_EMPTY[column.empty]] for column in coded},
        version=15,
    )
    overwrite_after(path, b"<varnames>", b"".join(name.encode().ljust(LONGEST_NAME, b"\0") for name in names))
    # The same file has the same bytes, whenever it is made: behind the tag a byte says how long the time is.
    overwrite_after(path, b"<timestamp>", b"\x1101 Jan 2000 00:00")


def overwrite_after(path: Path, tag: bytes, content: bytes) -> None:
    with path.open("rb") as file, mmap(file.fileno(), 0, access=ACCESS_READ) as written:
        start = written.find(tag) + len(tag)
    overwrite(path, start, content)
