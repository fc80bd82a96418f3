"""What is promised of one word each before a survey is what its report prints: half the width of intervals."""

import math
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, product

import numpy as np
import pytest

import candor
from privacy.design import ONE, Design
from privacy.design.blocks import ADVISORS, RECIPES
from privacy.design.blocks.one_of.advise import Listed, OneOfPlan, lists_of
from privacy.design.blocks.one_of.design import OneOfBlock
from privacy.design.blocks.one_of.expected import expect
from privacy.design.blocks.one_of.group_of import GroupOfBlock
from privacy.design.blocks.one_of.populations import INDEPENDENT
from privacy.design.brief import WIDE, Brief, ExpectedItem, yes_no
from privacy.design.plans import Plan
from privacy.disguise import disguise
from privacy.disguise.table import words_from_seed
from privacy.plan.choice import choices_with_bias
from privacy.plan.forecast import foresee_reach, longer_side, longer_sides, pair_side
from privacy.reconstruct import reconstruct
from privacy.reconstruct.compare import compare
from privacy.records import Records
from tests.cases import first
from tests.privacy.plan.printed import SETTINGS, VERY_RARE, list_of, printed_sides, printed_sides_of_list

OPTIONS, PEOPLE, GAMMA = ("no", "yes", "secret"), 2_000, Fraction(19)
HEAVY, TIMES, LESS = 0.15, 4, (1 - 0.15 * 4) / 0.85  # a class with four times as many telling answers, and the others


def very_rare(count: int) -> tuple[ExpectedItem, ...]:
    """Questions to which one in fifty says yes and one in twenty prefers not to say."""
    return tuple(
        ExpectedItem(f"q{n}", OPTIONS, (0.931, 0.019, 0.05), alone="secret", wanted=(1,)) for n in range(count)
    )


def proposed(questions: tuple[ExpectedItem, ...], longest: int) -> Design:
    return choices_with_bias(Brief(questions, PEOPLE, GAMMA, longest, by_interval=True), longest, np.inf)[0].design


def promised(design: Design, questions: tuple[ExpectedItem, ...], longest: int, halves: bool = False) -> list[float]:
    """Half the width of a 95 % interval, for patterns of each length, at the worst of the stated populations; of all
    people, or of the difference between two halves of them."""
    (block,) = design.blocks
    brief = Brief(questions, PEOPLE, GAMMA, longest, by_interval=True, halves=halves)
    errors = block.sketch(tuple(range(len(questions)))).errors(brief)
    assert errors is not None
    return [WIDE * error for error in errors[0]]


def half_widths(records: Records, count: int, longest: int) -> list[float]:
    """What a report prints, on average over patterns of each length."""
    yes = [f"q{n}=yes" for n in range(count)]
    texts = [",".join(own) for size in range(1, longest + 1) for own in combinations(yes, size)]
    rows = reconstruct(records, texts).patterns
    halves = [(row.ci[1] - row.ci[0]) / 2 for row in rows if row.ci is not None]
    assert len(halves) == len(rows)
    return [float(np.mean(halves[:count])), *([float(np.mean(halves[count:]))] if longest > 1 else [])]


def sent_by_clustered(design: Design) -> tuple[OneOfBlock, np.ndarray]:
    """The list of a design, and the share of clustered people who send each word and the loss word."""
    (block,) = design.blocks
    assert isinstance(block, OneOfBlock)
    shares = np.array([[1 - 0.069 * times, 0.019 * times, 0.05 * times] for times in (TIMES, LESS)])
    truths = np.array([*product(range(3), repeat=len(block.items))])
    chances = np.array([HEAVY, 1 - HEAVY]) @ shares[:, truths].prod(axis=2)
    return block, chances @ block.numerators(truths) / ONE


