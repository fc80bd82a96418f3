"""The advisor: its promises on γ, its winners, and what it says where a wish is out of reach."""

import json
import math
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

import numpy as np
import pytest

from privacy.design import Design
from privacy.design.blocks.one_of.advise import SETS_OF
from privacy.errors import InputError
from privacy.guarantee import gamma
from privacy.plan import Advice, Brief, ExpectedItem, best_designs, errors_of_design, yes_no
from privacy.plan.choice import best_of, figures_of, lists_for
from privacy.plan.request import advise, parse_questions, with_earlier, with_guesses
from privacy.plan.search import least_errors_of, plans_of
from privacy.plan.standard_errors import sketch_plan
from tests.cases import every, first
from tests.refusals import refusal_of

TEN = Brief(yes_no(10, 0.3), 10_000, Fraction(19), 3)
FIVE = Brief(yes_no(5, 0.3), 10_000, Fraction(19), 2)


@cache
def of_ten() -> Advice:
    """What is advised on ten items, worked out once."""
    return best_designs(TEN)


def choice(options: int, name: str = "choice") -> ExpectedItem:
    return ExpectedItem(name, tuple(f"option {place}" for place in range(options)))


def random_briefs(count: int) -> list[Brief]:
    """Briefs of every kind: yes/no items, categories and both; with a guess of prevalence and without. Seed 7."""
    random = np.random.default_rng(7)
    briefs = []
    for _ in range(count):
        guess = float(random.choice([0.02, 0.2, 0.5])) if random.random() < 0.5 else None
        questions = yes_no(int(random.integers(1, 9)), guess)
        if guess is None:
            questions += tuple(choice(int(random.integers(3, 9)), f"c{place}") for place in range(random.integers(4)))
        length = int(random.integers(1, min(3, len(questions)) + 1))
        limit = Fraction(float(random.choice([1.2, 3, 19, 500]))) * Fraction(999_983, 10**6)
        briefs.append(Brief(questions, 5_000, limit, length))
    return briefs


@pytest.mark.parametrize("brief", first(1, random_briefs(12)))
def test_no_design_exceeds_the_promise(brief: Brief) -> None:
    """Every design in an advice has an exact γ of at most the one asked, and nearly reaches it."""
    advice = best_designs(brief)

    designs = [*advice.choices, *advice.winners, *advice.fewer, advice.recommended]
    assert all(gamma(one.design) == one.gamma <= brief.gamma for one in designs)
    assert all(one.gamma > 1 + (brief.gamma - 1) * Fraction(99, 100) for one in advice.winners)


@pytest.mark.parametrize("prevalence", [None, 0.1])
def test_no_plan_that_is_left_out_errs_less_than_what_it_is_left_out_for(prevalence: float | None) -> None:
    """What a plan is said to err by at least, before it is worked out, it does."""
    brief = Brief(yes_no(6, prevalence), 1_000, Fraction(9), 2)

    for _, plan in plans_of(range(6), brief, 9.0, range(1, 7)):
        true = errors_of_design(sketch_plan(plan, brief.questions, 9.0), brief)
        least = least_errors_of(plan, brief, 9.0, [0] * 6)
        assert least[0] <= true.up_to(1, prevalence is not None)
        assert least[1] <= true.up_to(2, prevalence is not None)


def test_errors_are_those_of_the_rounded_design() -> None:
    """What is printed is the error of the design that is handed out, and it survives its own JSON."""
    advice = of_ten()

    for one in (*advice.winners, *advice.choices):
        again = Design.parse(one.design.to_json())
        assert again == one.design
        assert errors_of_design(again, TEN) == one.errors


def test_the_winner_depends_on_the_length_of_patterns() -> None:
    """Ten items under γ = 19: three questions for single items, four for pairs and triples, under one sampled coin."""
    single, pair, triple = of_ten().winners

    assert single.questions_per_person == 3
    assert triple.questions_per_person == 4
    assert triple.errors.up_to(3, guessed=True) == pytest.approx(0.0161, abs=5e-5)
    assert pair.errors.up_to(2, guessed=True) < 0.0153


