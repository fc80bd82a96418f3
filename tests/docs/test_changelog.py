"""The changelog can be read in one sitting."""

import re

from tests.docs.pages import text_of
from tests.servers import ROOT

LINES, CHARACTERS = 60, 160


def test_a_release_is_at_most_sixty_lines_of_what_people_notice() -> None:
    """What is longer belongs into the guides: each release has 60 lines at most, of 160 characters at most."""
    _, *releases = re.split(r"^## ", text_of(ROOT / "CHANGELOG.md"), flags=re.MULTILINE)
    too_long = {
        release.partition("\n")[0]: [line for line in lines if len(line) > CHARACTERS] or len(lines)
        for release in releases
        if len(lines := [line for line in release.splitlines()[1:] if line]) > LINES
        or max(map(len, lines), default=0) > CHARACTERS
    }

    assert too_long == {}
