"""The page of the papers says for each what it claims, what came out and where it differs, and shows the pictures."""

import csv
import re
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest
import yaml

from papers import about, local_recoding, parts
from papers.adult import ADULT
from papers.reference import how_to_get, reference_file

DOCS = Path(__file__).parents[2] / "docs"


@pytest.fixture(scope="module")
def rows() -> ModuleType:
    """They compute their titles when they are loaded, which takes a second: not where tests are only collected."""
    return import_module("papers.rows")


def test_every_paper_has_a_part_and_every_part_its_text() -> None:
    """All five papers, and no part without claims, results, differences and pictures."""
    texts = [part.ABOUT for part in parts()]

    assert {one.paper for one in texts} == set(about.PAPERS)
    assert all(one.claims and one.found and one.differs and one.pictures for one in texts)


def test_the_page_in_the_documents_is_that_of_the_parts(rows: ModuleType) -> None:
    """docs/papers.md is what `make papers` writes, and its pictures are there."""
    page = about.as_markdown(parts(), "images/papers", rows.as_markdown(cells_on_the_page(rows)))

    assert (DOCS / "papers.md").read_text(encoding="utf-8") == page
    assert all((DOCS / picture).exists() for picture in re.findall(r"!\[[^]]*\]\(([^)]+)\)", page))


def cells_on_the_page(rows: ModuleType) -> list[list[str]]:
    """The table at the end of docs/papers.md, without its headings."""
    lines = (DOCS / "papers.md").read_text(encoding="utf-8").partition(rows.TITLE)[2].splitlines()
    return [line[2:-2].split(" | ") for line in lines if line.startswith("| ")][2:]


def test_every_row_of_the_page_is_computed(rows: ModuleType) -> None:
    """All rows in their order, each with a verdict; what needs no long run is computed again, and is the same."""
    cells = cells_on_the_page(rows)

    assert [(short, name) for short, name, *_ in cells] == [(rows.SHORT[row.paper], row.name) for row in rows.ROWS]
    assert all(len(line) == len(rows.HEADINGS) and all(line) for line in cells)
    nothing = rows.tables_in(Path("nowhere"))
    quick = {row.name: list(row.written(nothing)) for row in rows.ROWS if not row.reads}
    assert len(quick) > 30
    assert quick == {line[1]: line for line in cells if line[1] in quick}


def test_a_row_that_differs_from_its_paper_says_why(rows: ModuleType) -> None:
    """Otherwise there is no table; where the paper prints nothing there is nothing to differ from."""
    row = rows.Row("2010", "a number", "candor", lambda _: "2", "3")

    with pytest.raises(ValueError, match="a number: 2 is not 3, and nothing says why"):
        row.verdict("2")
    assert [row.verdict("3"), replace(row, printed=rows.NOTHING).verdict("2")] == ["the same", "runs"]
    assert replace(row, why="a slip of the paper").verdict("2") == "a slip of the paper"


def test_the_papers_are_named_as_they_are_cited() -> None:
    """Title and authors of each, as CITATION.cff has them from the papers' own first pages."""
    cited = yaml.safe_load((DOCS.parent / "CITATION.cff").read_text(encoding="utf-8"))["references"]
    named = [
        sorted(
            name
            for name in about.PAPERS.values()
            if paper["title"] in name and all(known_as(one) in name for one in paper["authors"])
        )
        for paper in cited
    ]

    assert sorted(name for (name,) in named) == sorted(about.PAPERS.values())


def known_as(author: dict[str, str]) -> str:
    return author.get("name") or f"{author['family-names']} {author['given-names']}"


def test_the_page_says_which_algorithm_the_paper_finds_fastest() -> None:
    """K-ACLUK, by the first sentence of its experiment, and not ILP-L, as its last one slips."""
    claims = local_recoding.ABOUT.claims

    assert claims.startswith("K-ACLUK is far faster than ILP-based L-diversity, which needs less than half the time of")
    assert "as published" not in (DOCS / "papers.md").read_text(encoding="utf-8")


def test_the_page_beside_the_figures_shows_what_was_written() -> None:
    """A picture whose data is absent is left out, and nothing else."""
    page = about.as_markdown(parts(), ".", written=lambda file: file == "places-side.svg")

    assert re.findall(r"!\[[^]]*\]\(([^)]+)\)", page) == ["./places-side.svg"]
    assert page.count("\n## ") == 5


@pytest.mark.long
def test_the_findings_of_the_paper_hold_on_adult(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """At k = 20: bottom-up loses less than ILP-L and far less than K-ACLUK, and no class is homogeneous at the end."""
    if not reference_file(ADULT).exists():
        pytest.skip(how_to_get(ADULT))
    monkeypatch.setattr(local_recoding, "KS", (20,))

    local_recoding.write(tmp_path)

    with (tmp_path / "local-recoding.csv").open(newline="") as file:
        measured = {row["algorithm"]: row for row in csv.DictReader(file)}
    penalty = {name: float(row["penalty"]) for name, row in measured.items()}
    seconds = {name: float(row["seconds"]) for name, row in measured.items()}
    assert seconds["K-ACLUK"] * 4 < seconds["ILP-based L-diversity"] < seconds["Bottom-up k-anonymity"]
    squares = [float(row["discernibility"]) for row in measured.values()]
    assert penalty["Bottom-up k-anonymity"] < penalty["ILP-based L-diversity"] < penalty["K-ACLUK"] / 4
    assert max(squares) < 1.5 * min(squares)
    assert max(float(row["homogeneous classes"]) for row in measured.values()) < 0.002
    with (tmp_path / "distortion.csv").open(newline="") as file:
        (change,) = csv.DictReader(file)
    assert (float(change["homogeneous after"]), float(change["records changed"]) < 0.002) == (0.0, True)
    assert {path.name for path in tmp_path.glob("*.svg")} == {file for file, _ in local_recoding.ABOUT.pictures}
