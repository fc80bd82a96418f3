"""Numbers and files as people give them to commands: a share is written one way, and swapped files are noticed."""

import json
from pathlib import Path

import pytest

import candor
from candor.commands import main

DESIGN = {"model": "warner", "theta": 0.7, "items": ["drugs", "theft"], "direct": True}
SPEC = {
    "candor": 1,
    "attributes": {"drugs": {"role": "quasi", "hierarchy": [["0", "*"], ["1", "*"]]}, "theft": {"role": "sensitive"}},
    "model": {"k": 2},
    "method": "full-domain",
}
RECORDS = "direct,drugs,theft\n" + "".join(f"{n % 5 == 0:d},{n % 2},{n % 3 == 0:d}\n" for n in range(300))
ANSWERS = "drugs,theft\n1,0\n0,0\n"
CHANNEL, PRIOR = "in,a,b\nx,3/4,1/4\ny,1/4,3/4\n", "in,p\nx,0.1\ny,0.9\n"

MINE = "mine records.csv design.json --min-support"
WITH_SHARES = [
    "guarantee design.json --prior {}",
    "guarantee design.json --respondents 100 --delta {}",
    "advise --items 2 --respondents 100 --rho {},1/2",
    "advise --items 2 --respondents 100 --rho {} 1/2",
    "advise --items 2 --respondents 100 --gamma 9 --prevalence {}",
    "advise --items 2 --respondents 100 --gamma 9 --direct-share {}",
    "breach channel.csv --rho {},1/2",
    f"{MINE} {{}}",
    f"{MINE} .1 --min-confidence {{}}",
    "reconstruct records.csv design.json --level {}",
    "compare records.csv design.json --figure drugs --level {}",
    "regress records.csv design.json --outcome drugs --level {}",
    "lot records.csv design.json --share {}",
    "counts answers.csv --column drugs=0,1 --epsilon {}",
]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("design.json").write_text(json.dumps(DESIGN))
    Path("spec.json").write_text(json.dumps(SPEC))
    for name, content in {"records": RECORDS, "answers": ANSWERS, "channel": CHANNEL, "prior": PRIOR}.items():
        Path(f"{name}.csv").write_text(content)


def answer(command: str, capsys: pytest.CaptureFixture[str]) -> tuple[object, str]:
    try:
        status: object = main(command.split())
    except SystemExit as refusal:
        status = refusal.code
    return status, capsys.readouterr().err


