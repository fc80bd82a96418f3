"""How far a forged response moves a figure: published numbers, and forged records put among honest ones."""

import math
from fractions import Fraction
from itertools import combinations, product
from math import comb, prod

import numpy as np
import pytest

from privacy.design import Design
from privacy.errors import InputError
from privacy.guarantee.forged import effects_of_forgery
from privacy.reconstruct import reconstruct
from privacy.records import Records
from tests.cases import first


def one_block(**block: object) -> Design:
    return Design.parse({"candor": 1, "direct": False, "blocks": [block]})


def even(count: int, theta: float = 0.5) -> list[dict[str, object]]:
    return [{"id": f"item{place}", "theta": theta} for place in range(count)]


PAPER = one_block(keep=0.3, items=even(3, 0.6))
FOUR = one_block(keep=18 / 34, ask=4, items=even(10))
THREE = one_block(keep=18 / 26, ask=3, items=even(10))


@pytest.mark.parametrize(
    ("design", "needed"), [(PAPER, (209, 169, 158)), (FOUR, (139, 65, 27)), (THREE, (123, 44, 11))]
)
def test_forgeries_for_five_points(design: Design, needed: tuple[int, ...]) -> None:
    """Harder to forge, where an answer less than all of a pattern has counted; the brute force below finds the same."""
    assert tuple(math.ceil(0.05 / one.shift - 1e-6) for one in effects_of_forgery(design, 10_000)) == needed


def test_a_pair_moves_furthest_where_one_answer_is_common_and_the_other_rare() -> None:
    """Of ten items, four asked: two yeses count in the means of both answers and of the pair, a quarter each; nearly
    all said yes to the first answer, and nearly nobody to the second."""
    (_, pair, _) = effects_of_forgery(FOUR, 1)
    common, rare = (0.5 / (18 / 34) - 0.5) / 0.4, (0.5 / (18 / 34) + 0.5) / 0.4
    together = (0.25 / (18 / 34) + 0.25) / (12 / 90)
    assert pair.shift == pytest.approx(0.5 * common + 0.5 * rare + together, rel=1e-6)


@pytest.mark.parametrize("size", first(2, [1, 2, 3]))
def test_every_record_beside_every_truth_finds_the_figure(size: int) -> None:
    """Brute force: 3 of 4 asked, half of the coins keep. Everybody says the same, honest records come exactly as often
    as they should, and each possible record is added once: the figure is the most that any moves any such survey."""
    design = one_block(keep=0.5, ask=3, items=even(4))
    pattern = [",".join(f"item{place}" for place in range(size))]
    sets = list(combinations(range(4), 3))
    moves = []
    for truth in product((0, 1), repeat=size):
        everybody = np.array([*truth, *[0] * (4 - size)])
        rows = []
        for asked in sets:
            for sent in product((0, 1), repeat=3):
                often = 9 if np.array_equal(sent, everybody[list(asked)]) else 1  # of 16: ½ + ½·⅛, and ½·⅛
                rows += [_record(asked, sent)] * (often * COPIES)
        before = _support(design, rows, pattern)
        assert before == pytest.approx(float(all(truth)), abs=1e-9)
        for asked in {tuple(sorted(set(asked) & set(range(size)))): asked for asked in sets}.values():
            for sent in product((0, 1), repeat=len(set(asked) & set(range(size)))):
                forged_record = _record(asked, (*sent, *[0] * (3 - len(sent))))
                moves.append(_support(design, [*rows, forged_record], pattern) - before)
    n = 64 * COPIES
    most = pytest.approx(effects_of_forgery(design, n)[size - 1].shift, rel=4 / n * 2)
    assert max(moves) == most
    assert max(map(abs, moves)) == most


COINS = {
    "noise says yes": (Fraction(3, 10), 3, [Fraction(3, 5)] * 3),
    "one item": (Fraction(1, 2), 1, [Fraction(4, 5)]),
    "4 of 10, noise says no": (Fraction(9, 17), 4, [Fraction(3, 10)] * 10),
    "4 of 6, noise of each item": (Fraction(1, 2), 4, [Fraction(noise, 10) for noise in (1, 2, 4, 5, 7, 9)]),
}


@pytest.mark.parametrize("coin", first(3, COINS))
def test_no_literal_is_moved_further_up_or_down(coin: str) -> None:
    """Fractions: of every pattern of yeses and noes, of every record and every truth, one moves a figure that far."""
    keep, ask, noise = COINS[coin]
    items = [{"id": f"item{place}", "theta": float(theta)} for place, theta in enumerate(noise)]
    told = [one.shift for one in effects_of_forgery(one_block(keep=float(keep), ask=ask, items=items), 1)]
    patterns = [
        {
            tuple(sorted(theta if yes else 1 - theta for theta, yes in zip(chosen, signs, strict=True)))
            for chosen in combinations(noise, length)
            for signs in product((True, False), repeat=length)
        }
        for length in range(1, min(ask, 3) + 1)
    ]
    exact = [max(_moved(keep, one, (len(noise), ask)) for one in alike) for alike in patterns]
    assert told == [pytest.approx(float(one), rel=1e-6) for one in exact]


