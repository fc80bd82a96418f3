"""Feasible supports are those of the most likely distribution, which plain EM over every truth finds as well."""

from dataclasses import dataclass
from itertools import product
from math import prod
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.optimize import minimize

import candor
from privacy.choices import ESTIMATORS
from privacy.design import Design
from privacy.design.patterns import parse_pattern
from privacy.disguise import disguise
from privacy.disguise.random_words import words_from_seed
from privacy.estimate.feasible import nearest_supports, nearest_within
from privacy.estimate.linearised import covariance_of
from privacy.estimate.sampling import Sampling
from privacy.reconstruct import reconstruct
from privacy.reconstruct.shares_and_rules import support
from privacy.records import Records

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
    records = disguise(design, truth, random.random(150) < 0.2, words_from_seed(7))
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


@dataclass(frozen=True)
class Estimates:
    """Of all sub-patterns, as `nearest_supports` takes them."""

    support: np.ndarray
    covariance: np.ndarray


LIST = Design.parse({"model": "one-of", "gamma": 9, "cap": 2, "longest": 2, "items": ["a", "b", "c", "d"]})


def list_records(n: int, share: float, seed: int) -> Records:
    truth = (np.random.default_rng(seed).random((n, 4)) < share).astype(np.uint8)
    return disguise(LIST, truth, np.zeros(n, bool), words_from_seed(seed))


def most_likely_pair(records: Records) -> float:
    """The share of a and b by EM over the four truths about them, from how many records are each of their words."""
    words = [(1, 0, 0, 0), (0, 1, 0, 0), (1, 1, 0, 0)]
    document = LIST.to_json()["blocks"][0]["words"]
    chance_of = {word["word"]: (word["base"], word["own"]) for word in document}
    counts = np.array([(records.codes == word).all(axis=1).sum() for word in words])
    truths = [(0, 0), (1, 0), (0, 1), (1, 1)]
    channel = np.array(
        [
            [chance_of[name][all(truth[place] >= word[place] for place in (0, 1))] for truth in truths]
            for name, word in zip(("a", "b", "a,b"), words, strict=True)
        ]
    )
    channel = np.vstack([channel, 1 - channel.sum(axis=0)])
    seen = np.append(counts, len(records) - counts.sum())
    shares = np.full(4, 1 / 4)
    for _ in range(20_000):
        before, shares = shares, shares * ((seen / (channel @ shares)) @ channel) / len(records)
        if np.abs(shares - before).max() < 1e-8:  # at the edge, where it goes on as 1/n, within 1e-4
            break
    return float(shares[3])


def test_feasible_supports_of_a_list_are_nearly_the_most_likely() -> None:
    """Those of a list come from the normal likelihood of its estimates. In 16 samples they lie within a third of a
    standard error of what the likelihood of the records says, also where the raw pair is negative or above a part."""
    impossible = 0
    for seed, (n, share) in enumerate(product((200, 1_000), (0.02, 0.1) * 4)):
        records = list_records(n, share, seed)

        pair = reconstruct(records, ["a,b"]).patterns[0]

        assert pair.feasible is not None
        assert pair.support is not None
        assert pair.se is not None
        assert pair.feasible_ci is not None
        assert abs(pair.feasible.support - most_likely_pair(records)) < pair.se / 3
        assert 0 <= pair.feasible_ci[0] <= pair.feasible.support <= pair.feasible_ci[1]
        impossible += abs(pair.support - pair.feasible.support) > 0.01
    assert 4 <= impossible < 16


def test_what_answers_can_have_is_left_as_it_is() -> None:
    """Where the estimates of a pattern's parts are those of some people, the feasible support is the raw one."""
    estimates, errors = np.array([1, 0.3, 0.4, 0.2]), np.diag([0, 1e-4, 2e-4, 3e-4])

    fit = nearest_supports(Estimates(estimates, errors))

    assert fit is not None
    assert fit.shares == pytest.approx(estimates, abs=1e-9)
    assert fit.log_likelihood == pytest.approx(0, abs=1e-9)


def test_nothing_is_fitted_to_what_is_not_known() -> None:
    """A part without an estimate or without an error leaves no distance, and of seven literals none is worked out."""
    errors = np.diag([0, 1e-4, 1e-4, 1e-4])
    assert nearest_supports(Estimates(np.array([1, np.nan, 0.1, 0]), errors)) is None
    assert nearest_supports(Estimates(np.array([1, 0.1, 0.1, 0]), errors * np.nan)) is None
    assert nearest_supports(Estimates(np.array([1, 0.1, 0.1, 0]), errors * 0)) is None
    assert nearest_supports(Estimates(np.ones(128), np.eye(128))) is None


