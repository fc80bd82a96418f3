"""The pages for readers, as text: their headings, their links and the names that they print as code."""

import re
from pathlib import Path

from tests.servers import ROOT

NO_GUIDES = ("README.md", "design.md", "papers.md")  # the menu, what changes the code, and what `make papers` writes
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("**/*.md")])
_FENCED = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
_PLANNED = re.compile(r"^## Planned$.*?(?=^## |\Z)", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"\]\((?!https?:|mailto:)([^)\s]+)\)")


def text_of(page: Path) -> str:
    return page.read_text(encoding="utf-8")


def name_of(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def built(text: str) -> str:
    """What a page says of the program as it is, without the section of what is planned."""
    return _PLANNED.sub("", text)


def links(text: str) -> list[tuple[str, str]]:
    """The path and the anchor of each link that stays in the repository; either may be empty."""
    targets = [target.partition("#") for target in _LINK.findall(_FENCED.sub("", text))]
    return [(path, anchor) for path, _, anchor in targets]


def anchors(text: str) -> set[str]:
    """The anchors that repository hosts make of headings: small letters, no punctuation, hyphens for spaces."""
    headings = re.findall(r"^#+ (.+)$", _FENCED.sub("", text), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def code_names(text: str) -> set[str]:
    """What stands between single backticks, in running text and tables."""
    return set(re.findall(r"`([^`\n]+)`", _FENCED.sub("", text)))
