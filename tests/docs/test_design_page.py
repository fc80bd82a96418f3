"""The pages of the design and of the formats speak of the commands, rooms and kinds that there are."""

import re
import tomllib
from itertools import pairwise

import pytest

import surveys.domain
from candor.commands import main
from privacy.design.block import BlockKind
from privacy.design.blocks import KINDS
from surveys.domain.exports.files import FILES
from surveys.kinds import FORMS
from tests.docs.pages import anchors, built, text_of
from tests.imports import ROOMS
from tests.servers import ROOT

PAGE = built(text_of(ROOT / "docs" / "design.md"))
COMMANDS = text_of(ROOT / "docs" / "command-line.md")
COMMAND = re.compile(r"^(?:\$ )?candor ([a-z]+)([^|>\n]*)", re.MULTILINE)


MOST_BYTES = 37_100
OF_DJANGO = ("migrations", "templatetags", "management", "urls", "apps")  # what it asks of every app


def test_the_design_is_read_in_one_sitting() -> None:
    """Proofs are beside the code that they justify, and words on a page of their own: the rest is short."""
    assert len(text_of(ROOT / "docs" / "design.md").encode()) <= MOST_BYTES


def test_a_word_is_explained_once() -> None:
    """One word means one thing: none has two rows on the page of words."""
    rows = re.findall(r"^\| (?!word \||---)([^|]+) \|", text_of(ROOT / "docs" / "words.md"), re.MULTILINE)
    words = [word for row in rows for word in row.split(", ")]

    assert words
    assert sorted(words) == sorted(set(words))


