"""The published experiments come out of the algebra, and of simulation within its error."""

import csv
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

import papers
from papers import About, experiment, mined
from papers.reference import how_to_get, reference_file
from tests.servers import ROOT


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The experiment at fewer points and repetitions than `make papers` takes."""
    folder = tmp_path_factory.mktemp("papers")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(experiment, "STEPS", [0.0, 0.1, 0.3, 0.5, 0.7, 0.9, 1.0])
        patch.setattr(experiment, "REPETITIONS", 100)
        experiment.write(folder)
    return folder


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def test_the_experiment_is_as_accurate_as_an_independent_run(folder: Path) -> None:
    """W of the pooled estimator by p: an independent run gave these; its items were correlated a little otherwise."""
    pooled = {
        float(row["value"]): float(row["w"])
        for row in rows(folder / "experiment.csv")
        if (row["reading"], row["varied"], row["estimator"]) == ("direct", "p", "pooled")
    }

    independent_run = {0.1: 0.0116, 0.3: 0.0070, 0.5: 0.0041, 0.7: 0.0028, 0.9: 0.0015}
    for p, w in independent_run.items():
        assert pooled[p] == pytest.approx(w, rel=0.3)
    assert pooled[1.0] == 0


def test_both_readings_of_k_meet_where_they_must(folder: Path) -> None:
    """k direct of the one reading is 1 − k disguised of the other, so their errors mirror each other."""
    w = {
        (row["reading"], float(row["value"])): (float(row["w"]), float(row["se"]))
        for row in rows(folder / "experiment.csv")
        if (row["varied"], row["estimator"]) == ("k", "combined")
    }

    for k in (0.0, 0.1, 0.3, 0.5, 0.7, 0.9, 1.0):
        (ours, se), (other, other_se) = w["direct", k], w["disguised", round(1 - k, 10)]
        assert abs(ours - other) <= 4.5 * np.hypot(se, other_se)


def test_estimators_that_do_not_exist_are_left_out(folder: Path) -> None:
    """At p = 0 nothing disguised is kept: only the pooled estimator has a figure."""
    at_zero = [
        row["estimator"]
        for row in rows(folder / "experiment.csv")
        if (row["reading"], row["varied"], float(row["value"])) == ("direct", "p", 0.0)
    ]

    assert at_zero == ["pooled"]


Papers = Callable[..., None]


@pytest.fixture
def write_papers(monkeypatch: pytest.MonkeyPatch) -> Papers:
    """`python -m papers` of one part, with these rows and words."""
    from papers import __main__ as command

    def run(rows: Sequence[object], *words: object, **more: object) -> None:
        part = SimpleNamespace(
            TITLE="A table",
            ABOUT=About("breaches", "It claims this.", "It is so.", "It does not differ."),
            write=lambda folder: papers.write_table(folder / "t.csv", ["x"], [[0.5]]),
            **more,
        )
        monkeypatch.setattr(command, "parts", lambda: [part])
        monkeypatch.setattr(command, "ROWS", rows)
        monkeypatch.setattr("sys.argv", ["papers", *map(str, words)])
        command.main()

    return run


def test_the_command_writes_every_part_into_the_folder(
    tmp_path: Path, write_papers: Papers, capsys: pytest.CaptureFixture[str]
) -> None:
    """The parts are written in turn, each announced by its title; where a row differs there is no page."""
    from papers import rows as rows_of_papers

    row = rows_of_papers.Row("breaches", "a half", "candor", lambda tables: tables("t")[0]["x"], "0.5", reads=True)

    write_papers([row], tmp_path / "new")

    assert (tmp_path / "new" / "t.csv").read_text() == "x\n0.5\n"
    assert "It claims this." in (tmp_path / "new" / "papers.md").read_text()
    said = capsys.readouterr().out.splitlines()
    assert said[0].endswith("s  A table")
    assert said[1:] == [
        "Li and others | a half | candor | 0.5 | 0.5 | – | the same",
        "1 rows; 0 without their data",
        f"written to {tmp_path / 'new'}",
    ]

    with pytest.raises(SystemExit, match="these rows differ, and nothing says why: a half"):
        write_papers([replace(row, printed="0.6")], tmp_path / "other")
    assert not (tmp_path / "other" / "papers.md").exists()


NEEDED = {"DATA": ("adult/adult.csv",)}


def test_without_its_data_the_page_of_the_guides_is_refused(
    tmp_path: Path, write_papers: Papers, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The page would lose the rows of that data: nothing is written, and the refusal says which file is missing."""
    monkeypatch.setenv("CANDOR_REFERENCE", str(tmp_path / "nowhere"))
    docs, folder = tmp_path / "docs", tmp_path / "figures"

    with pytest.raises(SystemExit) as refused:
        write_papers([], folder, "--docs", docs, **NEEDED)

    missing = tmp_path / "nowhere" / "adult" / "adult.csv"
    assert str(refused.value) == (
        f"{docs / 'papers.md'} would lose rows, so nothing is written.\n"
        f"There is no {missing} (the folder that CANDOR_REFERENCE names). "
        "CONTRIBUTING.md says under “Reference data” how to get it; then set CANDOR_REFERENCE to its folder."
    )
    assert not docs.exists()
    assert not folder.exists()


