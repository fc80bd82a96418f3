"""The pages for readers hold together."""

import re

from tests.servers import ROOT


def test_every_link_leads_somewhere() -> None:
    """A link or picture inside the repository names a file that is there."""
    pages = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").glob("**/*.md")]
    lost = [
        f"{page.relative_to(ROOT)}: {target}"
        for page in pages
        for target in re.findall(r"\]\((?!https?:|#|mailto:)([^)#\s]+)", page.read_text())
        if not (page.parent / target).exists()
    ]
    assert lost == []
