"""A bin of a number beside another answer is right where the answer depends on the number, also inside the bin.

Nothing here asks the code under test what a disguise does or what is true: people and records are made by definition.
"""

import numpy as np
import pytest

from mining.engines.findings import findings
from mining.engines.request import MiningRequest
from privacy.design import Design
from tests.declared import square_wave

SEED = 20251125
TIMES = np.arange(100)
KEPT = 0.7  # how often the true answer to the other question is sent, and else the other one
NUMBER = {"number": "square-wave", "epsilon": 2, "items": [{"id": "times", "min": 0, "max": 99}]}
DESIGN = Design.parse({"blocks": [NUMBER, {"keep": 0.4, "items": [{"id": "drugs", "theta": 0.5}]}]})
BINS = (0, 10, 30, 50, 100)
NEVER = 0.4 * (TIMES == 0) + 0.6 * np.exp(-TIMES / 20) / np.exp(-TIMES / 20).sum()
BROAD = np.exp(-((TIMES - 40) ** 2) / (2 * 18**2))
PEOPLE = {  # how many say each number, and what share of them says yes to the other question
    "who never did takes no drugs": (NEVER, np.where(TIMES == 0, 0.02, 0.5)),
    "more take drugs the older they are": (BROAD / BROAD.sum(), 0.05 + 0.6 * TIMES / 99),
}


def confidences(people: str, n: int, chance: np.random.Generator) -> dict[int, tuple[float, float, float, float]]:
    """Of `bin => drugs`, by the first number of the bin: what is reported, the ends of its interval, and the truth."""
    shares, takes = PEOPLE[people]
    times = chance.choice(100, n, p=shares)
    drugs = chance.random(n) < takes[times]
    sent = np.where(chance.random(n) < KEPT, drugs, ~drugs)
    codes = np.column_stack([square_wave(2, times, chance), sent]).astype(DESIGN.code_type)
    request = MiningRequest(0.001, 0.001, max_length=2, bins="times=10,30,50", engine="bitset")
    columns = findings([(codes, np.zeros(n, bool))], DESIGN, request).columns
    made = {}
    for rule in range(len(columns.itemset)):
        left, _ = columns.names(int(columns.itemset[rule]))
        if columns.antecedent[rule] == 1:
            start = int(left.removeprefix("times=").split("…")[0])
            inside = (start <= TIMES) & (BINS[BINS.index(start) + 1] > TIMES)
            truth = float((shares * takes)[inside].sum() / shares[inside].sum())
            figure, low, high = (float(columns.rules[f"confidence{end}"][rule]) for end in ("", " low", " high"))
            made[start] = figure, low, high, truth
    return made


def test_a_rule_of_a_bin_knows_that_people_who_take_drugs_are_spread_otherwise() -> None:
    """Four in ten say 0 and take none. Of 200 000 people `10…29 => drugs` is within 4.5 errors, which are below .06.

    Were these taken to be spread as all people are, it would be a tenth too high.
    """
    figure, low, high, truth = confidences("who never did takes no drugs", 200_000, np.random.default_rng(SEED))[10]
    error = (high - low) / (2 * 1.96)

    assert abs(figure - truth) < 4.5 * error
    assert error < 0.06


@pytest.mark.long
@pytest.mark.parametrize("people", PEOPLE)
def test_intervals_of_rules_with_bins_hold_as_often_as_they_say(people: str) -> None:
    """In 120 surveys of 3 000 people .93 or more of all, and of each bin .85: a count may be 4.5 errors below."""
    held: dict[int, list[bool]] = {}
    chance = np.random.default_rng([SEED, len(people)])
    for _ in range(120):
        for start, (_, low, high, truth) in confidences(people, 3_000, chance).items():
            held.setdefault(start, []).append(low <= truth <= high)

    every = np.concatenate(list(held.values()))
    assert every.mean() > 0.93 - 4.5 * (0.93 * 0.07 / 120) ** 0.5 / 2  # what four bins of a survey tell is not apart
    assert min(np.mean(own) for own in held.values()) > 0.85 - 4.5 * (0.85 * 0.15 / 120) ** 0.5
