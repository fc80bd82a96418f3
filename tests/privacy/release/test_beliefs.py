"""What a table does to beliefs: priors and posteriors of the notes, and (ρ₁, ρ₂)-privacy as a measure and a model."""

import json
from fractions import Fraction
from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, strategies as st

import candor
from candor.commands import main
from privacy.errors import InputError
from privacy.release.classes import classes_of
from privacy.release.measures.beliefs import posterior
from privacy.release.models.conditions import Beliefs
from tests.cases import first
from tests.privacy.release.patients import FIGURE_1

KNOWN = ["Race", "Birth", "Gender", "ZIP"]


@pytest.fixture
def figure_1(tmp_path: Path) -> Path:
    path = tmp_path / "figure1.csv"
    path.write_text(FIGURE_1)
    return path


def test_figure_1_of_the_notes_in_words_and_row_by_row(figure_1: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """t3 and t4: from 2 in 11 to certain. Of each row the share in the table, and then in its class."""
    options = ["measure", str(figure_1), "--quasi", ",".join(KNOWN), "--sensitive", "Problem", "--rows"]

    assert main(options) == 0
    text = " ".join(capsys.readouterr().out.split())
    assert main([*options, "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)

    said = (
        "About “Problem”, somebody who knows Race, Birth, Gender, ZIP goes from 2 in 11 to certain for 2 of 11 people; "
        "no belief grows more. For 2 of 11 people a value of “Problem” can be ruled out that 5 of 11 have."
    )
    assert said in text
    assert "row before after 3 0.181818 1 4 0.181818 1 10 0.454545 1 11 0.454545 1 1 0.181818 0.5" in text
    ill = [line.split(",")[-1] for line in FIGURE_1.splitlines()[1:]]
    after = [1 / 2] * 2 + [1] * 2 + [1 / 2] * 2 + [1 / 3] * 3 + [1] * 2
    assert printed["rows"] == [
        {"row": row, "before": pytest.approx(ill.count(own) / 11), "after": pytest.approx(share)}
        for row, (own, share) in enumerate(zip(ill, after, strict=True), start=1)
    ]
    assert printed["metrics"]["beliefs"] == {
        "positive": {"rows": 2, "before": 2 / 11, "after": 1.0},
        "negative": {"rows": 2, "before": pytest.approx(5 / 11)},
        "rho": {"0.01": None, "0.05": None, "0.1": None, "0.2": 1.0, "0.5": 1.0},
    }


def test_the_uninformative_principle_is_said_where_it_holds() -> None:
    """Every class has the shares of the table: nothing is learned of anybody."""
    frame = pd.DataFrame({"age": [20, 20, 30, 30], "ill": ["flu", "cold"] * 2})

    measured = candor.measure(frame, ["age"], "ill", rows=True)

    assert "About “ill”, somebody who knows age learns no more than its share in the whole table." in measured.allowed
    assert measured.measures.growth == 1
    assert [one.growth for one in measured.beliefs or ()] == [1.0] * 4


def test_theorem_3_1_is_bayes_on_all_ways_to_draw_the_table() -> None:
    """By brute force: who is who among three rows of a class, of whom two have the flu.

    Three people with priors of their own; the table shows the values of all three and not whose is whose.
    """
    flu = [Fraction(1, 4), Fraction(1, 2), Fraction(1, 2)]
    ways = {
        ill: np.prod([share if one else 1 - share for one, share in zip(ill, flu, strict=True)])
        for ill in product((0, 1), repeat=3)
        if sum(ill) == 2
    }
    by_hand = sum(way for ill, way in ways.items() if ill[0]) / sum(ways.values())

    # For all others of the class the value is as likely as in the class; the theorem is exact for a class of them.
    shown = posterior([1, 2], [1 - flu[0], flu[0]], [Fraction(1, 2), Fraction(1, 2)])

    assert shown[1] == pytest.approx(float(by_hand))


@pytest.mark.parametrize(
    ("counts", "own", "others", "said"),
    [
        ([1, 1], [0.5], [0.5, 0.5], "counts: the counts and both priors must be about the same values."),
        ([1, 1], [0.5, 0.5], [1, 0], "given_class: a value that rows of the class have was thought impossible."),
        ([1, 0], [0, 1], [0.5, 0.5], "counts: no value of the class was thought possible for this person."),
    ],
)
def test_what_no_posterior_comes_of_is_refused(
    counts: list[float], own: list[float], others: list[float], said: str
) -> None:
    """In one sentence."""
    with pytest.raises(InputError) as refused:
        posterior(counts, own, others)

    assert str(refused.value) == said


ROWS = st.lists(st.tuples(st.integers(0, 2), st.sampled_from("abc")), min_size=1, max_size=20)
LEVELS = st.tuples(st.integers(1, 19), st.integers(1, 19)).filter(lambda pair: pair[0] < pair[1])


@given(ROWS, LEVELS)
def test_a_breach_is_what_its_definition_says(rows: list[tuple[int, str]], levels: tuple[int, int]) -> None:
    """α < ρ₁ and β > ρ₂, or α > 1 − ρ₁ and β < 1 − ρ₂, of any value in any class, in exact fractions."""
    rho1, rho2 = (Fraction(level, 20) for level in levels)
    ages, values = zip(*rows, strict=True)
    breached = {}
    for age, value in product(sorted(set(ages)), set(values)):
        before = Fraction(values.count(value), len(values))
        own = [other for years, other in rows if years == age]
        after = Fraction(own.count(value), len(own))
        worse = (before < rho1 and after > rho2) or (before > 1 - rho1 and after < 1 - rho2)
        breached[age] = breached.get(age, False) or worse

    assert Beliefs(float(rho1), float(rho2)).holds(classes_of([ages], values)).tolist() == [
        not one for one in breached.values()
    ]


@pytest.mark.parametrize("method", first(1, ["full-domain", "local"]))
def test_a_release_fulfils_the_rho_that_it_was_asked_for(method: str) -> None:
    """Of every class of what is published, whichever method made it: nothing below 1/3 becomes more likely than 3/5."""
    random = np.random.default_rng(11)
    frame = pd.DataFrame(
        {"age": random.integers(20, 80, 60), "ill": random.choice(["flu", "cold", "gout"], 60, p=[0.5, 0.3, 0.2])}
    )
    attributes = {
        "age": {"role": "quasi", "ranges": [[20, 30, 40, 50, 60, 70, 80], [20, 50, 80]]},
        "ill": {"role": "sensitive"},
    }
    spec = {"attributes": attributes, "model": {"k": 2, "rho": ["1/3", 0.6]}, "method": method, "seed": 1}

    released = candor.anonymize(frame, spec).to_frame()

    overall = released["ill"].value_counts(normalize=True)
    assert sorted(overall) == pytest.approx(sorted(frame["ill"].value_counts(normalize=True)))
    for _, own in released.groupby("age"):
        shares = own["ill"].value_counts(normalize=True)
        assert all(share <= 0.6 for value, share in shares.items() if overall[value] < 1 / 3)
    assert len(released.groupby("age")) > 1


@pytest.mark.parametrize(
    ("rho", "said"),
    [
        ([0.5, 0.2], "model.rho: 0.5 and 0.2 are not two beliefs between 0 and 1, the smaller one first."),
        ([0.5], "model.rho: [0.5] is not a pair of beliefs, such as [0.2, 0.5]."),
        (["x", 0.2], "model.rho: 'x' is not a finite number."),
        (0.5, "model.rho: 0.5 is not a list."),
    ],
)
def test_what_is_no_pair_of_beliefs_is_refused(rho: object, said: str) -> None:
    """In one sentence with the place in the spec."""
    attributes = {"age": {"role": "quasi"}, "ill": {"role": "sensitive"}}
    frame = pd.DataFrame({"age": [1, 2], "ill": ["a", "b"]})

    with pytest.raises(InputError) as refused:
        candor.anonymize(frame, {"attributes": attributes, "model": {"rho": rho}})

    assert str(refused.value) == said


def test_another_belief_than_everybodys_is_followed_row_by_row(
    figure_1: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """By hand: of two rows one has it; odds of 1 to 6 before, and 2 in 11 among all: 1/6 · 1 · 9/2 = 3/4 to 1."""
    options = ["measure", str(figure_1), "--quasi", ",".join(KNOWN), "--sensitive", "Problem"]
    value = FIGURE_1.splitlines()[1].split(",")[-1]
    ill = [line.split(",")[-1] for line in FIGURE_1.splitlines()[1:]]

    assert main([*options, "--belief", f"{value}=1/7", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)["belief"]
    frame = pd.read_csv(figure_1, dtype=str)
    measured = candor.measure(frame, KNOWN, "Problem", belief=(value, "1/7"))

    assert (told["value"], ill.count(value)) == (value, 2)
    assert told["rows"][0] == {"row": 1, "before": pytest.approx(1 / 7), "after": pytest.approx(3 / 7)}
    assert [one["after"] for one in told["rows"][2:4]] == [0, 0]
    assert measured.to_json()["belief"] == told
    assert f"How likely {value} is to somebody who held this belief before the table" in str(measured)


@pytest.mark.parametrize(
    ("belief", "sentence"),
    [
        ("flu", "--belief: 'flu' is not VALUE=SHARE, such as flu=1/7."),
        ("flu=1", "--belief: '1' is not a share between 0 and 1."),
        ("flu=often", "--belief: 'often' is not a finite number."),
        ("flu=1/7", "--belief: no row has the sensitive value 'flu'."),
    ],
)
def test_a_belief_that_is_none_is_refused_in_a_sentence(
    figure_1: Path, capsys: pytest.CaptureFixture[str], belief: str, sentence: str
) -> None:
    """It names what was written, and the rule."""
    options = ["measure", str(figure_1), "--quasi", ",".join(KNOWN), "--sensitive", "Problem", "--belief", belief]

    assert main(options) == 2
    assert capsys.readouterr().err == f"candor measure: {sentence}\n"
