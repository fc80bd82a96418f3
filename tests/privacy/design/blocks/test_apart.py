"""What blocks have in common that disguise each item apart, by a kind that sends any option whatever is true."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import inf
from typing import Any, ClassVar

import numpy as np
import pytest

from privacy.design.block import BlockKind, Words
from privacy.design.blocks import matrix
from privacy.design.blocks.apart import PARTS, ApartBlock
from privacy.design.gammas import Gamma, of_matrix
from privacy.design.items import YES_NO, Item
from privacy.design.notation import Notation
from privacy.design.rationals import ONE
from privacy.disguise.table import words_from_seed


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


def test_records_come_as_often_as_the_chances_say() -> None:
    """40 000 people with one truth: each of the twelve records within 4.5 standard errors of its chance."""
    people, truth = 40_000, (1, 2, 0)
    rows = np.tile(np.array(truth, np.uint8), (people, 1))

    sent = BLOCK.disguise(rows, np.ones(rows.shape, bool), words_from_seed(7))

    counts = Counter(map(tuple, sent.tolist()))
    for record in product(range(2), range(3), range(2)):
        chance = float(BLOCK.chance((0, 1, 2), truth, record))
        assert abs(counts[record] - people * chance) <= 4.5 * (people * chance * (1 - chance)) ** 0.5


def test_the_coins_that_invert_it_have_its_chances() -> None:
    """As near as coins and noise in steps of 2^-32 can be."""
    difference = np.subtract(matrix(BLOCK), matrix(BLOCK.coins)).astype(float)
    assert np.abs(difference).max() < 4 / ONE
    assert BLOCK.patterns.apart
