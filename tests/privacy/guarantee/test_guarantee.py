"""What a design promises, exactly and never too much."""

import math
from collections.abc import Iterable
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from privacy.design import Design
from privacy.design.blocks import matrix
from privacy.errors import InputError
from privacy.guarantee import epsilon, gamma, guarantee, outward, posterior_bound, round_up
from privacy.guarantee.ledger import Ledger


def model(name: str, items: Iterable[str], **keys: Any) -> Design:
    return Design.parse({"model": name, "items": list(items), **keys})


@pytest.mark.parametrize(
    ("design", "expected"),
    [
        (model("forced-response", "a", p=2 / 3, yes=1 / 6), 5.0),
        (model("unrelated-question", "a", p=0.5, theta=1 / 12), 13.0),
        (model("unrelated-question", "a", p=0.5, theta=1 / 10), 11.0),
        (model("unrelated-question", "a", p=0.5, theta=2 / 3), 4.0),
        (model("unrelated-question", "a", p=0.5, theta=1 / 3), 4.0),
        (model("improved-grouped", "abc", p=0.3, theta=0.6), 7.6964),
        (model("improved-grouped", "abcdefghij", p=0.3, theta=0.6), 4088.18),
        (model("flip", "abcdefghij", gamma=19, radius=2), 19.0),
        (model("unrelated-question", "abcdef", p=0.5, theta=[1 / 12, 1 / 10, 2 / 3, 1 / 10, 1 / 3, 1 / 12]), 327184.0),
    ],
)
def test_published_amplifications(design: Design, expected: float) -> None:
    """γ of the models others have published figures for; a record of several blocks has their product."""
    assert float(gamma(design)) == pytest.approx(expected, rel=1e-5)


def test_the_epsilon_of_warner_is_that_of_opendp() -> None:
    """OpenDP gives ε = .8472978604 for Warner's question asked with probability .7."""
    assert epsilon(gamma(model("warner", "a", theta=0.7))) == pytest.approx(0.8472978604, abs=1e-9)


@pytest.mark.parametrize(
    "design",
    [
        model("improved-grouped", "abc", p=0.3, theta=[0.6, 0.5, 0.9]),
        model("flip", "abcd", gamma=19, radius=1),
        model("warner", "a", theta=0.2),
        model("k-ary", "a", p=0.5),
        Design.parse({"model": "gamma-diagonal", "gamma": 7, "items": [{"id": "a", "options": ["x", "y", "z"]}, "b"]}),
        model("grouped", "abc", p=0.3, theta=0.6),
        model("grouped", "a", p=0.3, theta=0.6),
        Design.parse({"blocks": [{"keep": 0.3, "items": [{"id": "a", "options": ["x", "y"], "noise": [1, 0]}]}]}),
        Design.parse({"blocks": [{"keep": 1, "items": [{"id": "a", "theta": 0.5}]}]}),
        Design.parse({"direct": True, "blocks": [{"keep": 0, "items": [{"id": "a", "theta": 0}]}]}),
    ],
)
def test_a_blocks_formula_is_its_matrix(design: Design) -> None:
    """γ from the formulas equals γ of the whole transition matrix, as exact fractions."""
    (block,) = design.blocks

    assert gamma(block) == gamma(matrix(block)) == gamma(design)


def test_no_protection_is_said_in_words_json_knows() -> None:
    """γ = ∞ is the string "Infinity", and the belief may become certain."""
    promise = guarantee(model("grouped", "ab", p=0.3, theta=0.6)).to_json()

    assert (promise["gamma"], promise["epsilon"], promise["posterior"]) == ("Infinity", "Infinity", 1.0)


def test_a_gamma_beyond_floats_is_infinite_in_json() -> None:
    """Two thousand questions under one coin: γ is finite, but no float is as large; ε still has a figure."""
    promise = guarantee(model("improved-grouped", [f"q{n}" for n in range(2000)], p=0.5, theta=0.5)).to_json()

    assert promise["gamma"] == "Infinity"
    assert promise["epsilon"] == pytest.approx(2000 * math.log(2), rel=1e-6)
    assert promise["posterior"] == 1.0


