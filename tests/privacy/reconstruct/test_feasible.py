"""Feasible supports are those of the most likely distribution, which plain EM over every truth finds as well."""

from itertools import product
from math import prod
from typing import Any

import numpy as np
import pytest

from privacy.choices import ESTIMATORS
from privacy.design import Design
from privacy.disguise import disguise
from privacy.disguise.random_words import seeded_words
from privacy.reconstruct import reconstruct

CELLS = list(product((0, 1), repeat=3))
BLOCKS: dict[str, list[dict[str, Any]]] = {
    "a coin and flips": [
        {"keep": 0.3, "items": [{"id": "a", "theta": 0.6}, {"id": "b", "theta": 0.3}]},
        {"flips": [0.8, 0.2], "items": [{"id": "c"}]},
    ],
    "sampled": [{"keep": 0.4, "ask": 2, "items": [{"id": name, "theta": 0.5} for name in "abc"]}],
    "one-sided": [{"one-sided": 0.3, "items": [{"id": name, "harmless": "0"} for name in "abc"]}],
}


def chance(kind: str, truth: tuple[int, ...], sent: tuple[int, ...], direct: bool) -> float:
    """P(sent | truth); 2 stands where nothing was asked."""
    same = [truth[place] == code for place, code in enumerate(sent) if code < 2]
    if direct:
        return float(all(same))
    if kind == "sampled":
        return 0.4 * all(same) + 0.6 * 0.5 ** len(same)
    if kind == "one-sided":
        return prod(float(y) if t else (0.3 if y else 0.7) for t, y in zip(truth, sent, strict=True))
    noise = (0.6 if sent[0] else 0.4) * (0.3 if sent[1] else 0.7)
    return (0.3 * (same[0] and same[1]) + 0.7 * noise) * (0.8 if same[2] else 0.2)


def most_likely(kind: str, rows: list[tuple[tuple[int, ...], bool]]) -> np.ndarray:
    """EM, one step after the other, until nothing moves."""
    chances = np.array([[chance(kind, truth, *row) for truth in CELLS] for row in set(rows)])
    counts = np.array([rows.count(row) for row in set(rows)])
    shares = np.full(8, 1 / 8)
    for _ in range(20_000):
        last, shares = shares, shares * ((counts / (chances @ shares)) @ chances) / counts.sum()
        if np.abs(shares - last).max() < 1e-11:
            break
    return shares


@pytest.mark.parametrize("estimator", ESTIMATORS)
@pytest.mark.parametrize("kind", BLOCKS)
def test_feasible_supports_are_those_of_the_most_likely_truth(kind: str, estimator: str) -> None:
    """150 respondents, a fifth direct: stratified fits each group by itself. To a fiftieth of a standard error, which
    is what the fit may leave."""
    random = np.random.default_rng(7)
    design = Design.parse({"direct": True, "blocks": BLOCKS[kind]})
    truth = (random.random((150, 3)) < [0.1, 0.3, 0.5]).astype(np.uint8)
    records = disguise(design, truth, random.random(150) < 0.2, seeded_words(7))
    codes = np.where(records.codes == design.not_asked, 2, records.codes)
    rows = [(tuple(row), direct) for row, direct in zip(codes.tolist(), records.direct.tolist(), strict=True)]
    groups = [rows] if estimator != "stratified" else [[row for row in rows if row[1] == one] for one in (True, False)]
    shares = sum(len(group) / len(rows) * most_likely(kind, group) for group in groups)

    for figures in reconstruct(records, ["a", "b", "a,b", "b,!c", "!a,!c"], estimator=estimator).patterns:
        wanted = {"abc".index(literal[-1]): int(literal[0] != "!") for literal in figures.pattern.split(",")}
        expected = sum(
            share
            for share, cell in zip(shares, CELLS, strict=True)
            if all(cell[place] == value for place, value in wanted.items())
        )
        assert figures.feasible is not None
        assert figures.se is not None
        assert abs(figures.feasible.support - expected) < figures.se / 50
