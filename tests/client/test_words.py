"""The interface's own words: both languages say everything."""

import json
import re
from collections.abc import Callable

import pytest

from surveys.domain import bundle

PRINT = "import(process.argv[1]).then((module) => console.log(JSON.stringify(module.WORDS)))"
PRINT_KINDS = """import(process.argv[1]).then((kinds) =>
  console.log(JSON.stringify(Object.values(kinds).map(({ words }) => words))))"""


@pytest.fixture
def words(node: Callable[..., str]) -> dict[str, list[str]]:
    return dict(json.loads(node("-e", PRINT, bundle.CLIENT / "words.js")))


def test_both_languages_have_the_same_places_for_figures(words: dict[str, list[str]]) -> None:
    """A figure that stands in the English sentence stands in the Chinese one."""
    places = [[sorted(re.findall(r"\{\w+\}", text)) for text in texts] for texts in words.values()]
    assert [pair for pair in places if len(pair) != 2 or pair[0] != pair[1]] == []


def test_a_kind_of_block_says_the_same_in_both_languages(node: Callable[..., str]) -> None:
    """Each kind tells how it disguises; what it says in English it says in Chinese, with the same figures."""
    kinds: list[dict[str, dict[str, str]]] = json.loads(node("-e", PRINT_KINDS, bundle.PRIVACY / "kinds.js"))
    texts = [text for kind in kinds for text in kind.values()]
    assert [kind for kind in kinds if "how" not in kind] == []
    assert [text for text in texts if list(text) != ["en", "zh-hans"] or not all(text.values())] == []
    places = [[sorted(re.findall(r"\{\w+\}", words)) for words in text.values()] for text in texts]
    assert [pair for pair in places if pair[0] != pair[1]] == []


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
