"""What lists with words of a threshold would err by is worked out as for a mechanism that is written out whole."""

from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest

from benchmarks.threshold_words import Setting
from privacy.design.blocks.one_of.advise import Listed, lists_of
from privacy.design.blocks.one_of.expected import expect
from privacy.design.blocks.one_of.lists import own_weight
from privacy.design.brief import Brief, yes_no

ITEMS, GAMMA, SHARE, PEOPLE, EXACT = 6, 5.0, 0.05, 10_000, 2
KINDS, WEIGHTS = ((1, 1), (2, 1), (4, 2)), (1.0, 0.5, 0.25)


@pytest.mark.parametrize("by_interval", [False, True])
def test_without_thresholds_lists_err_as_the_advisor_says(by_interval: bool) -> None:
    """With t = k for all words, errors and half widths are those of `privacy.design.blocks.one_of`."""
    cap, weights = Fraction(11, 4), (Fraction(1), Fraction(3, 5))
    brief = Brief(yes_no(10, SHARE), PEOPLE, Fraction(9), 2, by_interval=by_interval)
    setting = Setting(brief, [(1, 1), (2, 2)])
    one = setting.listed(np.array(weights, float), float(own_weight(cap, weights)), 1.0, 0.1)
    errors, tolerable = expect(brief.questions, (0,) * 10, 2).errors(
        lists_of([10, 45], 9, [Listed(cap, weights)]), PEOPLE, by_interval
    )
    mine, off = setting.errors(one, 10, 0.0)
    assert mine == pytest.approx(errors[:, 0], rel=1e-6)
    assert (off <= 0.5) == tolerable[0]


def test_words_with_a_threshold_err_as_with_every_word_written_out() -> None:
    """γ, who has an unbiased figure, and the error among independent people, by all words and all truths alone."""
    truths = np.arange(2**ITEMS)[:, np.newaxis] >> np.arange(ITEMS) & 1
    words = [(s, t, w) for (k, t), w in zip(KINDS, WEIGHTS, strict=True) for s in combinations(range(ITEMS), k)]
    true = np.array([truths[:, own].sum(axis=1) >= least for own, least, _ in words])
    weights, answers = np.array([weight for *_, weight in words]), truths.sum(axis=1)
    owned = weights @ true
    cap = owned[answers == EXACT].max()
    total = weights.sum() + GAMMA * cap
    base, added = weights / total, (GAMMA - 1) / total * weights[:, np.newaxis] * true
    sent = base[:, np.newaxis] + added * np.minimum(cap / np.maximum(owned, cap), 1)
    every = np.vstack([sent, 1 - sent.sum(axis=0)])
    assert (every.max(axis=1) / every.min(axis=1)).max() == pytest.approx(GAMMA)

    people = SHARE**answers * (1 - SHARE) ** (ITEMS - answers)
    chance, near = sent @ people, (answers > 0) & (answers <= EXACT)
    root = np.linalg.cholesky(np.diag(chance) - np.outer(chance, chance))
    setting = Setting(Brief(yes_no(ITEMS, SHARE), PEOPLE, Fraction(GAMMA), 2), KINDS)
    one = setting.listed(np.array(WEIGHTS), float(cap), 0.0, 0.0)
    for number, pattern in enumerate(([0], [0, 1])):
        wanted = truths[:, pattern].all(axis=1).astype(float)
        least = np.linalg.lstsq(np.linalg.solve(root, added[:, near]).T, wanted[near], rcond=1e-10)[0]
        sigma = np.linalg.solve(root.T, least)
        assert sigma @ added[:, near] == pytest.approx(wanted[near], abs=1e-9)
        found = setting.figure(one, number, EXACT, 0.0)
        assert found is not None
        own, bases, adds = found
        chances = bases + adds @ setting.spreads[number][0, 0]
        assert chances @ own**2 - (chances @ own) ** 2 == pytest.approx(least @ least)
        bias = adds @ setting.spreads[number][0, 0] @ own
        assert bias == pytest.approx(sigma @ (sent - base[:, np.newaxis]) @ people)
