"""`candor compare`, and weights for `candor reconstruct`, on files."""

import json
from pathlib import Path

import pytest

from candor.commands import main
from tests.commands import Shell

DESIGN = {"model": "warner", "theta": 0.75, "items": ["drugs"]}
ROWS = ["1,old,1"] * 40 + ["0,old,1"] * 60 + ["1,young,3"] * 60 + ["0,young,3"] * 40


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    (tmp_path / "design.json").write_text(json.dumps(DESIGN))
    (tmp_path / "records.csv").write_text("\n".join(["drugs,age,w", *ROWS]) + "\n")
    return [str(tmp_path / "records.csv"), str(tmp_path / "design.json")]


def test_a_share_by_an_open_column_with_its_difference(files: list[str], shell: Shell) -> None:
    """Of the old .3, of the young .7: each with its error, and how far they are apart."""
    result = shell.json("compare", *files, "--figure", "drugs", "--by", "age", "--json")
    assert [(one["group"], one["n"], round(one["estimate"], 6)) for one in result["figures"]] == [
        ("age=old", 100, 0.3),
        ("age=young", 100, 0.7),
    ]
    (difference,) = result["differences"]
    assert (difference["of"], difference["less"], round(difference["estimate"], 6)) == (
        "drugs · age=young",
        "drugs · age=old",
        0.4,
    )


def test_differences_have_their_false_discovery_rate(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], shell: Shell
) -> None:
    """Of three towns three differences are tested: q is Benjamini and Hochberg's, in the table and in JSON."""
    (tmp_path / "design.json").write_text(json.dumps(DESIGN))
    rows = [
        f"{answer},{town}"
        for town, yes in (("a", 60), ("b", 40), ("c", 55))
        for answer in [1] * yes + [0] * (100 - yes)
    ]
    (tmp_path / "records.csv").write_text("\n".join(["drugs,town", *rows]) + "\n")
    arguments = [str(tmp_path / "records.csv"), str(tmp_path / "design.json"), "--figure", "drugs", "--by", "town"]

    differences = shell.json("compare", *arguments, "--json")["differences"]
    assert main(["compare", *arguments]) == 0

    p = sorted(one["p"] for one in differences)
    assert sorted(one["q"] for one in differences) == pytest.approx([3 * p[0], 1.5 * p[1], p[2]])
    headings = capsys.readouterr().out.splitlines()[6].split()
    assert headings == ["of", "less", "difference", "se", "low", "high", "p", "q"]


def test_figures_of_one_respondent_are_said_to_be(tmp_path: Path, shell: Shell) -> None:
    """A group of one is reported unless `--least` says otherwise, and a line below tells how to leave it out."""
    (tmp_path / "design.json").write_text(json.dumps(DESIGN))
    (tmp_path / "records.csv").write_text("drugs,town\n1,a\n1,b\n0,b\n1,b\n")
    arguments = [str(tmp_path / "records.csv"), str(tmp_path / "design.json"), "--figure", "drugs", "--by", "town"]
    said = "A figure with n 1 is about one respondent; a larger least leaves such figures out."

    assert said in shell.out("compare", *arguments).splitlines()
    assert said not in shell.out("compare", *arguments, "--least", "2").splitlines()


@pytest.mark.filterwarnings("error")
def test_a_warning_ends_no_command(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """The figures are printed, and stderr says in a line that nobody was taken to have answered directly: also where
    Python makes errors of warnings."""
    Path(files[1]).write_text(json.dumps(DESIGN | {"direct": True}))

    assert main(["compare", *files, "--figure", "drugs"]) == 0

    printed = capsys.readouterr()
    assert printed.out.startswith("200 records; ")
    assert printed.err == (
        f"candor compare: {files[0]}: the column 'direct' is missing, so everybody is taken as disguised, although "
        "this design allows direct answers.\n"
    )


def test_versions_are_compared_in_their_order(files: list[str], shell: Shell) -> None:
    """The same file three times: no difference, and no trend."""
    arguments = ["--figure", "drugs", "--later", *files, "--later", *files]

    lines = shell.out("compare", *files, *arguments).splitlines()
    assert lines[0] == "600 records; stratified estimator"
    assert lines[-1].startswith("drugs: +0 a version, ")


def test_weights_make_a_table_that_of_the_population(files: list[str], shell: Shell) -> None:
    """`candor table --weights`: the two cells are .4 and .6, with the error of the share."""
    (pattern,) = shell.json("reconstruct", *files, "--pattern", "drugs", "--weights", "w", "--json")["patterns"]

    result = shell.json("table", *files, "--items", "drugs", "--weights", "w", "--json")
    assert [round(cell["support"], 9) for cell in result["cells"]] == [0.4, 0.6]
    assert [cell["se"] for cell in result["cells"]] == pytest.approx([pattern["se"]] * 2, rel=1e-9)
    assert result["n"] == 200


TRIM = "[1.0, 2.0] is not LOW,HIGH with LOW from 0 to 1 and HIGH above 1, such as 0.3,3."


@pytest.mark.parametrize(
    ("command", "said"),
    [
        (["compare", "--figure", "drugs", "--by", "sex"],
         "--by: there is no column 'sex'; the undisguised columns are age, w."),
        (["compare", "--figure", "drugs => drugs"], "Rule 'drugs' => 'drugs': an item is on both sides."),
        (["compare", "--figure", "drugs", "--level", "2"], "--level: 2.0 is not between 0 and 1."),
        (["table", "--items", "drugs", "--weights", "x"],
         "--weights: there is no column 'x'; the undisguised columns are age, w."),
        (["table", "--items", "drugs,drugs", "--weights", "w"],
         "--items: drugs, drugs does not name each item of a table once."),
        (["reconstruct", "--trim", "1,2"], f"--trim: {TRIM}"),
        (["reconstruct", "--margins", "no.json"], "no.json: no such file or directory."),
    ],
)  # fmt: skip
def test_bad_input_is_one_line(command: list[str], said: str, files: list[str], shell: Shell) -> None:
    """One sentence on stderr, status 2."""
    name, *options = command
    assert shell.refusal(name, *files, *options) == f"candor {name}: {said}\n"


def test_weights_meet_margins_in_a_file(files: list[str], shell: Shell, tmp_path: Path) -> None:
    """A quarter of the population is young: .3·.75 + .7·.25, and of the difference between the ages nothing errs."""
    (tmp_path / "known.csv").write_text("variable,category,share\nage,old,75\nage,young,25\n")
    drawn = ["--weights", "w", "--margins", str(tmp_path / "known.csv"), "--trim", "0.1,4", "--json"]

    (share,) = shell.json("reconstruct", *files, *drawn)["patterns"]

    assert round(share["support"], 6) == 0.4
    within = 0.75**2 * 0.24 / 0.25 + 0.25**2 * 0.24 / 0.25  # of two groups of 100, each by its own variance
    assert share["se"] == pytest.approx((within / 100 * 200 / 199) ** 0.5)