def _moved(keep: Fraction, noise: tuple[Fraction, ...], draw: tuple[int, int]) -> Fraction:
    """How far a record moves a figure of literals that noise says so often, up or down."""
    length, (items, ask) = len(noise), draw
    every = tuple(range(length))
    parts = [part for size in range(length + 1) for part in combinations(every, size)]
    weighed = {part: _weighed(keep, [noise[place] for place in part]) for part in parts}
    most = Fraction(0)
    for asked in parts[1:]:
        added, taken = [], []
        for truth in product((0, 1), repeat=length):
            of_record = of_truth = Fraction(0)
            for part in parts:
                if set(part) <= set(asked):
                    size = len(part)
                    scale = Fraction(1, 2 ** (length - len(part))) * Fraction(comb(items, size), comb(ask, size))
                    weights, wanted = weighed[part]
                    own = tuple(truth[place] for place in part)
                    of_record, of_truth = of_record + scale * weights[own], of_truth + scale * wanted[own]
            added.append(of_record)
            taken.append(of_truth)
        most = max(most, max(added) - min(taken), max(taken) - min(added))
    return most


def _weighed(keep: Fraction, noise: list[Fraction]) -> tuple[dict, dict]:
    """Weights of records whose mean is the product of the true answers, each less ½ in available cases."""
    cells = list(product((0, 1), repeat=len(noise)))
    less = Fraction(1, 2)
    wanted = {cell: prod((one - less for one in cell), start=Fraction(1)) for cell in cells}
    sent = {
        cell: (1 - keep) * prod((p if one else 1 - p for one, p in zip(cell, noise, strict=True)), start=Fraction(1))
        for cell in cells
    }
    rows = [[keep * (x == y) + sent[y] for y in cells] + [wanted[x]] for x in cells]
    for place in range(len(cells)):  # Gauss and Jordan
        pivot = next(row for row in rows[place:] if row[place])
        rows.remove(pivot)
        rows.insert(place, pivot := [entry / pivot[place] for entry in pivot])
        rows = [row if row is pivot else [a - row[place] * b for a, b in zip(row, pivot, strict=True)] for row in rows]
    return {cell: row[-1] for cell, row in zip(cells, rows, strict=True)}, wanted


COPIES = 20


def _record(asked: tuple[int, ...], sent: tuple[int, ...]) -> np.ndarray:
    record = np.full(4, 255, np.uint8)
    record[list(asked)] = sent
    return record


def _support(design: Design, rows: list[np.ndarray], pattern: list[str]) -> float:
    records = Records(design, np.array(rows), np.zeros(len(rows), bool))
    support = reconstruct(records, pattern).patterns[0].support
    assert support is not None
    return support


def test_shifts_of_several_blocks_multiply() -> None:
    """A pair over two coins is moved by the product of both weights; a no to what noise answers with yes moves most."""
    coin = {"keep": 0.3, "items": [{"id": "a", "theta": 0.6}]}
    other = {"keep": 0.5, "items": [{"id": "b", "theta": 0.5}]}
    both = Design.parse({"candor": 1, "direct": False, "blocks": [coin, other]})
    single, pair = effects_of_forgery(both, 1)
    assert single.shift == pytest.approx((1 - 0.7 * 0.4) / 0.3, rel=1e-6)
    assert pair.shift == pytest.approx((1 - 0.7 * 0.4) / 0.3 * (1 - 0.5 * 0.5) / 0.5, rel=1e-6)


def test_a_list_that_gives_back_what_is_lost_promises_no_bound() -> None:
    """One record of the loss word moves all shares of its length, by as much as the others make of it."""
    words = [{"word": item, "base": 0.05, "own": 0.45} for item in "abc"]
    loss = {"length": 1, "base": 0.05, "own": 0.45, "full": 1}
    given, plain = (
        Design.parse({"blocks": [{"one-of": 0.4, "items": [*"abc"], "words": words, **losses}]})
        for losses in ({"losses": [loss]}, {})
    )
    assert [one.shift for one in effects_of_forgery(given, 100)][:1] == [math.inf]
    assert 0 < effects_of_forgery(plain, 100)[0].shift < 1


def test_what_cannot_be_recovered_is_moved_without_bound() -> None:
    """And of numbers there is no pattern."""
    nothing = Design.parse({"candor": 1, "direct": True, "blocks": [{"keep": 0, "items": even(1)}]})
    number = one_block(number="square-wave", epsilon=1, items=[{"id": "age", "min": 0, "max": 99, "step": 1}])
    assert [one.shift for one in effects_of_forgery(nothing, 100)] == [math.inf]
    assert effects_of_forgery(number, 100) == []


def test_a_crowd_of_nobody_is_refused() -> None:
    with pytest.raises(InputError, match=r"^respondents: 0 is not at least 1\.$"):
        effects_of_forgery(PAPER, 0)
