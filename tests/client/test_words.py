"""The interface's own words: both languages say everything."""

import json
import re
from collections.abc import Callable

from surveys.domain import bundle

PRINT = "import(process.argv[1]).then((module) => console.log(JSON.stringify(module.default)))"


def words(node: Callable[..., str], name: str) -> dict[str, str]:
    return dict(json.loads(node("-e", PRINT, bundle.CLIENT / name)))


def test_both_languages_have_the_same_words_and_the_same_places_for_figures(node: Callable[..., str]) -> None:
    """A figure that stands in the English sentence stands in the Chinese one."""
    english, chinese = words(node, "words-en.js"), words(node, "words-zh.js")
    places = re.compile(r"\{\w+\}")
    assert {key: sorted(places.findall(text)) for key, text in english.items()} == {
        key: sorted(places.findall(text)) for key, text in chinese.items()
    }


def test_every_word_that_the_page_asks_for_exists(node: Callable[..., str]) -> None:
    """No step of the way ends in an undefined text."""
    sources = [file.body.decode() for name, file in bundle.files().items() if re.fullmatch(r"[a-z]+\.js", name)]
    asked = {key for source in sources for key in re.findall(r"\bsay\('(\w+)'", source)}
    reasons = {key for source in sources for key in re.findall(r"(?:Stop|stop)\('(\w+)'", source)}
    assert asked | reasons | {f"{reason}Text" for reason in reasons} <= set(words(node, "words-en.js"))
