"""Padding and sampling as its authors state it, and the surveys in which it is compared with lists of words."""

import csv
from math import exp, log
from pathlib import Path

import numpy as np
import pytest

from papers import private_mining
from papers.padding_and_sampling import count_sizes, grr, lost_factor, olh, pad_and_sample, padding_of, svsm, uses_grr
from papers.private_mining import RETAIL, channel_of, score, send, table_of
from papers.reference import how_to_get, reference_file
from privacy.design import ONE, Item
from privacy.design.blocks.one_of.waves import first_list
from tests.cases import first

SURVEYS, PEOPLE = 300, 2_000
SPREAD = 4.5 / np.sqrt(2 * SURVEYS)  # of a standard deviation over the surveys, relative


@pytest.mark.parametrize(("oracle", "epsilon"), [(grr, 1.0), (grr, log(19)), (olh, 1.0), (olh, log(19))])
def test_an_oracle_has_the_variance_that_is_published(oracle, epsilon):
    """A value that nobody has: its mean is 0, and n·Var = (d − 2 + e^ε)/(e^ε − 1)² by GRR, 4e^ε/(e^ε − 1)² by OLH."""
    random, e = np.random.default_rng(1), exp(epsilon)
    values = np.zeros(PEOPLE, np.intp)

    shares = np.array([oracle(values, 20, epsilon, random).share[7] for _ in range(SURVEYS)])

    published = ((18 + e) if oracle is grr else 4 * e) / (e - 1) ** 2 / PEOPLE
    if oracle is olh:  # g = e^ε + 1 as a whole number
        g = round(e) + 1
        published = (e + g - 1) ** 2 / (g - 1) / (e - 1) ** 2 / PEOPLE
    assert oracle(values, 20, epsilon, random).error == pytest.approx(published**0.5, rel=0.02)
    assert shares.std() == pytest.approx(published**0.5, rel=SPREAD)
    assert abs(shares.mean()) < 4.5 * (published / SURVEYS) ** 0.5


@pytest.mark.parametrize("by_grr", [True, False])
@pytest.mark.parametrize("padded", first(2, [1, 3, 6]))
def test_padding_multiplies_the_error_as_published(padded, by_grr):
    """By OLH ℓ times. By GRR at ε' = ln(ℓ(e^ε − 1) + 1) over d + ℓ values: n·Var = (d + ℓ − 2 + e^ε')/(e^ε − 1)²."""
    random, e = np.random.default_rng(2), exp(1.0)
    truth = np.zeros((PEOPLE, 10), bool)
    truth[:, 0] = True

    shares = [pad_and_sample(truth, padded, 1.0, random, by_grr).share for _ in range(SURVEYS)]

    amplified = padded * (e - 1) + 1
    variance = (10 + padded - 2 + amplified) / (e - 1) ** 2 if by_grr else padded**2 * (e + 3) ** 2 / 3 / (e - 1) ** 2
    published = (variance / PEOPLE) ** 0.5
    assert np.std(shares, axis=0)[4] == pytest.approx(published, rel=SPREAD)
    assert np.mean(shares, axis=0) == pytest.approx([1.0] + [0.0] * 9, abs=4.5 * 2 * published / SURVEYS**0.5)


def test_grr_is_chosen_where_its_variance_is_less():
    """For d < ℓ(4ℓ − 1)e^ε + 1."""
    assert [uses_grr(values, padded, 1.0) for values, padded in ((9, 1), (10, 1), (38, 2), (40, 2))] == [
        True, False, True, False,
    ]  # fmt: skip


def test_people_with_more_than_the_padding_are_corrected_for():
    """Equation (10) with ℓ in all terms: half have one value, half four; padded to 2, shares are 2.5/1.5 as high."""
    sizes = np.array([0.0, 0.5, 0.0, 0.0, 0.5])

    assert [padding_of(sizes), padding_of(np.array([0.5, 0.45, 0.04, 0.01]))] == [4, 1]
    assert lost_factor(sizes, 2) == pytest.approx(2.5 / 1.5)
    assert lost_factor(sizes, 4) == 1.0


def test_sizes_are_counted_without_noise():
    """Of 40 possible sizes, those that nobody has are 0."""
    truth = np.zeros((20_000, 40), bool)
    truth[:10_000, :3] = True

    sizes = count_sizes(truth, log(19), np.random.default_rng(3))

    assert np.flatnonzero(sizes).tolist() == [0, 3]
    assert sizes[3] == pytest.approx(0.5, abs=0.05)


