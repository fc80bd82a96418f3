"""Counts with noise: the noise has the distribution it is named by, errors hold, and no result leans on one person."""

import json
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from math import exp, log, sqrt
from pathlib import Path
from random import Random

import numpy as np
import pandas as pd
import pytest

import candor
from candor.commands import main
from privacy.release.counts import add_noise, count_with_intervals, counts_of
from privacy.release.noise import Gaussian, Laplace, Noise
from tests.cases import first

PEOPLE = pd.DataFrame({"sex": ["f", "m"] * 50, "town": ["Ulm", "Rom", "Bonn", "Ulm"] * 25})
VALUES = {"sex": ["f", "m"], "town": ["Bonn", "Rom", "Ulm", "Kiel"]}
LAWS: list[Noise] = [
    Laplace(Fraction(2)), Laplace(Fraction(3, 2)), Laplace(Fraction(2, 5)), Laplace(Fraction(1, 3)),
    Gaussian(Fraction(4)), Gaussian(Fraction(5, 2)), Gaussian(Fraction(1, 3)), Gaussian(Fraction(9)),
]  # fmt: skip


class Bits:
    """Whole numbers from given bits; it says how many it took, and that they did not do."""

    def __init__(self, bits: int, length: int) -> None:
        self.bits, self.left = bits, length

    def __call__(self, below: int) -> int:
        while True:
            size = (below - 1).bit_length()
            if size > self.left:
                raise EOFError
            self.left -= size
            drawn = self.bits >> self.left & ((1 << size) - 1)
            if drawn < below:
                return drawn


def chances(law: Noise) -> dict[int, float]:
    """The definition of the law, summed up here: P(z) over all z that matter."""
    weight: Callable[[int], float] = (
        (lambda z: exp(-abs(z) / float(law.scale)))
        if isinstance(law, Laplace)
        else (lambda z: exp(-z * z / (2 * float(law.variance))))
    )
    raw = {z: weight(z) for z in range(-200, 201)}
    total = sum(raw.values())
    return {z: share / total for z, share in raw.items()}


@pytest.mark.parametrize("law", first(2, LAWS), ids=repr)
def test_noise_has_its_distribution(law: Noise) -> None:
    """A chi-square test of 6 000 draws from a source of bits that is the same each time, far out in one cell."""
    source, draws = Random(7), 6_000
    seen = Counter(law.draw(source.randrange) for _ in range(draws))
    expected = {z: draws * share for z, share in chances(law).items()}
    usual = [z for z in expected if expected[z] >= 10]
    rest = draws - sum(expected[z] for z in usual)
    cells = [(seen[z], expected[z]) for z in usual] + [(draws - sum(seen[z] for z in usual), rest)]
    statistic = sum((here - wanted) ** 2 / wanted for here, wanted in cells if wanted > 0.5)
    freedom = len(cells) - 1

    assert len(usual) > 1
    assert statistic < freedom + 4.5 * sqrt(2 * freedom) + 4.5**2  # above the chi-square's by far more than 4.5 sigma


@pytest.mark.parametrize("length", first(1, [12, 15]))
@pytest.mark.parametrize("law", first(1, [Laplace(Fraction(1, 3)), Laplace(Fraction(2, 5))]), ids=repr)
def test_every_sequence_of_bits_gives_exact_chances(law: Noise, length: int) -> None:
    """Of all sequences of so many bits, those that decide a draw do so as the law says, but for those that do not."""
    seen, open_ended = Counter[int](), 0
    for bits in range(2**length):
        try:
            seen[law.draw(Bits(bits, length))] += 1
        except EOFError:
            open_ended += 1

    assert open_ended < 2**length // 2
    for z, share in chances(law).items():
        assert seen[z] / 2**length <= share + 1e-12 <= (seen[z] + open_ended) / 2**length + 2e-12


@pytest.mark.parametrize("law", LAWS, ids=repr)
def test_noise_stays_within_what_is_stated(law: Noise) -> None:
    """95 % of it, by the sum of its chances; less noise would not do of Laplace's."""
    reach = law.within(0.95)

    assert sum(share for z, share in chances(law).items() if abs(z) <= reach) >= 0.95
    if isinstance(law, Laplace):
        assert reach == 0 or sum(share for z, share in chances(law).items() if abs(z) < reach) < 0.95


