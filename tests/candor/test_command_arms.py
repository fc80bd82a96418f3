"""`candor arms` on files, from answers to the verdict."""

import json
from pathlib import Path

import numpy as np
import pytest

from candor.commands import main


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, str]:
    design, answers, records = (tmp_path / name for name in ("design.json", "answers.csv", "records.csv"))
    design.write_text(
        json.dumps({"blocks": [{"keep": 0.6, "stronger": 0.5, "items": [{"id": "drugs", "theta": 0.5}]}]})
    )
    yes = np.arange(2000) < 400
    answers.write_text("drugs\n" + "".join(f"{int(one)}\n" for one in yes))
    assert main(["disguise", str(answers), str(design), "-o", str(records), "--seed", "3"]) == 0
    return str(records), str(design)


def test_it_prints_what_both_arms_tell(files: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    """The keys of the JSON are those of the design page."""
    capsys.readouterr()
    assert main(["arms", *files, "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert list(printed) == ["n", "drawn", "p", "alike", "bypass", "noise", "answers"]
    assert list(printed["answers"][0]) == ["answer", "weaker", "stronger", "difference", "se", "ci", "p", "both"]
    assert sum(printed["n"].values()) == 2000
    assert printed["alike"] is True


def test_devices_that_do_not_disguise_are_found(files: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    """All records of the truth, whatever arm they say."""
    records = Path(files[0])
    lines = records.read_text().splitlines()
    arms = [line.split(",")[2] for line in lines[1:]]
    records.write_text("\n".join([lines[0], *(f"0,{int(n < 400)},{arm}" for n, arm in enumerate(arms))]) + "\n")
    assert main(["arms", *files]) == 0
    assert "The arms give different shares: some devices do not disguise as agreed" in capsys.readouterr().out


def test_a_file_without_arms_is_refused(files: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    """One sentence, exit status 2."""
    records = Path(files[0])
    records.write_text("direct,drugs\n0,1\n")
    assert main(["arms", *files]) == 2
    assert capsys.readouterr().err == "candor arms: the column 'arm' is missing; it names the arm of each record.\n"


def test_the_guarantee_tells_both_arms(files: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    """γ is that of the weaker arm, and a crowd is that of one arm."""
    capsys.readouterr()
    assert main(["guarantee", files[1], "--respondents", "1000", "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed["gamma"] == printed["blocks"][0]["arms"]["weaker"] > printed["blocks"][0]["arms"]["stronger"]
    assert printed["shuffled"]["n"] == 500


@pytest.mark.parametrize("least", ["0", "-4"])
def test_a_least_number_below_one_is_refused(
    files: tuple[str, str], capsys: pytest.CaptureFixture[str], least: str
) -> None:
    """One sentence names value and rule, exit status 2."""
    capsys.readouterr()
    assert main(["arms", *files, "--least", least]) == 2
    assert capsys.readouterr().err == f"candor arms: --least: {least} is below 1.\n"
