"""Lines of JavaScript and templates are as short as those of Python, which ruff keeps."""

import re
from collections.abc import Iterable

from tests.servers import ROOT
from tests.sources import ours

LONGEST = 120  # of Python, too


def _without_texts(source: str) -> list[str]:
    """Its lines without their texts, which stay whole for who looks for one."""
    lines = re.sub(r"`[^`]*`", lambda text: "\n" * text[0].count("\n"), source).splitlines()
    return [re.sub(r"""(['"]).*?\1""", "", line) for line in lines]


def _long(lines: Iterable[str]) -> list[int]:
    return [number for number, line in enumerate(lines, 1) if len(line) > LONGEST]


def _sources(*patterns: str) -> dict[str, str]:
    return {name: (ROOT / name).read_text(encoding="utf-8") for name in ours(*patterns)}


def test_lines_of_javascript_are_short() -> None:
    """Nobody scrolls sideways, but for a text that people read as a whole."""
    lines = {name: _without_texts(source) for name, source in _sources("*.js", "*.mjs").items()}

    assert {name: found for name in lines if (found := _long(lines[name]))} == {}


def test_lines_of_templates_are_short() -> None:
    """A line is long by tags of Django and by quoted values alone, which cannot be broken."""
    bare = {
        name: [re.sub(r"""{%.*?%}|{{.*?}}|(['"]).*?\1""", "", line) for line in source.splitlines()]
        for name, source in _sources("*.html").items()
    }

    assert {name: found for name in bare if (found := _long(bare[name]))} == {}
