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
import tomllib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

from privacy.draw.chart import svg_document
from privacy.files import whole_file

PARTS = (
    "papers.experiment",
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


@dataclass(frozen=True)
class About:
    """What a paper claims, what came out here, where and why it differs; pictures and a table that show it."""

    paper: str
    claims: str
    found: str
    differs: str
    pictures: Sequence[tuple[str, str]] = ()
    table: Sequence[Sequence[str]] = ()  # headings first


def _read() -> dict[str, Any]:
    with Path(__file__).with_name("about.toml").open("rb") as file:
        return tomllib.load(file)


_TEXTS = _read()
PAPERS: dict[str, str] = _TEXTS["papers"]
"""The five papers as CITATION.cff names them, by the key that a part names."""

TITLE = "The five papers, and what came out here"
LEAD = (
    "make papers runs the published experiments again, with stated seeds. For each paper: what it claims, what came "
    "out here, and where and why it differs. All of it takes about two minutes of one processor."
)
ABOUT_ROWS: Sequence[tuple[str, Callable[[About], str]]] = (
    ("It claims", lambda own: own.claims),
    ("Here", lambda own: own.found),
    ("Where it differs, and why", lambda own: own.differs),
)


def about(part: str) -> About:
    """What `about.toml` has of a part."""
    own = _TEXTS[part]
    texts = {name: " ".join(own[name].split()) for name in ("claims", "found", "differs")}
    pictures = [(file, caption) for file, caption in own["pictures"]]
    return About(own["paper"], **texts, pictures=pictures, table=own.get("table", ()))


def as_markdown(
    parts: Iterable[ModuleType],
    folder: str,
    table: Sequence[str] = (),
    written: Callable[[str], bool] = lambda _file: True,
) -> str:
    """The page as Markdown: every part, its pictures in the folder if they were `written`, and the lines of a table."""
    lines = [f"# {TITLE}", "", LEAD.replace("make papers", "`make papers`", 1), ""]
    for paper, modules in _by_paper(parts):
        lines += [f"## {paper}", ""]
        for module in modules:
            own: About = module.ABOUT
            lines += [f"### {module.TITLE}", "", "| | |", "| --- | --- |"]
            lines += [f"| {name} | {say(own)} |" for name, say in ABOUT_ROWS]
            pictures = [f"![{caption}]({folder}/{file})" for file, caption in own.pictures if written(file)]
            lines += ["", *_markdown_table(own.table), *pictures, ""]
    lines += table
    return "\n".join(lines).rstrip() + "\n"


def _markdown_table(rows: Sequence[Sequence[str]]) -> list[str]:
    if not rows:
        return []
    lines = [rows[0], ["---"] * len(rows[0]), *rows[1:]]
    return [*("| " + " | ".join(line) + " |" for line in lines), ""]


def _by_paper(parts: Iterable[ModuleType]) -> list[tuple[str, list[ModuleType]]]:
    listed = list(parts)
    return [(name, [part for part in listed if part.ABOUT.paper == key]) for key, name in PAPERS.items()]