def test_long_questionnaires_gain_an_order_of_magnitude() -> None:
    """On twenty items flips or sampling are more than ten times as precise as a coin per item or one coin."""
    advice = best_designs(Brief(yes_no(20, 0.3), 10_000, Fraction(19), 2))

    plain = min(
        advice.error(one) for one in advice.choices if one.family in ("one coin over all items", "a coin per item")
    )
    assert advice.error(advice.winners[-1]) < plain / 10


def test_every_family_is_weighed() -> None:
    """One coin, one per item, sampled blocks and flips all stand in the comparison."""
    families = {one.family for one in of_ten().choices}

    assert families == {
        "one coin over all items",
        "a coin per item",
        "sampled, one coin",
        "sampled, a coin per item",
        "flips by a tuned table",
    }


def test_fewer_questions_are_recommended_where_more_gain_little() -> None:
    """The recommended design is within 5 % of the best, and no design that asks fewer is."""
    advice = best_designs(Brief(yes_no(10, 0.3), 10_000, Fraction(19), 2))
    best = advice.error(advice.winners[-1])

    assert advice.error(advice.recommended) <= 1.05 * best
    assert all(
        advice.error(one) > 1.05 * best
        for one in advice.fewer
        if one.questions_per_person < advice.recommended.questions_per_person
    )
    assert [one.questions_per_person for one in advice.fewer] == sorted(
        {one.questions_per_person for one in advice.fewer}
    )


def test_nobody_is_asked_more_than_allowed() -> None:
    """With at most 4 questions a person, no design asks 5."""
    advice = best_designs(Brief(yes_no(10, 0.3), 10_000, Fraction(19), 2, most_asked=4))

    assert max(one.questions_per_person for one in (*advice.choices, *advice.winners)) == 4


def test_many_choices_alike_are_few_kinds_of_pattern() -> None:
    """Thirty items with options of their own names, equally common, are one kind: triples of them can be asked for."""
    even = tuple(ExpectedItem(f"q{n}", tuple(f"{n}.{option}" for option in range(5)), (0.2,) * 5) for n in range(30))
    odd = tuple(ExpectedItem(f"q{n}", expected=(1 - n / 100, n / 100)) for n in range(1, 61))

    assert best_designs(Brief(even, 10_000, Fraction(19), 2, most_asked=4)).winners[1].questions_per_person <= 4
    with pytest.raises(InputError, match="length: 3 makes 37820 kinds of pattern, more than 20000"):
        Brief(odd, 10_000, Fraction(19), 3)


def test_out_of_reach_says_how_many_respondents_would_do() -> None:
    """Half the error needs four times the respondents, and with them it is within reach."""
    advice = best_designs(FIVE)
    target = advice.error(advice.winners[-1]) / 2

    reached = advice.reach(target)

    assert not reached.reached
    assert reached.respondents == pytest.approx(40_000, abs=1)
    again = best_designs(Brief(FIVE.questions, reached.respondents, FIVE.gamma, FIVE.length))
    assert again.reach(target).reached


def test_out_of_reach_says_which_gamma_would_do() -> None:
    """Under the γ named the wished error is reached, and 2 % below it is not."""
    reached = best_designs(FIVE).reach(0.006)

    assert reached.gamma is not None
    enough = best_designs(Brief(FIVE.questions, FIVE.respondents, Fraction(reached.gamma), FIVE.length))
    short = best_designs(Brief(FIVE.questions, FIVE.respondents, Fraction(reached.gamma * 0.98), FIVE.length))
    assert enough.error(enough.winners[-1]) <= 0.006 < short.error(short.winners[-1])


