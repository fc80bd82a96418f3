"""How to cite the program."""

import re
import tomllib

import yaml

from tests.servers import ROOT

CITED = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))


def test_the_citation_names_the_program_as_it_is() -> None:
    """Name, version and licence are those that the package has."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]

    assert {name: CITED[name] for name in ("cff-version", "type", "title", "version", "license")} == {
        "cff-version": "1.2.0",
        "type": "software",
        "title": "Candor",
        "version": project["version"],
        "license": project["license"],
    }


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
