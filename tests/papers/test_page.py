"""The page of the papers says for each what it claims, what came out and where it differs, and shows the pictures."""

import csv
import os
import re
import subprocess
import sys
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
import yaml

import papers
from papers import PARTS, local_recoding, parts
from papers.private_mining import RETAIL
from papers.reference import ADULT, how_to_get, reference_file
from privacy.draw.chart import Axis, Line, Points, chart
from tests.processors import PROCESSORS

DOCS = Path(__file__).parents[2] / "docs"


@pytest.fixture(scope="module")
def rows() -> ModuleType:
    """They compute their titles when they are loaded, which takes a second: not where tests are only collected."""
    return import_module("papers.rows")


def test_every_paper_has_a_part_and_every_part_its_text() -> None:
    """All five papers, and no part without claims, results, differences and pictures."""
    texts = [part.ABOUT for part in parts()]

    assert {one.paper for one in texts} == set(papers.PAPERS)
    assert all(one.claims and one.found and one.differs and one.pictures for one in texts)


def test_the_page_in_the_documents_is_that_of_the_parts(rows: ModuleType) -> None:
    """docs/papers.md is what `make papers` writes, and its pictures are there."""
    page = papers.as_markdown(parts(), "images/papers", rows.row.as_markdown(cells_on_the_page(rows)))

    assert (DOCS / "papers.md").read_text(encoding="utf-8") == page
    assert all((DOCS / picture).exists() for picture in re.findall(r"!\[[^]]*\]\(([^)]+)\)", page))


def cells_on_the_page(rows: ModuleType) -> list[list[str]]:
    """The table at the end of docs/papers.md, without its headings."""
    lines = (DOCS / "papers.md").read_text(encoding="utf-8").partition(rows.row.TITLE)[2].splitlines()
    return [line[2:-2].replace("\\|", "|").split(" | ") for line in lines if line.startswith("| ")][2:]


@pytest.mark.long
def test_every_row_of_the_page_is_computed(rows: ModuleType) -> None:
    """All rows in their order, each with a verdict; what needs no long run is computed again, and is the same."""
    cells = cells_on_the_page(rows)

    assert [(short, name) for short, name, *_ in cells] == [(rows.row.SHORT[row.paper], row.name) for row in rows.ROWS]
    assert all(len(line) == len(rows.row.HEADINGS) and all(line) for line in cells)
    nothing = rows.row.tables_in(Path("nowhere"))
    quick = {row.name: list(row.row_cells(nothing)) for row in rows.ROWS if not row.reads}
    assert len(quick) > 30
    assert quick == {line[1]: line for line in cells if line[1] in quick}


def test_every_verdict_is_worked_out_and_can_fail(rows: ModuleType) -> None:
    """Whatever a row compares, another value than its own differs, also where the row explains a difference."""

    def read(_name: str) -> list[dict[str, str]]:
        raise AssertionError("nothing is read")

    wrong = {row.name: replace(row, ours=lambda _: "another").row_cells(read)[-1] for row in rows.ROWS}
    without = {row.name for row in rows.ROWS if row.expected_cell == rows.row.NOTHING}

    assert wrong == {row.name: rows.row.NOT_COMPARED if row.name in without else rows.row.DIFFERS for row in rows.ROWS}
    assert not [row.name for row in rows.ROWS if row.name in without and row.why]
    assert {row.name: row.verdict(row.expected_cell) for row in rows.ROWS if row.why} == {
        row.name: row.why for row in rows.ROWS if row.why
    }


def test_a_claim_that_does_not_hold_differs(rows: ModuleType) -> None:
    """What is said in words is computed, too."""
    held, not_held = (
        rows.row.Row("2010", "a claim", "candor", lambda _, holds=holds: rows.row.claim(holds, "falls"), "falls")
        for holds in (True, False)
    )

    assert [row.row_cells(rows.row.tables_in(Path("nowhere")))[3:] for row in (held, not_held)] == [
        ("falls", "falls", "–", "the same"),
        ("not so: falls", "falls", "–", "differs"),
    ]


RECODED = "algorithm,k,seconds,penalty,discernibility,homogeneous classes,smallest,largest\n"


@pytest.mark.parametrize(("seconds", "verdict"), [((1, 2, 3), "the same as its first"), ((3, 2, 1), "differs")])
def test_reversed_times_are_not_the_papers(
    seconds: tuple[int, ...], verdict: str, rows: ModuleType, tmp_path: Path
) -> None:
    """The order of run times has its explanation only where it is the order that is explained."""
    names = ("K-ACLUK", "ILP-based L-diversity", "Bottom-up k-anonymity")
    lines = [f"{name},5,{own},1,1,0,5,9" for name, own in zip(names, seconds, strict=True)]
    (tmp_path / "local-recoding.csv").write_text(RECODED + "\n".join(lines))
    (row,) = [row for row in rows.ROWS if row.name == "experiment 1, figure 5: run time at k = 5"]

    assert row.row_cells(rows.row.tables_in(tmp_path))[-1].startswith(verdict)


WORSE = {
    "local-recoding": "k,algorithm,penalty,smallest,largest\n"
    + "".join(f"{k},Bottom-up k-anonymity,10,5,30\n{k},ILP-based L-diversity,9,5,30\n" for k in local_recoding.KS),
    "recoding-work": "people,k,algorithm,work\n9,10,Bottom-up k-anonymity,10\n9,10,ILP-based L-diversity,11\n",
    "models-on-adult": "model,found\nas it is,30162\n",
    "places": "city,zones,epsilon,mechanism,squared_error\n"
    + "".join(
        f'compact,{zones},5,square,9\ncompact,{zones},5,"zones, the paper\'s side",10\n'
        for zones in ("centre", "bottom left", "top left", "bottom right", "top right", "2-random")
    ),
    "experiment": "reading,varied,value,estimator,w\ndirect,k,0,pooled,.1\ndirect,k,1,pooled,.2\n",
}