@pytest.mark.parametrize("longest", first(1, [2, 1]))
def test_a_report_prints_the_promised_interval_where_records_are_as_expected(longest: int) -> None:
    """Of clustered people, by the chances of all truths: as many records of each word as 2 000 send on average."""
    questions = very_rare(7)
    design = proposed(questions, longest)
    block, sent = sent_by_clustered(design)
    counts = np.rint(PEOPLE * np.append(sent, 1 - sent.sum())).astype(int)
    codes = np.repeat(block.records.astype(design.code_type), counts, axis=0)

    printed = half_widths(Records(design, codes, np.zeros(len(codes), bool)), len(questions), longest)

    assert printed == pytest.approx(promised(design, questions, longest), rel=0.04)


@pytest.mark.parametrize("longest", first(1, [2, 1]))
def test_two_halves_have_the_promised_interval_of_their_difference(longest: int) -> None:
    """By counts of one word and of the loss word in 20 000 surveys of clustered people: either half may reach to its
    far end, and chance in the loss word makes that longer, so twice the half width of all people is too little."""
    questions, half, rng = very_rare(7), PEOPLE // 2, np.random.default_rng(62)
    design = proposed(questions, longest)
    block, sent = sent_by_clustered(design)
    word, (loss,) = block.words[0], block.losses
    parts = np.array([sent[0], sent[-1], 1 - sent[0] - sent[-1]])  # who sends the word, the loss word, anything else
    counts = rng.multinomial(half, parts, size=(20_000, 2))
    share = (np.array([1, 0, 0]) - word.base / ONE) / (word.added / ONE)
    lost = (np.array([0, 1, 0]) - loss.base / ONE) / (loss.added / ONE) * float(loss.full)
    ends = np.stack([share, (1 + float(loss.spare)) * share + lost], axis=1)
    means = counts @ ends / half
    variances = (counts @ ends**2 / half - means**2) / half
    reach = np.maximum(means[..., 1] - means[..., 0], 0)
    printed = (WIDE * np.sqrt(variances[:, ::-1, 0] + variances[..., 1]) + reach).mean(axis=1)
    error = np.std(printed) / len(printed) ** 0.5

    assert np.mean(printed) == pytest.approx(promised(design, questions, longest, halves=True)[0], rel=0.02)
    assert np.mean(printed) > 1.03 * 2 * promised(design, questions, longest)[0] + 4.5 * error


def test_groups_have_the_promised_interval_of_independent_people() -> None:
    """By counts of the groups of a word and of the loss word, in 10 000 surveys of twenty items of .02: either end is
    the outer one of the estimate's and of the far end's."""
    questions, rng = yes_no(20, 0.02), np.random.default_rng(64)
    listed = Listed(Fraction(2), (Fraction(1),) * 2, groups=23)
    block = OneOfPlan(tuple(range(20)), 20, listed=listed).sketch(questions, 19.0).exact_block(questions, GAMMA)
    assert isinstance(block, GroupOfBlock)
    outlooks = expect(questions, (0,) * 20, 2).outlooks(lists_of([20, 190], 19.0, [listed]), PEOPLE, by_interval=True)
    (promise,) = [WIDE * float(of[0].error[0]) for of in outlooks if of[0].population == INDEPENDENT]
    sent = block.numerators((rng.random((5_000, 20)) < 0.02).astype(np.uint8)).mean(axis=0) / ONE
    seeds, base, known = block.seeds, block.words[0].base / ONE, block.known / block.seeds / ONE
    (loss,) = block.losses
    own = np.mean([sent[groups].sum() for groups in block.groups_of_words[:20]])
    parts = np.array([own, sent[: block.count].sum() - own, sent[-1], 1 - sent.sum()])
    counts = rng.multinomial(PEOPLE, parts, size=10_000)
    share = (np.array([1 - 1 / seeds, -1 / seeds, 0, 0]) - base) / known
    lost = (np.array([0, 0, 1, 0]) - loss.base / ONE) / (loss.added / ONE) * float(loss.full)
    ends = np.stack([share, (1 + float(loss.spare)) * share + lost], axis=1)
    means = counts @ ends / PEOPLE
    doubt = block.false_support(float(parts[:2].sum()))
    reach = WIDE * np.sqrt((counts @ ends**2 / PEOPLE - means**2) / PEOPLE + doubt)
    printed = ((means + reach).max(axis=1) - (means - reach).min(axis=1)) / 2

    assert np.mean(printed) == pytest.approx(promise, rel=0.02)


