"""What each part says of its paper, and the page made of it: papers.md beside the figures, and in docs."""

import tomllib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any


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
    with Path(__file__).with_suffix(".toml").open("rb") as file:
        return tomllib.load(file)


_TEXTS = _read()
PAPERS: dict[str, str] = _TEXTS["papers"]
"""The five papers as CITATION.cff names them, by the key that a part names."""

TITLE = "The five papers, and what came out here"
LEAD = (
    "make papers runs the published experiments again, with stated seeds. For each paper: what it claims, what came "
    "out here, and where and why it differs. All of it takes about two minutes of one processor."
)
ROWS: Sequence[tuple[str, Callable[[About], str]]] = (
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
            lines += [f"| {name} | {say(own)} |" for name, say in ROWS]
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