def test_no_gamma_reaches_below_open_answers() -> None:
    """√(.21/10 000) is what undisguised answers give; no γ gives less."""
    reached = of_ten().reach(0.9 * math.sqrt(0.21 / 10_000))

    assert reached.gamma is None
    assert not reached.reached


def test_questions_are_read_from_json() -> None:
    """A yes/no item has a share of yes, another item a share for each option."""
    text = """{"items": [{"id": "drugs", "expected": 0.05},
                         {"id": "age", "options": ["young", "old"], "expected": [0.4, 0.6]}]}"""

    assert parse_questions(text) == (
        ExpectedItem("drugs", ("0", "1"), (0.95, 0.05)),
        ExpectedItem("age", ("young", "old"), (0.4, 0.6)),
    )


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"questions": ()}, "items: 0 is outside 1 to 100."),
        ({"respondents": 0}, "respondents: 0 is outside 1 to 1000000000000."),
        ({"gamma": Fraction(1)}, "gamma: 1 is not above 1; at 1 nothing can be learned."),
        ({"length": 4}, "length: 4 is outside 1 to the 3 items."),
        ({"direct_share": 1.0}, "direct_share: 1.0 is not from 0 to below 1."),
        ({"most_asked": 1}, "asked: at most 1 questions cannot show patterns of 2."),
        (
            {"questions": (*yes_no(1, 0.3), choice(3))},
            "prevalence: 'choice' has no guess, but other items have one; give all or none.",
        ),
        (
            {"questions": (choice(1),), "length": 1},
            "choice.options: the number of options, 1, is outside 2 to 254; an item with one option would say nothing.",
        ),
        (
            {"questions": (ExpectedItem("a", expected=(-0.5, 1.5)),), "length": 1},
            "a: the shares [-0.5, 1.5] are not a distribution.",
        ),
    ],
)
def test_impossible_briefs_are_refused(changes: dict[str, Any], said: str) -> None:
    """What cannot be advised on is one sentence with the field and the rule."""
    brief: dict[str, Any] = {"questions": yes_no(3), "respondents": 100, "gamma": Fraction(19), "length": 2}

    assert refusal_of(lambda: Brief(**(brief | changes))) == said


def test_a_target_outside_its_range_is_refused() -> None:
    """A standard error lies between 0 and 1."""
    with pytest.raises(InputError, match="target: 0 is not a standard error between 0 and 1"):
        of_ten().reach(0)


@pytest.mark.parametrize(
    ("items", "share", "gamma", "errors"),
    [
        (10, 0.05, 19, (0.0098, 0.0082)),
        (20, 0.05, 19, (0.0126, 0.0148)),
        (10, 0.02, 9, (0.0104, 0.0094)),
    ],
)
def test_pairs_decide_where_no_design_finds_links(
    items: int, share: float, gamma: int, errors: tuple[float, float]
) -> None:
    """Rare answers, 10 000 people: one coin that asks two errs by up to .0316 for pairs. The last has a threshold."""
    recommended = best_designs(Brief(yes_no(items, share), 10_000, Fraction(gamma), 2)).recommended

    assert recommended.errors.expected == pytest.approx(errors, rel=0.01)
    assert (recommended.family == SETS_OF) == (gamma == 9)


@pytest.mark.parametrize(
    ("items", "share", "gamma", "length", "people"),
    every(40, product((3, 10, 20), (None, 0.02, 0.05, 0.3), (9, 19), (1, 2), (60, 800, 10_000))),
)
def test_what_is_recommended_is_beaten_by_no_other_candidate_in_all_that_is_asked(
    items: int, share: float | None, gamma: int, length: int, people: int
) -> None:
    """Each candidate has a larger figure than the recommended one for single answers or for pairs, or equal ones."""
    brief = Brief(yes_no(items, share), people, Fraction(gamma), length)
    advice = best_designs(brief)
    own = figures_of(advice.design, [brief])
    candidates = (*advice.choices, *advice.winners, *advice.fewer, *lists_for(brief))

    for candidate in candidates:
        figures = figures_of(candidate.design, [brief])
        assert any(there >= here * (1 - 1e-6) for here, there in zip(own, figures, strict=True))


