"""The formats of record files, each in one module: its name, what it is for, and how a sheet becomes a file.

`NEEDS` is a package without which the site cannot write it; `write` leaves nothing half done behind.
"""

from types import ModuleType

from surveys.domain.exports.formats import csv, json_lines, parquet, spss, stata

FORMATS: dict[str, ModuleType] = {each.NAME: each for each in (csv, json_lines, spss, stata, parquet)}