def test_without_a_loss_word_an_interval_reaches_as_far_as_anybody_may_be_above_the_cap() -> None:
    """Beside a word of all three items there is none, and a person of whom all seven words are true keeps 2/7 of each.
    By counts of one word in 20 000 surveys of independent people, and by the report of as many records as expected."""
    questions, rng = yes_no(3, 0.05), np.random.default_rng(66)
    settings = {"list_gamma": 19, "cap": 1.5, "longest": 3, "weights": [1, 1, 1]}
    items = [{"id": one.id, "harmless": "0"} for one in questions]
    design = Design.parse({"direct": False, "blocks": RECIPES["one-of"].write(settings, items)})
    (block,) = design.blocks
    assert isinstance(block, OneOfBlock)
    listed = Listed(Fraction(3, 2), (Fraction(1),) * 3, Fraction(0))
    outlooks = expect(questions, (0,) * 3, 3).outlooks(lists_of([3, 3, 1], 19.0, [listed]), PEOPLE, by_interval=True)
    (promise,) = [WIDE * float(of[0].error[0]) for of in outlooks if of[0].population == INDEPENDENT]
    truths = np.array([*product(range(2), repeat=3)])
    sent = np.where(truths, 0.05, 0.95).prod(axis=1) @ block.numerators(truths) / ONE
    word, most = block.words[0], (1.5 + 1.5 * 0.5 / 2) / 7
    shares = (rng.binomial(PEOPLE, sent[0], 20_000) / PEOPLE - word.base / ONE) / (word.added / ONE)
    chance = word.base / ONE + shares * word.added / ONE
    error = np.sqrt(chance * (1 - chance) / PEOPLE) / (word.added / ONE)
    printed = (WIDE * error + (1 / most - 1) * shares + WIDE * error / most) / 2
    counts = np.rint(PEOPLE * np.append(sent, 1 - sent.sum())).astype(int)
    codes = np.repeat(block.records.astype(design.code_type), counts, axis=0)
    (row,) = reconstruct(Records(design, codes, np.zeros(len(codes), bool)), ["item1"]).patterns
    assert row.ci is not None

    assert promise == pytest.approx(np.mean(printed), abs=4.5 * np.std(printed) / len(printed) ** 0.5 + 1e-4)
    assert (row.ci[1] - row.ci[0]) / 2 == pytest.approx(promise, rel=0.02)


@pytest.mark.long
@pytest.mark.parametrize("longest", [1, 2])
def test_simulated_surveys_print_the_promised_interval_of_a_difference(longest: int) -> None:
    """Ten very rare questions of 2 000 clustered people, whom a lot parts into halves: the mean of 60 surveys is within
    3 % and 4.5 standard errors of what is promised."""
    questions, rng, printed = very_rare(10), np.random.default_rng(63), []
    design = proposed(questions, longest)
    for survey in range(60):
        records = disguise(design, drawn(rng, True), take=words_from_seed(survey))
        halves = np.array(["first", "second"])[rng.permutation(np.arange(PEOPLE) % 2)]
        found = compare(replace(records, open_columns={"half": halves}), [f"q{n}=yes" for n in range(10)], "half")
        own = [one.estimate.ci for one in found.differences if one.first.split()[0] == one.second.split()[0]]
        assert len(own) == 10
        printed.append(np.mean([(high - low) / 2 for low, high in own]))

    (promise, *_) = promised(design, questions, longest, halves=True)

    error = np.std(printed, ddof=1) / len(printed) ** 0.5
    assert abs(np.mean(printed) - promise) <= 0.03 * promise + 4.5 * error


