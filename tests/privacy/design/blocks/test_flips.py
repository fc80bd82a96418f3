"""The numbers of flip blocks."""

from fractions import Fraction
from math import comb

import pytest

from privacy.design.blocks.flips.krawtchouk import eigenvalues, krawtchouk, krawtchouks, marginal_flips
from privacy.design.model_blocks import flip_table
from privacy.design.rationals import ONE, apportion


def test_one_answer_turned_over_with_a_quarter_keeps_half() -> None:
    """A flip block of one item is Warner's channel: a_1 = 1 − 2·P(turned)."""
    assert eigenvalues((3 * ONE // 4, ONE // 4)) == (1, Fraction(1, 2))


def test_eigenvalues_are_the_expected_products_of_turned_signs() -> None:
    """a_m equals E[(−1)^(turned among m fixed items)] counted over every set of turned answers."""
    table = apportion([Fraction(weight, 100) for weight in (50, 20, 12, 10, 5, 3)])

    expected = [
        sum(
            Fraction(table[d], ONE) * Fraction(comb(m, j) * comb(5 - m, d - j), comb(5, d)) * (-1) ** j
            for d in range(6)
            for j in range(min(m, d) + 1)
        )
        for m in range(6)
    ]

    assert list(eigenvalues(table)) == expected


@pytest.mark.parametrize("s", [1, 2, 5, 12])
def test_krawtchouk_polynomials_follow_from_the_two_before(s: int) -> None:
    """The recurrence, which keeps tables of hundreds of answers quick, gives the sum that defines them."""
    assert [list(krawtchouks(s, d)) for d in range(s + 1)] == [
        [krawtchouk(s, m, d) for m in range(s + 1)] for d in range(s + 1)
    ]


def test_ten_items_at_radius_two_leave_products_of_four_and_seven_unidentified() -> None:
    """docs/design.md names a_4 and a_7 for N = 10, radius 2."""
    values = eigenvalues(flip_table(Fraction(19), 2, 10))

    assert [m for m, value in enumerate(values) if value == 0] == [4, 7]


def test_a_block_seen_on_some_items_is_a_flip_block_with_the_same_eigenvalues() -> None:
    """Looking at L of s items keeps a_0 … a_L, because the table seen is the one those items went through."""
    table = flip_table(Fraction(19), 2, 8)

    part = marginal_flips(table, 3)

    assert sum(part) == 1
    small = [sum(share * krawtchouk(3, m, e) for e, share in enumerate(part)) / comb(3, m) for m in range(4)]
    assert tuple(small) == eigenvalues(table)[:4]


@pytest.mark.parametrize(("gamma", "radius", "size"), [(19, 2, 10), (19, 0, 10), (19, 5, 20), (2, 3, 9), (4, 0, 1)])
def test_a_table_by_gamma_never_exceeds_the_gamma_asked_and_nearly_reaches_it(
    gamma: int, radius: int, size: int
) -> None:
    """Rounding goes inward: the exact ratio of the likeliest to the rarest set of answers is at most γ."""
    table = flip_table(Fraction(gamma), radius, size)

    per_set = [Fraction(share, comb(size, d)) for d, share in enumerate(table)]
    assert sum(table) == ONE
    assert gamma * (1 - Fraction(1, 10**5)) < max(per_set) / min(per_set) <= gamma
