"""Regressions are the optimum of a likelihood written down again: every truth of a respondent, one after the other."""

from itertools import product
from math import comb, prod
from typing import Any

import numpy as np
import pytest
from scipy.optimize import minimize

from privacy.design import Design
from privacy.estimate.sample import Sample
from privacy.regress import regression_of
from tests.cases import first
from tests.privacy.regress.people import disguised

THETA = (0.3, 0.6, 0.5)
TRUTHS = list(product((0, 1), repeat=3))
FLIPS = [0.7, 0.2, 0.08, 0.02]
BLOCKS: dict[str, dict[str, Any]] = {
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
    keep = float(BLOCKS[kind]["keep"])
    return keep * (not wrong) + (1 - keep) * prod(THETA[p] if sent[p] else 1 - THETA[p] for p in asked)


@pytest.mark.parametrize("kind", first(1, BLOCKS))
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
    design = Design.parse({"direct": True, "blocks": [BLOCKS[kind]]})
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
