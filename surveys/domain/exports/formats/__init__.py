"""The formats of record files: how a sheet becomes a file."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.utils.translation import gettext_lazy

from surveys.domain.exports.formats.labelled import write_spss, write_stata
from surveys.domain.exports.formats.plain import write_csv, write_json_lines, write_parquet
from surveys.domain.exports.sheet import Sheet


@dataclass(frozen=True)
class RecordFormat:
    """`needs` is a package without which the site cannot write it; `write` leaves nothing half done behind."""

    name: str
    content_type: str
    needs: str
    label: Any  # a lazy translation: what it is for
    write: Callable[[Path, Sheet], None]


FORMATS = {
    each.name: each
    for each in (
        RecordFormat(
            "csv",
            "text/csv; charset=utf-8",
            "",
            gettext_lazy("CSV: spreadsheets, R, Python, and the command candor"),
            write_csv,
        ),
        RecordFormat(
            "jsonl",
            "application/jsonl",
            "",
            gettext_lazy("JSON lines: programs, and the command candor"),
            write_json_lines,
        ),
        RecordFormat("sav", "application/x-spss-sav", "pyreadstat", gettext_lazy("SPSS (.sav)"), write_spss),
        RecordFormat("dta", "application/x-stata-dta", "pyreadstat", gettext_lazy("Stata (.dta)"), write_stata),
        RecordFormat(
            "parquet",
            "application/vnd.apache.parquet",
            "pyarrow",
            gettext_lazy("Parquet: pandas, R, DuckDB"),
            write_parquet,
        ),
    )
}