def test_one_person_changes_the_chance_of_any_result_by_epsilon_at_most() -> None:
    """By the law of the noise that is used, for every change of one person in tables of three cells and of two."""
    epsilon, tables = Fraction(3, 2), [[4, 2, 1], [5, 2]]
    noise, _ = add_noise(tables, epsilon)
    assert isinstance(noise, Laplace)
    log_of = [log(share) for share in chances(noise).values()][100:301]

    def logs(first: list[int], second: list[int], result: tuple[int, ...]) -> float:
        cells = [*first, second[0]]
        return sum(log_of[100 + seen - true] for seen, true in zip(result, cells, strict=True))

    for neighbour in ([3, 3, 1], [4, 1, 2], [5, 1, 1]):
        for second in ([5, 2], [4, 3], [6, 1]):
            worst = max(
                abs(logs(*tables, result) - logs(neighbour, second, result))
                for result in [
                    (a, b, c, d) for a in (-9, 3, 9) for b in (-9, 2, 9) for c in (-9, 1, 9) for d in (-9, 5, 9)
                ]
            )
            assert worst <= float(epsilon) + 1e-9
    assert noise.scale == Fraction(3) / epsilon  # two cells of the first table, one of the second


def test_gaussian_noise_keeps_epsilon_and_delta() -> None:
    """δ of ε by its definition, Σ max(0, P(z) − e^ε P(z+1)), for a count of which one person changes one."""
    epsilon, delta = 0.5, 1e-4
    noise, _ = add_noise([[3, 7]], Fraction(1, 2), Fraction(1, 10_000), law="gaussian")
    assert isinstance(noise, Gaussian)

    def exceeded(law: Gaussian) -> float:
        shares = chances(law)
        return sum(max(0.0, share - exp(epsilon) * shares.get(z + 1, 0.0)) for z, share in shares.items() if z < 200)

    assert exceeded(noise) <= delta < exceeded(Gaussian(noise.variance / 4))  # half as wide would not do


def test_two_cells_share_one_noise_and_sum_up() -> None:
    """Of a yes/no column the sum is everybody; with more values each cell has noise of its own."""
    source = Random(3)
    results = [add_noise([[30, 70]], Fraction(1, 2), None, source.randrange)[1][0] for _ in range(200)]

    assert {sum(one) for one in results} == {100}
    assert len({one[0] for one in results}) > 5
    sums = {sum(add_noise([[30, 30, 40]], Fraction(1, 2), None, source.randrange)[1][0]) for _ in range(200)}
    assert len(sums) > 5


def test_intervals_hold_the_share_of_the_population() -> None:
    """Samples of 400 from a population, with noise as large as chance: 95 % of intervals, less 4.5 standard errors."""
    source, rng, times, people, share = Random(5), np.random.default_rng(5), 800, 400, 0.3
    held = 0
    for true in rng.binomial(people, share, times).tolist():
        noise, ((noisy, _),) = add_noise([[true, people - true]], Fraction(1, 8), None, source.randrange)
        _count, (low, high), (least, most) = count_with_intervals(noisy, people, noise)
        held += least <= share <= most
        assert low <= high
    spread = sqrt(0.95 * 0.05 / times)

    assert 0.95 - 4.5 * spread < held / times < 0.95 + 0.02 + 4.5 * spread


def test_without_noise_the_interval_is_wilsons() -> None:
    """3 of 10 by Wilson's formula in its printed form; the count itself is certain."""
    z, share, people = 1.959964, 0.3, 10
    middle = (share + z * z / (2 * people)) / (1 + z * z / people)
    half = z / (1 + z * z / people) * sqrt(share * (1 - share) / people + z * z / (4 * people * people))

    assert count_with_intervals(3, 10, Laplace(Fraction(1, 100)))[:2] == (3, (3, 3))
    assert count_with_intervals(3, 10, Laplace(Fraction(1, 100)))[2] == pytest.approx(
        (middle - half, middle + half), abs=1e-6
    )


def test_membership_and_identity_of_a_release() -> None:
    """By Bayes, worked out by hand for e^ε = 4: 1/2 becomes 4/5, one of ten becomes 4/13."""
    released = candor.counts(PEOPLE, VALUES, epsilon=log(4))

    assert dict(released.membership)[0.5] == pytest.approx(4 / 5)
    assert dict(released.membership)[0.1] == pytest.approx(4 / 13)
    assert dict(released.identity)[10] == pytest.approx(4 / 13)
    assert dict(released.identity)[2] == pytest.approx(4 / 5)


