"""Intervals of a disguised number hold the truth as often as promised, however few respondents there are.

Nothing here asks the code under test what a disguise does: records are made by the definitions of the noises.
"""

from collections.abc import Iterable
from itertools import product

import numpy as np
import pytest

from privacy.design import Design
from privacy.reconstruct.distribution import distribution
from privacy.records import Records
from tests.cases import first, spread
from tests.declared import square_wave

SEED = 20231123
AGES = np.arange(100)
QUARTILES = ("0.25", "0.5", "0.75")
EXACT = 1e-9
STRAY = 4.5  # standard errors that a count of surveys may be away


NOISES = {f"square wave {epsilon}": epsilon for epsilon in (1, 2, 4)}
USUAL_NOISES = [name for name in NOISES if name != "square wave 4"]


def peak(middle: float, wide: float) -> np.ndarray:
    heights = np.exp(-((AGES - middle) ** 2) / (2 * wide**2))
    return np.asarray(heights / heights.sum())


SKEWED = np.where(AGES < 18, 0, np.exp(-AGES / 18))
FALLING = np.exp(-AGES / 20) / np.exp(-AGES / 20).sum()
TENS = np.bincount(np.minimum(10 * np.round(AGES / 10).astype(int), 90), peak(45, 15), minlength=100)
SPIKY = {  # people, and the numbers that are named because many may share them
    "half never": (0.5 * (AGES == 0) + 0.5 * FALLING, ()),
    "a fifth never": (0.2 * (AGES == 0) + 0.8 * FALLING, ()),
    "nobody never": (np.append(0, FALLING[:-1] / FALLING[:-1].sum()), ()),
    "at tens": (0.5 * TENS + 0.5 * peak(45, 15), tuple(range(0, 100, 10))),
    "spike on a peak": (0.3 * (AGES == 42) + 0.7 * peak(50, 22), (42,)),
    "two peaks": (0.6 * peak(30, 8) + 0.4 * peak(65, 10), ()),
}
PEOPLE = {
    "one peak": peak(45, 15),
    "two peaks": 0.6 * peak(30, 8) + 0.4 * peak(65, 10),
    "skewed with a jump": SKEWED / SKEWED.sum(),
}


def design_of(noise: str) -> Design:
    item = {"id": "age", "min": 0, "max": 99, "step": 1}
    return Design.parse({"blocks": [{"number": "square-wave", "epsilon": NOISES[noise], "items": [item]}]})