def small_table(people: int = 20_000):
    chance = np.random.default_rng(4)
    shares = 0.4 / np.arange(1, 15) ** 0.8
    return table_of(
        "small", (chance.random((people, 14)) < shares * chance.gamma(2, 0.5, (people, 1))).astype(np.uint8)
    )


def test_a_table_has_the_shares_of_its_itemsets():
    """Against counting them one by one."""
    table = small_table(500)
    rows = table.answers[table.person]

    assert len(table.shares) == 14 + 91 + 364
    assert {one: float(rows[:, list(one)].all(axis=1).mean()) for one in table.shares} == pytest.approx(table.shares)


def test_surveys_are_simulated_by_the_chances_of_words():
    """The mean over 400 surveys is what the numerators say, of every word."""
    table = small_table(3_000)
    block = first_list([Item(str(number)) for number in range(14)], [0] * 14, private_mining.gamma_of(2.0))
    channel, random = channel_of(block, table.answers), np.random.default_rng(5)

    means = np.mean([send(channel, table.person, random) for _ in range(400)], axis=0)

    expected = block.numerators(table.answers)[table.person].sum(axis=0) / ONE
    expected = np.append(expected, 3_000 - expected.sum())
    assert means == pytest.approx(expected, abs=4.5 * np.sqrt(expected.max() / 400), rel=0.1)
    assert means.sum() == 3_000


def test_a_report_of_the_truth_has_the_best_scores():
    """NCR, F1 and coverage 1, and no error; without its commonest itemset NCR falls by 32/528, and F1 by 1/32."""
    table = small_table(2_000)
    true = {one: table.shares[one] for one in table.likeliest}
    less = dict(list(true.items())[1:])
    exact = {one: (share, share) for one, share in true.items()}

    assert score(table, private_mining.Found(true, exact)) == [1.0, 1.0, 0.0, 1.0, 1.0]
    assert score(table, private_mining.Found(less, exact))[:2] == pytest.approx([1 - 32 / 528, 31 / 32])


@pytest.mark.long
def test_without_retail_the_made_table_is_compared(tmp_path: Path, monkeypatch):
    """Two waves find more than padding and sampling at ε 1, and their intervals cover."""
    monkeypatch.setenv("CANDOR_REFERENCE", str(tmp_path / "nowhere"))
    monkeypatch.setattr(private_mining, "classes", small_table)
    monkeypatch.setattr(private_mining, "EPSILONS", {"1": 1.0, "ln 19": log(19)})

    private_mining.write(tmp_path)

    with (tmp_path / "private-mining.csv").open(newline="") as file:
        rows = {(row["epsilon"], row["method"]): row for row in csv.DictReader(file)}
    assert list(rows) == [(epsilon, method) for epsilon in ("1", "ln 19") for method in ("SVSM", "two waves")]
    for figure in ("ncr", "f1"):
        assert float(rows["1", "two waves"][figure]) > float(rows["1", "SVSM"][figure])
    assert float(rows["ln 19", "two waves"]["coverage"]) > 0.9


@pytest.mark.long
@pytest.mark.skipif(not reference_file(RETAIL).exists(), reason=how_to_get(RETAIL))
def test_retail_is_mined_better_in_two_waves():
    """Three surveys at ε 1: NCR and F1 are above those by padding and sampling."""
    by_waves, by_svsm = (private_mining.measure(private_mining.retail(), 1.0, one, 3) for one in ("two waves", "SVSM"))

    assert len(private_mining.retail().person) == 88_162
    assert by_waves[0] > by_svsm[0] + 0.03
    assert by_waves[1] > by_svsm[1] + 0.05


def test_padding_and_sampling_finds_the_commonest():
    """At ε 4 of 20 000 people, nearly all of the 32."""
    table = small_table()

    found = svsm(table.answers[table.person] == 1, 32, 3, 4.0, np.random.default_rng(6))

    assert len(found) == 32
    assert len(set(found) & set(table.likeliest)) >= 24


@pytest.mark.long
@pytest.mark.skipif(not reference_file(RETAIL).exists(), reason=how_to_get(RETAIL))
@pytest.mark.parametrize("row", private_mining.ABOUT.table[1:5], ids=lambda row: row[1])
def test_the_page_has_what_two_waves_find_in_retail(row):
    """The same seeds give the figures of docs/papers.md, to two digits."""
    measured = private_mining.measure(private_mining.retail(), private_mining.EPSILONS[row[1]], "two waves")

    assert [float(figure) for figure in row[4].replace("/", ";").split(";")] == pytest.approx(measured[:4], abs=0.01)
