"""Lines of JavaScript and templates are as short as those of Python, which ruff keeps."""

import re

import pytest

from tests.servers import ROOT
from tests.sources import ours

LONGEST = 120  # of Python, too


def _without_texts(source: str) -> list[str]:
    """Its lines without their texts, which stay whole for who looks for one."""
    lines = re.sub(r"`[^`]*`", lambda text: "\n" * text[0].count("\n"), source).splitlines()
    return [re.sub(r"""(['"]).*?\1""", "", line) for line in lines]


@pytest.mark.parametrize("name", ours("*.js", "*.mjs"))
def test_lines_of_javascript_are_short(name: str) -> None:
    """Nobody scrolls sideways, but for a text that people read as a whole."""
    lines = _without_texts((ROOT / name).read_text(encoding="utf-8"))

    assert [number for number, line in enumerate(lines, 1) if len(line) > LONGEST] == []


@pytest.mark.parametrize("name", ours("*.html"))
def test_lines_of_templates_are_short(name: str) -> None:
    """A line is long by tags of Django and by quoted values alone, which cannot be broken."""
    lines = (ROOT / name).read_text(encoding="utf-8").splitlines()
    bare = [re.sub(r"""{%.*?%}|{{.*?}}|(['"]).*?\1""", "", line) for line in lines]

    assert [number for number, line in enumerate(bare, 1) if len(line) > LONGEST] == []
