"""`candor careless` on files, from answers to what people say who follow the design."""

import json
from pathlib import Path

import numpy as np
import pytest

from candor.commands import main
from tests.commands import Shell


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, str]:
    """Of 4 000 people a quarter do what is asked, and every fifth presses yes."""
    design, answers, records = (tmp_path / name for name in ("design.json", "answers.csv", "records.csv"))
    design.write_text(json.dumps({"model": "warner", "theta": 0.8, "items": ["drugs", "never", "always"]}))
    people = np.arange(4000)
    said = np.stack([people % 4 == 0, people < 0, people >= 0], axis=1) | (people % 5 == 0)[:, np.newaxis]
    answers.write_text("drugs,never,always\n" + "".join(",".join(map(str, row)) + "\n" for row in said.astype(int)))
    assert main(["disguise", str(answers), str(design), "-o", str(records), "--seed", "3"]) == 0
    return str(records), str(design)


def test_it_prints_who_is_careless_and_what_the_others_say(files: tuple[str, str], shell: Shell) -> None:
    """The keys of the JSON are those of the formats page; figures are within 4.5 of their standard errors."""
    printed = shell.json("careless", *files, "--anchor", "never:0", "--anchor", "always:0.99..1", "--json")

    assert list(printed) == [
        "n", "estimator", "disguiser", "level", "sentence", "fits", "careless", "tests", "figures",
    ]  # fmt: skip
    (figure,) = printed["figures"]
    assert list(figure) == [
        "figure", "n", "answered", "answered_se", "attentive", "feasible", "se", "ci",
    ]  # fmt: skip
    assert abs(figure["attentive"] - 0.25) < 4.5 * figure["se"]
    assert printed["careless"]["ci"][0] < 0.2 < printed["careless"]["ci"][1]


def test_the_table_shows_both_figures(files: tuple[str, str], shell: Shell) -> None:
    """With the assumption below it."""
    lines = shell.out(
        "careless", *files, "--anchor", "never:0", "--anchor", "always:1", "--figure", "drugs"
    ).splitlines()
    assert lines[0] == "4000 records; stratified estimator"
    assert lines[1].endswith("did not follow the design (17 % to 23 %). Corrected figures are of the others.")
    assert lines[3].split() == ["figure", "n", "of", "all", "se", "of", "attentive", "se", "low", "high"]
    assert lines[6].startswith("Assumed: somebody who does not follow the design tells no question from another")


@pytest.mark.parametrize(
    ("anchor", "said"),
    [
        ("never", "--anchor: 'never' is not a new answer and its share, such as never:0, or never:0..0.01 for bounds."),
        ("never:0..x", "--anchor: 'x' is not a number."),
        ("never:2", "anchors: 2.0 of 'never' is not a share from 0 to 1, or two that bound it."),
    ],
)
def test_an_anchor_without_a_share_is_refused(anchor: str, said: str, files: tuple[str, str], shell: Shell) -> None:
    """In one line, which says how one is written."""
    assert shell.refusal("careless", *files, "--anchor", anchor) == f"candor careless: {said}\n"


def test_records_that_no_design_makes_are_named(tmp_path: Path, shell: Shell) -> None:
    """A hundred yeses where at least four in ten records are no: said in words, and in JSON."""
    design, records = tmp_path / "design.json", tmp_path / "records.csv"
    design.write_text('{"blocks": [{"keep": 0.2, "items": [{"id": "drugs", "theta": 0.5}]}]}')
    records.write_text("direct,drugs\n" + "0,1\n" * 100)
    printed = shell.out("careless", str(records), str(design))
    document = shell.json("careless", str(records), str(design), "--json")

    assert "The answers do not fit the design, whatever people said (farthest off: drugs)" in printed
    (test,) = document["tests"]
    assert (document["n"], test["block"], test["of"], test["at"], test["found"]) == (100, 1, "answers", "drugs", True)
    assert test["p"] == test["corrected"] < 1e-20


def test_the_command_of_before_names_the_one_of_now(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["traces", "records.csv", "design.json"])
    assert (ended.value.code, capsys.readouterr().err) == (2, "candor: candor traces is now part of candor careless.\n")
