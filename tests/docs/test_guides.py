"""Guides say what happens."""

from pathlib import Path

import pytest

from tests.docs.guide import played

DOCS = Path(__file__).parents[2] / "docs"


@pytest.mark.parametrize("name", ["analysts.md", "guarantee.md", "release.md"])
def test_a_guide_shows_what_its_examples_give(name: str, tmp_path: Path) -> None:
    """Run from top to bottom, every example of the guide prints what the guide says it prints."""
    text = (DOCS / name).read_text(encoding="utf-8")

    assert played(text, tmp_path) == text, f"read it, then: python -m tests.docs.guide docs/{name}"
