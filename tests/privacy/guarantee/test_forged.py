"""How far a forged response moves a figure: published numbers, and forged records put among honest ones."""

import math
from itertools import combinations, product

import numpy as np
import pytest

from privacy.design import Design
from privacy.disguise import disguise
from privacy.disguise.random_words import seeded_words
from privacy.errors import InputError
from privacy.guarantee.forged import forged
from privacy.reconstruct import reconstruct
from privacy.records import Records


def one_block(**block: object) -> Design:
    return Design.parse({"candor": 1, "direct": False, "blocks": [block]})


def even(count: int, theta: float = 0.5) -> list[dict[str, object]]:
    return [{"id": f"item{place}", "theta": theta} for place in range(count)]


PAPER = one_block(keep=0.3, items=even(3, 0.6))
FOUR = one_block(keep=18 / 34, ask=4, items=even(10))
THREE = one_block(keep=18 / 26, ask=3, items=even(10))


@pytest.mark.parametrize(("design", "needed"), [(PAPER, (259, 201, 177)), (FOUR, (139, 40, 10)), (THREE, (123, 25, 3))])
def test_forgeries_for_five_points_by_complete_cases(design: Design, needed: tuple[int, ...]) -> None:
    """Of 10 000 respondents; (1 − (1−a)q)/a over the share of those asked the pattern."""
    figures = [0.05 / one.shift for one in forged(design, 10_000, "complete")]
    assert tuple(math.ceil(figure - 1e-6) for figure in figures) == needed


def test_available_cases_are_harder_to_move() -> None:
    """A pair of ten items, four asked: a record counts in the means of both answers and of the pair, a quarter each."""
    (_, pair, _) = forged(FOUR, 1)
    assert pair.shift == pytest.approx(0.25 + 0.25 / (18 / 34) * (2 / 0.4 + 1 / (12 / 90)), rel=1e-6)
    assert pair.shift < forged(FOUR, 1, "complete")[1].shift / 2


def test_blocks_multiply() -> None:
    """A pair over two coins is moved by the product of both weights."""
    coin = {"keep": 0.3, "items": [{"id": "a", "theta": 0.6}]}
    other = {"keep": 0.5, "items": [{"id": "b", "theta": 0.5}]}
    both = Design.parse({"candor": 1, "direct": False, "blocks": [coin, other]})
    single, pair = forged(both, 1)
    assert single.shift == pytest.approx((1 - 0.7 * 0.6) / 0.3, rel=1e-6)
    assert pair.shift == pytest.approx((1 - 0.7 * 0.6) / 0.3 * (1 - 0.5 * 0.5) / 0.5, rel=1e-6)


def test_what_cannot_be_recovered_is_moved_without_bound() -> None:
    """And of numbers there is no pattern."""
    nothing = Design.parse({"candor": 1, "direct": True, "blocks": [{"keep": 0, "items": even(1)}]})
    number = one_block(number="uniform", spread=50, edge="wrap", items=[{"id": "age", "min": 0, "max": 99, "step": 1}])
    assert [one.shift for one in forged(nothing, 100)] == [math.inf]
    assert forged(number, 100) == []


@pytest.mark.parametrize("design", [PAPER, FOUR, THREE], ids=["one coin", "ask 4", "ask 3"])
def test_no_record_moves_an_estimate_by_more_and_one_moves_it_so_far(design: Design) -> None:
    """Each possible record, put among 20 000 disguised ones, moves the estimate of a pair by at most the figure that is
    told (and what the others' mean adds); the worst record comes within a tenth of it."""
    n = 20_000
    (block,) = design.blocks
    truth = (np.random.default_rng(5).random((n, len(block.items))) < 0.3).astype(np.uint8)
    honest = disguise(design, truth, np.zeros(n, bool), seeded_words(5))
    before = reconstruct(honest, ["item0,item1"]).patterns[0].support
    shift = forged(design, n)[1].shift
    moves = []
    for asked in combinations(range(len(block.items)), block.asked):
        if len({0, 1} & set(asked)) == 0:
            continue
        for sent in product((0, 1), repeat=2):
            record = np.full(len(block.items), 255, np.uint8)
            record[list(asked)] = 0
            for place, code in zip((0, 1), sent, strict=True):
                if place in asked:
                    record[place] = code
            codes = np.vstack([honest.codes, record])
            after = (
                reconstruct(Records(design, codes, np.append(honest.direct, False)), ["item0,item1"])
                .patterns[0]
                .support
            )
            moves.append(abs(after - before))
        if len(moves) > 60 and {0, 1} <= set(asked):
            break
    assert max(moves) <= shift * 1.12
    assert max(moves) >= shift * 0.85


def test_nobody_is_no_crowd() -> None:
    with pytest.raises(InputError, match=r"^respondents: 0 is not at least 1\.$"):
        forged(PAPER, 0)
