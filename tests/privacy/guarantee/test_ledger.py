"""Several surveys of the same person against one budget."""

import math
from fractions import Fraction

import pytest

from privacy.design import Design
from privacy.errors import InputError
from privacy.guarantee import gamma
from privacy.guarantee.ledger import Ledger

WAVE = Design.parse({"model": "warner", "theta": 0.75, "items": ["a"]})  # γ = 3
ONE_SIDED = Design.parse({"blocks": [{"one-sided": 0.25, "items": [{"id": "a", "harmless": "0"}]}]})  # odds 4
OPEN = Design.parse({"model": "grouped", "p": 0.3, "theta": 0.6, "items": ["a", "b"]})  # γ = ∞


def test_waves_multiply() -> None:
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
