"""The advisor against designs tried one by one, whose errors come from every truth, every lot and every record."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations, product
from math import comb, exp, log, prod
from typing import Any

import numpy as np
import pytest
from scipy.optimize import minimize

from privacy.design import Block, Design
from privacy.design.brief import Brief, ExpectedItem, yes_no
from privacy.plan.advice import best_designs
from privacy.plan.standard_errors import errors_of_design

NAMES = ("a", "b", "c")


def parts(own: tuple[int, ...], sampled: bool) -> list[tuple[int, ...]]:
    """The sets of its literals that a pattern is estimated from: available cases of a sampled block."""
    return [some for size in range(len(own) + 1) for some in combinations(own, size)] if sampled else [own]


def of_respondents(
    block: Block, own: tuple[int, ...], lot: tuple[int, ...]
) -> tuple[np.ndarray, dict[Any, np.ndarray]]:
    """P(record | truth) of those who are asked a lot, and what each record weighs for each part that was asked.

    A weight is the one function of the part's own answers whose mean is, whatever is true, the product of its literals:
    centred at ½ in a sampled block, and all of them at once in others.
    """
    sampled, cells = block.items_per_person < len(block.items), list(product((0, 1), repeat=len(lot)))
    channel = np.array([[float(block.chance(lot, truth, sent)) for sent in cells] for truth in cells])
    weights = {}
    for part in parts(own, sampled):
        if not set(part) <= set(lot):
            continue
        bits = np.array([[cell[lot.index(one)] for one in part] for cell in cells], dtype=int).reshape(len(cells), -1)
        state = bits @ 2 ** np.arange(len(part), dtype=int)
        ours = np.zeros((len(cells), 2 ** len(part)))
        np.add.at(ours.T, state, channel.T)
        wanted = np.array([prod((x - 0.5 if sampled else x) for x in row) for row in bits])
        first = [state.tolist().index(one) for one in range(2 ** len(part))]  # truths alike in the part send it alike
        weights[part] = np.linalg.solve(ours[first], wanted[first])[state]
    return channel, weights


def variance(design: Design, columns: tuple[int, ...], shares: list[float]) -> float:
    """n·Var of the support of a pattern of yeses where answers are independent: Σ κ (E[W_S W_T] − θ_S θ_T)."""
    terms: list[list[tuple[float, float, float]]] = []  # by block: κ, E[W_S W_T] and θ_S θ_T of each pair of parts
    for first, block in zip(design.first_columns, design.blocks, strict=True):
        own = tuple(column - first for column in columns if 0 <= column - first < len(block.items))
        if not own:
            continue
        sampled, size = block.items_per_person < len(block.items), len(block.items)
        here = shares[first : first + size]

        def seen(some: tuple[int, ...], block: Block = block, size: int = size) -> float:
            return comb(size - len(some), block.items_per_person - len(some)) / comb(size, block.items_per_person)

        def mean(part: tuple[int, ...], here: list[float] = here, sampled: bool = sampled) -> float:
            return prod(here[one] - 0.5 * sampled for one in part)

        lots = {lot: of_respondents(block, own, lot) for lot in combinations(range(size), block.items_per_person)}
        pairs = []
        for one, other in product(parts(own, sampled), repeat=2):
            both = tuple(sorted({*one, *other}))
            if len(both) > block.items_per_person:
                pairs.append((0.0, 0.0, 0.0))
                continue
            squares = []
            for lot, (channel, weights) in lots.items():
                if set(both) <= set(lot):
                    truth = np.array(
                        [
                            prod(here[i] if x else 1 - here[i] for i, x in zip(lot, cell, strict=True))
                            for cell in product((0, 1), repeat=len(lot))
                        ]
                    )
                    squares.append(truth @ channel @ (weights[one] * weights[other]))
            away = 0.5 ** (2 * len(own) - len(one) - len(other)) if sampled else 1.0
            kappa = away * seen(both) / (seen(one) * seen(other))
            pairs.append((kappa, float(np.mean(squares)), mean(one) * mean(other)))
        terms.append(pairs)
    together = [tuple(map(prod, zip(*choice, strict=True))) for choice in product(*terms)]
    return float(sum(kappa * (square - product_of_means) for kappa, square, product_of_means in together))


def worst(design: Design, shares: list[float], length: int) -> float:
    sizes = range(1, length + 1)
    return max(variance(design, columns, shares) for size in sizes for columns in combinations(range(3), size))


def tried(gamma: float) -> Iterator[Design]:
    """One coin, a coin each and flips of three answers of which some are asked, under γ, on a grid."""
    items = [{"id": name} for name in NAMES]
    for ask in (1, 2, 3):
        own = {"ask": ask} if ask < 3 else {}
        for theta in (0.3, 0.4, 0.5, 0.6):
            even = [{"id": name, "theta": theta} for name in NAMES]
            for each, odds in ((False, gamma), (True, gamma ** (1 / ask))):
                least = min(theta, 1 - theta) ** (1 if each else ask)
                keep = (odds - 1) * least / (1 + (odds - 1) * least) - 1e-9
                yield Design.parse(
                    {"blocks": [{"keep": keep, **({"coin": "each"} if each and own else {}), **own, "items": even}]}
                )
        for levels in product((0, 0.5, 1), repeat=ask + 1):
            table = [comb(ask, turned) * exp(level * log(gamma)) for turned, level in enumerate(levels)]
            if 1 in levels and 0 in levels and levels[0] > levels[-1]:
                yield Design.parse(
                    {"blocks": [{"flips": [share / sum(table) for share in table], **own, "items": items}]}
                )


@pytest.mark.parametrize(
    ("gamma", "shares"), [(9, [0.3] * 3), pytest.param(5, [0.02, 0.1, 0.4], marks=pytest.mark.long)]
)
def test_no_design_that_is_tried_is_better_than_the_advised_one(gamma: int, shares: list[float]) -> None:
    """Pairs of three answers: what is promised is the error of enumeration, and none of the grid has a smaller one."""
    questions = tuple(ExpectedItem(name, expected=(1 - p, p)) for name, p in zip(NAMES, shares, strict=True))
    people = 10**6  # so many that no bias is worth it
    advice = best_designs(Brief(questions, people, Fraction(gamma), 2))

    for length, winner in enumerate(advice.winners, start=1):
        own = worst(winner.design, [shares[NAMES.index(item.id)] for item in winner.design.items], length)
        assert people * advice.error(winner, length) ** 2 == pytest.approx(own, rel=1e-6)
        best = np.inf
        for design in tried(gamma):
            try:
                best = min(best, worst(design, shares, length))
            except np.linalg.LinAlgError:  # a table that leaves nothing of an answer
                continue
        assert own <= best * (1 + 1e-6) < own * 1.05  # the grid comes near


@pytest.mark.parametrize("direct", [0.0, 0.3])
def test_the_worst_truth_of_a_sampled_coin_is_that_of_an_optimiser(direct: float) -> None:
    """Two of five asked: over all distributions of the pair's answers, dependent ones too, none has a larger n·Var."""
    design = Design.parse(
        {"direct": direct > 0, "blocks": [{"keep": 0.4, "ask": 2, "items": [{"id": n, "theta": 0.3} for n in "abcde"]}]}
    )
    cells = np.array(list(product((0, 1), repeat=2)))
    coin = np.array([[0.7, 0.3]] * 2) * 0.6 + 0.4 * np.eye(2)
    pair = 0.4 * np.eye(4) + 0.6 * np.kron([0.7, 0.3], [0.7, 0.3])
    lots = {(): 3 / 10, (0,): 3 / 10, (1,): 3 / 10, (0, 1): 1 / 10}  # of five items, which of the two are asked

    def squared(truth: np.ndarray, one: np.ndarray, both: np.ndarray) -> float:
        centred = {(): np.ones(4), **{(i,): cells[:, i] - 0.5 for i in (0, 1)}, (0, 1): np.prod(cells - 0.5, axis=1)}
        means = {part: truth @ values for part, values in centred.items()}
        single, total = np.linalg.solve(one, [-0.5, 0.5]), 0.0
        for lot, share in lots.items():
            part = np.zeros(4)
            for place in lot:
                part = part + 0.5 / 0.4 * (single[cells[:, place]] - means[(place,)])
            if len(lot) == 2:
                part = part + 10 * (np.linalg.solve(both, centred[0, 1]) - means[0, 1])
            channel = both if len(lot) == 2 else np.kron(one, one)  # of what was not asked any record will do
            total += share * (truth @ channel @ part**2)
        return float(total)

    def negative(truth: np.ndarray) -> float:
        disguised, open_answers = squared(truth, coin, pair), squared(truth, np.eye(2), np.eye(4))
        return -((1 - direct) * disguised + direct * open_answers)

    sums = {"type": "eq", "fun": lambda truth: truth.sum() - 1}
    starts = np.random.default_rng(1).dirichlet(np.ones(4), 4)
    optima = [
        minimize(negative, start, bounds=[(0, 1)] * 4, constraints=[sums], options={"ftol": 1e-13}) for start in starts
    ]

    promised = errors_of_design(design, Brief(yes_no(5), 1, Fraction(19), 2, direct_share=direct)).worst[1] ** 2
    assert promised == pytest.approx(max(-one.fun for one in optima), rel=1e-6)
