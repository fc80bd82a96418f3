"""`candor guarantee` on files."""

import json
import math
from fractions import Fraction
from pathlib import Path

import pytest

from candor.commands import main
from privacy.design import Design
from privacy.guarantee import epsilon
from privacy.guarantee.crowd import promise_of_crowd
from tests.commands import Shell

LONG = {"direct": True, "blocks": [{"model": "improved-grouped", "p": 0.3, "theta": 0.6, "items": ["drugs", "theft"]}]}


@pytest.fixture
def design(tmp_path: Path) -> Path:
    path = tmp_path / "design.json"
    path.write_text(json.dumps(LONG))
    return path


def test_the_table_begins_with_the_whole_record(design: Path, shell: Shell) -> None:
    """What is promised for the whole record stands above blocks and items, and the direct group is named."""
    assert shell.out("guarantee", str(design)).splitlines() == [
        "                asked    gamma   epsilon  0.05 becomes at most",
        "whole record        2  3.67858   1.30253              0.162205",
        "block 1             2  3.67858   1.30253              0.162205",
        "  drugs, alone      -  2.07143  0.728239             0.0983051",
        "  theft, alone      -  2.07143  0.728239             0.0983051",
        "",
        "The direct group answers undisguised and has no such protection.",
    ]


@pytest.mark.parametrize(
    ("end", "said"), [("NaN", "NaN is not a number that JSON knows."), ("1e999", "1e999 is too large a number.")]
)
def test_a_number_without_an_end_is_refused(
    design: Path, capsys: pytest.CaptureFixture[str], end: str, said: str
) -> None:
    """In one line, before anything is computed with it."""
    item = f'{{"id": "age", "min": 0, "max": {end}}}'
    design.write_text(f'{{"blocks": [{{"number": "square-wave", "epsilon": 2, "items": [{item}]}}]}}')

    assert main(["guarantee", str(design)]) == 2
    captured = capsys.readouterr()

    assert (captured.out, captured.err.count("\n")) == ("", 1)
    assert captured.err.endswith(f"{said}\n")


def test_a_crowd_and_forgers_are_told_of(design: Path, shell: Shell) -> None:
    """`--respondents N`: ε of the shuffled records for δ, and how far one forged response moves figures by length."""
    printed = shell.json("guarantee", str(design), "--respondents", "5000", "--delta", "1e-5", "--json")
    crowd = promise_of_crowd(Design.parse(LONG), 5000, 1e-5)
    assert printed["shuffled"] == {"epsilon": crowd.epsilon, "delta": 1e-5, "n": 5000}
    assert 0 < crowd.epsilon < printed["epsilon"]
    assert printed["forged"] == [
        {"length": length, "shift": pytest.approx((1 - 0.7 * 0.4**length) / 0.3 / 5000)} for length in (1, 2)
    ]


def test_forged_responses_are_told_for_available_cases(tmp_path: Path, shell: Shell) -> None:
    """4 of 10 asked at γ = 19: how many move a share, a pair and a triple by five points."""
    path = tmp_path / "ten.json"
    items = [{"id": f"q{place}", "theta": 0.5} for place in range(10)]
    path.write_text(json.dumps({"direct": False, "blocks": [{"keep": 18 / 34, "ask": 4, "items": items}]}))

    printed = shell.json("guarantee", str(path), "--respondents", "10000", "--json")["forged"]

    assert [math.ceil(0.05 / figure["shift"] - 1e-6) for figure in printed] == [139, 65, 27]


def test_what_nothing_bounds_is_infinity(tmp_path: Path, shell: Shell) -> None:
    """No crowd hides what γ does not, and of what cannot be recovered a forger says anything."""
    path = tmp_path / "open.json"
    path.write_text(
        json.dumps({"direct": True, "blocks": [{"model": "grouped", "p": 0.3, "theta": 0.6, "items": ["a", "b"]}]})
    )
    assert shell.json("guarantee", str(path), "--respondents", "100", "--json")["shuffled"] == {
        "epsilon": "Infinity",
        "delta": 1e-06,
        "n": 100,
    }
    assert "A crowd of 100 people adds nothing that can be promised." in shell.out(
        "guarantee", str(path), "--respondents", "100"
    )


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["missing.json"], "candor guarantee: missing.json: no such file or directory.\n"),
        (["design.json", "--prior", "5"], "candor guarantee: --prior: 5.0 is outside 0 to 1.\n"),
        (["design.json", "--respondents", "0"], "candor guarantee: --respondents: 0 is not at least 1.\n"),
        (["design.json", "--budget", "-1"], "candor guarantee: --budget: -1 goes with several designs.\n"),
        (["design.json", "--delta", "1e-6"], "candor guarantee: --delta: 1e-06 goes with --respondents.\n"),
        (
            ["design.json", "design.json", "--respondents", "9"],
            "candor guarantee: --respondents: 9 goes with one design.\n",
        ),
    ],
)
def test_bad_input_is_one_line(
    arguments: list[str], said: str, design: Path, monkeypatch: pytest.MonkeyPatch, shell: Shell
) -> None:
    """A missing file or an impossible prior: one sentence on stderr, status 2, nothing on stdout."""
    monkeypatch.chdir(design.parent)

    assert shell.refusal("guarantee", *arguments) == said


def test_one_sided_designs_tell_together_what_they_promise(tmp_path: Path, shell: Shell) -> None:
    """γ is infinite and beyond every budget; the odds of who did it grow by 4 a wave, and by the γ of a coin."""
    one_sided, coin = tmp_path / "one-sided.json", tmp_path / "coin.json"
    one_sided.write_text('{"blocks": [{"one-sided": 0.25, "items": [{"id": "a", "harmless": "0"}]}]}')
    coin.write_text('{"blocks": [{"model": "warner", "theta": 0.75, "items": ["a"]}]}')
    several = ["guarantee", str(one_sided), str(one_sided), str(coin)]

    table = [line.split() for line in shell.out(*several).splitlines()]
    printed = shell.json(*several, "--json")

    assert [row[1:] for row in table[1:5]] == [
        ["inf", "inf", "4"],
        ["inf", "inf", "4"],
        ["3", "1.09862", "3"],
        ["inf", "inf", "48"],
    ]
    assert " ".join(table[-1]) == "at most by 48; the budget limits gamma instead."
    wave = {"survey": str(one_sided), "gamma": "Infinity", "odds": 4, "epsilon": "Infinity"}
    assert printed == {
        "budget": 19,
        "gamma": "Infinity",
        "odds": 48,
        "epsilon": "Infinity",
        "left": 1,
        "surveys": [wave, wave, {"survey": str(coin), "gamma": 3, "epsilon": epsilon(Fraction(3))}],
    }