def test_the_nearest_is_that_of_a_search() -> None:
    """Of three literals whose estimates vary together: no other possible distribution is nearer (SciPy's SLSQP)."""
    random = np.random.default_rng(5)
    subsets = np.array([[state & mask == mask for state in range(8)] for mask in range(8)], float)
    for _ in range(5):
        root = np.vstack([np.zeros(8), random.normal(0, 0.05, (7, 8))])
        estimates = np.append(1, random.uniform(-0.05, 0.4, 7))
        inverse = np.linalg.inv((root @ root.T)[1:, 1:])

        def distance(states: np.ndarray, raw: np.ndarray = estimates, by: np.ndarray = inverse) -> float:
            apart = (subsets @ states - raw)[1:]
            return float(apart @ by @ apart)

        fit = nearest_supports(Estimates(estimates, root @ root.T))

        assert fit is not None
        found = np.linalg.solve(subsets, fit.shares)
        whole = {"type": "eq", "fun": lambda states: states.sum() - 1}
        best = minimize(distance, np.full(8, 1 / 8), bounds=[(0, 1)] * 8, constraints=[whole], tol=1e-12)
        assert found.min() > -1e-9
        assert found.sum() == pytest.approx(1)
        assert distance(found) <= best.fun * (1 + 1e-6)
        assert fit.log_likelihood == pytest.approx(-distance(found) / 2, rel=1e-3)


@pytest.mark.parametrize("columns", [{}, {"w": np.tile([0.5, 1.0, 2.5], 200)}])
def test_cells_of_lists_and_samples_are_the_nearest_that_answers_can_have(columns: dict[str, np.ndarray]) -> None:
    """By the covariance of all cells nothing that is drawn is nearer, where one of them is below 0."""
    items = {"drugs": [*"abc"], "theft": [*"xy"]}
    design = candor.models.one_of(items, gamma=4, cap=2, longest=2, direct=False)
    if columns:
        design = candor.models.gamma_diagonal(items, gamma=3, direct=False)
    said = pd.DataFrame({"drugs": [*"aaaabc"] * 100, "theft": [*"xxyxxx"] * 100})
    disguised = candor.disguise(said, design, seed=5)
    records = candor.Records(design, disguised.codes, disguised.direct, columns)
    drawn = candor.Sample(weights="w") if columns else None
    made = candor.table(records, ["drugs", "theft"], sample=drawn)

    sampling = Sampling.from_columns(columns, 600, drawn or candor.Sample())
    names = [f"drugs={a},theft={b}" for a, b in product("abc", "xy")]
    cells = [support(records, parse_pattern(name, design), sampling) for name in names]
    raw, inverse = made.support.ravel(), np.linalg.pinv(covariance_of(cells, sampling), rcond=1e-9)

    def off(shares: np.ndarray) -> float:
        return float((shares - raw) @ inverse @ (shares - raw))

    assert raw.min() < 0
    assert made.feasible is not None
    assert made.feasible.min() >= 0
    assert made.feasible.sum() == pytest.approx(1)
    random = np.random.default_rng(1)
    for _ in range(2_000):
        other = np.maximum(made.feasible.ravel() + random.normal(0, 0.02, 6), 0)
        assert off(made.feasible.ravel()) <= off(other / other.sum()) + 1e-9
    whole = candor.table(records, ["theft"], sample=drawn).feasible
    assert candor.reconstruct(records, "theft=y", sample=drawn).patterns[0].feasible.support == pytest.approx(whole[1])


@pytest.mark.parametrize(
    ("errors", "expected"), [([0.0, 0.0], [0.25, 0.25]), ([0.0, 0.01], [0.2, 0.2]), ([0.01, 0.0], [0.3, 0.3])]
)
def test_a_share_without_an_error_moves_only_where_no_other_can(errors: list[float], expected: list[float]) -> None:
    """An answer of 20 % and a set with it of 30 %: what is exact stays; where both are, they meet in the middle."""
    limits = np.array([[1.0, 0, 0], [0, 1, 0], [1, -1, 0], [-1, 0, 1]])  # 0 ≤ second ≤ first ≤ 1

    fitted = nearest_within(np.array([0.2, 0.3]), np.array(errors), limits)

    assert fitted is not None
    assert fitted.tolist() == expected
