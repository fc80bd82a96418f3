"""`candor traces` on the command line."""

import json

import pytest

from candor.commands import main

DESIGN = '{"blocks": [{"keep": 0.2, "items": [{"id": "drugs", "theta": 0.5}]}]}'


@pytest.fixture
def files(tmp_path):
    (tmp_path / "design.json").write_text(DESIGN)
    (tmp_path / "records.csv").write_text("direct,drugs\n" + "0,1\n" * 100)
    return [str(tmp_path / "records.csv"), str(tmp_path / "design.json")]


def test_records_that_no_design_makes_are_named(files, capsys):
    """A hundred yeses where at least four in ten records are no: said in words, and in JSON."""
    assert main(["traces", *files]) == 0
    printed = capsys.readouterr().out
    assert main(["traces", *files, "--json"]) == 0
    document = json.loads(capsys.readouterr().out)

    assert "The records do not follow the design" in printed
    (test,) = document["tests"]
    assert (document["n"], test["block"], test["of"], test["at"], test["found"]) == (100, 1, "answers", "drugs", True)
    assert test["p"] == test["corrected"] < 1e-20


def test_a_file_that_is_not_there_is_one_sentence(files, capsys):
    """Exit status 2, and no traceback."""
    assert main(["traces", "nowhere.csv", files[1]]) == 2
    assert "nowhere.csv" in capsys.readouterr().err


def test_anchors_and_arms_are_tested_and_say_what_they_can_find(tmp_path, files, capsys):
    """An answer that is known, and a second file under a milder design."""
    (tmp_path / "mild.json").write_text(DESIGN.replace("0.2", "0.9"))
    (tmp_path / "mild.csv").write_text("direct,drugs\n" + "0,1\n0,0\n" * 2000)
    (tmp_path / "records.csv").write_text("direct,drugs\n" + "0,1\n0,0\n" * 2000)
    arms = ["--anchor", "drugs:0.5", "--arm", str(tmp_path / "mild.csv"), str(tmp_path / "mild.json")]
    assert main(["traces", *files, *arms]) == 0
    printed = capsys.readouterr().out
    assert "drugs: 0.5 where 0.5 is known" in printed
    assert "drugs: 0.5 and 0.5" in printed
    assert "The records fit the design." in printed
    assert "The test of anchor finds neither in four of five surveys." in printed  # of .5 noise makes .5


@pytest.mark.parametrize("anchor", ["drugs", "drugs:much", "drugs:1.5", "theft:0.2"])
def test_an_anchor_that_is_none_is_one_sentence(files, capsys, anchor):
    """Exit status 2."""
    assert main(["traces", *files, "--anchor", anchor]) == 2
    assert capsys.readouterr().err.startswith("candor traces: ")