def test_no_explanation_stands_beside_figures_that_it_does_not_explain(rows: ModuleType, tmp_path: Path) -> None:
    """Every row that explains a difference and reads what the parts wrote, from files in which nothing is as it was."""
    for name, text in WORSE.items():
        (tmp_path / f"{name}.csv").write_text(text)
    explained = [row for row in rows.ROWS if row.why and row.reads and "run time" not in row.name]

    verdicts = {row.name: row.row_cells(rows.row.tables_in(tmp_path))[-1] for row in explained}

    assert len(verdicts) >= 10
    assert verdicts == dict.fromkeys(verdicts, rows.row.DIFFERS)


def test_what_the_paper_says_is_never_a_number_that_it_does_not_print(rows: ModuleType) -> None:
    """The paper on grouped questions prints no result: its numbers here are worked out."""
    said = {row.printed for row in rows.ROWS if row.paper == "grouped"}

    assert said == {rows.row.NOTHING, "falls to 0", "the truth", "the worst"}


@pytest.mark.long
def test_weights_that_count_twice_give_what_the_command_gives(rows: ModuleType) -> None:
    """6 Σ w², w of age 13/28 and of the postal code 15/28: by formula 5.2 from utilities of 13/15 and 1 in all."""
    (row,) = [row for row in rows.ROWS if row.name == "3.2: the same, weights counted twice as printed"]

    assert row.row_cells(rows.row.tables_in(Path("nowhere")))[3:] == (
        f"{6 * (13**2 + 15**2) / 28**2:.4f}", "–", "3.0153", "as worked out",
    )  # fmt: skip


def test_the_papers_are_named_as_they_are_cited() -> None:
    """Title and authors of each, as CITATION.cff has them from the papers' own first pages."""
    cited = yaml.safe_load((DOCS.parent / "CITATION.cff").read_text(encoding="utf-8"))["references"]
    named = [
        sorted(
            name
            for name in papers.PAPERS.values()
            if paper["title"] in name and all(known_as(one) in name for one in paper["authors"])
        )
        for paper in cited
    ]

    assert sorted(name for (name,) in named) == sorted(papers.PAPERS.values())


def known_as(author: dict[str, str]) -> str:
    return author.get("name") or f"{author['family-names']} {author['given-names']}"


def test_the_page_beside_the_figures_shows_what_was_written() -> None:
    """A picture whose data is absent is left out, and nothing else."""
    page = papers.as_markdown(parts(), ".", written=lambda file: file == "places-side.svg")

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
    assert {path.name for path in tmp_path.glob("*.svg")} - {"recoding-time.svg"} == {
        file for file, _ in local_recoding.ABOUT.pictures
    }


# The pictures in the documents are what `make papers` writes, on any processor.


ROOT = Path(__file__).parents[2]
PICTURES = ROOT / "docs" / "images" / "papers"
WRITE = "import sys; from importlib import import_module; from pathlib import Path;"
WRITE += "import_module(sys.argv[1]).write(Path(sys.argv[2]))"
OF_ADULT = ("papers.local_recoding", "papers.notes_on_anonymity", "papers.mined")
QUICK = ("papers.breach", "an old one")


@pytest.mark.parametrize(
    ("part", "processor"),
    [
        pytest.param(part, processor, marks=[] if (part, processor) == QUICK else pytest.mark.long)
        for part in PARTS
        for processor in PROCESSORS
    ],
)
def test_the_pictures_in_the_documents_are_written_by_any_processor(part: str, processor: str, tmp_path: Path) -> None:
    """Byte by byte, whichever instructions exp, log and sums are made of, and by how many threads."""
    data = ADULT if part in OF_ADULT else RETAIL if part == "papers.private_mining" else None
    if data and not reference_file(data).exists():
        pytest.skip(how_to_get(data))
    environment = {**os.environ, **PROCESSORS[processor]}

    subprocess.run([sys.executable, "-c", WRITE, part, tmp_path], cwd=ROOT, env=environment, check=True)

    files = [file for one in parts() if one.__name__ == part for file, _ in one.ABOUT.pictures]
    assert {file: (tmp_path / file).read_text() for file in files} == {
        file: (PICTURES / file).read_text() for file in files
    }


def test_no_picture_in_the_documents_is_left_over() -> None:
    """Those of the parts, and no other."""
    assert {path.name for path in PICTURES.iterdir()} == {file for part in parts() for file, _ in part.ABOUT.pictures}


def test_the_last_bit_of_a_figure_changes_nothing_in_a_drawing() -> None:
    """Neither its identifier, nor where something stands that is exactly half way between two places, nor a colour."""
    x, y = np.linspace(0.25, 1, 33), np.linspace(0.5, 2, 33) ** 2

    def drawn(towards: float) -> str:
        own = [[float(value) for value in np.nextafter(values, towards)] for values in (x, y)]
        points = Points("b", *own, low=own[1], high=own[1], values=own[1], values_label="v", notes=["n"] * 33)
        return chart("A title", [Line("a", *own, own[1], own[1], markers=True), points], Axis("x"), Axis("y", high=4.5))

    low, high = drawn(-np.inf), drawn(np.inf)

    assert re.findall(r'<title id="(\w+)"', low) == re.findall(r'<title id="(\w+)"', high)
    assert low == high