def drawn(rng: np.random.Generator, clustered: bool) -> np.ndarray:
    """Answers of people to ten very rare questions."""
    times = np.where(rng.random((PEOPLE, 1)) < HEAVY, TIMES, LESS) if clustered else 1.0
    draw = rng.random((PEOPLE, 10))
    people = (draw < 0.019 * times) + 2 * ((draw >= 0.019 * times) & (draw < 0.069 * times))
    return people.astype(np.uint8)


@pytest.mark.long
@pytest.mark.parametrize("clustered", [True, False])
def test_simulated_surveys_print_the_promised_interval(clustered: bool) -> None:
    """Ten very rare questions with “prefer not to say”, 2 000 people, pairs: the mean of 80 surveys is within 5 % and
    4.5 standard errors of what is promised, among clustered people or, who lose less, independent ones."""
    questions, rng, printed = very_rare(10), np.random.default_rng(56), []
    design = proposed(questions, 2)
    for survey in range(80):
        records = disguise(design, drawn(rng, clustered), take=words_from_seed(survey))
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


# What a plan says of an interval is what the report prints: the longer side, in half of all surveys or more.


SURVEYS = 24


@pytest.mark.parametrize(("questions", "people", "gamma", "share", "length"), first(3, SETTINGS))
def test_half_of_all_surveys_print_the_longer_side_that_was_foreseen(
    questions: int, people: int, gamma: int, share: float, length: int
) -> None:
    """The median is within 10 % of the promise, beyond what chance does to it."""
    design = candor.advise(questions, people, gamma, length=length, prevalence=share).design
    shares = {item.id: (1 - share, share) for item in design.items}

    promised = np.mean(
        [
            longer_side(share, foresee_reach(block, place, 1, tuple(shares[one.id] for one in block.items), people))
            for block in design.blocks
            for place in range(len(block.items))
        ]
    )

    sides = printed_sides(design, share, people, SURVEYS, seed=821)
    assert promised == _near_median(sides)


def test_half_of_all_surveys_print_the_longer_side_of_a_pair_that_was_foreseen() -> None:
    """With a list of words, by the same measure; of other blocks nothing is foreseen."""
    items, share, people = 6, 0.1, 2_000
    design = candor.models.one_of([*"abcdef"], gamma=19, cap=2, longest=2, direct=False)
    shares, wanted = ((1 - share, share),) * items, [(1,)] * items

    promised = pair_side(design.blocks[0], shares, wanted, people)

    assert promised == _near_median(printed_sides(design, share, people, SURVEYS, seed=822, length=2))
    coin = candor.models.warner([*"abcdef"], theta=0.75).blocks[0]
    assert pair_side(coin, shares, wanted, people) == math.inf


@pytest.mark.parametrize(("questions", "people", "gamma", "share", "length", "family"), first(1, VERY_RARE))
def test_lists_of_very_rare_answers_print_what_was_foreseen(
    questions: int, people: int, gamma: str, share: float, length: int, family: str
) -> None:
    """The median of 400 surveys is within 5 %, beyond what chance does to it; many figures are at 0 in all of them."""
    design = list_of(questions, people, gamma, share, length, family)

    promised = np.mean(
        [
            side
            for side, _ in longer_sides(design.blocks[0], ((1 - share, share),) * questions, [(1,)] * questions, people)
        ]
    )

    sides = printed_sides_of_list(design, share, people, 400, seed=823)
    chance = 4.5 * 1.2533 * sides.std(ddof=1) / len(sides) ** 0.5
    assert promised == pytest.approx(np.median(sides), abs=0.05 * np.median(sides) + chance)


def _near_median(sides: np.ndarray) -> object:
    chance = 4.5 * 1.2533 * sides.std(ddof=1) / SURVEYS**0.5  # the standard error of a median
    return pytest.approx(np.median(sides), abs=0.1 * np.median(sides) + chance)
