"""The likelihood of regressions: its derivatives, and the tables of what records tell."""

from fractions import Fraction
from itertools import product
from math import comb, prod
from typing import Any

import numpy as np
import pytest
from scipy.optimize import minimize

from privacy.design import Design
from privacy.estimate.sample import Sample
from privacy.regress import regression_of
from privacy.regress.hidden import Hidden, parts_of
from privacy.regress.likelihood import Likelihood
from tests.cases import first
from tests.privacy.regress.people import disguised

BLOCKS = {
    "one coin": {
        "keep": 0.4,
        "items": [{"id": "a", "theta": 0.3}, {"id": "b", "theta": 0.6}, {"id": "c", "theta": 0.5}],
    },
    "flips": {"flips": [0.6, 0.25, 0.1, 0.05], "items": [{"id": "a"}, {"id": "b"}, {"id": "c"}]},
    "one-sided": {"one-sided": 0.3, "items": [{"id": name, "harmless": "0"} for name in "abc"]},
    "grouped": {"model": "grouped", "p": 0.4, "theta": 0.6, "items": ["a", "b", "c"]},
}


@pytest.mark.parametrize("kind", BLOCKS)
def test_the_channel_of_some_answers_is_that_of_the_block_summed_over_the_others(kind: str) -> None:
    """Two of three items: P(seen | state) equals, exactly but for rounding, the block's own fractions added up."""
    design = Design.parse({"blocks": [BLOCKS[kind]]})
    (part,), _ = parts_of([design], ["a", "c"], [(0, 1), (0, 1)])
    channel, _ = part.channel(0, [0, 1])

    (block,) = design.blocks
    cells = list(product((0, 1), repeat=2))
    expected = [
        [
            float(sum((block.chance(range(3), (a, 0, c), (x, y, z)) for y in (0, 1)), start=Fraction(0)))
            for x, z in cells
        ]
        for a, c in cells
    ]
    assert channel == pytest.approx(np.array(expected), abs=1e-9)


def test_options_that_no_literal_tells_apart_are_one_class() -> None:
    """Of four options under a coin one matters: the record is seen through it alone."""
    noise = [0.1, 0.2, 0.3, 0.4]
    options = ["w", "x", "y", "z"]
    design = Design.parse({"blocks": [{"keep": 0.5, "items": [{"id": "a", "options": options, "noise": noise}]}]})
    (part,), _ = parts_of([design], ["a"], [(0, 0, 1, 0)])

    assert part.channel(0, [0])[0] == pytest.approx(np.array([[0.85, 0.15], [0.35, 0.65]]), abs=1e-9)


def test_an_answer_that_was_not_asked_is_summed_out() -> None:
    """In a sampled block one answer is seen: its likelihood does not depend on the other."""
    design = Design.parse(
        {"blocks": [{"keep": 0.5, "ask": 1, "items": [{"id": "a", "theta": 0.5}, {"id": "b", "theta": 0.5}]}]}
    )
    parts, _ = parts_of([design], ["a", "b"], [(0, 1), (0, 1)])
    hidden = Hidden(tuple(parts), np.array([[1, -1], [-1, 0]]), np.zeros(2, bool), np.zeros(2, np.intp))

    fixed, moving = hidden.tables
    rows = fixed[hidden.pattern]
    assert moving is None
    assert rows == pytest.approx(np.array([[0.25, 0.25, 0.75, 0.75], [0.75, 0.25, 0.75, 0.25]]))


def test_items_of_one_block_in_any_design_are_taken_together() -> None:
    """Two designs: in one a coin for both items, in the other a coin each; the pair stays one part."""
    items = [{"id": "a", "theta": 0.5}, {"id": "b", "theta": 0.5}]
    together = Design.parse({"blocks": [{"keep": 0.5, "items": items}]})
    apart = Design.parse({"blocks": [{"keep": 0.5, "items": [item]} for item in reversed(items)]})
    (part,), order = parts_of([together, apart], ["a", "b"], [(0, 1), (0, 1)])

    assert order == [0, 1]
    assert part.channel(0, [0, 1])[0][0] == pytest.approx([0.625, 0.125, 0.125, 0.125])
    assert part.channel(1, [0, 1])[0][0] == pytest.approx([0.5625, 0.1875, 0.1875, 0.0625])


@pytest.mark.parametrize("moving", [False, True])
@pytest.mark.parametrize("family", ["logistic", "ordinal", "normal"])
def test_score_and_curvature_are_the_derivatives_of_the_likelihood(family: str, moving: bool) -> None:
    """Four states of hidden predictors, a line in a covariate, a model's share: against differences."""
    random = np.random.default_rng(5)
    rows, states = 40, 4
    numbers = random.normal(size=rows) if family == "normal" else None
    shape = (rows, states) if family == "normal" else (rows, states, 4 if family == "ordinal" else 2)
    fixed = random.uniform(0.1, 0.5, shape)
    problem = Likelihood(
        random.uniform(0.5, 2, rows),
        random.normal(size=(rows, 3)),
        random.integers(0, 2, (states, 3)).astype(float),
        random.normal(size=(rows, 1)),
        np.array([[0, 0], [0, 1], [1, 0], [1, 1.0]]),
        fixed,
        random.uniform(-0.1, 0.4, shape) if moving else None,
        numbers,
    )
    at = random.normal(size=sum(problem.sizes)) / 2

    height, scores, curvature = problem.evaluate(at)

    steps = 1e-5 * np.eye(len(at))
    slopes = [(problem.likelihood(at + step) - problem.likelihood(at - step)) / 2e-5 for step in steps]
    bends = [
        (problem.weight @ problem.evaluate(at + step)[1] - problem.weight @ problem.evaluate(at - step)[1]) / 2e-5
        for step in steps
    ]
    assert height == pytest.approx(problem.likelihood(at), rel=1e-12)
    assert problem.weight @ scores == pytest.approx(np.array(slopes), rel=1e-6, abs=1e-6)
    assert curvature == pytest.approx(np.array(bends), rel=1e-6, abs=1e-6)


