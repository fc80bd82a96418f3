"""The formats of record files, each in one module: its name, what it is for, and how a sheet becomes a file."""

from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from surveys.domain.exports.formats import csv, json_lines, parquet, spss, stata
from surveys.domain.exports.sheet import Sheet


@dataclass(frozen=True)
class RecordFormat:
    """`needs` is a package without which the site cannot write it; `write` leaves nothing half done behind."""

    name: str
    label: Any  # a lazy translation
    content_type: str
    write: Callable[[Path, Sheet], None]
    needs: str = ""

    @property
    def is_there(self) -> bool:
        return not self.needs or find_spec(self.needs) is not None


FORMATS: dict[str, RecordFormat] = {
    each.NAME: RecordFormat(each.NAME, each.LABEL, each.CONTENT_TYPE, each.write, each.NEEDS)
    for each in (csv, json_lines, spss, stata, parquet)
}
