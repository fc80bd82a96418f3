"""`python -m privacy.papers [OUTDIR] [--also MODULE]`: the published experiments, run again, as CSV and SVG.

A part is a module with

    TITLE = "one line"
    ABOUT = About(…)                       # what its paper claims, what came out here, where and why it differs
    def write(folder: Path) -> None        # writes its files there, with stated seeds

The parts of this layer are listed here. Those of the layers above, which this one may not know, are named on the
command line by `make papers`.
"""

import csv
import io
from collections.abc import Iterable, Sequence
from importlib import import_module
from pathlib import Path
from types import ModuleType

from privacy.draw.chart import svg_document
from privacy.records.files import whole_file

__all__ = ["parts", "write_chart", "write_table"]

PARTS = (
    "privacy.papers.experiment",
    "privacy.papers.channels_of_ten",
    "privacy.papers.breach",
    "privacy.papers.local_recoding",
    "privacy.papers.notes_on_anonymity",
    "privacy.papers.places",
)


def parts(also: Iterable[str] = ()) -> list[ModuleType]:
    """Import the modules that write figures.

    Parameters
    ----------
    also : iterable of str
        The names of modules of other layers, which come after those of this one.

    Returns
    -------
    list of module

    Examples
    --------
    >>> parts()[0].__name__
    'privacy.papers.experiment'
    """
    return [import_module(name) for name in (*PARTS, *also)]


def write_table(path: Path, headings: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Write a CSV file; numbers have six digits, what there is no figure for is empty.

    Parameters
    ----------
    path : Path
        The file, which appears only when it is complete.
    headings : sequence of str
        The first row.
    rows : iterable of sequence
        A value for each heading; NaN is what there is no figure for.

    Returns
    -------
    None

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_table(Path(folder, "leak.csv"), ["items", "leak"], [[1, 1 / 3], [2, float("nan")]])
    ...     Path(folder, "leak.csv").read_text()
    'items,leak\\n1,0.333333\\n2,\\n'
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(headings)
    writer.writerows([_written(value) for value in row] for row in rows)
    with whole_file(path) as file:
        file.write(text.getvalue().encode())


def write_chart(path: Path, svg: str) -> None:
    """Write a chart as an SVG file.

    Parameters
    ----------
    path : Path
        The file, which appears only when it is complete.
    svg : str
        The element, as `privacy.draw` makes it for pages.

    Returns
    -------
    None

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_chart(Path(folder, "empty.svg"), '<svg viewBox="0 0 640 400"></svg>')
    ...     Path(folder, "empty.svg").read_text()[:60]
    '<?xml version="1.0" encoding="UTF-8"?>\\n<svg viewBox="-16 -12'
    """
    with whole_file(path) as file:
        file.write(svg_document(svg).encode())


def _written(value: object) -> object:
    if isinstance(value, float):
        return "" if value != value else f"{value:.6g}"
    return value
