"""SPSS (.sav), with value labels, codes for missing answers, and the design in the note of the file."""

from pathlib import Path
from typing import Any

from django.utils.translation import gettext_lazy

from surveys.domain.exports.columns import NOT_ANSWERED, NOT_ASKED
from surveys.domain.exports.formats.labelled import column_labels, frame_of, in_lines, overwrite, value_labels
from surveys.domain.exports.sheet import Sheet
from surveys.domain.responses.snapshots import cite

NAME, CONTENT_TYPE, NEEDS = "sav", "application/x-spss-sav", "pyreadstat"
LABEL = gettext_lazy("SPSS (.sav)")
EMPTY: dict[str, Any] = {NOT_ASKED: -1, NOT_ANSWERED: -2}  # codes of values are never negative
CREATED = 92  # where the header says when the file was written: the same file has the same bytes, whenever it is made
NOTE = (
    "Disguised answers may differ from the truth at random: never tabulate them.",
    "Shares are reconstructed; the codebook and the scripts beside this file say how.",
    "Exact design, numerators out of 2^32:",
)


def write(path: Path, sheet: Sheet) -> None:
    import pyreadstat

    coded = [column for column in sheet.columns if column.values and column.empty]
    pyreadstat.write_sav(
        frame_of(sheet, EMPTY),
        str(path),
        file_label=f"Candor, snapshot {cite(sheet.snapshot)[:40]}",
        column_labels=column_labels(sheet),
        variable_value_labels=value_labels(sheet, EMPTY),
        missing_ranges={column.variable: [EMPTY[column.empty]] for column in coded},
        note=[*NOTE, *in_lines(sheet.design.canonical().decode(), 80)],
        variable_measure={column.variable: "nominal" if column.values else "unknown" for column in sheet.columns},
    )
    overwrite(path, CREATED, b"01 Jan 00" + b"00:00:00")
