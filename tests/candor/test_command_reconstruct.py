"""`candor reconstruct` on files."""

import json
from pathlib import Path

import numpy as np
import pytest
from pandas import DataFrame

from candor import disguise
from candor.commands import main
from privacy.design import Design
from privacy.reconstruct import reconstruct
from privacy.records import Records, read_records, write_records
from tests.commands import Shell

DESIGN = {"direct": True, "model": "improved-grouped", "p": 0.5, "theta": 0.5, "items": ["drugs", "cheating"]}
ROWS = ["0,1,1", "0,0,1", "0,0,0", "0,1,0", "0,0,0", "0,0,1", "1,1,0", "1,0,0"]


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    (tmp_path / "design.json").write_text(json.dumps(DESIGN))
    (tmp_path / "records.csv").write_text("\n".join(["direct,drugs,cheating", *ROWS]) + "\n")
    return [str(tmp_path / "records.csv"), str(tmp_path / "design.json")]


def test_the_table_shows_each_pattern_with_its_error(files: list[str], shell: Shell) -> None:
    """One row per pattern: observed and reconstructed support, error and interval.

    The sentence below is broken into lines that fit a terminal.
    """
    assert shell.out("reconstruct", *files, "--pattern", "drugs", "--pattern", "drugs,!cheating").splitlines() == [
        "8 records, 2 of them direct; stratified estimator",
        "pattern          n  observed  support        se         low      high",
        "drugs            8     0.375     0.25  0.306186   -0.132351  0.818146",
        "drugs,!cheating  8      0.25   0.1875  0.252913  -0.0730733  0.804131",
        "No answer differs significantly between the groups, which does not show that they answer alike: for",
        "cheating direct share minus disguised share may be -153.3 to +53.3 points, and the combined figure",
        "may be off by up to 53.7. The stratified estimator is right either way; combined and pooled assume",
        "that the groups agree.",
    ]


def test_json_is_the_documented_object(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """`--json` prints what the library gives, with the documented keys."""
    arguments = ["--pattern", "drugs", "--estimator", "combined", "--json"]
    assert main(["reconstruct", *files, *arguments]) == 0

    design = Design.parse(DESIGN)
    result = json.loads(capsys.readouterr().out)
    assert result == reconstruct(read_records(files[0], design), ["drugs"], estimator="combined").to_json()
    assert list(result) == ["n", "direct", "estimator", "cases", "level", "patterns", "groups"]
    assert [result["n"], result["direct"], result["estimator"]] == [8, 2, "combined"]
    assert list(result["patterns"][0])[:3] == ["pattern", "n", "observed"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (
            ["--pattern", "drugs,!drugs"],
            "candor reconstruct: Pattern 'drugs,!drugs': The literals on 'drugs' contradict each other.\n",
        ),
        (
            ["--pattern", "sex"],
            "candor reconstruct: Pattern 'sex': There is no item 'sex' in this design; "
            "its items are drugs, cheating.\n",
        ),
        (["--pattern", "drugs", "--level", "1"], "candor reconstruct: --level: 1.0 is not between 0 and 1.\n"),
    ],
)
def test_bad_input_is_one_line(arguments: list[str], said: str, files: list[str], shell: Shell) -> None:
    """A contradictory pattern, an unknown item, an impossible level: one sentence on stderr, status 2."""
    assert shell.refusal("reconstruct", *files, *arguments) == said


@pytest.mark.parametrize(("option", "value"), [("--bins", "-1"), ("--grid", "nan")])
def test_bins_go_with_a_distribution(files: list[str], shell: Shell, option: str, value: str) -> None:
    """What nothing is done with is not passed over."""
    assert (
        shell.refusal("reconstruct", *files, "--pattern", "drugs", option, value)
        == f"candor reconstruct: {option}: {value} goes with --distribution.\n"
    )


