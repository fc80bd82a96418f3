"""`candor breach` on a channel and priors, and `candor.breach`."""

import json
from fractions import Fraction
from pathlib import Path

import pandas as pd
import pytest

import candor
from candor.commands import main
from privacy.errors import InputError
from tests.commands import Shell

# A device answers truly two times in three. One in ten uses drugs; of somebody's friends every second one does.
CHANNEL = "input,no,yes\nnever,2/3,1/3\nuses,1/3,2/3\n"
PRIOR = "input,nothing more,a friend\nnever,0.9,1/2\nuses,0.1,1/2\n"
# The published example (table 1, R1) with ten values for a thousand: 0 is kept with 1/5, and so is any other.
TEN = "x," + ",".join(map(str, range(11))) + "\n"
TEN += "".join(f"{x}," + ",".join("1/5" if x == y else "2/25" for y in range(11)) + "\n" for x in range(11))


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    (tmp_path / "channel.csv").write_text(CHANNEL)
    (tmp_path / "prior.csv").write_text(PRIOR)
    return tmp_path / "channel.csv", tmp_path / "prior.csv"


def test_it_prints_gamma_the_worst_property_and_the_breach_of_each_prior(
    files: tuple[Path, Path], shell: Shell
) -> None:
    """By hand: γ is 2; a yes makes 1 in 10 into 2/11, and 1 in 2 into 2/3, which is a breach from 1/2 to 3/5."""
    assert shell.out("breach", str(files[0]), "--prior", str(files[1]), "--rho", "1/2,3/5") == (
        "gamma 2, epsilon 0.693148, whatever somebody thought before.\n"
        "By gamma alone some belief of 1/2 can become 3/5, or 3/5 become 1/2: that takes a gamma of 3/2.\n"
        "\n"
        "The property whose odds grow most\n"
        "known         property  output  before     after  odds grow\n"
        "nothing more  never     no         0.9  0.947368          2\n"
        "a friend      never     no         0.5  0.666667          2\n"
        "\n"
        "Of all that is at most 1/2 likely, what becomes surest\n"
        "known         property  output  before     after\n"
        "nothing more  uses      yes        0.1  0.181818\n"
        "a friend      never     no         0.5  0.666667\n"
        "\n"
        "Of all that is at least 3/5 likely, what becomes least likely\n"
        "known         property  output  before     after\n"
        "nothing more  never     yes        0.9  0.818182\n"
        "a friend      -         -            -         -\n"
        "\n"
        "nothing more: no breach from 1/2 to 3/5\n"
        "a friend: a breach from 1/2 to 3/5\n"
    )


def test_the_library_and_the_command_say_the_same(files: tuple[Path, Path], shell: Shell) -> None:
    """Of DataFrames whose index names the inputs, in any order; and the figures stay exact fractions."""
    channel = pd.DataFrame({"no": ["2/3", "1/3"], "yes": ["1/3", "2/3"]}, index=["never", "uses"])
    prior = pd.DataFrame({"nothing more": [0.1, 0.9], "a friend": [0.5, 0.5]}, index=["uses", "never"])
    found = candor.breach(channel, prior, rho=("1/2", 0.6))
    assert (
        shell.json("breach", str(files[0]), "--prior", str(files[1]), "--rho", "1/2,3/5", "--json") == found.to_json()
    )
    assert [one.worst.after for one in found.beliefs] == [Fraction(18, 19), Fraction(2, 3)]
    assert found.to_frame().shape == (5, 7)
    assert [one["breach"] for one in found.to_json()["beliefs"]] == [False, True]


def test_a_downward_breach_is_found(files: tuple[Path, Path], shell: Shell) -> None:
    """Nothing up to 1/5 becomes 3/10, but what 7/10 thought likely may fall to less: 3/4 becomes 3/5."""
    prior = files[1]
    prior.write_text("input,three in four\nnever,3/4\nuses,1/4\n")
    (belief,) = shell.json("breach", str(files[0]), "--prior", str(prior), "--rho", "3/5,7/10", "--json")["beliefs"]

    assert (belief["upward"]["after"], belief["downward"]["after"], belief["breach"]) == (0.4, 0.6, True)