# Regressions are the optimum of a likelihood written down again: every truth of a respondent, one after the other.


THETA = (0.3, 0.6, 0.5)
TRUTHS = list(product((0, 1), repeat=3))
FLIPS = [0.7, 0.2, 0.08, 0.02]
ALL_BLOCKS: dict[str, dict[str, Any]] = {
    "coin": {"keep": 0.6, "items": [{"id": n, "theta": t} for n, t in zip("abc", THETA, strict=True)]},
    "sampled": {"keep": 0.7, "ask": 2, "items": [{"id": n, "theta": t} for n, t in zip("abc", THETA, strict=True)]},
    "flips": {"flips": FLIPS, "items": [{"id": n} for n in "abc"]},
}


def chance(kind: str, truth: tuple[int, ...], sent: tuple[int, ...], direct: bool) -> float:
    """P(sent | truth); −1 where the person was not asked."""
    asked = [place for place, code in enumerate(sent) if code >= 0]
    wrong = sum(truth[place] != sent[place] for place in asked)
    if direct:
        return float(not wrong)
    if kind == "flips":
        return FLIPS[wrong] / comb(3, wrong)
    keep = float(ALL_BLOCKS[kind]["keep"])
    return keep * (not wrong) + (1 - keep) * prod(THETA[p] if sent[p] else 1 - THETA[p] for p in asked)


@pytest.mark.parametrize("kind", first(1, ALL_BLOCKS))
def test_coefficients_errors_and_likelihood_are_those_of_an_optimiser(kind: str) -> None:
    """Outcome and two predictors behind one block, an open predictor, a fifth direct, with weights: coefficients to a
    thousandth of their errors, and the robust errors from the scores and the curvature of that likelihood."""
    random = np.random.default_rng(11)
    n = 500
    x = random.normal(size=n).round(2)
    b = (random.random(n) < 1 / (1 + np.exp(0.3 - 0.8 * x))).astype(int)
    c = (random.random(n) < np.where(b, 0.6, 0.25)).astype(int)
    a = (random.random(n) < 1 / (1 + np.exp(1 - b - 0.7 * x + 0.6 * c))).astype(int)
    weight = random.integers(1, 4, n).astype(float)
    design = Design.parse({"direct": True, "blocks": [ALL_BLOCKS[kind]]})
    people = disguised(design, {"a": a, "b": b, "c": c}, {"x": x, "w": weight}, 11, random.random(n) < 0.2)
    codes = np.column_stack([people.codes[name] for name in "abc"])
    sent = [tuple(-1 if code not in (0, 1) else int(code) for code in row) for row in codes]
    chances = np.array([[chance(kind, t, s, d) for t in TRUTHS] for s, d in zip(sent, people.direct, strict=True)])
    weight /= weight.mean()

    def by_respondent(at: np.ndarray) -> np.ndarray:
        (_, *outcome), constants, lines = at[:4], [0.0, *at[4:7]], at[7:]
        logits = np.array([con + (lines @ s) * x for con, s in zip(constants, product((0, 1), repeat=2), strict=True)])
        shares = np.exp(logits - logits.max(axis=0))
        shares /= shares.sum(axis=0)
        total = np.zeros(n)
        for place, truth in enumerate(TRUTHS):
            yes = 1 / (1 + np.exp(-(at[0] + outcome[0] * x + outcome[1] * truth[1] + outcome[2] * truth[2])))
            total += shares[2 * truth[1] + truth[2]] * (yes if truth[0] else 1 - yes) * chances[:, place]
        return np.asarray(np.log(total))

    step = 1e-4 * np.eye(9)

    def slope(at: np.ndarray) -> np.ndarray:
        return np.array([weight @ (by_respondent(at + one) - by_respondent(at - one)) / 2e-4 for one in step])

    best = minimize(lambda at: -weight @ by_respondent(at), np.zeros(9), jac=lambda at: -slope(at)).x
    curvature = np.array([(slope(best + one) - slope(best - one)) / 2e-4 for one in step])
    scores = np.array([(by_respondent(best + one) - by_respondent(best - one)) / 2e-4 * weight for one in step])
    spread = np.linalg.inv(curvature) @ scores
    errors = np.sqrt(n / (n - 1) * (spread**2).sum(axis=1))[:4]

    fit = regression_of(people, "a", ["x", "b", "c"], sample=Sample(weights="w"))

    estimates, se = (np.array([getattr(one, name) for one in fit.coefficients]) for name in ("estimate", "se"))
    assert np.abs(estimates - best[:4]).max() < 1e-3 * errors.min()
    assert se == pytest.approx(errors, rel=1e-4)
    assert fit.loglik == pytest.approx(weight @ by_respondent(best), abs=1e-6)
