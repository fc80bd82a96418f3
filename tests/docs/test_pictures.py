"""The pictures of the guides are made by walking the way that the guides tell."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.docs import pictures
from tests.docs.pages import PAGES, links, text_of
from tests.servers import Prepared, running_site


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

    assert {path.name for path in tmp_path.glob("*.png")} == shown