def test_without_its_data_the_other_figures_are_written_and_it_is_said(
    tmp_path: Path, write_papers: Papers, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Outside of the guides, what needs no data is written; one line names the file that is missing."""
    monkeypatch.setenv("CANDOR_REFERENCE", str(tmp_path / "nowhere"))

    write_papers([], tmp_path / "figures", **NEEDED)

    assert capsys.readouterr().out.startswith("What needs it is left out. There is no ")
    assert (tmp_path / "figures" / "t.csv").exists()


# The part of `make papers` that mines: what is written, and that mild disguise errs less than strong.


def rows_of(folder, name):
    with (folder / name).open(newline="") as file:
        return list(csv.DictReader(file))


def test_the_demo_is_mined_in_both_settings(tmp_path, monkeypatch):
    """Without reference data the demo alone is written: errors by length, rules, and a picture."""
    monkeypatch.setenv("CANDOR_REFERENCE", str(tmp_path / "nowhere"))
    mined.write(tmp_path)
    rows = rows_of(tmp_path, "mined_itemsets.csv")
    assert [(row["data"], row["length"]) for row in rows] == [("demo", str(n)) for n in (1, 2, 3)] * 2
    paper, mild = ([float(row["rho"]) for row in rows[start : start + 3]] for start in (0, 3))
    assert all(strong > weak for strong, weak in zip(paper, mild, strict=True))
    assert [row["data"] for row in rows_of(tmp_path, "mined_rules.csv")] == ["demo", "demo"]
    assert (tmp_path / "mined_itemsets.svg").read_text().startswith("<?xml")


@pytest.mark.long
@pytest.mark.skipif(not reference_file(mined.ADULT).exists(), reason=how_to_get(mined.ADULT))
def test_adult_keeps_its_itemsets_under_disguise(tmp_path):
    """On Adult with p = .3, θ = .6 nine of ten itemsets of every length are found, with few false ones."""
    mined.write(tmp_path)
    rows = [row for row in rows_of(tmp_path, "mined_itemsets.csv") if row["data"] == "adult"]
    assert len(rows) == 8
    assert all(float(row["sigma_minus"]) < 0.1 and float(row["sigma_plus"]) < 0.1 for row in rows)
    assert all(float(row["rho"]) < 0.05 for row in rows)


# Reference data that is not there is asked for in one sentence.


@pytest.mark.parametrize(
    ("named", "folder", "chosen"),
    [
        (None, "shared/reference", "../shared/reference, as CANDOR_REFERENCE is not set"),
        ("own", "checkout/own", "the folder that CANDOR_REFERENCE names"),
    ],
)
def test_the_folder_that_was_looked_in_is_named_whole(
    named: str | None, folder: str, chosen: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file is looked for in the folder of CANDOR_REFERENCE, else beside the checkout; who lacks it reads where."""
    (tmp_path / "checkout").mkdir()
    monkeypatch.chdir(tmp_path / "checkout")
    monkeypatch.delenv("CANDOR_REFERENCE", raising=False)
    if named:
        monkeypatch.setenv("CANDOR_REFERENCE", named)

    assert reference_file("adult/adult.csv") == tmp_path / folder / "adult" / "adult.csv"
    assert how_to_get("adult/adult.csv") == (
        f"There is no {tmp_path / folder / 'adult' / 'adult.csv'} ({chosen}). "
        "CONTRIBUTING.md says under “Reference data” how to get it; then set CANDOR_REFERENCE to its folder."
    )


def test_one_module_alone_reads_the_variable_of_the_reference_data() -> None:
    """One module knows the variable and its default, so that no other default leads outside the checkout unseen."""
    readers = [
        str(path.relative_to(ROOT))
        for folder in ("benchmarks", "candor", "config", "mining", "papers", "privacy", "surveys", "tests")
        for path in (ROOT / folder).rglob("*.py")
        if "shared/reference" in path.read_text(encoding="utf-8")
    ]
    assert sorted(readers) == ["papers/reference.py", "tests/papers/test_experiments.py"]
