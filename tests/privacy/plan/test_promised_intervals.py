"""What is promised of one word each before a survey is what its report prints: half the width of intervals."""

from fractions import Fraction
from itertools import combinations, product

import numpy as np
import pytest

from privacy.design import ONE, Design
from privacy.design.blocks import ADVISORS, RECIPES
from privacy.design.blocks.one_of.design import OneOfBlock
from privacy.design.brief import WIDE, Brief, ExpectedItem
from privacy.design.plans import Plan
from privacy.disguise import disguise
from privacy.disguise.random_words import seeded_words
from privacy.plan.proposal import propose_biased
from privacy.reconstruct import reconstruct
from privacy.records import Records
from tests.cases import first

OPTIONS, PEOPLE, GAMMA = ("no", "yes", "secret"), 2_000, Fraction(19)
HEAVY, TIMES, LESS = 0.15, 4, (1 - 0.15 * 4) / 0.85  # a class with four times as many telling answers, and the others


def very_rare(count: int) -> tuple[ExpectedItem, ...]:
    """Questions to which one in fifty says yes and one in twenty prefers not to say."""
    return tuple(
        ExpectedItem(f"q{n}", OPTIONS, (0.931, 0.019, 0.05), alone="secret", wanted=(1,)) for n in range(count)
    )


def proposed(questions: tuple[ExpectedItem, ...], longest: int) -> Design:
    made = propose_biased(questions, float(GAMMA), longest, PEOPLE)
    assert made is not None
    items = [{"id": one.id, "options": [*OPTIONS], "alone": "secret", "harmless": "no"} for one in questions]
    return Design.parse({"blocks": RECIPES[made.recipe].write(dict(made.settings), items)})


def promised(design: Design, questions: tuple[ExpectedItem, ...], longest: int) -> list[float]:
    """Half the width of a 95 % interval, for patterns of each length, at the worst of the stated populations."""
    (block,) = design.blocks
    brief = Brief(questions, PEOPLE, GAMMA, longest, by_interval=True)
    errors = block.sketch(tuple(range(len(questions)))).errors(brief)
    assert errors is not None
    return [WIDE * error for error in errors[0]]


def half_widths(records: Records, count: int, longest: int) -> list[float]:
    """What a report prints, on average over patterns of each length."""
    yes = [f"q{n}=yes" for n in range(count)]
    texts = [",".join(own) for size in range(1, longest + 1) for own in combinations(yes, size)]
    rows = reconstruct(records, texts, feasible=False).patterns
    halves = [(row.ci[1] - row.ci[0]) / 2 for row in rows if row.ci is not None]
    assert len(halves) == len(rows)
    return [float(np.mean(halves[:count])), *([float(np.mean(halves[count:]))] if longest > 1 else [])]


@pytest.mark.parametrize("longest", first(1, [2, 1]))
def test_a_report_prints_the_promised_interval_where_records_are_as_expected(longest: int) -> None:
    """Of clustered people, by the chances of all truths: as many records of each word as 2 000 send on average."""
    questions = very_rare(7)
    design = proposed(questions, longest)
    (block,) = design.blocks
    assert isinstance(block, OneOfBlock)
    shares = np.array([[1 - 0.069 * times, 0.019 * times, 0.05 * times] for times in (TIMES, LESS)])
    truths = np.array([*product(range(3), repeat=len(questions))])
    chances = np.array([HEAVY, 1 - HEAVY]) @ shares[:, truths].prod(axis=2)
    sent = chances @ block.numerators(truths) / ONE
    counts = np.rint(PEOPLE * np.append(sent, 1 - sent.sum())).astype(int)
    codes = np.repeat(block.records.astype(design.code_type), counts, axis=0)

    printed = half_widths(Records(design, codes, np.zeros(len(codes), bool)), len(questions), longest)

    assert printed == pytest.approx(promised(design, questions, longest), rel=0.04)


@pytest.mark.long
@pytest.mark.parametrize("clustered", [True, False])
def test_simulated_surveys_print_the_promised_interval(clustered: bool) -> None:
    """Ten very rare questions with “prefer not to say”, 2 000 people, pairs: the mean of 80 surveys is within 5 % and
    4.5 standard errors of what is promised, among clustered people or, who lose less, independent ones."""
    questions, rng, printed = very_rare(10), np.random.default_rng(56), []
    design = proposed(questions, 2)
    for survey in range(80):
        times = np.where(rng.random((PEOPLE, 1)) < HEAVY, TIMES, LESS) if clustered else 1.0
        draw = rng.random((PEOPLE, len(questions)))
        people = (draw < 0.019 * times) + 2 * ((draw >= 0.019 * times) & (draw < 0.069 * times))
        records = disguise(design, people.astype(np.uint8), take=seeded_words(survey))
        printed.append(half_widths(records, len(questions), 2))

    error = np.std(printed, axis=0, ddof=1) / len(printed) ** 0.5
    off = abs(np.mean(printed, axis=0) - promised(design, questions, 2))

    assert (off <= 0.05 * np.array(promised(design, questions, 2)) + 4.5 * error).all()


@pytest.mark.parametrize("longest", [1, 2])
def test_the_shortest_intervals_need_a_larger_cap_than_the_least_errors(longest: int) -> None:
    """What people above the cap can do is in an interval, while it hardly moves the mean square error."""
    questions = very_rare(10)
    plans: dict[bool, Plan] = {}
    for by_interval in (False, True):
        brief = Brief(questions, PEOPLE, GAMMA, longest, by_interval=by_interval)
        plans[by_interval] = next(plan for one in ADVISORS for _, plan in one.biased(brief, 19.0, longest, np.inf))
    sketches = {way: plan[0].sketch(questions, 19.0) for way, plan in plans.items()}
    by = {
        (way, judged): sketch.errors(Brief(questions, PEOPLE, GAMMA, longest, by_interval=judged))[0]
        for way, sketch in sketches.items()
        for judged in (False, True)
    }

    assert sketches[True].cap / sketches[True].added[0] > sketches[False].cap / sketches[False].added[0]
    assert max(by[True, True]) < 0.97 * max(by[False, True])
    assert by[False, False][-1] < by[True, False][-1]
