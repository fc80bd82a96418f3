"""`candor careless` on files, from answers to what attentive people say."""

import json
from pathlib import Path

import numpy as np
import pytest

from candor.commands import main


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


def test_it_prints_who_is_careless_and_what_the_others_say(
    files: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    """The keys of the JSON are those of the formats page; figures are within 4.5 of their standard errors."""
    capsys.readouterr()
    assert main(["careless", *files, "--anchor", "never:0", "--anchor", "always:0.99..1", "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)

    assert list(printed) == [
        "n", "estimator", "disguiser", "level", "careless", "rate", "presses", "fits", "most", "figures",
    ]  # fmt: skip
    (figure,) = printed["figures"]
    assert list(figure) == [
        "figure", "n", "answered", "answered_se", "attentive", "feasible", "se", "between", "ci",
    ]  # fmt: skip
    assert abs(figure["attentive"] - 0.25) < 4.5 * figure["se"]
    assert printed["careless"]["ci"][0] < 0.2 < printed["careless"]["ci"][1]
    assert printed["rate"]["given"] is False


def test_the_table_shows_both_figures(files: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    """With the assumption below it."""
    capsys.readouterr()
    assert main(["careless", *files, "--anchor", "never:0", "--rate", "1", "--figure", "drugs"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "4000 records; stratified estimator"
    assert lines[2] == "Their rate of yes: 1, as given"
    assert lines[4].split() == ["figure", "n", "of", "all", "se", "of", "attentive", "se", "low", "high"]
    assert lines[-1].startswith("Assumed: a careless person answers all these items so, each by itself")


@pytest.mark.parametrize(
    ("anchor", "said"),
    [
        ("never", "--anchor: 'never' is not a new answer and its share, such as never:0, or never:0..0.01 for bounds."),
        ("never:0..x", "--anchor: 'x' is not a number."),
        ("never:2", "anchors: 2.0 of 'never' is not a share from 0 to 1, or two that bound it."),
    ],
)
def test_an_anchor_without_a_share_is_refused(
    anchor: str, said: str, files: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    """In one line, which says how one is written."""
    capsys.readouterr()
    assert main(["careless", *files, "--anchor", anchor]) == 2
    assert capsys.readouterr().err == f"candor careless: {said}\n"


def test_looks_and_controls_are_named_on_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Published counts of athletes: .162 as pressed, .038 of those who follow, whom .268 are not."""
    design, records = tmp_path / "design.json", tmp_path / "records.csv"
    outcomes = [{"of": ["1", "2"], "says": "fact"}, {"of": ["3", "4", "5", "6", "7", "8", "9", "0"], "says": "not"}]
    draw = {"way": "extended", "source": "digit", "fact": "note", "outcomes": outcomes, "delta": 0}
    design.write_text(json.dumps({"blocks": [{"by": "person", "draw": draw, "items": [{"id": "doping"}]}]}))
    people = ["fact,1"] * 137 + ["fact,0"] * 265 + ["opposite,0"] * 307 + ["opposite,1"] * 104
    controls = ["1,"] * 352 + ["0,"] * 59 + [",0"] * 352 + [",1"] * 50
    rows = [f"{one},{control}" for one, control in zip(people, controls, strict=True)]
    records.write_text("look,doping,one,two\n" + "\n".join(rows) + "\n")

    flags = ["--disguiser", "person", "--look", "look", "--control", "one:1", "--control", "two:0", "--json"]
    assert main(["careless", str(records), str(design), *flags]) == 0

    printed = json.loads(capsys.readouterr().out)
    (figure,) = printed["figures"]
    found = [printed["careless"]["share"], figure["answered"], figure["attentive"]]
    assert found == pytest.approx([0.2679304208882594, 0.1615311520257593, 0.03765481091985383], abs=1e-8)