def test_gamma_alone_rules_out_a_breach_below_the_published_limit() -> None:
    """ρ₁ = 1/7 becomes ρ₂ = 1/2 where γ is 6 or more: 2.5 rules it out, 6 no longer (condition (b))."""
    rows = [line.split(",")[1:] for line in TEN.splitlines()[1:]]
    six = [["6/7", "1/7"], ["1/7", "6/7"]]

    assert candor.breach(rows, rho=("1/7", "1/2")).to_json() == {
        "gamma": 2.5, "epsilon": pytest.approx(0.9162907318741551),
        "rho": [1 / 7, 0.5], "limit": 6.0, "ruled_out": True, "beliefs": [],
    }  # fmt: skip
    assert candor.breach(six, rho=("1/7", "1/2")).ruled_out is False
    assert candor.breach(six, ["6/7", "1/7"], rho=("1/7", "1/2")).to_json()["beliefs"][0]["breach"] is True


def test_certainty_is_an_infinite_gamma() -> None:
    """An output that only one input has makes it certain."""
    found = candor.breach([[1, 0], [0.5, 0.5]], [0.5, 0.5])

    assert (found.gamma, found.beliefs[0].worst.after, found.to_json()["gamma"]) == (float("inf"), 1, "Infinity")


def test_the_advisor_reads_fractions(shell: Shell) -> None:
    """`candor advise --rho 1/7 1/2` is γ = 6."""
    options = ["advise", "--items", "1", "--respondents", "100", "--json"]

    of_beliefs = shell.out(*options, "--rho", "1/7", "1/2")
    assert shell.out(*options, "--gamma", "6") == of_beliefs


@pytest.mark.parametrize(
    ("channel", "prior", "rho", "said"),
    [
        ("x,a,b\n0,1/2,1/3\n", None, None, "channel: the row '0': these numbers are no distribution, not negative and"),
        ("x,a,b\n0,1/0,1\n", None, None, "channel: the row '0': '1/0' is not a finite number."),
        ("x,a\n0,1\n0,1\n", None, None, "channel: the name '0' appears twice; every name may appear once."),
        (CHANNEL, "x,p\nnever,1\nelse,0\n", None, "prior: 'else' is an input of the prior or of the channel, and not"),
        (CHANNEL, None, "1/7", "rho: ['1/7'] is not a pair of beliefs, such as 1/7 and 1/2."),
        (CHANNEL, None, "1/2,1/7", "rho1 = 1/2 and rho2 = 1/7 must satisfy 0 < rho1 < rho2 < 1"),
        ("x\n0\n", None, None, "channel: it has a row for every input and a column for every output."),
    ],
)
def test_what_is_no_channel_or_prior_is_refused(
    files: tuple[Path, Path], shell: Shell, channel: str, prior: str | None, rho: str | None, said: str
) -> None:
    """In one line that names the row, the value and the rule."""
    files[0].write_text(channel)
    if prior:
        files[1].write_text(prior)
    options = (["--prior", str(files[1])] if prior else []) + (["--rho", rho] if rho else [])

    assert said in shell.refusal("breach", str(files[0]), *options).replace("--", "")


def test_it_says_what_outputs_make_of_a_property_that_is_named(files: tuple[Path, Path], shell: Shell) -> None:
    """By hand: a yes makes a tenth of uses 2/11, a no 1/19; of a friend 2/3, which is a breach from 1/2 to 3/5."""
    command = ["breach", str(files[0]), "--prior", str(files[1]), "--rho", "1/2,3/5", "--property", "uses"]
    printed = shell.out(*command)
    assert (
        "The properties named\n"
        "known         property  before   at most  after   at least  after  breach\n"
        "nothing more  uses         0.1  0.181818  yes    0.0526316  no     no\n"
        "a friend      uses         0.5  0.666667  yes     0.333333  no     yes\n"
    ) in printed


def test_a_property_of_several_inputs_is_exact_in_the_library() -> None:
    """Table 1 of the paper in small: X is 0 or 1, after R = 0."""
    channel, prior = [["1/2", "1/4", "1/4"], ["1/4", "1/2", "1/4"], ["1/4", "1/4", "1/2"]], ["1/2", "1/4", "1/4"]

    found = candor.breach(channel, prior, properties=["0,1", ["2"]])

    both, last = found.beliefs[0].properties
    assert (both.surest.before, both.surest.after, both.least.after) == (Fraction(3, 4), Fraction(5, 6), Fraction(3, 5))
    assert (last.surest.after, last.surest.output, last.least.after) == (Fraction(2, 5), 2, Fraction(1, 6))


