"""The pictures of the guides are made by walking the way that the guides tell."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.docs import pictures
from tests.docs.pages import NO_GUIDES, PAGES, links, text_of
from tests.servers import ROOT, Prepared, running_site

# Read row by row when something is looked up, by people who run a site or write programs.
LOOKED_UP = {"api", "formats", "reviewers", "scale", "settings", "words"}


def test_a_guide_that_people_read_has_a_picture() -> None:
    """Of a page that they will see, or of what its examples have made; the others are tables and formats."""
    guides = {page.stem: text_of(page) for page in (ROOT / "docs").glob("*.md") if page.name not in NO_GUIDES}

    assert {name for name, text in guides.items() if "![" not in text} == LOOKED_UP


@pytest.mark.long
def test_every_picture_of_a_page_is_made_by_one_command(
    prepared: Prepared, browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every step of the first survey is where its guide says; no picture is left over, and none is missing."""
    shown = {
        Path(path).name
        for page in PAGES
        for path, _ in links(text_of(page))
        if re.search(r"images/[\w-]+[.]png$", path)
    }
    monkeypatch.setattr(pictures, "IMAGES", tmp_path)

    with running_site(prepared.copied(tmp_path / "data")) as site:
        pictures.draw(browser, site)
        page = browser.new_page(viewport={"width": 1180, "height": 760})
        page.goto(f"{site.url}/help/own-draw/")
        phone = page.get_by_role("article").get_by_role("img").evaluate("image => image.width")
        page.close()

    assert {path.name for path in tmp_path.glob("*.png")} == shown
    assert phone < 450, "as large as on a phone"
