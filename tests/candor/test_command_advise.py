"""`candor advise` on the command line."""

import json
from pathlib import Path

import pytest

from candor.commands import main
from privacy.design import Design
from tests.commands import Shell

TEN = ["advise", "--items", "10", "--respondents", "10000", "--prevalence", "0.3"]


def test_the_winners_and_the_wish_are_told(shell: Shell) -> None:
    """The promise, the best design for each length, the comparison, the recommendation and what a wish needs."""
    printed = shell.out(*TEN, "--rho", "0.05", "0.5", "--length", "3", "--target", "0.01")
    assert printed.startswith(
        "10 items, 10000 respondents, gamma at most 19 (epsilon 2.94444): what was\n"
        "thought 5 % likely becomes at most 50 %"
    )
    assert (
        "     3  sampled, one coin       1      4     19      0.01459      0.01519      0.01609   0.02214\n" in printed
    )
    assert "one coin over all items        1     10" in printed
    assert "Recommended: sampled, one coin, 4 of 10 questions asked, standard error 0.01609" in printed
    assert "A standard error of 0.01 is not possible with 10000 respondents under this gamma: 25883" in printed


def test_named_questions_come_from_a_file(tmp_path: Path, shell: Shell) -> None:
    """A file of questions names the items of the design."""
    questions = tmp_path / "questions.json"
    questions.write_text('{"items": [{"id": "drugs"}, {"id": "age", "options": ["young", "old", "other"]}]}')

    document = shell.json("advise", "--questions", str(questions), "--respondents", "500", "--gamma", "9.5", "--json")
    items = Design.parse(document["winners"][1]["design"]).items
    assert sorted((item.id, item.options) for item in items) == [
        ("age", ("young", "old", "other")),
        ("drugs", ("0", "1")),
    ]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--gamma", "nineteen"], "--gamma: 'nineteen' is not a finite number."),
        (["--gamma", "nan"], "--gamma: 'nan' is not a finite number."),
        (["--gamma", "19", "--items", "1000000000"], "--items: 1000000000 is outside 1 to 100."),
        (["--gamma", "19", "--prevalence", "1.5"], "--prevalence: 1.5 is outside 0 to 1."),
        (["--gamma", "19", "--rho", "0.05", "0.5"], "Give the promise as --gamma, --epsilon or --rho, one of them."),
        (["--gamma", "19", "--epsilon", "2"], "Give the promise as --gamma, --epsilon or --rho, one of them."),
        ([], "Give the promise as --gamma, --epsilon or --rho, one of them."),
        (["--epsilon", "0"], "--epsilon: 0 is outside 1e-06 to 100."),
        (["--epsilon", "two"], "--epsilon: 'two' is not a finite number."),
        (["--rho", "0.5", "0.05"], "rho1 = 1/2 and rho2 = 1/20 must satisfy 0 < rho1 < rho2 < 1"),
        (["--gamma", "19", "--length", "11"], "--length: 11 is outside 1 to the 10 items."),
        (["--gamma", "19", "--target", "0"], "--target: 0 is not a standard error between 0 and 1."),
        (
            ["--gamma", "19", "--target", "1e-160"],
            "--target: 1e-160 would need more than 9007199254740992 respondents.",
        ),
        (
            ["--rho", "1e-320", ".5"],
            "gamma: a number of more than 300 digits is above 4294967296, where it promises nothing.",
        ),
    ],
)
def test_bad_input_is_one_line(arguments: list[str], said: str, shell: Shell) -> None:
    """What cannot be is refused with status 2 and one sentence, and nothing is written."""
    assert shell.refusal(*TEN, *arguments) == f"candor advise: {said}\n"


@pytest.mark.parametrize(
    ("items", "said"),
    [
        ('[{"id": "drugs"}, {"id": "a=b"}]', "a=b.id: 'a=b' is empty, begins with '!', or holds ',', '=', "),
        ('[{"id": "drugs"}, {"id": "drugs"}]', "drugs: two questions have this name."),
    ],
)
def test_a_name_in_the_file_is_refused_by_the_name(items: str, said: str, tmp_path: Path, shell: Shell) -> None:
    """Not by a place in a design that nobody wrote."""
    questions = tmp_path / "questions.json"
    questions.write_text(f'{{"items": {items}}}')

    assert shell.refusal("advise", "--questions", str(questions), "--respondents", "500", "--gamma", "9").startswith(
        f"candor advise: {said}"
    )


