"""Stata (.dta), with value labels and its own letters for missing answers. Its files have no note, only a label."""

from pathlib import Path
from typing import Any

from django.utils.translation import gettext_lazy

from surveys.domain.exports.columns import NOT_ANSWERED, NOT_ASKED
from surveys.domain.exports.formats.labelled import column_labels, frame_of, overwrite, value_labels
from surveys.domain.exports.sheet import Sheet

NAME, CONTENT_TYPE, NEEDS = "dta", "application/x-stata-dta", "pyreadstat"
LABEL = gettext_lazy("Stata (.dta)")
EMPTY: dict[str, Any] = {NOT_ASKED: "a", NOT_ANSWERED: "b"}  # .a and .b


def write(path: Path, sheet: Sheet) -> None:
    import pyreadstat

    coded = [column for column in sheet.columns if column.values and column.empty]
    pyreadstat.write_dta(
        frame_of(sheet, EMPTY),
        str(path),
        file_label=f"Disguised answers; design {sheet.design.sha256[:40]}",
        column_labels=[(label or "")[:80] for label in column_labels(sheet)],
        variable_value_labels=value_labels(sheet, EMPTY),
        missing_user_values={column.variable: [EMPTY[column.empty]] for column in coded},
        version=15,
    )
    with path.open("rb") as file:
        start = file.read(1024).index(b"<timestamp>") + len(b"<timestamp>") + 1
    overwrite(path, start, b"01 Jan 2000 00:00")  # the same file has the same bytes, whenever it is made
