"""Where answers are rare, the advisor tries one word of a list, judged by stated populations, and says its bias."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations, product
from math import inf, prod
from typing import Any

import numpy as np
import pytest

from benchmarks.bench_lists import SETTINGS, compare
from privacy.design import Design
from privacy.design.blocks.one_of.advise import ONE_OF, Listed, OneOfPlan, lists_of, sketch
from privacy.design.blocks.one_of.design import OneOfBlock
from privacy.design.blocks.one_of.expected import expect
from privacy.design.blocks.one_of.group_of import GroupOfBlock
from privacy.design.brief import Brief, ExpectedItem, yes_no
from privacy.design.rationals import ONE
from privacy.errors import InputError
from privacy.plan.advice import Advice, DesignChoice, best_designs
from privacy.plan.choice import choices_with_bias
from privacy.plan.proposal import propose_lists
from privacy.plan.standard_errors import errors_of_design
from tests.cases import every

GAMMA = Fraction(19)
UNEQUAL = [
    tuple(ExpectedItem(f"q{n}", expected=(1 - p, p)) for n, p in enumerate((0.05, 0.02, 0.1, 0.03, 0.07))),
    (
        ExpectedItem("a", ("none", "one", "two"), (0.9, 0.06, 0.04)),
        ExpectedItem("b", expected=(0.03, 0.97)),
        ExpectedItem("c", expected=(0.95, 0.05)),
    ),
    (ExpectedItem("a", expected=(0.96, 0.04)), ExpectedItem("b", ("x", "y", "z"), (0.02, 0.94, 0.04))),
]
SKIPPED = ("no", "yes", "secret")
UNEQUAL.append(
    (
        ExpectedItem("a", SKIPPED, (0.9, 0.05, 0.05), alone="secret"),
        ExpectedItem("b", SKIPPED, (0.85, 0.1, 0.05), alone="secret"),
        ExpectedItem("c", expected=(0.94, 0.06)),
        ExpectedItem("d", ("none", "one", "two", "secret"), (0.84, 0.06, 0.04, 0.06), alone="secret"),
    )
)
Truth = tuple[int, ...]


@cache
def advised(count: int, share: float, length: int, respondents: int = 10_000, gamma: Fraction = GAMMA) -> Advice:
    return best_designs(Brief(yes_no(count, share), respondents, gamma, length))


def listed(advice: Advice) -> DesignChoice:
    return next(choice for choice in advice.winners[::-1] if choice.family == ONE_OF)


def block_of(choice: DesignChoice) -> OneOfBlock:
    (block,) = choice.design.blocks
    assert isinstance(block, OneOfBlock)
    return block


def laws(questions: Sequence[ExpectedItem], block: OneOfBlock) -> dict[str, dict[Truth, Fraction]]:
    """The chance of all answers in each stated population, by going through all of them."""
    shares = [[Fraction(share) for share in question.expected or ()] for question in questions]
    telling = [1 - own[harmless] for own, harmless in zip(shares, block.harmless, strict=True)]

    def times(factor: Fraction | float) -> list[list[Fraction]]:
        return [
            [share * Fraction(factor) for share in own[:harmless]]
            + [1 - rare * Fraction(factor)]
            + [share * Fraction(factor) for share in own[harmless + 1 :]]
            for own, harmless, rare in zip(shares, block.harmless, telling, strict=True)
        ]

    def independent(own: list[list[Fraction]]) -> dict[Truth, Fraction]:
        truths = product(*(range(len(one)) for one in own))
        return {x: prod((one[code] for one, code in zip(own, x, strict=True)), start=Fraction(1)) for x in truths}

    many, few = independent(times(4)), independent(times((1 - 0.15 * 4) / 0.85))
    part = Fraction(0.15)
    made = {"independent": independent(times(1)), "clustered": {x: part * many[x] + (1 - part) * few[x] for x in many}}
    order = sorted(range(len(shares)), key=lambda item: -telling[item])[:4]
    coinciding = made["independent"]
    for first, second in list(zip(order[::2], order[1::2], strict=False)):
        coinciding = dict(together(coinciding, shares, block.harmless, first, second))
    return made | {"coinciding": coinciding}


def together(
    law: dict[Truth, Fraction], shares: list[list[Fraction]], harmless: tuple[int, ...], first: int, second: int
) -> Iterator[tuple[Truth, Fraction]]:
    """With the chance .7 one draw from 0 to 1 decides both: telling answers lie from 0 on, the harmless one at 1."""
    keep = Fraction(0.7)
    spans = [dict(spans_of(shares[item], harmless[item])) for item in (first, second)]
    for x, chance in law.items():
        (low, high), (begin, end) = (own[x[item]] for own, item in zip(spans, (first, second), strict=True))
        both, usual = max(min(high, end) - max(low, begin), Fraction(0)), (high - low) * (end - begin)
        yield x, chance / usual * (keep * both + (1 - keep) * usual)


def spans_of(shares: list[Fraction], harmless: int) -> Iterator[tuple[int, tuple[Fraction, Fraction]]]:
    begin = Fraction(0)
    for code in [*(code for code in range(len(shares)) if code != harmless), harmless]:
        yield code, (begin, begin + shares[code])
        begin += shares[code]


def weights_of(block: OneOfBlock, pattern: Sequence[tuple[int, int]]) -> np.ndarray:
    """What each word adds to the estimate of a pattern, less what does not depend on the record."""
    column = {word.parts: number for number, word in enumerate(block.words)}
    made = np.zeros(len(block.words))
    options: list[list[tuple[tuple[tuple[int, int], ...], int]]] = []
    for place, code in pattern:
        if code != block.harmless[place]:
            options.append([(((place, code),), 1)])
        else:
            others = [c for c in range(len(block.items[place].options)) if c != code]
            options.append([((), 1), *((((place, other),), -1) for other in others)])
    for chosen in product(*options):
        parts = tuple(sorted(sum((own for own, _ in chosen), ())))
        if parts:
            made[column[parts]] += prod(times for _, times in chosen)
    return made


def asked_for(question: ExpectedItem, size: int) -> list[int]:
    """The options in patterns of so many: one that stands alone is in patterns of one answer."""
    codes = list(question.literals)
    return [*codes, question.options.index(question.alone)] if question.alone and size == 1 else codes


@pytest.mark.parametrize(
    ("questions", "length"), [*((own, length) for own in UNEQUAL for length in (1, 2)), (UNEQUAL[1], 3)]
)
def test_errors_are_those_of_all_truths_and_all_words(questions: tuple[ExpectedItem, ...], length: int) -> None:
    """Bias and variance of every pattern in each population, by the exact chances of a block; beside a word of all
    items without a loss word."""
    brief, items = Brief(questions, 2_000, GAMMA, length), tuple(range(len(questions)))
    weights = (Fraction(1), Fraction(3, 5), Fraction(1, 2))[:length]
    plan = Listed(Fraction(5, 4), weights, Fraction(length < len(questions), 2))
    block = OneOfPlan(items, len(items), listed=plan).sketch(questions, 19).exact_block(questions, GAMMA)
    biased = sketch(block, items).bias_in_populations(brief)
    assert biased is not None
    bases = np.array([word.base for word in block.words]) / 2**32
    added = np.array([word.added for word in block.words]) / 2**32
    for one in biased.populations:
        law = laws(questions, block)[one.name]
        assert sum(law.values()) == pytest.approx(1)
        truths, chances = np.array(list(law)), np.array([float(chance) for chance in law.values()])
        sent = chances @ block.numerators(truths)[:, : len(block.words)] / 2**32
        own = block.is_true(truths)
        for size in range(1, length + 1):
            errors, biases = [], []
            for places in combinations(range(len(questions)), size):
                for codes in product(*(asked_for(questions[place], size) for place in places)):
                    times = weights_of(block, list(zip(places, codes, strict=True)))
                    biases.append(times @ ((sent - bases) / added - chances @ own))
                    spread = times / added
                    variance = (sent @ spread**2 - (sent @ spread) ** 2) / 2_000
                    errors.append(variance + biases[-1] ** 2)
            error = np.mean(errors) if one.name == "coinciding" else max(errors)
            assert one.errors[size - 1] == pytest.approx(error**0.5, rel=1e-5)
            assert abs(one.biases[size - 1]) == pytest.approx(max(map(abs, biases)), rel=1e-4, abs=1e-9)


@pytest.mark.parametrize(("count", "respondents"), [(3, 10_000), (2, 500)])
def test_beside_a_word_of_all_items_no_loss_word_is_counted_on(count: int, respondents: int) -> None:
    """No record could show it. What is advised errs, of all answers together, as exact fractions of all truths say."""
    choice = listed(advised(count, 0.02, count, respondents))
    block = block_of(choice)
    assert choice.biased is not None
    everything = block.words[-1]

    for one in choice.biased.populations:
        law = laws(yes_no(count, 0.02), block)[one.name]
        sent = sum(chance * block.chance(range(count), x, (1,) * count) for x, chance in law.items())
        bias = (sent - Fraction(everything.base, ONE)) / Fraction(everything.added, ONE) - law[(1,) * count]
        variance = sent * (1 - sent) / respondents / Fraction(everything.added, ONE) ** 2
        assert one.errors[-1] == pytest.approx(float(variance + bias**2) ** 0.5, rel=1e-5)
        assert one.biases[-1] == pytest.approx(float(bias), rel=1e-4)
    assert (block.losses, block.lengths[-1]) == ((), count)
    assert block.every > block.cap


def test_long_lists_are_in_groups_and_err_as_the_channel_does() -> None:
    """Pairs of 20 items of .02, by what 2 000 people send: mean squares over all words, whose numbers are by a lot."""
    choice = advised(20, 0.02, 2).winners[-1]
    (block,) = choice.design.blocks
    assert isinstance(block, GroupOfBlock)
    people = (np.random.default_rng(7).random((2_000, 20)) < 0.02).astype(np.uint8)
    sent = block.numerators(people)[:, : block.count].mean(axis=0) / ONE
    seeds, base, added, cap = (
        block.seeds,
        *(one / ONE for one in (block.words[0].base, block.words[0].added, block.cap)),
    )
    known = added * seeds - cap / seeds

    for length in (1, 2):
        squares = []
        for word, groups in zip(block.words, block.groups_of_words, strict=True):
            if len(word.parts) == length:
                truth = people[:, [place for place, _ in word.parts]].all(axis=1).mean()
                own, others = sent[groups].sum(), np.delete(sent, groups).sum()
                shares = np.array([own, others, 1 - own - others])
                weights = np.array([1 - 1 / seeds - base, -1 / seeds - base, -base]) / known
                mean = shares @ weights
                squares.append((shares @ weights**2 - mean**2) / 10_000 + (mean - truth) ** 2)
        assert np.sqrt(np.mean(squares)) == pytest.approx(choice.errors.expected[length - 1], rel=0.1)


@pytest.mark.parametrize(
    ("count", "share", "bars"),
    every(
        3,
        [
            (10, 0.05, (0.0070,)),
            (10, 0.05, (0.0099, 0.0083)),
            (20, 0.05, (0.0088,)),
            (20, 0.05, (0.0127, 0.0149)),
            (20, 0.1, (0.0209, 0.0238)),
        ],
    ),
)
def test_rare_answers_err_by_less_than_others_need(count: int, share: float, bars: tuple[float, ...]) -> None:
    """Of single answers and of pairs, at the worst of the populations, for 10 000 people and γ = 19."""
    winner = advised(count, share, len(bars)).winners[-1]

    assert winner.family == ONE_OF
    assert all(error <= bar for error, bar in zip(winner.errors.expected, bars, strict=True))
    assert winner.design.gamma <= GAMMA


@pytest.mark.parametrize(
    ("count", "respondents", "errors"),
    [
        (5, 10_000, {0.02: 0.0042, 0.05: 0.0052, 0.1: 0.0076}),
        (10, 10_000, {0.02: 0.0045, 0.05: 0.0066, 0.1: 0.0099}),
        (20, 10_000, {0.02: 0.0053, 0.05: 0.0084, 0.1: 0.0131}),
        (10, 1_000, {0.02: 0.0117, 0.05: 0.0176, 0.1: 0.0276}),
        (20, 1_000, {0.02: 0.0136, 0.05: 0.0222, 0.1: 0.0358}),
    ],
)
def test_single_answers_err_as_was_worked_out_elsewhere(
    count: int, respondents: int, errors: dict[float, float]
) -> None:
    """By other code, for the three populations, with caps in steps of a quarter and no loss word."""
    lists = [Listed(Fraction(cap, 4), (Fraction(1),), Fraction(0)) for cap in range(4, 4 * count)]

    found = {}
    for share in errors:
        expected = expect(yes_no(count, share), (0,) * count, 1)
        found[share] = float(expected.errors(lists_of([count], 19, lists), respondents)[0].min())

    assert found == {share: pytest.approx(error, abs=1.5e-4) for share, error in errors.items()}


@pytest.mark.parametrize(
    ("count", "share", "length"), every(3, [(5, 0.1, 1), (5, 0.1, 2), (10, 0.2, 1), (10, 0.2, 2), (20, 0.3, 1)])
)
def test_coins_stay_where_they_win(count: int, share: float, length: int) -> None:
    """Nothing is said of a list there."""
    advice = advised(count, share, length)

    assert {choice.family for choice in (*advice.winners, *advice.choices)}.isdisjoint({ONE_OF})
    assert "rare answers" not in str(advice)
    document = advice.to_json()
    assert "biased" not in str([document[name] for name in ("recommended", "winners", "choices", "fewer")])


@pytest.mark.parametrize(
    ("count", "share", "respondents"), every(2, [(10, 0.05, 10_000), (20, 0.1, 10_000), (8, 0.03, 800)])
)
def test_a_list_is_taken_only_where_it_is_worth_it(count: int, share: float, respondents: int) -> None:
    """It saves a sixth of the people for the longest patterns, no shorter one errs more than the best of the others do,
    and no bias is more than half the standard error among clustered people."""
    advice = advised(count, share, 2, respondents)
    choice = listed(advice)
    others = min(advice.error(one) for one in advice.choices if one.biased is None)
    assert choice.biased is not None
    clustered = next(one for one in choice.biased.populations if one.name == "clustered")

    assert choice.errors.expected[1] ** 2 * 1.2 <= others**2
    assert advice.error(choice) <= others
    for error, bias in zip(clustered.errors, clustered.biases, strict=True):
        assert bias <= 0
        assert abs(bias) <= ((error**2 - bias**2) ** 0.5) / 2 * (1 + 1e-3)


def test_a_wrong_guess_is_priced() -> None:
    """By the errors of the same design where answers are half and twice as common, which the JSON has, too."""
    advice = advised(10, 0.04, 2)
    choice = listed(advice)
    assert choice.biased is not None

    elsewhere = {
        times: errors_of_design(choice.design, Brief(yes_no(10, 0.04 * times), 10_000, GAMMA, 2)).expected
        for times in (0.5, 2.0)
    }

    assert choice.biased.wrong == {times: pytest.approx(errors) for times, errors in elsewhere.items()}
    (entry,) = [one for one in advice.to_json()["choices"] if one["family"] == ONE_OF]
    assert [one["times"] for one in entry["biased"]["wrong"]] == [0.5, 2.0]
    assert [one["population"] for one in entry["biased"]["populations"]] == ["independent", "clustered", "coinciding"]


def test_the_rarer_answer_is_the_telling_one() -> None:
    """Where nearly everybody says yes, the list has the no; the error of the yes is the same."""
    rare = advised(6, 0.04, 1)
    common = advised(6, 0.96, 1)

    assert block_of(listed(rare)).harmless == (0,) * 6
    assert block_of(listed(common)).harmless == (1,) * 6
    assert listed(common).errors.expected == pytest.approx(listed(rare).errors.expected)


@pytest.mark.parametrize(
    "brief",
    [
        Brief(yes_no(10), 10_000, GAMMA, 1),
        Brief(yes_no(10, 0.05), 10_000, GAMMA, 1, direct_share=0.2),
        Brief(yes_no(10, 0.05), 10_000, GAMMA, 1, most_asked=4),
    ],
)
def test_no_list_is_advised_where_it_does_not_fit(brief: Brief) -> None:
    """Without a guess, with direct answers, and where nobody may be asked all items."""
    assert ONE_OF not in {choice.family for choice in best_designs(brief).choices}


def test_a_wish_takes_a_list_made_for_as_many_people() -> None:
    """Bias does not fall with their number: so many people do, with the list that is advised for them, and a few less
    do not."""
    enough = advised(10, 0.05, 1).reach(0.004).respondents

    errors = [
        advice.error(advice.winners[-1])
        for advice in (advised(10, 0.05, 1, people) for people in (enough, int(enough * 0.95)))
    ]
    assert errors[0] <= 0.004 < errors[1]


def skipping(alone: str | None) -> tuple[ExpectedItem, ...]:
    return tuple(ExpectedItem(f"q{n}", SKIPPED, (0.931, 0.019, 0.05), alone=alone) for n in range(10))


def test_an_answer_that_stands_alone_costs_little() -> None:
    """Ten yes/no questions of .02 with "prefer not to say", 1 000 people: intervals of pairs of yes are less than
    .56 as wide as where each skip is paired, of single answers a third wider than where only shares are wanted."""
    errors = {}
    for alone, length in ((None, 2), ("secret", 2), ("secret", 1)):
        brief = Brief(skipping(alone), 1_000, GAMMA, length, by_interval=True)
        (plan,) = choices_with_bias(brief, length, inf)[0].plan
        errors[alone, length] = plan.sketch(brief.questions, 19.0).errors(brief)[0]

    assert 1.8 * errors["secret", 2][1] < errors[None, 2][1]
    assert errors["secret", 2][0] < 1.35 * errors["secret", 1][0]
    assert errors["secret", 2][0] < 0.95 * errors[None, 2][0]


def test_more_questions_than_a_brief_takes_get_no_list() -> None:
    """The studio then takes the usual settings."""
    questions = tuple(ExpectedItem(f"q{n}", ("no", "yes"), (0.95, 0.05)) for n in range(101))
    assert propose_lists(questions, 19.0, 1, 1_000) == ()


@pytest.mark.parametrize(("options", "alone"), [(SKIPPED, "later"), (("no", "secret"), "secret")])
def test_an_answer_that_cannot_stand_alone_is_refused(options: tuple[str, ...], alone: str) -> None:
    """It is one of three or more."""
    with pytest.raises(InputError, match=f"q: '{alone}' is none of three answers or more"):
        Brief((ExpectedItem("q", options, alone=alone),), 1_000, GAMMA, 1)


@pytest.mark.parametrize(
    ("items", "share", "people", "times"), [(10, 0.001, 10_000, 3.0), (10, 0.05, 40, 1.5), (50, 0.02, 2_000, 5.0)]
)
def test_a_list_errs_least_for_the_rarest_answers_too(items: int, share: float, people: int, times: float) -> None:
    """A share may err by more than it is: all other designs err by several times as much."""
    advice = advised(items, share, 2, people)

    assert advice.winners[-1].biased
    others = [choice for choice in advice.choices if not choice.biased]
    assert min(map(advice.error, others)) > times * advice.error(advice.winners[-1])


def test_people_with_one_rare_answer_are_not_above_a_cap_of_one() -> None:
    """What rounding leaves of one is one: where words are in groups, too."""
    assert "People with more than 1 rare answers" in str(advised(10, 0.001, 2))


@pytest.mark.parametrize(("setting", "by_interval"), every(11, product(SETTINGS, (False, True)), start=3))
def test_no_list_of_a_grid_is_better_at_one_length_without_losing_at_another(setting: Any, by_interval: bool) -> None:
    """By a tenth, in errors as in intervals; the grid varies cap, weights of lengths and loss words."""
    assert compare(*setting, by_interval=by_interval)[2] > 0.9


def test_shares_are_not_twice_as_wide_as_needed_where_pairs_are_wanted_too() -> None:
    """Twenty items of .1 and 2 000 people: a list by the error of pairs alone had .0542 and .0372."""
    _, errors, _ = compare(20, 0.1, 2_000, 19, 2, by_interval=False)

    assert [round(error, 4) for error in errors] == [0.0409, 0.0453]


def test_no_list_of_a_grid_is_far_better_than_the_front_at_both_lengths() -> None:
    """Of a grid that knows nothing of the front, each list errs at one length by as much as some list of it, nearly."""
    items, people = 10, 800
    brief = Brief(yes_no(items, 0.05), people, GAMMA, 2)
    caps, weights = (
        [Fraction(half, 2) for half in range(2, 2 * items)],
        [Fraction(2) ** power for power in range(-3, 4)],
    )
    listed = [Listed(cap, (Fraction(1), weight), loss) for cap, weight, loss in product(caps, weights, weights[1:6:2])]
    expected = expect(brief.questions, (0,) * items, 2)
    words = [items, items * (items - 1) // 2]
    errors, tolerable = expected.errors(lists_of(words, float(GAMMA), listed), people)

    front = np.array([(one.singles, one.pairs) for one in best_designs(brief).front.lists])
    assert 2 < len(front) < 8
    assert (np.diff(front[:, 0]) > 0).all()
    assert (np.diff(front[:, 1]) < 0).all()
    best = (front[:, :, np.newaxis] / errors[:, tolerable]).max(axis=1).min(axis=0)
    assert best.max() < 1.3


def test_each_list_of_the_front_is_a_design_with_the_errors_that_it_states() -> None:
    """One of them is the one that is advised, and all keep the promise; what makes them is in the JSON."""
    brief = Brief(yes_no(6, 0.05), 2_000, GAMMA, 2)
    advice = best_designs(brief)

    stated = advice.to_json()["front"]
    assert [one["usual"] for one in stated].count(True) == 1
    for one, said in zip(advice.front.lists, stated, strict=True):
        document = {
            "model": "one-of",
            "gamma": 19,
            "longest": 2,
            "items": [question.id for question in brief.questions],
        }
        named = Design.parse({**document, "cap": said["cap"], "weights": said["weights"]})
        assert one.design is not None
        assert one.design.gamma <= GAMMA
        assert errors_of_design(one.design, brief).expected == pytest.approx(said["errors"], rel=1e-3)
        assert errors_of_design(named, brief).expected == pytest.approx(said["errors"], rel=1e-3)
    assert "Lists of words that no other beats" in str(advice)
    assert best_designs(Brief(yes_no(6, 0.05), 2_000, GAMMA, 1)).front.lists == ()
