"""`candor guarantee` on files."""

import json
from pathlib import Path

import pytest

from candor.commands import main
from privacy.design import Design
from privacy.guarantee import guarantee

LONG = {"direct": True, "blocks": [{"model": "improved-grouped", "p": 0.3, "theta": 0.6, "items": ["drugs", "theft"]}]}


@pytest.fixture
def design(tmp_path: Path) -> Path:
    path = tmp_path / "design.json"
    path.write_text(json.dumps(LONG))
    return path


def test_the_table_begins_with_the_whole_record(design: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What is promised for the whole record stands above blocks and items, and the direct group is named."""
    assert main(["guarantee", str(design)]) == 0

    assert capsys.readouterr().out.splitlines() == [
        "                asked    gamma   epsilon  0.05 becomes at most",
        "whole record        2  3.67858   1.30253              0.162205",
        "block 1             2  3.67858   1.30253              0.162205",
        "  drugs, alone      -  2.07143  0.728239             0.0983051",
        "  theft, alone      -  2.07143  0.728239             0.0983051",
        "",
        "The direct group answers undisguised and has no such protection.",
    ]


def test_json_is_the_documented_object(design: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`--json` prints what the library gives for the same prior."""
    assert main(["guarantee", str(design), "--prior", "0.01", "--json"]) == 0

    assert json.loads(capsys.readouterr().out) == guarantee(Design.parse(LONG), 0.01).to_json()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["missing.json"], "candor guarantee: missing.json: no such file or directory.\n"),
        (["design.json", "--prior", "5"], "candor guarantee: prior: 5.0 is outside 0 to 1.\n"),
    ],
)
def test_bad_input_is_one_line(
    arguments: list[str], said: str, design: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A missing file or an impossible prior: one sentence on stderr, status 2, nothing on stdout."""
    monkeypatch.chdir(design.parent)

    assert main(["guarantee", *arguments]) == 2

    captured = capsys.readouterr()
    assert (captured.out, captured.err) == ("", said)
