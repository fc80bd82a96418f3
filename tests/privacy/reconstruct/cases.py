"""Designs that ask each person some of their items, the weights of their records from the definition, and EM."""

from fractions import Fraction
from functools import cache
from itertools import product
from math import prod

import numpy as np
from numpy.typing import ArrayLike

from privacy.design import Design
from privacy.estimate.likelihood import LIMIT, Fit, climb

ITEMS = [{"id": "a", "theta": 0.75}, {"id": "b", "theta": 0.5}, {"id": "c", "theta": 0.25}]
BLOCKS = {
    "one coin": {"keep": 0.5, "ask": 2, "items": ITEMS},
    "a coin each": {"keep": 0.5, "ask": 2, "coin": "each", "items": ITEMS},
    "flips": {"flips": [0.5, 0.375, 0.125], "ask": 2, "items": [{"id": "a"}, {"id": "b"}, {"id": "c"}]},
    "one-sided": {
        "one-sided": 0.25,
        "ask": 2,
        "items": [{"id": "a", "harmless": "0"}, {"id": "b", "harmless": "1"}, {"id": "c", "harmless": "0"}],
    },
}
MIXED = {
    "direct": True,
    "blocks": [
        {
            "keep": 0.5,
            "ask": 2,
            "items": [
                {"id": "a", "theta": 0.6},
                {"id": "o", "options": ["x", "y", "z"], "noise": [0.5, 0.25, 0.25]},
                {"id": "b", "theta": 0.3},
            ],
        },
        {"model": "flip", "gamma": 9, "radius": 0, "items": ["f", "g", "h"], "ask": 2},
        {"keep": 0.6, "items": [{"id": "u", "theta": 0.4}, {"id": "v", "theta": 0.5}]},
    ],
}


def record_of(design: Design, asked: tuple[int, ...], answers: tuple[int, ...]) -> list[int]:
    row = [design.not_asked] * len(design.items)
    for place, answer in zip(asked, answers, strict=True):
        row[place] = answer
    return row


@cache
def weights_by_definition(design: Design, asked: tuple[int, ...], wanted: tuple[int, ...]) -> dict:
    """The function w of records on `asked` with E[w | truth] = Π over wanted (truth − ½), solved in fractions."""
    cells = list(product((0, 1), repeat=len(asked)))
    rows = [
        [design.blocks[0].chance(asked, truth, record) for record in cells]
        + [prod((Fraction(2 * truth[asked.index(j)] - 1, 2) for j in wanted), start=Fraction(1))]
        for truth in cells
    ]
    for column in range(len(cells)):
        pivot = next(row for row in range(column, len(cells)) if rows[row][column])
        rows[column], rows[pivot] = rows[pivot], rows[column]
        rows[column] = [value / rows[column][column] for value in rows[column]]
        for row in range(len(cells)):
            if row != column:
                rows[row] = [x - rows[row][column] * y for x, y in zip(rows[row], rows[column], strict=True)]
    return {cell: rows[place][-1] for place, cell in enumerate(cells)}


def em(channel: ArrayLike, counts: ArrayLike, limit: int = LIMIT) -> Fit:
    """The most likely shares of the inputs of a channel, P(output | input) at [input, output], by counts of outputs."""
    matrix, seen = np.asarray(channel, dtype=float), np.asarray(counts, dtype=float)
    kept = seen > 0

    def evaluate(rows: np.ndarray, _: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        expected = rows @ matrix[:, kept]
        return np.log(expected) @ seen[kept], (seen[kept] / expected) @ matrix[:, kept].T

    return climb(np.full((1, len(matrix)), 1 / len(matrix)), np.array([seen.sum()]), evaluate, limit)[0]
