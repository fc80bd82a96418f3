"""`python -m papers [OUTDIR]`: the published experiments, run again, as CSV and SVG.

A part is a module with

    TITLE = "one line"
    ABOUT = about("…")                     # what about.toml says: what its paper claims, what came out here
    DATA = (ADULT,)                        # files of reference data without which it writes less, if there are any
    def write(folder: Path) -> None        # writes its files there, with stated seeds

This package is not installed with the library, and nothing but tests and benchmarks imports it.
"""

import csv
import io
from collections.abc import Iterable, Sequence
from importlib import import_module
from pathlib import Path
from types import ModuleType

from privacy.draw.chart import svg_document
from privacy.files import whole_file

PARTS = (
    "papers.experiment",
    "papers.channels_of_ten",
    "papers.breach",
    "papers.local_recoding",
    "papers.notes_on_anonymity",
    "papers.places",
    "papers.mined",
    "papers.private_mining",
)


def parts() -> list[ModuleType]:
    """The modules that write figures, in the order of the page."""
    return [import_module(name) for name in PARTS]


def write_table(path: Path, headings: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Write a CSV file; numbers have six digits, what there is no figure for (NaN) is empty."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(headings)
    writer.writerows([_cell_text(value) for value in row] for row in rows)
    write_text(path, text.getvalue())


def write_chart(path: Path, svg: str) -> None:
    """Write a chart, as `privacy.draw` makes it for pages, as an SVG file."""
    write_text(path, svg_document(svg))


def write_text(path: Path, text: str) -> None:
    with whole_file(path) as file:
        file.write(text.encode())


def _cell_text(value: object) -> object:
    if isinstance(value, float):
        return "" if value != value else f"{value:.6g}"
    return value
