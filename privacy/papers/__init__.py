"""`python -m privacy.papers [OUTDIR]`: the published experiments, run again, as CSV and SVG.

A part is a module with

    TITLE = "one line"
    def write(folder: Path) -> None        # writes its files there, with stated seeds

The parts of this layer are listed here; those of the layers above, which this one may not know, announce themselves in
the entry-point group `candor.papers`, each entry naming its module.
"""

import csv
import io
from collections.abc import Iterable, Sequence
from importlib import import_module
from importlib.metadata import entry_points
from pathlib import Path
from types import ModuleType

from privacy.draw.chart import svg_document
from privacy.records.files import whole_file

__all__ = ["parts", "write_chart", "write_table"]

PARTS = ("privacy.papers.experiment", "privacy.papers.channels_of_ten", "privacy.papers.breach")


def parts() -> list[ModuleType]:
    above = sorted(entry_points(group="candor.papers"), key=lambda entry: entry.name)
    return [import_module(name) for name in PARTS] + [entry.load() for entry in above]


def write_table(path: Path, headings: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Write a CSV file; numbers have six digits, what there is no figure for is empty."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(headings)
    writer.writerows([_written(value) for value in row] for row in rows)
    with whole_file(path) as file:
        file.write(text.getvalue().encode())


def write_chart(path: Path, svg: str) -> None:
    with whole_file(path) as file:
        file.write(svg_document(svg).encode())


def _written(value: object) -> object:
    if isinstance(value, float):
        return "" if value != value else f"{value:.6g}"
    return value
