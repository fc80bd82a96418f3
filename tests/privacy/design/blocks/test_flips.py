"""The numbers of flip blocks."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import comb, inf
from typing import Any, ClassVar

import numpy as np
import pytest

from privacy.design.block import BlockKind, Words
from privacy.design.blocks import matrix
from privacy.design.blocks.apart import PARTS, ApartBlock
from privacy.design.blocks.flips.krawtchouk import eigenvalues, krawtchouk, krawtchouks, marginal_flips
from privacy.design.gammas import Gamma, of_matrix
from privacy.design.items import YES_NO, Item
from privacy.design.model_blocks import flip_table
from privacy.design.notation import Notation
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


# What blocks have in common that disguise each item apart, by a kind that sends any option whatever is true.


@dataclass(frozen=True)
class Forced(ApartBlock):
    """Each option is sent with a chance of its own, whatever is true."""

    forced: Mapping[str, tuple[int, ...]]
    ask: int | None = None

    mark: ClassVar[str] = "forced"

    @classmethod
    def read(cls, entry: Mapping[str, Any], where: str, notation: Notation) -> "Forced":
        raise NotImplementedError

    def entry(self, notation: Notation) -> dict[str, Any]:
        raise NotImplementedError

    def replacements(self, item: Item) -> tuple[int, ...]:
        return self.forced[item.id]


BlockKind(Forced, Words(""), **PARTS)
THIRD = ONE // 3
ITEMS = (Item("a", YES_NO), Item("b", ("p", "q", "r")), Item("c", YES_NO))
BLOCK = Forced(ITEMS, {"a": (THIRD // 4, THIRD - THIRD // 4), "b": (THIRD - 2, 1, 1), "c": (0, THIRD)})


def test_a_record_has_the_product_of_the_chances_of_its_answers() -> None:
    """An answer is sent as it is with what is left of the chances, and else with its own, whatever is true."""
    truths = list(product(range(2), range(3), range(2)))
    for truth, row in zip(truths, matrix(BLOCK), strict=True):
        stays = Fraction(ONE - THIRD, ONE)
        for sent, chance in zip(truths, row, strict=True):
            own = [Fraction(BLOCK.forced[item.id][code], ONE) for item, code in zip(ITEMS, sent, strict=True)]
            first, second, third = (q + stays * (a == b) for q, a, b in zip(own, truth, sent, strict=True))
            assert chance == first * second * third
        assert sum(row) == 1


@pytest.mark.parametrize(
    ("places", "ask", "expected"),
    [
        ((0, 1), None, (1 + Fraction(ONE - THIRD, THIRD // 4)) * (1 + ONE - THIRD)),
        ((0, 1), 1, 1 + ONE - THIRD),  # of the item that is hidden least
        ((0, 2), 1, inf),
    ],
)
def test_gamma_is_that_of_the_asked_items_that_are_hidden_least(
    places: tuple[int, ...], ask: int | None, expected: Gamma
) -> None:
    """γ of one item is the largest ratio in its own matrix; those of the asked ones multiply."""
    block = Forced(tuple(ITEMS[place] for place in places), BLOCK.forced, ask)
    alone = [Forced((item,), BLOCK.forced) for item in block.items]

    assert block.gamma == block.odds == expected
    assert [block.item_gamma(place) for place in range(len(places))] == [of_matrix(matrix(one)) for one in alone]


def test_answers_that_are_never_sent_without_being_true_are_certain() -> None:
    """A record is certain where each of its answers is such a one; what was not asked tells nothing against it."""
    only = Forced(ITEMS[2:], BLOCK.forced)

    assert only.certain(np.array([[0], [1], [255]], np.uint8)).tolist() == [True, False, True]
    assert not BLOCK.certain(np.array([[0, 0, 0], [1, 1, 1]], np.uint8)).any()


def test_the_coins_that_invert_it_have_its_chances() -> None:
    """As near as coins and noise in steps of 2^-32 can be."""
    difference = np.subtract(matrix(BLOCK), matrix(BLOCK.coins)).astype(float)
    assert np.abs(difference).max() < 4 / ONE
    assert BLOCK.patterns.apart