def test_of_nearly_equal_worst_figures_the_least_product_is_taken() -> None:
    """A tenth of the worst figure is worth less than a fifth of another; what is far worse is no rival."""
    assert best_of([(0.03, 0.04), (0.024, 0.044), (0.001, 0.051)], tuple) == (0.024, 0.044)


# Guesses of how common answers are, before a survey.


ITEMS = (ExpectedItem("drugs"), ExpectedItem("phone", ("never", "once", "often")))
TENTH, HALF = (0.9, 0.1), (0.5, 0.5)


@pytest.mark.parametrize(
    ("prevalence", "expected"),
    [
        ("rare", (TENTH, (0.8, 0.1, 0.1))),
        ([0.5, "some"], (HALF, (0.5, 0.25, 0.25))),
        ({"phone": {"once": "some", "often": 0.125}, "drugs": "rare"}, (TENTH, (0.625, 0.25, 0.125))),
        ({"phone": {"often": 0.25, "never": 0.5, "once": "some"}, "drugs": {"1": 0.5}}, (HALF, (0.5, 0.25, 0.25))),
    ],
)
def test_a_guess_says_how_common_each_option_is(prevalence: Any, expected: tuple[tuple[float, ...], ...]) -> None:
    """One share is that of yes and of each option but the first; by its name each has its own, and one the rest."""
    assert tuple(one.expected for one in with_guesses(ITEMS, prevalence)) == expected


@pytest.mark.parametrize(
    ("guess", "said"),
    [
        ("most", "prevalence['phone']: 0.75 for each of 2 options, all but 'never', is above 1 in all."),
        ({"twice": 0.1}, "prevalence['phone']: 'twice' is no option."),
        (
            {"once": 0.1},
            "prevalence['phone']: 'never' and 'often' have no share; one option may be left to take the rest.",
        ),
        ({"once": 0.5, "often": 0.75}, "prevalence['phone']: the shares add up to 1.25, not to 1."),
        ({"never": 0.25, "once": 0.25, "often": 0.25}, "prevalence['phone']: the shares add up to 0.75, not to 1."),
        (
            {"once": "few", "often": 0.1},
            "prevalence['phone']['once']: 'few' is neither a number nor one of very rare, rare, some, half, most.",
        ),
    ],
)
def test_shares_that_do_not_fit_the_options_are_refused(guess: Any, said: str) -> None:
    """In one sentence with the item, the option and the rule."""
    assert refusal_of(lambda: with_guesses(ITEMS, {"drugs": "rare", "phone": guess})) == said


def test_the_advice_on_options_follows_the_guess() -> None:
    """Where each is rare, one word of a list is best; where the guess says nothing of that, it is not offered."""
    items = {f"q{number}": ["no", "yes", "skip"] for number in range(8)}
    own = {name: {"yes": 0.05, "skip": "very rare"} for name in items}
    guesses: list[Any] = [None, "some", "very rare", own]

    families = [
        advise(items, 10_000, Fraction(19), length=1, prevalence=one).to_frame()["family"][0] for one in guesses
    ]

    assert [family == "one of yours" for family in families] == [False, False, True, True]


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        ({"support": 5}, r"report\.patterns\[0\]\.support: 5 is"),
        ({"support": -3}, r"report\.patterns\[0\]\.support: -3 is"),
        ({"support": 0.1, "se": -1}, r"report\.patterns\[0\]\.se: -1 is below 0"),
    ],
)
def test_a_report_with_what_no_report_has_is_refused(entry: dict[str, float], said: str) -> None:
    """An estimate of few people may be a little below 0, and not −3."""
    report = json.dumps({"patterns": [{"pattern": "drugs", **entry}]})
    with pytest.raises(InputError, match=f"^{said}"):
        with_earlier([ExpectedItem("drugs")], report)
