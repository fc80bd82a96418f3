"""The published breach example comes out to its printed digits, and γ bounds it."""

import csv
from fractions import Fraction
from pathlib import Path
from xml.etree import ElementTree

import pytest

from papers import breach
from privacy.guarantee import posterior_bound


def test_table_1_to_its_printed_digits() -> None:
    """The beliefs in X = 0 and in X outside 200 … 800, before, and after R₁, R₂ and R₃ sent a 0."""
    printed = [breach.percent_text(share) for _, _, share in breach.table()]

    assert printed == ["1 %", "40.501 %", "71.63 %", "82.95 %", "4.808 %", "100 %", "2.937 %", "70.77 %"]
    assert [share for _, _, share in breach.table()][1:3] == [Fraction(40501, 100_000), Fraction(250, 349)]


def test_an_age_with_uniform_noise_can_be_given_away() -> None:
    """30 % of people are 70 and more; who sees age + noise = 120 is certain of it."""
    assert breach.ages() == (Fraction(3, 10), 1)


def test_the_third_operator_alone_is_bounded() -> None:
    """γ of R₃ is 1 + 1001/201 < 6, R₁'s is 250, and R₂ has none."""
    assert breach.amplifications() == {"R1": 250, "R2": float("inf"), "R3": 1 + Fraction(1001, 201)}
    assert breach.amplifications()["R3"] < 6


def test_no_belief_of_the_table_exceeds_its_bound() -> None:
    """Whatever R₁ and R₃ sent, the posterior is within the bound of their γ."""
    limits = breach.amplifications()
    before = {name: share for seen, name, share in breach.table() if seen == "nothing"}

    after = [(seen[:2], name, share) for seen, name, share in breach.table() if seen != "nothing"]

    assert all(share <= posterior_bound(before[name], limits[seen]) for seen, name, share in after)


def test_one_coin_leaks_on_long_questionnaires() -> None:
    """With p = .3 and θ = .6 seven questions give nobody away with 95 % certainty; eight, a fifth."""
    assert breach.count_given_away(7)[1] == 0
    assert breach.count_given_away(8)[1] == pytest.approx(0.202, abs=0.001)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("papers")
    breach.write(folder)
    return folder


def test_files_hold_the_figures_and_the_exact_fractions(folder: Path) -> None:
    """The tables and the charts are written, each percentage with its fraction beside it."""
    with (folder / "breaches.csv").open(newline="") as file:
        rows = list(csv.reader(file))

    assert rows[3] == ["R1 = 0", "X = 0", "71.63 %", "250/349"]
    assert rows[-1] == ["age + noise = 120", "age of 70 and more", "100 %", "1"]
    assert sorted(path.name for path in folder.iterdir()) == [
        "amplification.csv",
        "breaches.csv",
        "leak-by-length.csv",
        "leak-by-length.svg",
        "posterior-bound.svg",
    ]
    for path in folder.glob("*.svg"):
        ElementTree.parse(path)
