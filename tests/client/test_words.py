"""The interface's own words: both languages say everything."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from surveys.domain.demo.texts import SURVEYS
from surveys.domain.page import bundle
from tests.readability import grade, syllables

PRINT = "import(process.argv[1]).then((module) => console.log(JSON.stringify(module.WORDS)))"
LANGUAGES = ("en", "zh-hans")
PRINT_MODULES = """globalThis.document = { documentElement: {} };
Promise.all(process.argv.slice(1).map((module) => import(module))).then((modules) =>
  console.log(JSON.stringify(modules.map(({ words = {} }) => words))))"""
TABLES = {  # modules with words of their own, as the page names them
    "kinds of block": "kinds/*.js",
    "types of question": "questions/*.js",
    "practice and comprehension": "*/words.js",
}


@pytest.fixture(scope="module")
def page_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files of the page as a browser finds them; in the repository they stand in several folders."""
    folder = tmp_path_factory.mktemp("client")
    for name, file in bundle.files().items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(file.body)
    return folder


@pytest.fixture
def words(node: Callable[..., str]) -> dict[str, list[str]]:
    """The texts of each key, in both languages."""
    read: dict[str, dict[str, str]] = json.loads(node("-e", PRINT, bundle.CLIENT / "words.js"))
    assert {tuple(texts) for texts in read.values()} == {LANGUAGES}
    return {key: list(texts.values()) for key, texts in read.items()}


def test_both_languages_have_the_same_places_for_figures(words: dict[str, list[str]]) -> None:
    """A figure that stands in the English sentence stands in the Chinese one."""
    places = [[sorted(re.findall(r"\{\w+\}", text)) for text in texts] for texts in words.values()]
    assert [pair for pair in places if pair[0] != pair[1]] == []


def said_by(node: Callable[..., str], served: Path, table: str) -> list[dict[str, dict[str, str]]]:
    """The own words of every module of a table."""
    modules = sorted(served.glob(TABLES[table]))
    assert modules
    said: list[dict[str, dict[str, str]]] = json.loads(node("-e", PRINT_MODULES, *modules))
    return said


def test_every_kind_of_block_tells_how_it_disguises(node: Callable[..., str], page_folder: Path) -> None:
    """Respondents are told what happens to their answers, whatever the block."""
    assert [words for words in said_by(node, page_folder, "kinds of block") if "how" not in words] == []


@pytest.mark.parametrize("table", TABLES)
def test_a_kind_or_type_says_the_same_in_both_languages(
    node: Callable[..., str], page_folder: Path, table: str
) -> None:
    """What it says in English it says in Chinese, with the same figures."""
    texts = [text for words in said_by(node, page_folder, table) for text in words.values()]
    assert [text for text in texts if list(text) != ["en", "zh-hans"] or not all(text.values())] == []
    places = [[sorted(re.findall(r"\{\w+\}", words)) for words in text.values()] for text in texts]
    assert [pair for pair in places if pair[0] != pair[1]] == []


EXACT = {"sentence", "others", "believed"}  # stand under "Exactly", for those who want them
MOST_WORDS = 15
FIGURES = {"of": "100", "some": "28", "most": "72", "count": "3", "prior": "5%", "posterior": "29%"}


def test_respondents_read_a_newspapers_english(
    node: Callable[..., str], page_folder: Path, words: dict[str, list[str]]
) -> None:
    """Eight years of school are enough for all of it together, and for every text of eight words or more."""
    own = [
        (key, text["en"])
        for table in TABLES
        for said in said_by(node, page_folder, table)
        for key, text in said.items()
    ]
    demos = [(slug, demo[name]["en"]) for slug, demo in SURVEYS.items() for name in ("why", "who", "consent")]
    read = [
        re.sub(r"\{(\w+)\}", lambda name: FIGURES.get(name[1], "Yes"), text)
        for key, text in [*((key, text) for key, (text, _) in words.items()), *own, *demos]
        if key not in EXACT and len(text.split()) >= 8
    ]

    assert grade("\n".join(read)) <= 8
    assert [(round(grade(text), 1), text) for text in read if grade(text) > 8] == []


def test_no_sentence_has_more_than_fifteen_words(
    node: Callable[..., str], page_folder: Path, words: dict[str, list[str]]
) -> None:
    """Of the page, of every kind and type, of practice and reasons to stop: but of what stands under "Exactly"."""
    own = [
        (key, text["en"])
        for table in TABLES
        for said in said_by(node, page_folder, table)
        for key, text in said.items()
    ]
    sentences = [
        sentence
        for key, text in [*((key, text) for key, (text, _) in words.items()), *own]
        if key not in EXACT
        for sentence in re.split(r"(?<=[.?!:;])\s+", text)
    ]
    assert [one for one in sentences if len(one.split()) > MOST_WORDS] == []


def test_the_index_of_reading_is_the_published_one() -> None:
    """ "The cat sat on the mat." has six words of one syllable: 0.39·6 + 11.8 − 15.59; and longer words count more."""
    assert grade("The cat sat on the mat.") == pytest.approx(0.39 * 6 + 11.8 - 15.59)
    assert [syllables(word) for word in ("answers", "protected", "disguise", "stored", "people", "10")] == [
        2,
        3,
        2,
        1,
        2,
        1,
    ]


def test_every_word_that_the_page_asks_for_exists(
    node: Callable[..., str], page_folder: Path, words: dict[str, list[str]]
) -> None:
    """No step of the way ends in an undefined text, and no text is left over; the reasons to stop have their own."""
    (stopped,) = json.loads(node("-e", PRINT_MODULES, page_folder / "stopped" / "words.js"))
    code = "\n".join(
        file.body.decode()
        for name, file in bundle.files().items()
        if re.fullmatch(r"((questions|kinds)/)?[a-z-]+\.js", name)
    )
    quoted = set(re.findall(r"'(\w+)'", code))
    stops = bundle.files()["stopped/stopped.js"].body.decode()
    own = set(re.findall(r"\bwords\.(\w+)\b(?!')", stops))
    reasons = set(stopped) - own - {f"{reason}Text" for reason in stopped}
    derived = {f"{word}{ending}" for word in quoted for ending in ("Text", "Help")} | {
        f"uncovered{word}" for word in quoted
    }
    asked = set(re.findall(r"\bsay\('(\w+)'", code)) | set(re.findall(r"(?:Stop|stop)\('(\w+)'", code))
    assert asked - set(words) - reasons == set()
    assert set(words) - quoted - derived == set()
    assert own - set(stopped) == set()
    assert [reason for reason in reasons if f"{reason}:" not in code and f"'{reason}'" not in code] == []
