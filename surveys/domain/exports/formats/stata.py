"""Stata (.dta), with value labels and its own letters for missing answers. Its files have no note, only a label."""

from mmap import ACCESS_READ, mmap
from pathlib import Path
from typing import Any

from django.utils.translation import gettext_lazy

from surveys.domain.exports.columns import NOT_ANSWERED, NOT_ASKED
from surveys.domain.exports.formats.labelled import column_labels, frame_of, overwrite, value_labels
from surveys.domain.exports.sheet import Sheet

NAME, CONTENT_TYPE, NEEDS = "dta", "application/x-stata-dta", "pyreadstat"
LABEL = gettext_lazy("Stata (.dta)")
EMPTY: dict[str, Any] = {NOT_ASKED: "a", NOT_ANSWERED: "b"}  # .a and .b


LONGEST_NAME = 129  # bytes of a name in the file, with the zero that ends it


def write(path: Path, sheet: Sheet) -> None:
    import pyreadstat

    # pyreadstat calls the labels of a column as the column with its number, and refuses what is longer than a name of
    # Stata. So it writes short names, and the columns get their own afterwards.
    names = {column.variable: f"v{number}" for number, column in enumerate(sheet.columns)}
    coded = [column for column in sheet.columns if column.values and column.empty]
    pyreadstat.write_dta(
        frame_of(sheet, EMPTY).rename(columns=names),
        str(path),
        file_label=f"Disguised answers; design {sheet.design.sha256[:40]}",
        column_labels=[(label or "")[:80] for label in column_labels(sheet)],
        variable_value_labels={names[variable]: labels for variable, labels in value_labels(sheet, EMPTY).items()},
        missing_user_values={names[column.variable]: [EMPTY[column.empty]] for column in coded},
        version=15,
    )
    overwrite_after(path, b"<varnames>", b"".join(name.encode().ljust(LONGEST_NAME, b"\0") for name in names))
    # The same file has the same bytes, whenever it is made: behind the tag a byte says how long the time is.
    overwrite_after(path, b"<timestamp>", b"\x1101 Jan 2000 00:00")


def overwrite_after(path: Path, tag: bytes, content: bytes) -> None:
    with path.open("rb") as file, mmap(file.fileno(), 0, access=ACCESS_READ) as written:
        start = written.find(tag) + len(tag)
    overwrite(path, start, content)
