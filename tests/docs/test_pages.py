"""The pages for readers hold together, and speak of what is there."""

import re
import subprocess
import tomllib
from functools import cache
from importlib import import_module
from pathlib import Path, PurePosixPath
from shutil import copytree
from typing import Any

import pytest
import yaml
from packaging.version import Version

from tests.docs.guide import BLOCK, DRAWN, FIRST, drawn, played
from tests.docs.pages import NO_GUIDES, PAGES, anchors, built, code_names, links, name_of, text_of
from tests.servers import ROOT

PACKAGES = ("benchmarks", "candor", "config", "mining", "papers", "privacy", "surveys", "tests")
SOURCE = (".cff", ".css", ".js", ".md", ".mjs", ".py", ".toml", ".yaml")


@pytest.fixture(scope="module")
def kept() -> set[str]:
    """Every file and folder of the repository, by its path."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT, capture_output=True, text=True, check=True,
    )  # fmt: skip
    files = [path for path in map(PurePosixPath, listed.stdout.splitlines()) if (ROOT / path).exists()]
    return {str(path) for file in files for path in (file, *file.parents)} - {"."}


def test_every_link_leads_somewhere() -> None:
    """A link or picture inside the repository names a file that is there, and a heading that this file has."""
    headings = cache(lambda target: anchors(text_of(target)))
    lost = []
    for page in PAGES:
        for path, anchor in links(text_of(page)):
            target = (page.parent / path).resolve() if path else page
            if not target.exists() or (anchor and anchor not in headings(target)):
                lost.append(f"{name_of(page)}: {path}#{anchor}")
    assert lost == []


def test_every_path_that_is_named_exists(kept: set[str]) -> None:
    """A name in code letters that begins with a folder of the repository, or ends as source does, is there."""
    names = {PurePosixPath(path).name for path in kept}
    tops = {path for path in kept if "/" not in path}

    def is_lost(name: str) -> bool:
        path = name.rstrip("/")
        if not re.fullmatch(r"[\w.-]+(/[\w.-]+)*/?", name):
            return False
        if "/" in name:
            return path.partition("/")[0] in tops and path not in kept
        return path.endswith(SOURCE) and path not in names

    assert [(name_of(page), name) for page in PAGES for name in code_names(built(text_of(page))) if is_lost(name)] == []


def test_every_module_that_is_named_exists() -> None:
    """A dotted name in code letters, as `privacy.guarantee.breach`, is a module or something that a module holds."""
    dotted = re.compile(rf"(?:{'|'.join(PACKAGES)})(?:\.\w+)+")
    named = [(name_of(page), name) for page in PAGES for name in code_names(built(text_of(page)))]
    assert [(page, name) for page, name in named if dotted.fullmatch(name) and not _is_there(name)] == []


def test_every_module_that_a_comment_names_exists(kept: set[str]) -> None:
    """The same of what docstrings and comments name: `mining.engines.bits.BitCounter` is found where it says."""
    named = {
        (path, name)
        for path in kept
        if path.endswith((".py", ".js")) and not path.startswith("tests/vendor")
        for name in re.findall(rf"`((?:{'|'.join(PACKAGES)})(?:\.\w+)+)`", text_of(ROOT / path))
    }
    assert len(named) > 20
    assert sorted((path, name) for path, name in named if not _is_there(name)) == []


def _is_there(name: str) -> bool:
    module, _, attribute = name.rpartition(".")
    if (ROOT / name.replace(".", "/")).is_dir() or (ROOT / f"{name.replace('.', '/')}.py").exists():
        return True
    try:
        return hasattr(import_module(module), attribute)
    except ModuleNotFoundError:
        return False


# What changed is said in short lines.


CHARACTERS = 160


def test_a_line_of_the_changelog_is_short() -> None:
    """What is longer belongs into the guides."""
    assert [line for line in text_of(ROOT / "CHANGELOG.md").splitlines() if len(line) > CHARACTERS] == []


# The guides are few, and read in an afternoon.


MOST_GUIDES, MOST_WORDS = 30, 55_000
MOST_RECORDS, WORDS_OF_A_RECORD = 80, 1_100


def test_the_guides_are_few_and_short() -> None:
    """Where they are full, what is new replaces old words; a page that says what another says is merged with it."""
    guides = [text_of(page) for page in (ROOT / "docs").glob("*.md") if page.name not in NO_GUIDES]

    assert len(guides) <= MOST_GUIDES
    assert sum(len(guide.split()) for guide in guides) <= MOST_WORDS


def test_the_decision_records_are_few_and_each_one_page() -> None:
    """What is kept is what rules today, and the figures that decided it; the bars of tables are no words."""
    records = [text_of(page) for page in (ROOT / "docs" / "decisions").glob("0*.md")]

    assert len(records) <= MOST_RECORDS
    assert max(len(record.replace("|", " ").split()) for record in records) <= WORDS_OF_A_RECORD


# How to cite the program.


CITED = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))


def test_the_citation_names_the_program_as_it_is() -> None:
    """Name and licence are those that the package has; the version is one that was released."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]

    assert {name: CITED[name] for name in ("cff-version", "type", "title", "license")} == {
        "cff-version": "1.2.0",
        "type": "software",
        "title": "Candor",
        "license": project["license"],
    }
    assert Version(CITED["version"]) <= Version(project["version"])