def printed_by(arguments: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("COLUMNS", "100")
    with pytest.raises(SystemExit):
        main(arguments)
    return capsys.readouterr().out


def test_every_command_of_the_page_exists(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Outside the section of what is planned, the pages name just those commands that `candor --help` lists."""
    named = set(re.findall(r"^candor ([a-z]+)|`candor ([a-z]+)", PAGE + COMMANDS, re.MULTILINE))
    listed = set(re.findall(r"^    (\w+)", printed_by(["--help"], capsys, monkeypatch), re.MULTILINE))

    assert {first or second for first, second in named} == listed


@pytest.mark.parametrize(("command", "usage"), COMMAND.findall(COMMANDS))
def test_every_option_of_the_page_exists(
    command: str, usage: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """An option that the page shows is one that the command has."""
    options = set(re.findall(r"--[a-z-]+", printed_by([command, "--help"], capsys, monkeypatch)))

    assert set(re.findall(r"--[a-z-]+", usage)) - options == set()


@pytest.mark.parametrize("package", ROOMS)
def test_the_rooms_are_those_whose_order_is_guarded(package: str) -> None:
    """The page lists the rooms of a package in their order, so that a person finds the room of any line."""
    table = re.split(rf"(?:In|The rooms of) `{package.replace('.', '/')}/`", PAGE, maxsplit=1)[1].split("\n\n", 2)[1]
    rooms = re.findall(r"`(\w+)(?:/|\.py)`", "".join(re.findall(r"^\| (`[^|]+)", table, re.MULTILINE)))

    assert rooms == [room for room in ROOMS[package] if room not in OF_DJANGO]


def test_the_package_describes_its_rooms_in_their_order() -> None:
    """So does the docstring of `surveys/domain/`."""
    described = surveys.domain.__doc__ or ""
    assert tuple(re.findall(r"(?:^|\. |\n)(\w+): ", " ".join(described.split()))) == ROOMS["surveys.domain"]


def rows_of(text: str, head: str) -> list[list[str]]:
    """The rows of the table that begins so, each as its cells."""
    table = text[text.index(head) :].split("\n\n", 1)[0]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in table.split("\n")[2:]]


def test_the_page_says_of_every_kind_what_it_can_do() -> None:
    """A kind is a row of its table, named as its module, and has the parts that it names."""
    parts = ("disguise", "patterns", "distribution", "sketch", "advisor", "words", "recipes")
    modules: dict[str, BlockKind] = {}
    for kind in KINDS:
        modules.setdefault(kind.block.__module__.split(".")[3].replace("_", "-"), kind)

    _, *rows = rows_of(PAGE, "| | disguise |")

    assert [row[0] for row in rows] == list(modules)
    for row, kind in zip(rows, modules.values(), strict=True):
        own = [bool(cell) for cell in row[1:]]
        assert own == [bool(getattr(kind, part)) for part in parts], row[0]


def test_the_guide_for_experts_names_every_way_of_disguising() -> None:
    """As the form of a block calls them, so that none is left out; what they are for in parentheses is left out."""
    rows = rows_of(text_of(ROOT / "docs" / "researchers.md"), "| disguised by |")
    named = [name for row in rows for name in row[0].split(" or ")]

    assert sorted(named) == sorted(re.sub(r" \([^)]*\)", "", form.label) for form in FORMS.values())


def test_the_guide_to_results_has_a_row_for_every_file() -> None:
    """A person who adds one says what it is for."""
    rows = rows_of(text_of(ROOT / "docs" / "results.md"), "| file | for |")
    named = [name for row in rows for name in re.findall(r"`([^`]+)`", row[0])]

    assert sorted(named) == sorted({*FILES, "study-pack.zip"})  # which adds itself where a site imports it


# Somebody who has read one guide alone can answer ten questions about it: each answer is a sentence of that guide.


QUESTIONS = tomllib.loads(text_of(ROOT / "tests" / "docs" / "questions.toml"))
TOO_LONG = 25  # words
# what a reader of the guide has not met before: where it is first written, it is explained, in bold or in italics
TERMS = {
    "which-design": ("γ", "design", "standard error", "item", "pair", "block", "advisor", "bias", "rule"),
    "results": ("estimate", "interval", "standard error", "support", "itemset", "snapshot"),
    "rules": ("itemset", "support", "rule", "confidence", "lift", "q", "shrunken", "direct group", "bins"),
    "guarantee": ("disguise", "γ", "differential privacy", "coin", "word", "cap", "prior"),
    "threat-model": ("inbox", "sealing", "undisguised questions", "submission key", "receipt", "token", "sealing keys"),
}


def plain(text: str) -> str:
    """The words that a reader sees, without marks of Markdown."""
    return " ".join(re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", text).replace("*", "").replace("`", "").split())


def guide(name: str) -> str:
    return text_of(ROOT / "docs" / f"{name}.md")


def sections(text: str) -> dict[str, str]:
    """What is below each heading, by its anchor; what comes before the second heading by ""."""
    heads = [*re.finditer(r"^##+ .+$", text, re.MULTILINE)]
    ends = [*(head.start() for head in heads), len(text)]
    below = {"": text[: ends[0]]}
    for head, (_, end) in zip(heads, pairwise(ends), strict=True):
        (anchor,) = anchors(head.group())
        below[anchor] = text[head.end() : end]
    return below


@pytest.mark.parametrize("name", QUESTIONS)
def test_a_guide_answers_ten_questions(name: str) -> None:
    """Each where it is said to, by a sentence of at most 25 words."""
    below = {anchor: plain(text) for anchor, text in sections(guide(name)).items()}
    asked = QUESTIONS[name]

    assert len({one["asks"] for one in asked}) == 10
    assert [one["asks"] for one in asked if one["says"] not in below.get(one["at"], "")] == []
    assert [one["says"] for one in asked if len(one["says"].split()) > TOO_LONG] == []


@pytest.mark.parametrize("name", [*QUESTIONS, "evidence", "release"])
def test_a_guide_begins_with_whom_it_is_for(name: str) -> None:
    """And what for, and the shortest way: somebody who needs no more can stop there."""
    first = guide(name).split("\n\n", 2)[1]

    assert re.findall(r"\*\*([^*]+?):\*\*", " ".join(first.split())) == ["For whom", "What for", "The shortest way"]


@pytest.mark.parametrize("name", TERMS)
def test_a_term_is_explained_where_it_is_first_written(name: str) -> None:
    """It is marked there; links and commands before it do not count."""
    body = guide(name).split("\n\n", 2)[2]  # after the title and the lines for whom
    text = re.sub(r"(?s:```.*?```)|\[[^]]*\]\([^)]*\)|`[^`]*`|^#+ .*$", "", body, flags=re.MULTILINE)
    text = " ".join(text.split())

    def is_explained(term: str) -> bool:
        first = re.search(rf"(\*{{0,2}})(?<!\w){re.escape(term)}s?(?!\w)", text, re.IGNORECASE)
        return first is not None and bool(first[1])

    assert [term for term in TERMS[name] if not is_explained(term)] == []
