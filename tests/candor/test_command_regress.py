"""`candor regress` on files."""

import json
from pathlib import Path

import numpy as np
import pytest

import candor
from candor.commands import main
from tests.commands import Shell

DESIGN = {"model": "warner", "theta": 0.75, "items": ["drugs"]}
# Of the old 40, of the young 60 of 100 records say yes; one row lacks its age.
ROWS = ["1,old,2"] * 40 + ["0,old,1"] * 60 + ["1,young,1"] * 60 + ["0,young,2"] * 40 + ["1,,1"]


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    (tmp_path / "design.json").write_text(json.dumps(DESIGN))
    (tmp_path / "records.csv").write_text("\n".join(["drugs,age,w", *ROWS]) + "\n")
    return [str(tmp_path / "records.csv"), str(tmp_path / "design.json")]


def test_the_table_shows_each_coefficient_with_its_error(files: list[str], shell: Shell) -> None:
    """Log odds of .3 and of .7: the coefficients are known exactly, and the odds stand beside them."""
    assert shell.out("regress", *files, "--outcome", "drugs", "--on", "age=young").splitlines() == [
        "logistic regression of drugs: 200 respondents, 0 of them direct, 1 left out",
        "              estimate        se       low       high          p      odds",
        "(intercept)  -0.847298  0.466569  -1.76176  0.0671615  0.0693678  0.428571",
        "age=young       1.6946  0.659829  0.401355    2.98784  0.0102218   5.44444",
        "mean share of drugs 0.5, se 0.0707107",
        "errors: the model's; log-likelihood -134.602",
    ]


def test_json_is_the_documented_object(files: list[str], shell: Shell) -> None:
    """`--json` prints the keys that programs rely on, and what the library gives."""
    result = shell.json("regress", *files, "--outcome", "drugs", "--on", "age=young", "--weights", "w", "--json")
    assert [result["n"], result["family"], result["errors"]] == [200, "logistic", "robust"]
    assert [list(one) for one in result["coefficients"]] == [["name", "estimate", "se", "ci", "p"]] * 2
    assert [one["name"] for one in result["coefficients"]] == ["(intercept)", "age=young"]
    frame = candor.read_records(files[0], candor.read_design(files[1]), open_columns=True)
    assert candor.regress(frame, "drugs", "age=young", sample=candor.Sample(weights="w")).to_json() == result


def test_several_designs_are_told_apart_by_a_column(tmp_path: Path, shell: Shell) -> None:
    """One half asked by Warner's question, the other by the crosswise one; the share is fitted to both."""
    designs = {
        "1": DESIGN,
        "2": {"model": "crosswise", "prevalence": 0.25, "items": ["drugs"]},
    }
    (tmp_path / "designs.json").write_text(json.dumps(designs))
    rows = ["1,1"] * 40 + ["0,1"] * 60 + ["0,2"] * 40 + ["1,2"] * 60
    (tmp_path / "records.csv").write_text("\n".join(["drugs,way", *rows]) + "\n")
    arguments = ["--designs", str(tmp_path / "designs.json"), "--design-column", "way", "--outcome", "drugs", "--json"]

    result = shell.json("regress", str(tmp_path / "records.csv"), *arguments)
    assert result["share"]["estimate"] == pytest.approx(0.3, abs=1e-6)


def test_the_stochastic_lie_detector_gives_back_the_share_that_records_were_counted_from(
    tmp_path: Path, shell: Shell
) -> None:
    """π = .3 and t = .6: P(yes) = .18 + .7·(1 − p)."""
    options = {"item": "answer", "group": "group", "p": {"a": 0.2, "b": 0.8}}
    rows = [*["0,a"] * 260, *["1,a"] * 740, *["0,b"] * 680, *["1,b"] * 320]
    (tmp_path / "options.json").write_text(json.dumps(options))
    (tmp_path / "records.csv").write_text("\n".join(["answer,group", *rows]) + "\n")
    by = ["--model", "sld", "--model-options", str(tmp_path / "options.json")]

    result = shell.json("regress", str(tmp_path / "records.csv"), *by, "--outcome", "answer", "--json")
    assert result["share"]["estimate"] == pytest.approx(0.3, abs=1e-4)
    assert [(one["name"], round(one["estimate"], 4)) for one in result["parameters"]] == [("t", 0.6)]


def test_a_file_that_has_the_name_of_an_option_is_named_as_a_file(
    files: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A row of it is wrong, and not what was given by the option."""
    monkeypatch.chdir(tmp_path)
    Path("weights").write_text(Path(files[0]).read_text() + "1\n")

    status = main(["regress", "weights", files[1], "--outcome", "drugs", "--on", "age", "--weights", "age"])

    assert (status, capsys.readouterr().err.split(" has ")[0]) == (2, "candor regress: weights: line 203")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--outcome", "cheating"], "--outcome: 'cheating' names neither a disguised item nor an undisguised column; "
         "there are drugs, age, w, direct."),
        (["--outcome", "drugs", "--on", "age"], "--on: 'age' holds words, not numbers; name one of its values: "
         "age=old, age=young."),
        (["--outcome", "drugs", "--weights", "wt"], "--weights: there is no column 'wt'; the undisguised columns are "
         "age, w."),
        (["--outcome", "drugs", "--designs", "d.json"], "--designs and --design-column belong together."),
        (["--outcome", "drugs", "--model", "sld"], "--model and --model-options belong together."),
        (["--outcome", "drugs", "--strata", "age"], "--strata: respondent 201 has nothing in the column 'age'."),
        (["--outcome", "drugs", "--on", "w,"], "--on: a name is empty; write names between commas, such as "
         "age,drugs,age:drugs."),
    ],
)  # fmt: skip
def test_bad_input_is_one_line(arguments: list[str], said: str, files: list[str], shell: Shell) -> None:
    """An unknown name, words for numbers, options that lack their other half: one sentence, status 2."""
    assert shell.refusal("regress", *files, *arguments) == f"candor regress: {said}\n"


def test_json_lines_hold_open_columns_too(tmp_path: Path, shell: Shell) -> None:
    """Numbers, texts and nulls beside the disguised answers."""
    random = np.random.default_rng(3)
    rows = [
        {"drugs": int(answer), "age": None if place == 0 else round(float(age), 3), "sex": "f" if answer else "m"}
        for place, (answer, age) in enumerate(zip(random.random(200) < 0.4, random.normal(size=200), strict=True))
    ]
    (tmp_path / "records.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    (tmp_path / "design.json").write_text(json.dumps(DESIGN))
    files = [str(tmp_path / "records.jsonl"), str(tmp_path / "design.json")]

    assert (
        shell.json("regress", *files, "--outcome", "age", "--on", "sex=f", "--family", "linear", "--json")["n"] == 199
    )
