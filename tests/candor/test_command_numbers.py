"""Numbers and files as people give them to commands: a share is written one way, and swapped files are noticed."""

import json
from pathlib import Path

import pytest

import candor
from tests.commands import Shell

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
DELTA = "counts answers.csv --column drugs=0,1 --epsilon 1 --delta {}"  # a share of a thousandth at most


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("design.json").write_text(json.dumps(DESIGN))
    Path("spec.json").write_text(json.dumps(SPEC))
    for name, content in {"records": RECORDS, "answers": ANSWERS, "channel": CHANNEL, "prior": PRIOR}.items():
        Path(f"{name}.csv").write_text(content)


@pytest.mark.parametrize("command", WITH_SHARES)
def test_a_share_is_a_decimal_or_a_fraction_in_every_command(command: str, shell: Shell) -> None:
    for share in ("1/7", "0.142857"):
        shell.out(*command.format(share).split())


@pytest.mark.parametrize("command", WITH_SHARES)
@pytest.mark.parametrize("share", ["14%", "1/0", "1/7/2", "x"])
def test_what_is_no_number_is_one_line(command: str, share: str, shell: Shell) -> None:
    said = shell.refusal(*command.format(share).split())
    assert said.count("\n") == 1


@pytest.mark.parametrize("command", WITH_SHARES)
def test_a_negative_fraction_is_a_value_and_no_option(command: str, shell: Shell) -> None:
    """What is refused of it is its size, where it is refused."""
    said = shell.refusal(*command.format("-1/7").split())
    assert (said.count("\n"), "argument" in said) == (1, False)


def test_a_map_may_begin_west_of_greenwich(shell: Shell) -> None:
    Path("places.csv").write_text("x,y\n-0.1,51.5\n0.1,51.6\n")
    assert shell.run(["places", "places.csv", "--map", "-0.5,51,0.5,52", "--zone", "-.2,51.4,.2,51.6"], 0)[1] == ""


def test_an_epsilon_of_a_zone_that_would_change_nothing_is_refused(shell: Shell) -> None:
    """A zone keeps the lesser of its own and the one that is tried: one that is never the lesser is a mistake."""
    Path("places.csv").write_text("x,y\n1,1\n9,9\n")
    command = "places places.csv --map 0,0,10,10 --cell 1 --zone 2,2,8,8,{} --epsilons 5,12"

    assert shell.refusal(*command.format(13).split()) == (
        "candor places: zones: '2,2,8,8,13' has an epsilon of its own above all that are tried (5, 12), "
        "so it would change nothing.\n"
    )
    assert shell.run(command.format(12).split(), 0)[1] == ""


def test_the_limit_of_two_beliefs_that_no_float_holds_is_infinity(shell: Shell) -> None:
    assert (
        shell.json("breach", "channel.csv", "--prior", "prior.csv", "--rho", "1e-307,0.999", "--json")["limit"]
        == "Infinity"
    )


def test_what_a_file_lacks_is_one_line(shell: Shell) -> None:
    """Nothing is said of those who answered directly where the answers themselves are missing."""
    Path("other.csv").write_text("name,town\nAnn,Ulm\n")
    said = "candor compare: other.csv: the column 'drugs' is missing; there must be drugs, theft.\n"
    assert shell.refusal(*["compare", "other.csv", "design.json", "--figure", "drugs"]) == said


def test_the_command_and_the_library_take_the_same_confidence(shell: Shell) -> None:
    found = shell.json(*MINE.split(), "0.05", "--json")
    design = candor.read_design("design.json")
    rules = candor.mine("records.csv", 0.05, design=design).to_json()["rules"]
    assert found["rules"] == rules


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
def test_who_swaps_two_files_is_asked_so(command: str, shell: Shell) -> None:
    said = shell.refusal(*command.split())
    assert said.count("\n") == 1
    assert said.endswith(" Are the two files swapped?\n")


@pytest.mark.parametrize("command", [*WITH_SHARES, DELTA])
@pytest.mark.parametrize(
    ("written", "said"),
    [("1e-400", "too small"), ("-1e-400", "too small"), ("1e400", "too large"), ("9" * 400, "too large")],
)
def test_no_option_takes_a_number_for_nought_or_infinity(command: str, written: str, said: str, shell: Shell) -> None:
    """The refusal names what was typed, and why it is no share."""
    refusal = shell.refusal(*command.format(written).split())
    assert (refusal.count("\n"), len(refusal) < 140) == (1, True)
    assert f"{written[:20]}" in refusal
    assert f" is {said} a number." in refusal


def test_a_design_holds_no_number_that_becomes_nought(shell: Shell) -> None:
    Path("small.json").write_text('{"model": "unrelated", "p": 1e-400, "theta": 0.5, "items": ["drugs"]}')
    assert shell.refusal(*["guarantee", "small.json"]) == (
        "candor guarantee: small.json: 1e-400 is too small a number.\n"
    )


TOWN = "age,sex\n23,m\n38,f\n41,m\n"
CENSUS = 'name,age,sex\nAda,"[20, 30)",m\nBob,"[30, 50]",*\n'


HIDDEN = "people: 'age' has generalised labels, and the release has none."


@pytest.mark.parametrize(
    ("people", "release", "options", "status", "expected"),
    [
        (CENSUS, TOWN, "", 0, HIDDEN),
        ("age\n0213*\n02139\n", "age\n02139\n", "", 0, HIDDEN),
        (TOWN, CENSUS, "--name name", 2, "--name: the table of people has no column 'name'."),
    ],
)
def test_who_swaps_the_tables_to_link_is_asked_so(
    people: str, release: str, options: str, status: int, expected: str, shell: Shell
) -> None:
    """In a warning, or beside what is refused."""
    Path("people.csv").write_text(people)
    Path("release.csv").write_text(release)
    said = shell.run(f"link people.csv release.csv {options}".split(), status)[1]
    assert said == f"candor link: {expected} Are the two tables swapped?\n"