@pytest.mark.parametrize(
    ("properties", "prior", "sentence"),
    [
        (["3"], [0.5, 0.5], "properties: '3' is no input of the channel."),
        ([[]], [0.5, 0.5], "properties: [] names no input."),
        ("0", [0.5, 0.5], "properties: '0' is not a list of properties."),
        (["0"], None, "properties: a property has a belief only with a prior; give one."),
    ],
)
def test_a_property_that_is_none_is_refused(properties: object, prior: object, sentence: str) -> None:
    """The sentence names the property."""
    with pytest.raises(InputError) as refused:
        candor.breach([["1/2", "1/2"], ["1/4", "3/4"]], prior, properties=properties)  # type: ignore[arg-type]

    assert str(refused.value) == sentence


def test_it_prints_what_outputs_tell_in_bits(files: tuple[Path, Path], shell: Shell) -> None:
    """By hand: of a friend 1 bit is unknown, then H(1/3) = .918; a yes moves 1 in 10 to 2/11."""
    assert shell.out("breach", str(files[0]), "--prior", str(files[1]), "--measures").endswith(
        "What is unknown of the input, and what outputs tell, in bits\n"
        "known           before     after       loss    at most  by   perfectly private\n"
        "nothing more  0.468996  0.439213  0.0297824  0.0443147  yes  no\n"
        "a friend             1  0.918296  0.0817042  0.0817042  no   no\n"
    )


def test_the_measures_are_those_of_the_notes_of_2019() -> None:
    """Warner's coin of 3/4 loses .189 of 1 bit; two of eleven rows of a class are 2.459 bits from their table.

    A vote that S tells is perfectly private, whatever the output; so is a channel whose rows are equal, exactly.
    """
    coin, equal = [["3/4", "1/4"], ["1/4", "3/4"]], [["1/3", "2/3"], ["1/3", "2/3"]]
    given_s = pd.DataFrame({"S = 0": [1, 0], "S = 1": [0, 1]}, index=["0", "1"])

    warner = candor.breach(coin, ["1/2", "1/2"], measures=True)
    table = candor.breach([[1, 0], [0, 1]], ["2/11", "9/11"], measures=True)
    of_s = candor.breach([["1/3", "2/3"], [1, 0]], given_s, measures=True)

    (found,) = (one.information for one in warner.beliefs)
    assert found is not None
    assert [round(one, 3) for one in (found.before, found.after, found.loss)] == [1.0, 0.811, 0.189]
    assert (warner.privacy_loss, found.perfectly_private) == (found.loss, False)
    assert round(table.to_json()["beliefs"][0]["measures"]["divergence"], 3) == 2.459
    assert [one["measures"]["perfectly_private"] for one in of_s.to_json()["beliefs"]] == [True, True]
    assert of_s.privacy_loss == 0
    assert candor.breach(equal, [0.3, 0.7], measures=True).to_json()["beliefs"][0]["measures"]["perfectly_private"]


def test_plain_inputs_may_show_themselves(tmp_path: Path, capsys: pytest.CaptureFixture[str], shell: Shell) -> None:
    """Definition 2 of Feng and Zhu (2023): a fifth of z's outputs say that it is z; of all others ε is ln 1.5."""
    channel = tmp_path / "channel.csv"
    channel.write_text("input,a,b,c\nx,.6,.4,0\ny,.4,.6,0\nz,.4,.4,.2\n")
    printed = shell.out("breach", str(channel), "--plain", "z")
    assert main(["breach", str(channel), "--plain", "z", "--json"]) == 0

    assert printed == (
        "gamma inf, epsilon inf, whatever somebody thought before.\n"
        "epsilon 0.405466 where an output may show that it was z.\n"
    )
    assert json.loads(capsys.readouterr().out)["uldp"] == {"plain": ["z"], "epsilon": pytest.approx(0.4054651081081644)}


@pytest.mark.parametrize(
    ("option", "sentence"),
    [
        (["--plain", "q"], "candor breach: --plain: 'q' is no input of the channel.\n"),
        (["--measures"], "candor breach: --measures: what outputs tell depends on a prior; give one.\n"),
    ],
)
def test_what_cannot_be_measured_is_refused(
    files: tuple[Path, Path], shell: Shell, option: list[str], sentence: str
) -> None:
    """One sentence names the option."""
    assert shell.refusal("breach", str(files[0]), *option) == sentence
