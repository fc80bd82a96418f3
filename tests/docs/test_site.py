"""The documentation site as `make docs` builds it, which `make test-long` does first: a warning is an error there."""

import re
from pathlib import Path

import pytest

import candor
from candor.commands import ORDER
from config.api.document import OPERATIONS
from tests.docs.pages import text_of
from tests.servers import ROOT

pytestmark = pytest.mark.long
SITE = ROOT / "var" / "docs" / "html"
FROM_ELSEWHERE = re.compile(
    r"""<(?:script|link|img|iframe|source)\b[^>]*\s(?:src|href)=["']?(?:https?:)?//|(?:url\(|@import\s)["']?(?:https?:)?//"""
)


def anchors(page: str) -> set[str]:
    return set(re.findall(r'\sid="([^"]+)"', text_of(SITE / "docs" / "reference" / page)))


def test_the_reference_has_every_name_command_and_operation() -> None:
    """Each can be linked to, and none is written down by hand."""
    commands = {f"candor-{name}" for name in ORDER}

    assert {f"candor.{name}" for name in candor.__all__} - {"candor.models"} - anchors("library.html") == set()
    assert "module-candor.models" in anchors("library.html")
    assert commands - anchors("commands.html") == set()
    assert {operation.name.lower() for operation in OPERATIONS} - anchors("operations.html") == set()


def test_every_page_is_in_the_site() -> None:
    """What a repository's host shows under docs can be read here."""
    pages = {page.relative_to(ROOT).with_suffix(".html") for page in (ROOT / "docs").glob("**/*.md")}

    assert {str(page) for page in pages if not (SITE / page).exists()} == set()


def test_the_site_asks_nothing_of_others() -> None:
    """No script, style, font or picture of another origin: reading is nobody else's business, and works offline."""
    files = [path for path in SITE.rglob("*") if path.suffix in (".html", ".css")]
    assert len(files) > 20

    assert [str(path.relative_to(SITE)) for path in files if FROM_ELSEWHERE.search(text_of(path))] == []


def test_the_search_finds_what_guides_are_about() -> None:
    """The index that the site's search reads knows these words."""
    index = text_of(Path(SITE, "searchindex.js"))

    assert [word for word in ("crosswis", "quota", "unic", "backup") if f'"{word}' not in index] == []