def test_tables_of_several_columns_count_every_combination() -> None:
    """With so large an ε that no noise is left: counted by pandas; what nobody has is a cell, too."""
    released = candor.counts(PEOPLE, VALUES, epsilon=100, tables=[["sex", "town"], ["town"]])
    crossed = pd.crosstab(PEOPLE["sex"], PEOPLE["town"]).reindex(columns=VALUES["town"], fill_value=0)

    first, second = released.tables
    assert [cell.values for cell in first.cells] == [(sex, town) for sex in "fm" for town in VALUES["town"]]
    assert [cell.count for cell in first.cells] == crossed.to_numpy().ravel().tolist()
    assert {cell.values: cell.count for cell in second.cells} == {
        ("Bonn",): 25,
        ("Rom",): 25,
        ("Ulm",): 50,
        ("Kiel",): 0,
    }
    assert released.to_frame()["values"].tolist()[:2] == ["f, Bonn", "f, Rom"]


def test_each_call_draws_new_noise() -> None:
    """Two results that are the same in 40 cells of standard deviation 28 would be a seed that stayed."""
    wide = {"id": [str(value) for value in range(40)]}
    frame = pd.DataFrame({"id": wide["id"] * 3})
    first, second = (candor.counts(frame, wide, epsilon="1/10").to_frame()["count"].tolist() for _ in range(2))

    assert first != second


def test_the_command_prints_what_the_library_returns(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With no noise left both are the same; δ makes it Gaussian, and the table says so."""
    PEOPLE.to_csv(tmp_path / "people.csv", index=False)
    asked = ["--column", "sex=f,m", "--column", "town=Bonn,Rom,Ulm,Kiel", "--table", "sex,town", "--epsilon", "100"]

    assert main(["counts", str(tmp_path / "people.csv"), *asked, "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed == candor.counts(PEOPLE, VALUES, epsilon=100, tables=[["sex", "town"]]).to_json()
    assert [*printed] == ["n", "epsilon", "delta", "noise", "membership", "identity", "tables"]
    assert (
        main(
            [
                "counts",
                str(tmp_path / "people.csv"),
                "--column",
                "sex=f,m",
                "--epsilon",
                "1/2",
                "--delta",
                "1e-6",
                "--noise",
                "gaussian",
            ]
        )
        == 0
    )
    said = capsys.readouterr().out
    assert (
        "100 people, ε = 0.5, δ = 1e-06 for all tables together. Noise: discrete Gaussian of standard deviation" in said
    )
    assert "All of that but for a chance of 1e-06." in said


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"epsilon": 0}, "epsilon: 0 is not from 0.000001 to 100."),
        ({"epsilon": "x"}, "epsilon: 'x' is not a finite number."),
        ({"delta": 0.5}, "delta: 0.5 is not above 0 and at most 0.001."),
        ({"values": {"sex": ["f"]}}, "values: 'm' in the column 'sex' is not named."),
        ({"values": {"sex": ["f", "m", "f"]}}, "values: those of the column 'sex' are none, or one is named twice."),
        ({"values": {"age": ["1"]}}, "values: the table has no column 'age'."),
        ({"tables": [["age"]]}, "tables: the values of the column 'age' are not named."),
        ({"tables": [["sex"], ["sex"]]}, "tables: a table has no column, or is asked for twice."),
        ({"tables": [["sex", "town"], ["town", "sex"]]}, "tables: a table has no column, or is asked for twice."),
        ({"frame": PEOPLE.head(0)}, "A table to count has no rows."),
    ],
    ids=lambda value: value if isinstance(value, str) else None,
)
def test_what_cannot_be_counted_is_refused(changed: dict[str, object], why: str) -> None:
    """In one sentence that names the value; a value that was not named is nothing to guess from the table."""
    with pytest.raises(candor.InputError) as refused:
        candor.counts(**{"frame": PEOPLE, "values": VALUES, "epsilon": 1} | changed)

    assert str(refused.value) == why


def test_a_count_below_what_there_can_be_has_an_interval_all_the_same() -> None:
    """Noise may lead far below 0; a share of surely nothing would be printed for a cell that is only small."""
    noise = Laplace(Fraction(10))

    count, within, (low, high) = count_with_intervals(-80, 1000, noise)

    assert (count, within, low) == (-80, (0, noise.within(0.95)), 0.0)
    assert high >= noise.within(0.95) / 1000


def test_a_count_that_cannot_be_is_explained() -> None:
    """Everybody is in one cell: noise moves its count above all, or the other below 0, and both stay as they are."""
    told = []
    for seed in range(20):
        below = Random(seed).randrange
        made = counts_of({"a": ["p"] * 500}, {"a": ["p", "q"]}, Fraction(1), below=below)
        outside = any(not 0 <= cell.count <= 500 for table in made.tables for cell in table.cells)
        told.append(("out of what can be" in str(made), outside))

    assert set(told) == {(True, True), (False, False)}
