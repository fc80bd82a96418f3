"""`candor disguise` on files."""

import json
from pathlib import Path

import numpy as np
import pytest

from candor.commands import main
from privacy.design import Design
from privacy.records import read_records
from tests.commands import Shell

DESIGN = {
    "direct": True,
    "blocks": [{"model": "improved-grouped", "p": 0.3, "theta": 0.6, "items": ["drugs", "theft"]}],
}
ANSWERS = "drugs,theft\n" + "1,0\n0,0\n0,1\n0,0\n" * 2_500


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder that holds a design and ten thousand answers; the one above it holds nothing else."""
    own = tmp_path / "own"
    own.mkdir()
    (own / "design.json").write_text(json.dumps(DESIGN))
    (own / "answers.csv").write_text(ANSWERS)
    monkeypatch.chdir(own)
    return own


def test_answers_become_records(folder: Path, shell: Shell) -> None:
    """Every respondent has a record that fits the design; a table says how many are in which group."""
    printed = shell.out("disguise", "answers.csv", "design.json", "-o", "records.csv", "--seed", "1")

    records = read_records("records.csv", Design.parse(DESIGN))
    assert (len(records), int(records.direct.sum())) == (10_000, 0)
    assert abs(records.codes[:, 0].mean() - (0.3 * 0.25 + 0.7 * 0.6)) < 5 * 0.5 / 100
    assert printed == "    n  direct  disguised  seed\n10000       0      10000     1\n"


@pytest.mark.parametrize("share", ["1/5", "0.2"])
def test_a_share_answers_directly(folder: Path, shell: Shell, share: str) -> None:
    """`--direct` lets about this share answer undisguised, a decimal or a fraction; JSON says how many."""
    command = ["disguise", "answers.csv", "design.json", "-o", "r.jsonl"]
    printed = shell.json(*command, "--direct", share, "--seed", "1", "--json")

    records = read_records("r.jsonl", Design.parse(DESIGN))
    truth = np.array([[1, 0], [0, 0], [0, 1], [0, 0]] * 2_500)
    assert (records.codes[records.direct] == truth[records.direct]).all()
    assert abs(records.direct.mean() - 0.2) < 5 * 0.4 / 100
    assert printed == {
        "n": 10_000,
        "direct": int(records.direct.sum()),
        "disguised": int((~records.direct).sum()),
        "seed": 1,
    }


def test_a_seed_repeats_the_file(folder: Path) -> None:
    """The same seed writes the same bytes; without one no two files are alike."""
    for name, seed in (("a", ["--seed", "7"]), ("b", ["--seed", "7"]), ("c", []), ("d", [])):
        main(["disguise", "answers.csv", "design.json", "-o", name, *seed])

    written = {name: (folder / name).read_bytes() for name in "abcd"}
    assert written["a"] == written["b"]
    assert len(set(written.values())) == 3


@pytest.mark.parametrize(
    ("change", "arguments", "said"),
    [
        ({}, ["none.csv", "design.json"], "none.csv: no such file or directory."),
        ({}, ["answers.csv", "none.json"], "none.json: no such file or directory."),
        ({}, ["..", "design.json"], "..: is a directory."),
        ({"design.json": "{"}, ["answers.csv", "design.json"], "design.json: The design is not JSON: "),
        ({"design.json": "[]"}, ["answers.csv", "design.json"], "design.json: the design: [] is not an object"),
        (
            {"answers.csv": "drugs,theft\n1,0\n1,2\n"},
            ["answers.csv", "design.json"],
            "answers.csv: row 3, column 'theft': '2' is given where one of 0, 1 must be.",
        ),
        (
            {"design.json": json.dumps(DESIGN | {"direct": False})},
            ["answers.csv", "design.json", "--direct", "0.2"],
            "--direct: this design allows no direct answers.",
        ),
    ],
)
def test_bad_input_is_one_line_and_writes_nothing(
    folder: Path, shell: Shell, change: dict[str, str], arguments: list[str], said: str
) -> None:
    """Exit status 2, one line on stderr that names the file, and the folder stays as it was."""
    for name, content in change.items():
        (folder / name).write_text(content)

    refusal = shell.refusal("disguise", *arguments, "-o", "records.csv")
    assert (refusal.startswith(f"candor disguise: {said}"), refusal.count("\n")) == (True, 1)
    assert {path.name for path in folder.iterdir()} == {"design.json", "answers.csv"}


@pytest.mark.parametrize(
    ("option", "said"),
    [
        (["--direct", "1e-999999999999x"], "--direct: '1e-999999999999x' is not a share from 0 to 1"),
        (["--direct", "nan"], "--direct: 'nan' is not a share from 0 to 1"),
        (["--direct", "1.2"], "--direct: '1.2' is not a share from 0 to 1"),
        (["--direct", "much"], "--direct: 'much' is not a share from 0 to 1"),
        (["--seed", "-1"], "--seed: '-1' is not a whole number from 0, of 1000 digits at most"),
        (["--seed", "9" * 5_000], f"--seed: '{'9' * 56}… is not a whole number from 0, of 1000 digits at most"),
    ],
)
def test_impossible_options_are_refused(folder: Path, shell: Shell, option: list[str], said: str) -> None:
    """An option outside its range is one line and exit status 2."""
    assert (
        shell.refusal("disguise", "answers.csv", "design.json", "-o", "records.csv", *option)
        == f"candor disguise: {said}.\n"
    )


def test_records_are_written_under_no_name_of_another_format(folder: Path, shell: Shell) -> None:
    """CSV named r.xlsx opens in no spreadsheet; an ending that says nothing, or none, is CSV as ever."""
    for name, ending in (("r.xlsx", ".xlsx"), ("r.JSON", ".json")):
        assert shell.refusal("disguise", "answers.csv", "design.json", "-o", name) == (
            f"candor disguise: {name}: a name ending in {ending} is for another format; this one needs .csv or "
            ".jsonl or .parquet.\n"
        )
        assert not (folder / name).exists()
    for name in ("records", "records.v2", "records.txt"):
        assert main(["disguise", "answers.csv", "design.json", "-o", name]) == 0
        assert (folder / name).read_text().startswith('"direct",')
    assert main(["disguise", "answers.csv", "design.json", "-o", "records.JSONL"]) == 0
    assert (folder / "records.JSONL").read_text().startswith("{")


@pytest.mark.parametrize(("name", "what"), [("answers.csv", "answers"), ("design.json", "design")])
def test_records_never_replace_what_they_are_made_of(folder: Path, shell: Shell, name: str, what: str) -> None:
    """A slip in the name of the output must not cost the truth, nor the design that alone explains the records."""
    before = (folder / name).read_text()

    refusal = shell.refusal("disguise", "answers.csv", "design.json", "-o", f"../{folder.name}/{name}")

    assert (folder / name).read_text() == before
    assert refusal.endswith(f"{name}: writing here would replace the {what}.\n")


@pytest.mark.parametrize("name", ["answers.csv", "answers.jsonl"])
def test_a_file_without_answers_is_one_sentence(folder: Path, shell: Shell, name: str) -> None:
    """A header alone, or nothing: no file of no records is written."""
    Path(name).write_text("drugs,theft\n" if name.endswith("csv") else "")

    assert (
        shell.refusal("disguise", name, "design.json", "-o", "records.csv")
        == f"candor disguise: {name}: there are no answers in it.\n"
    )
    assert not Path("records.csv").exists()


@pytest.mark.parametrize(("keep", "warned"), [(1, True), (0.99, False)])
def test_a_design_that_hides_nothing_is_warned_of(
    folder: Path, capsys: pytest.CaptureFixture[str], keep: float, warned: bool
) -> None:
    items = [{"id": name, "theta": 0.5} for name in ("drugs", "theft")]
    Path("design.json").write_text(json.dumps({"blocks": [{"keep": keep, "items": items}]}))

    assert main(["disguise", "answers.csv", "design.json", "-o", "records.csv"]) == 0

    said = "design.json: this design gives true answers away (gamma is infinite): the records protect nobody."
    assert capsys.readouterr().err == (f"candor disguise: {said}\n" if warned else "")
