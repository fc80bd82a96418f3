"""The interface's own words: both languages say everything."""

import json
import re
from collections.abc import Callable

import pytest

from surveys.domain import bundle

PRINT = "import(process.argv[1]).then((module) => console.log(JSON.stringify(module.WORDS)))"


@pytest.fixture
def words(node: Callable[..., str]) -> dict[str, list[str]]:
    return dict(json.loads(node("-e", PRINT, bundle.CLIENT / "words.js")))


def test_both_languages_have_the_same_places_for_figures(words: dict[str, list[str]]) -> None:
    """A figure that stands in the English sentence stands in the Chinese one."""
    places = [[sorted(re.findall(r"\{\w+\}", text)) for text in texts] for texts in words.values()]
    assert [pair for pair in places if len(pair) != 2 or pair[0] != pair[1]] == []


def test_every_word_that_the_page_asks_for_exists(words: dict[str, list[str]]) -> None:
    """No step of the way ends in an undefined text, and no text is left over."""
    code = "\n".join(
        file.body.decode() for name, file in bundle.files().items() if re.fullmatch(r"(?!words)[a-z]+\.js", name)
    )
    quoted = set(re.findall(r"'(\w+)'", code)) | {"notOpen", "notFound", "closed", "notInvited", "spent"}
    derived = {f"{word}{ending}" for word in quoted for ending in ("Text", "Help")} | {
        f"uncovered{word}" for word in quoted
    }
    asked = set(re.findall(r"\bsay\('(\w+)'", code)) | set(re.findall(r"(?:Stop|stop)\('(\w+)'", code))
    assert asked - set(words) == set()
    assert set(words) - quoted - derived == set()