def test_a_promise_in_json_begins_with_the_whole_record() -> None:
    """The figure for the whole record stands first, then the blocks, then what each item tells alone."""
    promise = guarantee(model("warner", "ab", theta=0.75), prior=0.05).to_json()

    item = {"gamma": 3.0, "epsilon": epsilon(Fraction(3)), "posterior": outward(Fraction(3, 22))}
    assert list(promise) == ["gamma", "epsilon", "prior", "posterior", "blocks"]
    assert promise == {
        "gamma": 9.0,
        "epsilon": epsilon(Fraction(9)),
        "prior": 0.05,
        "posterior": outward(Fraction(9, 28)),
        "blocks": [{**item, "asked": 1, "items": [{"id": name, **item}]} for name in "ab"],
    }


@given(st.fractions(1, 10**12))
def test_floats_are_rounded_outward(value: Fraction) -> None:
    """A float shown is never below the exact number, and the next one down is."""
    shown = outward(value)

    assert Fraction(shown) >= value
    assert Fraction(math.nextafter(shown, 0)) < value
    assert math.log(value) - 1e-12 <= epsilon(value) <= math.log(value) + 1e-12


def test_epsilon_is_not_below_the_logarithm() -> None:
    """ln 3 = 1.09861228866810969139…, between two floats: the upper one is shown."""
    assert Fraction(epsilon(Fraction(3))) > Fraction(109861228866810969139, 10**20)
    assert epsilon(Fraction(1)) == 0.0
    assert Fraction(epsilon(1 + Fraction(1, 10**80))) > Fraction(1, 10**80)


@given(st.fractions(0, 1), st.fractions(1, 100))
def test_beliefs_stay_below_the_bound(prior: Fraction, limit: Fraction) -> None:
    """Odds grow by the factor γ at most."""
    up = posterior_bound(prior, limit)

    assert up * (1 - prior) == limit * prior * (1 - up)


def test_the_bound_of_what_a_person_typed_is_exact() -> None:
    """5 % at γ = 19 is one half, not a hair more."""
    assert posterior_bound(0.05, Fraction(19)) == Fraction(1, 2)


@settings(deadline=None)
@given(
    st.lists(st.lists(st.integers(0, 5), min_size=3, max_size=3).filter(any), min_size=2, max_size=4),
)
def test_a_matrix_is_taken_as_its_definition_says(rows: list[list[int]]) -> None:
    """γ is the largest ratio of two probabilities of one output, infinite where one of them is 0."""
    channel = [[Fraction(weight, sum(row)) for weight in row] for row in rows]
    pairs = [(a, b) for column in zip(*channel, strict=True) for a in column for b in column if a or b]

    assert gamma(channel) == max((a / b if b else math.inf for a, b in pairs), default=1)


def test_the_number_of_questions_is_told() -> None:
    """How many questions a person answers stands beside what they are promised."""
    promise = guarantee(model("flip", "abcdef", gamma=19, radius=1, ask=4))

    assert [block["asked"] for block in promise.to_json()["blocks"]] == [4]


def test_printed_figures_are_not_below_the_promise() -> None:
    """Six digits of 4 088.1848 are 4 088.19; what six digits hold is printed as it is, also where no float holds it."""
    figures = (4088.1848, 19.0, Fraction(77, 10), 0.25, 0, math.inf)

    assert [str(round_up(figure, 6)) for figure in figures] == ["4088.19", "19", "7.7", "0.25", "0", "Infinity"]


@given(st.one_of(st.fractions(min_value=0), st.floats(min_value=0, allow_infinity=False)), st.integers(1, 9))
def test_rounding_up_gives_the_least_figure_that_is_enough(figure: Fraction | float, digits: int) -> None:
    """Never below the true value, never more digits than asked, and one step less would be below it."""
    rounded = round_up(figure, digits)

    step = Fraction(10) ** (math.floor(rounded.adjusted()) + 1 - digits) if rounded else Fraction(0)
    if step and Fraction(rounded) == Fraction(10) ** rounded.adjusted():
        step /= 10  # below a power of ten the steps are finer
    assert len(rounded.as_tuple().digits) <= digits
    assert Fraction(rounded) >= Fraction(figure)
    assert not rounded or Fraction(rounded) - step < Fraction(figure)