def held(noise: str, people: str, n: int, surveys: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Of each survey, whether the intervals of ten bins, of the quartiles, and of the mean hold the truth."""
    design = design_of(noise)
    chances, chance = PEOPLE[people], np.random.default_rng([SEED, n])
    quartiles = [float(np.searchsorted(np.cumsum(chances), float(share))) for share in QUARTILES]
    true = np.array([*chances.reshape(10, 10).sum(axis=1), *quartiles, chances @ AGES])
    rows = []
    for survey in range(surveys):
        codes = square_wave(NOISES[noise], chance.choice(100, n, p=chances), chance)
        records = Records(design, codes[:, np.newaxis].astype(design.code_type), np.zeros(n, bool))
        estimated = distribution(records, "age", bins=10, seed=survey)
        ends = estimated.figures["ci"]
        intervals = np.array([*ends["shares"], *(ends["quantiles"][name] for name in QUARTILES), ends["mean"]])
        rows.append((intervals[:, 0] <= true) & (true <= intervals[:, 1]))
    kept = np.array(rows)
    return kept[:, :10], kept[:, 10:13], kept[:, 13]


def held_beside_spikes(noise: str, people: str, n: int, surveys: int) -> np.ndarray:
    """Of each survey, whether the intervals of the share of 1 or more, and of the median, hold the truth."""
    design = design_of(noise)
    (chances, heaps), chance = SPIKY[people], np.random.default_rng([SEED, n])
    above, median, rows = chances[1:].sum(), np.searchsorted(np.cumsum(chances), 0.5), []
    for survey in range(surveys):
        codes = square_wave(NOISES[noise], chance.choice(100, n, p=chances), chance)
        records = Records(design, codes[:, np.newaxis].astype(design.code_type), np.zeros(n, bool))
        estimated = distribution(records, "age", bins=10, seed=survey, heaps=heaps)
        (_, low, high), ends = estimated.above(1), estimated.figures["ci"]["median"]
        rows.append([low <= above + EXACT and above - EXACT <= high, ends[0] <= median <= ends[1]])
    return np.array(rows)


def stray(share: float, surveys: int) -> float:
    return float(STRAY * (share * (1 - share) / surveys) ** 0.5)


@pytest.mark.long
def test_few_respondents_behind_much_noise_keep_the_promise() -> None:
    """500 ages of two peaks behind a square wave of ε = 1: .93 of bins, no bin below .85, quartiles .93, the mean .95.

    Surveys that take one smoothness for certain hold two bins in three.
    """
    bins, quartiles, means = held("square wave 1", "two peaks", 500, 60)

    assert bins.mean() > 0.93 - STRAY * bins.mean(axis=1).std() / 60**0.5
    assert bins.mean(axis=0).min() > 0.85 - stray(0.85, 60)
    assert quartiles.mean(axis=0).min() > 0.93 - stray(0.93, 60)
    assert means.mean() > 0.95 - stray(0.95, 60)


@pytest.mark.parametrize("surveys", first(1, [2, 40]))
def test_who_never_did_it_is_counted_although_nobody_else_is_near(surveys: int) -> None:
    """Half of 1 000 people say 0, and the others up to 99, behind a square wave of ε = 2: .93 of intervals hold.

    A fit that is smooth at 0 holds the share of 1 or more in no survey.
    """
    kept = held_beside_spikes("square wave 2", "half never", 1000, surveys).mean(axis=0)

    assert (kept > 0.93 - stray(0.93, surveys)).all()


@pytest.mark.long
@pytest.mark.parametrize(
    ("noise", "people", "n"),
    spread(5, product(("square wave 2", "square wave 4"), SPIKY, (500, 1000, 5000))),
)
def test_numbers_that_many_share_keep_the_promise(noise: str, people: str, n: int) -> None:
    """.85 in the worst case."""
    kept = held_beside_spikes(noise, people, n, 60).mean(axis=0)

    assert (kept > 0.85 - stray(0.85, 60)).all()


@pytest.mark.long
@pytest.mark.parametrize(("noise", "people", "n"), spread(5, product(USUAL_NOISES, PEOPLE, (300, 500, 1000, 5000))))
def test_intervals_keep_the_promise_for_every_noise_and_people(noise: str, people: str, n: int) -> None:
    """Bins .93 on average and none below .85; quartiles .93, beside a jump .85; the mean .95, where it is a line."""
    bins, quartiles, means = held(noise, people, n, 100)

    assert bins.mean() > 0.93 - STRAY * bins.mean(axis=1).std() / 10
    assert bins.mean(axis=0).min() > 0.85 - stray(0.85, 100)
    least = np.array([0.85 if "jump" in people else 0.93, 0.93, 0.93])
    assert (quartiles.mean(axis=0) > [share - stray(share, 100) for share in least]).all()
    assert means.mean() > 0.95 - stray(0.95, 100)


SURVEY = 1  # of those in which it had
TIMES = np.arange(61)
SELDOM = np.exp(-TIMES / 8) * (TIMES > 0) / np.exp(-TIMES[1:] / 8).sum()
ROUNDED = np.bincount(np.array([5, 10, 20])[np.abs(TIMES[:, np.newaxis] - [5, 10, 20]).argmin(axis=1)], SELDOM, 61)
TAILS = {  # people who did it so many times, and the numbers that are named
    "0 to 3 alone": (np.bincount(range(4), [0.9, 0.06, 0.03, 0.01], 61), ()),
    "half of those who did round, to 5, 10 and 20": (0.7 * (TIMES == 0) + 0.15 * SELDOM + 0.15 * ROUNDED, ()),
    "the same, named": (0.7 * (TIMES == 0) + 0.15 * SELDOM + 0.15 * ROUNDED, (5, 10, 20)),
    "by weeks": (0.5 * (TIMES % 7 == 0) * (TIMES < 36) / 6 + 0.5 * (TIMES < 41) / 41, ()),
    "a bell": (np.exp(-((TIMES - 12) ** 2) / 72) * (TIMES > 0) / np.exp(-((TIMES[1:] - 12) ** 2) / 72).sum(), ()),
}


def tails_held(people: str, epsilon: float, n: int, surveys: Iterable[int], numbers: tuple[int, ...]) -> np.ndarray:
    """Of each survey, whether the intervals of the shares of people with these numbers or more hold the truth."""
    item = {"id": "times", "min": 0, "max": 60, "step": 1}
    design = Design.parse({"blocks": [{"number": "square-wave", "epsilon": epsilon, "items": [item]}]})
    (chances, heaps), rows = TAILS[people], []
    for survey in surveys:
        chance = np.random.default_rng([SEED, n, survey])
        times = chance.choice(61, n, p=chances)
        codes = square_wave(epsilon, times, chance, steps=61)
        records = Records(design, codes[:, np.newaxis].astype(design.code_type), np.zeros(n, bool))
        estimated = distribution(records, "times", seed=survey, heaps=heaps)
        intervals = [(chances[number:].sum(), *estimated.above(number)[1:]) for number in numbers]
        rows.append([low <= true + EXACT and true - EXACT <= high for true, low, high in intervals])
    return np.array(rows)


def test_where_nobody_is_an_interval_reaches_0() -> None:
    """In a survey of 1 000 people who say 0 to 3, behind a square wave of ε = 4, of 10 or more.

    One smooth curve over all numbers has somebody there for certain.
    """
    assert tails_held("0 to 3 alone", 4, 1000, [SURVEY], (10,)).all()


def test_people_who_count_by_weeks_need_not_name_the_sevens() -> None:
    """In a survey of 1 000 people, half of whom say 0, 7, … or 35, behind a square wave of ε = 3, of 15 or more."""
    assert tails_held("by weeks", 3, 1000, [SURVEY], (15,)).all()


@pytest.mark.long
@pytest.mark.parametrize(("people", "epsilon", "n"), spread(4, product(TAILS, (2, 3, 4), (300, 1000, 5000))))
def test_shares_above_a_number_keep_the_promise(people: str, epsilon: float, n: int) -> None:
    """.93 at 1, 2, 10 and 20 times."""
    kept = tails_held(people, epsilon, n, range(40), (1, 2, 10, 20)).mean(axis=0)

    assert (kept > 0.93 - stray(0.93, 40)).all()