def test_the_file_of_questions_is_never_replaced(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A slip in the name of the output must not cost the questions."""
    questions = tmp_path / "questions.json"
    questions.write_text('{"items": [{"id": "drugs"}]}')

    status = main(["advise", "--questions", str(questions), "--respondents", "9", "--gamma", "9", "-o", str(questions)])

    assert (status, questions.read_text()) == (2, '{"items": [{"id": "drugs"}]}')
    assert capsys.readouterr().err == f"candor advise: {questions}: writing here would replace the questions.\n"


def test_that_no_rules_are_to_be_expected_is_said(shell: Shell) -> None:
    """800 respondents are too few for ten questions; the table and the JSON say the same figures."""
    few = ["advise", "--items", "10", "--respondents", "800", "--prevalence", "0.3", "--gamma", "19"]
    printed = shell.out(*few)
    document = shell.json(*few, "--json")

    assert "Expect no rules from 800 respondents; about 7600 respondents would be needed." in printed
    assert [(one["length"], one["needed"]) for one in document["connections"]] == [(2, 7573), (3, 60297)]
    assert list(document["connections"][0]) == ["length", "among_those", "among_all", "chance", "needed"]


def test_items_are_named(shell: Shell, tmp_path: Path) -> None:
    """`--names` counts the items, and the design that is written asks them."""
    given = ["--respondents", "1000", "--gamma", "19"]
    assert shell.out("advise", "--names", "drugs, cheating", *given, "-o", str(tmp_path / "design.json")).startswith(
        "2 items, 1000 respondents"
    )
    assert [item.id for item in Design.parse((tmp_path / "design.json").read_text()).items] == ["drugs", "cheating"]
    assert shell.refusal("advise", "--names", "drugs,,cheating", *given).startswith(
        "candor advise: items.id: '' is empty, begins with '!'"
    )


RARE = ["advise", "--respondents", "10000", "--gamma", "19", "--length", "1"]


def test_rare_answers_are_advised_one_word_of_a_list(shell: Shell) -> None:
    """Its error, its bias and the price of a wrong guess are printed, and the JSON has them."""
    printed = shell.out(*RARE, "--items", "10", "--prevalence", "0.05")
    document = shell.json(*RARE, "--items", "10", "--prevalence", "0.05", "--json")["recommended"]

    assert "Recommended: one of yours, 10 of 10 questions asked, root mean square error 0.006924." in printed
    assert "People with more than 3 rare answers add less to each of its figures" in printed
    assert "15 % of people have four times as many        0.00692   -0.00238\n" in printed
    assert "If rare answers are twice as common as guessed, it errs by 0.0208." in printed
    assert document["family"] == "one of yours"
    assert [round(one["bias"][0], 5) for one in document["biased"]["populations"]] == [-0.0001, -0.00238, -0.00074]
    assert Design.parse(document["design"]).gamma <= 19


def test_prevalences_are_given_for_each_item(shell: Shell, tmp_path: Path) -> None:
    """In their order, by their names, or in the file of questions, as words or numbers: the advice is the same."""
    questions = tmp_path / "questions.json"
    items = [{"id": "drugs", "expected": "rare"}, {"id": "theft", "expected": 0.02}]
    questions.write_text(json.dumps({"items": items}))
    ways = [
        ["--names", "drugs,theft", "--prevalence", "rare,0.02"],
        ["--names", "drugs,theft", "--prevalence", "theft=0.02, drugs=rare"],
        ["--questions", str(questions)],
    ]

    said = []
    for way in ways:
        said.append(shell.out(*RARE, *way))

    assert said == [said[0]] * 3


@pytest.mark.parametrize(
    "report",
    [
        {"patterns": [{"pattern": "drugs", "support": 0.05}, {"pattern": "!theft", "support": 0.98}]},
        {
            "itemsets": [
                {"items": ["drugs"], "support": 0.05},
                {"items": ["theft"], "support": 0.02},
                {"items": ["drugs", "theft"], "support": 0.3},
            ]
        },
    ],
)
def test_prevalences_come_from_an_earlier_report(report: dict[str, object], shell: Shell, tmp_path: Path) -> None:
    """The JSON of reconstruct or of mine; then the advice is that for these prevalences."""
    file = tmp_path / "report.json"
    file.write_text(json.dumps(report))

    after = shell.out(*RARE, "--names", "drugs,theft", "--after", str(file))
    assert after == shell.out(*RARE, "--names", "drugs,theft", "--prevalence", "0.05,0.02")


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (["--prevalence", "few"], "--prevalence: 'few' is neither a number nor one of very rare, rare, some, "),
        (["--prevalence", "rare,some,half"], "--prevalence: 3 shares do not fit 2 items."),
        (["--prevalence", "drugs=rare"], "--prevalence: 'theft' has no guess, but other items have one; "),
        (["--prevalence", "drugs=rare,theft=rare,fraud=rare"], "--prevalence: 'fraud' is no item."),
        (["--prevalence", "drugs=rare,drugs=some"], "--prevalence: 'drugs' is named twice."),
        (["--after", "report.json"], "--after: the report has no support of 'theft'."),
        (["--after", "report.json", "--prevalence", "rare"], "Give prevalences either as --prevalence or as --after."),
    ],
)
def test_a_guess_that_does_not_fit_is_refused(
    given: list[str], said: str, shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With one sentence that names the word, the item or the report."""
    monkeypatch.chdir(tmp_path)
    Path("report.json").write_text('{"patterns": [{"pattern": "drugs", "support": 0.05}]}')

    assert shell.refusal(*RARE, "--names", "drugs,theft", *given).startswith(f"candor advise: {said}")
