"""Guides say what happens."""

from pathlib import Path
from shutil import copytree

import pytest

from tests.docs.guide import BLOCK, FIRST, played
from tests.docs.pages import text_of

GUIDES = [
    page
    for page in sorted((Path(__file__).parents[2] / "docs").glob("*.md"))
    if any(kind == "python" or content.startswith("$ ") for kind, content in BLOCK.findall(text_of(page)))
]


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of somebody who has read the first guide."""
    folder = tmp_path_factory.mktemp("guides")
    played(text_of(GUIDES[0].with_name(FIRST)), folder)
    return folder


LONG = ("analysts.md", "anonymize.md", "evidence.md", "plan.md", "release.md")  # which need some seconds each


@pytest.mark.parametrize(
    "guide",
    [pytest.param(guide, marks=[pytest.mark.long] if guide.name in LONG else []) for guide in GUIDES],
    ids=lambda guide: guide.name,
)
def test_a_guide_shows_what_its_examples_give(guide: Path, files: Path, tmp_path: Path) -> None:
    """Run from top to bottom, every example of the guide prints what the guide says it prints."""
    copytree(files, tmp_path, dirs_exist_ok=True)

    shown = text_of(guide)

    assert played(shown, tmp_path) == shown, f"read it, then: python -m tests.docs.guide docs/{guide.name}"
