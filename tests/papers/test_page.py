"""The page of the papers says for each what it claims, what came out and where it differs, and shows the pictures."""

import csv
import re
from pathlib import Path

import pytest
import yaml

from papers import about, local_recoding, parts
from papers.adult import ADULT
from papers.reference import how_to_get, reference_file

DOCS = Path(__file__).parents[2] / "docs"


def test_every_paper_has_a_part_and_every_part_its_text() -> None:
    """All five papers, and no part without claims, results, differences and pictures."""
    texts = [part.ABOUT for part in parts()]

    assert {one.paper for one in texts} == set(about.PAPERS)
    assert all(one.claims and one.found and one.differs and one.pictures for one in texts)


def test_the_page_in_the_documents_is_that_of_the_parts() -> None:
    """docs/papers.md is what `make papers` writes, and its pictures are there."""
    page = about.as_markdown(parts(), "images/papers")

    assert (DOCS / "papers.md").read_text(encoding="utf-8") == page
    assert all((DOCS / picture).exists() for picture in re.findall(r"!\[[^]]*\]\(([^)]+)\)", page))


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
    page = about.as_markdown(parts(), ".", lambda file: file == "places-side.svg")

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
        rows = {row["algorithm"]: row for row in csv.DictReader(file)}
    penalty = {name: float(row["penalty"]) for name, row in rows.items()}
    seconds = {name: float(row["seconds"]) for name, row in rows.items()}
    assert seconds["K-ACLUK"] * 4 < seconds["ILP-based L-diversity"] < seconds["Bottom-up k-anonymity"]
    squares = [float(row["discernibility"]) for row in rows.values()]
    assert penalty["Bottom-up k-anonymity"] < penalty["ILP-based L-diversity"] < penalty["K-ACLUK"] / 4
    assert max(squares) < 1.5 * min(squares)
    assert max(float(row["homogeneous classes"]) for row in rows.values()) < 0.002
    with (tmp_path / "distortion.csv").open(newline="") as file:
        (change,) = csv.DictReader(file)
    assert (float(change["homogeneous after"]), float(change["records changed"]) < 0.002) == (0.0, True)
    assert {path.name for path in tmp_path.glob("*.svg")} == {file for file, _ in local_recoding.ABOUT.pictures}