def test_the_papers_are_cited_whole() -> None:
    """Each of the five papers has a title, its authors and a word on what Candor takes from it."""
    assert [set(paper) >= {"type", "title", "authors", "notes"} for paper in CITED["references"]] == [True] * 5


def test_the_changelog_knows_this_version() -> None:
    """The newest version of the changelog, below what is unreleased, is the one that is cited, with its day."""
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    newest = [line for line in changelog.splitlines() if line.startswith("## ")][1]

    assert newest == f"## {CITED['version']} - {CITED['date-released']}"


def test_the_paper_has_what_the_journal_asks_for() -> None:
    """That of Open Source Software: its sections, 750 to 1 750 words, each reference cited and listed."""
    _, about, text = (ROOT / "paper.md").read_text(encoding="utf-8").split("---\n", 2)
    head = yaml.safe_load(about)
    listed = re.findall(r"^@\w+\{(\w+),", (ROOT / head["bibliography"]).read_text(encoding="utf-8"), re.MULTILINE)

    assert {"title", "tags", "authors", "affiliations", "date"} <= head.keys()
    assert re.findall(r"^# (.+)$", text, re.MULTILINE) == [
        "Summary",
        "Statement of need",
        "State of the field",
        "Software design",
        "Research impact statement",
        "AI usage disclosure",
        "Acknowledgements",
        "References",
    ]
    assert 750 <= len(text.split()) <= 1750
    assert sorted(set(re.findall(r"@(\w+)", text))) == sorted(listed)


# What documents say of themselves and of the tests is so.


def test_the_example_of_one_test_runs_one() -> None:
    """The word after -k is in the name of a test of the file before it."""
    example = re.search(r"pytest (\S+) -k (\w+)`", (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8"))
    assert example is not None
    file, word = example.groups()

    tests = re.findall(r"^def (test_\w+)", (ROOT / file).read_text(encoding="utf-8"), re.MULTILINE)

    assert [name for name in tests if word in name] != []


def test_the_seven_common_additions_come_first() -> None:
    """People find these without reading a long table, and everything else under its own heading."""
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    common, rest = text.split("## I want to add …", 1)[1].split("## Migrations", 1)[0].split("### Everything else", 1)
    first = [name.lower() for name in re.findall(r"^\*\*(.+?):\*\*", common, re.MULTILINE)]
    others = re.findall(r"^\| (?!what \||---)(.+?) \|", rest, re.MULTILINE)

    assert first == [
        "a page of staff about a survey or a version",
        "a type of question",
        "a kind of block",
        "a feature of a survey",
        "a command",
        "a format of surveys, in or out",
        "an operation of the api",
    ]
    assert set(first) & set(others) == set()


# Guides say what happens.


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


LONG = ("analysts.md", "evidence.md", "release.md", "which-design.md")  # which need some seconds each


@pytest.mark.parametrize(
    "guide",
    [pytest.param(guide, marks=[pytest.mark.long] if guide.name in LONG else []) for guide in GUIDES],
    ids=lambda guide: guide.name,
)
def test_a_guide_shows_what_its_examples_give(guide: Path, files: Path, tmp_path: Path) -> None:
    """Run from top to bottom, every example of the guide prints what the guide says it prints."""
    copytree(files, tmp_path, dirs_exist_ok=True)

    shown, names = text_of(guide), dict[str, Any]()

    again = f"read it, then: python -m tests.docs.guide docs/{guide.name}"
    assert played(shown, tmp_path, names) == shown, again
    if guide.stem in DRAWN:
        assert drawn(guide.stem, tmp_path, names) == text_of(guide.parent / "images" / f"{guide.stem}.svg"), again