@pytest.mark.parametrize("matrix", [[], [[1, 2]], [[-1], [1]], [[1, 0], [1]], [[math.nan], [1]]])
def test_a_matrix_without_probabilities_is_refused(matrix: list[list[float]]) -> None:
    """Rows of one length, filled with numbers from 0 to 1."""
    with pytest.raises(InputError, match=r"channel: a (matrix|probability)"):
        gamma(matrix)


# Several surveys of the same person against one budget.


WAVE = Design.parse({"model": "warner", "theta": 0.75, "items": ["a"]})  # γ = 3
ONE_SIDED = Design.parse({"blocks": [{"one-sided": 0.25, "items": [{"id": "a", "harmless": "0"}]}]})  # odds 4
OPEN = Design.parse({"model": "grouped", "p": 0.3, "theta": 0.6, "items": ["a", "b"]})  # γ = ∞


def test_gammas_of_several_surveys_multiply() -> None:
    """Two waves under γ = 3 are 9 together, and leave 19/9 of a budget of 19."""
    ledger = Ledger.of(19).add("spring", WAVE).add("autumn", WAVE)

    assert ledger.spent == gamma(WAVE) ** 2 == 9
    assert ledger.left == Fraction(19, 9)
    assert [entry.name for entry in ledger.entries] == ["spring", "autumn"]


def test_the_product_bounds_what_all_records_tell_together() -> None:
    """Two independent records of one person are one channel, whose γ is the product."""
    one = [[0.75, 0.25], [0.25, 0.75]]
    both = [[p * q for p in row for q in row] for row in one]

    assert Ledger.of(100).add("a", WAVE).add("b", WAVE).spent == gamma(both)


def test_a_survey_beyond_the_budget_is_not_allowed() -> None:
    """2 · 9 ≤ 19 is allowed, a third wave (27) is not; what happened is recorded all the same."""
    ledger = Ledger.of(19).add("spring", WAVE)

    assert ledger.allows(WAVE)
    over = ledger.add("autumn", WAVE).add("winter", WAVE)
    assert not ledger.add("autumn", WAVE).allows(WAVE)
    assert (over.spent, over.left) == (27, 1)


def test_a_budget_may_be_spent_to_the_last() -> None:
    """Two waves of 3 are 9, which a budget of 9 allows, and nothing is left of it."""
    ledger = Ledger.of(9).add("spring", WAVE)

    assert ledger.allows(WAVE)
    assert ledger.add("autumn", WAVE).left == 1


def test_one_sided_promises_multiply_beside_gamma() -> None:
    """The odds of who did it grow by 4 in each wave and by 3 in another survey; γ stays infinite, and is spent."""
    ledger = Ledger.of(100).add("spring", ONE_SIDED).add("autumn", ONE_SIDED).add("study", WAVE)

    assert [(entry.gamma, entry.odds) for entry in ledger.entries] == [(math.inf, 4), (math.inf, 4), (3, 3)]
    assert (ledger.spent, ledger.odds, ledger.left) == (math.inf, 48, 1)
    assert not ledger.allows(WAVE)


def test_no_protection_spends_everything() -> None:
    """After a design without protection nothing is left."""
    ledger = Ledger.of(19).add("study", OPEN)

    assert (ledger.spent, ledger.left) == (math.inf, 1)
    assert not ledger.allows(WAVE)
    assert not Ledger.of(19).allows(OPEN)


def test_a_budget_below_one_is_refused() -> None:
    """γ = 1 is saying nothing; there is no less."""
    with pytest.raises(InputError, match=r"budget: 0\.5 is below 1"):
        Ledger.of(0.5)


@pytest.mark.parametrize("budget", [float("nan"), float("inf")])
def test_a_budget_is_a_finite_number(budget: float) -> None:
    """A budget without end, or that is no number, is none."""
    with pytest.raises(InputError, match=f"budget: {budget} is not a finite number"):
        Ledger.of(budget)