@pytest.mark.parametrize("command", WITH_SHARES)
def test_a_share_is_a_decimal_or_a_fraction_in_every_command(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert [answer(command.format(share), capsys)[0] for share in ("1/7", "0.142857")] == [0, 0]


@pytest.mark.parametrize("command", WITH_SHARES)
@pytest.mark.parametrize("share", ["14%", "1/0", "1/7/2", "x"])
def test_what_is_no_number_is_one_line(command: str, share: str, capsys: pytest.CaptureFixture[str]) -> None:
    status, said = answer(command.format(share), capsys)
    assert (status, said.count("\n")) == (2, 1)


@pytest.mark.parametrize("command", WITH_SHARES)
def test_a_negative_fraction_is_a_value_and_no_option(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    """What is refused of it is its size, where it is refused."""
    status, said = answer(command.format("-1/7"), capsys)
    assert (status, said.count("\n"), "argument" in said) == (2, 1, False)


def test_a_map_may_begin_west_of_greenwich(capsys: pytest.CaptureFixture[str]) -> None:
    Path("places.csv").write_text("x,y\n-0.1,51.5\n0.1,51.6\n")
    assert answer("places places.csv --map -0.5,51,0.5,52 --zone -.2,51.4,.2,51.6", capsys) == (0, "")


def test_an_epsilon_of_a_zone_that_would_change_nothing_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    """A zone keeps the lesser of its own and the one that is tried: one that is never the lesser is a mistake."""
    Path("places.csv").write_text("x,y\n1,1\n9,9\n")
    command = "places places.csv --map 0,0,10,10 --cell 1 --zone 2,2,8,8,{} --epsilons 5,12"

    assert answer(command.format(13), capsys) == (
        2,
        "candor places: zones: '2,2,8,8,13' has an epsilon of its own above all that are tried (5, 12), "
        "so it would change nothing.\n",
    )
    assert answer(command.format(12), capsys) == (0, "")


@pytest.mark.parametrize(
    "command",
    [
        "counts answers.csv --column drugs=0,1 --epsilon {}",
        "counts answers.csv --column drugs=0,1 --epsilon 1 --delta {}",
        "breach channel.csv --prior prior.csv --rho {},1/2",
        "advise --items 2 --respondents 100 --rho {},1/2",
    ],
)
@pytest.mark.parametrize(("written", "said"), [("1e400", "too large"), ("1e-400", "too small"), ("9" * 400, "large")])
def test_a_number_that_no_float_holds_is_one_short_line(
    command: str, written: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    status, refusal = answer(f"{command.format(written)} --json", capsys)
    assert (status, refusal.count("\n"), len(refusal) < 120) == (2, 1, True)
    assert f"{said} a number." in refusal


def test_the_limit_of_two_beliefs_that_no_float_holds_is_infinity(capsys: pytest.CaptureFixture[str]) -> None:
    main(["breach", "channel.csv", "--prior", "prior.csv", "--rho", "1e-307,0.999", "--json"])
    assert json.loads(capsys.readouterr().out)["limit"] == "Infinity"


def test_a_number_of_thousands_of_digits_is_not_printed_as_a_whole(capsys: pytest.CaptureFixture[str]) -> None:
    status, said = answer(f"advise --items {'9' * 5000} --respondents 100 --gamma 9", capsys)
    assert (status, len(said) < 120) == (2, True)


def test_what_a_file_lacks_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing is said of those who answered directly where the answers themselves are missing."""
    Path("other.csv").write_text("name,town\nAnn,Ulm\n")
    said = "candor compare: other.csv: the column 'drugs' is missing; there must be drugs, theft.\n"
    assert answer("compare other.csv design.json --figure drugs", capsys) == (2, said)


def test_the_command_and_the_library_take_the_same_confidence(capsys: pytest.CaptureFixture[str]) -> None:
    main([*MINE.split(), "0.05", "--json"])
    design = candor.read_design("design.json")
    rules = candor.mine("records.csv", 0.05, design=design).to_json()["rules"]
    assert json.loads(capsys.readouterr().out)["rules"] == rules


@pytest.mark.parametrize(
    "command",
    [
        "mine design.json records.csv --min-support .1",
        "reconstruct design.json records.csv",
        "table design.json records.csv --items drugs",
        "compare design.json records.csv --figure drugs",
        "compare records.csv design.json --figure drugs --later design.json records.csv",
        "regress design.json records.csv --outcome drugs",
        "careless design.json records.csv",
        "lot design.json records.csv --share .2",
        "careless design.json records.csv --anchor drugs:0",
        "disguise design.json answers.csv -o written.csv",
        "anonymize spec.json records.csv -o written.csv",
        "breach prior.csv --prior channel.csv",
    ],
)
def test_who_swaps_two_files_is_asked_so(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    status, said = answer(command, capsys)
    assert (status, said.count("\n")) == (2, 1)
    assert said.endswith(" Are the two files swapped?\n")


@pytest.mark.parametrize(
    "command", ["reconstruct answers.csv spec.json", "breach channel.csv --prior records.csv", "disguise a b -o c.csv"]
)
def test_files_that_are_wrong_either_way_are_not_taken_for_swapped(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    status, said = answer(command, capsys)
    assert (status, "swapped" in said) == (2, False)


@pytest.mark.parametrize("command", WITH_SHARES)
@pytest.mark.parametrize(
    ("written", "said"), [("1e-400", "too small"), ("-1e-400", "too small"), ("1e400", "too large")]
)
def test_no_option_takes_a_number_for_nought_or_infinity(
    command: str, written: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """The refusal names what was typed, and why it is no share."""
    status, refusal = answer(command.format(written), capsys)
    assert (status, refusal.count("\n")) == (2, 1)
    assert f"{written!r} is {said} a number." in refusal


def test_a_design_holds_no_number_that_becomes_nought(capsys: pytest.CaptureFixture[str]) -> None:
    Path("small.json").write_text('{"model": "unrelated", "p": 1e-400, "theta": 0.5, "items": ["drugs"]}')
    assert answer("guarantee small.json", capsys) == (
        2,
        "candor guarantee: small.json: 1e-400 is too small a number.\n",
    )


TOWN = "age,sex\n23,m\n38,f\n41,m\n"
CENSUS = 'name,age,sex\nAda,"[20, 30)",m\nBob,"[30, 50]",*\n'


@pytest.mark.parametrize(
    ("people", "release", "options", "expected"),
    [
        (CENSUS, TOWN, "", "people: 'age' has generalised labels, and the release has none."),
        (
            "age\n0213*\n02139\n",
            "age\n02139\n",
            "",
            "people: 'age' has generalised labels, and the release has none.",
        ),
        (TOWN, CENSUS, "--name name", "--name: the table of people has no column 'name'."),
    ],
)
def test_who_swaps_the_tables_to_link_is_asked_so(
    people: str, release: str, options: str, expected: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("people.csv").write_text(people)
    Path("release.csv").write_text(release)
    said = answer(f"link people.csv release.csv {options}", capsys)[1]
    assert said == f"candor link: {expected} Are the two tables swapped?\n"


@pytest.mark.parametrize(
    ("people", "release"),
    [
        (TOWN.replace("sex", "name"), CENSUS.replace("name,", "x,").replace("sex", "y")),
        (CENSUS, CENSUS),
        ("name,age\nAda,*\n", TOWN),
        (CENSUS, "age,sex\n*,m\n23,f\n"),
    ],
)
def test_tables_that_may_be_the_right_way_round_are_linked_without_a_question(
    people: str, release: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("people.csv").write_text(people)
    Path("release.csv").write_text(release)
    assert answer("link people.csv release.csv", capsys) == (0, "")