def test_made_weights_are_written_beside_the_records(tmp_path: Path, shell: Shell) -> None:
    """Raked here; read again they give the same share."""
    design = Design.parse({"blocks": [{"model": "warner", "theta": 0.8, "items": ["drugs"]}]})
    chance = np.random.default_rng(2)
    sex = np.array(["f", "m"], object)[chance.integers(0, 2, 60)]
    records = Records(design, chance.integers(0, 2, (60, 1)).astype(np.uint8), np.zeros(60, bool), {"sex": sex})
    (tmp_path / "design.json").write_text(json.dumps(design.to_json()))
    (tmp_path / "margins.json").write_text(json.dumps({"margins": {"sex": {"f": 0.5, "m": 0.5}}}))
    write_records(records, tmp_path / "records.csv")
    given, made, of = (str(tmp_path / name) for name in ("records.csv", "weighed.csv", "design.json"))
    by = ["--margins", str(tmp_path / "margins.json")]

    first = shell.json("reconstruct", given, of, "--json", *by, "--write-weights", made)["patterns"][0]
    second = shell.json("reconstruct", made, of, "--json", "--weights", "made_weight")["patterns"][0]

    assert second["support"] == pytest.approx(first["support"])
    assert shell.refusal("reconstruct", made, of, *by, "--write-weights", given) == (
        "candor reconstruct: --write-weights: the records have a column 'made_weight' already.\n"
    )


def test_the_records_that_are_read_are_not_written_over(files: list[str], shell: Shell, tmp_path: Path) -> None:
    """And nothing is written where the figures are refused."""
    before, weights = Path(files[0]).read_bytes(), tmp_path / "weighed.csv"
    asked = ["reconstruct", *files, "--cluster", "direct", "--weights", "direct"]
    assert "writing here would replace the records." in shell.refusal(*asked, "--write-weights", files[0])
    assert main([*asked, "--write-weights", str(weights), "--pattern", "nobody"]) == 2
    assert (Path(files[0]).read_bytes(), weights.exists()) == (before, False)


def test_without_weights_there_is_nothing_to_write(files: list[str], shell: Shell) -> None:
    """One sentence, and no file."""
    assert shell.refusal("reconstruct", *files, "--write-weights", "weighed.csv") == (
        "candor reconstruct: --write-weights: everybody weighs the same; it goes with --weights or --margins.\n"
    )
    assert not Path("weighed.csv").exists()


def test_the_share_of_a_number_or_more_is_printed_for_each_that_is_asked_for(tmp_path: Path, shell: Shell) -> None:
    """Half of 4,000 people say 0 and half 1 to 20, as often each: .5 have 1 or more, .275 have 10 or more."""
    item = {"id": "times", "min": 0, "max": 20, "step": 1}
    design = Design.parse({"blocks": [{"number": "square-wave", "epsilon": 4, "items": [item]}]})
    truth = np.r_[np.zeros(2000, int), np.tile(np.arange(1, 21), 100)]
    design.write(tmp_path / "design.json")
    disguise(DataFrame({"times": truth}), design, seed=3).write(tmp_path / "records.csv")
    asked = ["reconstruct", *(str(tmp_path / name) for name in ("records.csv", "design.json"))]
    asked += ["--distribution", "times", "--bins", "4", "--above", "0,1,10"]

    (figures,) = shell.json(*asked, "--json")["distributions"]
    printed = [line for line in shell.out(*asked).splitlines() if " or more: " in line]

    everybody, some, many = figures["above"]
    assert (everybody["number"], everybody["share"], *everybody["ci"]) == pytest.approx((0, 1, 1, 1))
    for entry, true in ((some, 0.5), (many, 0.275)):
        low, high = entry["ci"]
        assert low < true < high < low + 0.15
    assert [line.partition(" ")[0] for line in printed] == ["0", "1", "10"]
    assert printed[1] == f"1 or more: {some['share']:.4f}, from {some['ci'][0]:.4f} to {some['ci'][1]:.4f}"
