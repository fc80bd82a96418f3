"""The likeliest share under a question and two anchors, against a maximum found in another way."""

from typing import Any

import numpy as np
import pytest

from privacy.compliance.joint import joint_fit
from privacy.errors import InputError

RECORDS = np.array([[place >> bit & 1 for bit in (2, 1, 0)] for place in range(8)])
ONES = RECORDS.sum(axis=1)


def chances_of(share: float, careless: float, rate: float, p: float) -> np.ndarray:
    """The chance of each of the eight records, written out."""
    followed = np.zeros(8)
    for yes, weight in ((1, share), (0, 1 - share)):
        agree = np.array([yes, 0, 1]) == RECORDS
        followed += weight * np.where(agree, 1 - p, p).prod(axis=1)
    return (1 - careless) * followed + careless * rate**ONES * (1 - rate) ** (3 - ONES)


def test_fit_and_profile_are_those_of_a_search_by_another_method() -> None:
    """Nelder and Mead's simplex finds the same maximum; at the ends the profile has fallen by half of 1.96²."""
    from scipy.optimize import minimize

    search: Any = minimize

    counts = np.array([118, 372, 45, 118, 46, 149, 30, 122])

    def depth(logits: np.ndarray, share: float | None = None) -> float:
        parameters = 1 / (1 + np.exp(-np.clip(logits, -30, 30)))
        pi, c, r = parameters if share is None else (share, *parameters)
        return -float(counts @ np.log(np.maximum(chances_of(pi, c, r, 0.25), 1e-300)))

    def lowest(size: int, share: float | None = None) -> float:
        starts = np.random.default_rng(1).normal(0, 2, (6, size))
        tight = {"xatol": 1e-9, "fatol": 1e-10, "maxiter": 5000}
        found = [search(lambda at: depth(at, share), at, method="Nelder-Mead", options=tight) for at in starts]
        return min(float(one.fun) for one in found)

    found = joint_fit(counts, [(0.75, 0.25)] * 3)

    best = -float(counts @ np.log(chances_of(found.share[0], found.careless[0], found.rate[0], 0.25)))
    assert best == pytest.approx(lowest(3), abs=1e-6)
    assert lowest(2, float(found.high[0])) - best == pytest.approx(1.959964**2 / 2, abs=1e-4)
    assert found.low[0] == 0  # where the profile has fallen by .90
    assert lowest(2, 1e-9) - best < 1.959964**2 / 2


def test_counts_of_what_is_expected_give_it_back() -> None:
    """Several surveys at once, each with people who press by another rate."""
    truth = [(0.05, 0.1, 0.5), (0.2, 0.4, 0.7), (0.2, 0.1, 0.01)]
    counts = [1e6 * chances_of(*one, 1 / 6) for one in truth]

    found = joint_fit(counts, [(5 / 6, 1 / 6)] * 3)

    assert np.stack([found.share, found.careless, found.rate], axis=1) == pytest.approx(np.array(truth), abs=1e-4)


@pytest.mark.parametrize(
    ("counts", "chances"), [([1, 2, 3], [(0.75, 0.25)] * 3), ([1] * 8, [(0.25, 0.75)] * 3), ([0] * 8, [(0.7, 0.3)] * 3)]
)
def test_what_has_no_likelihood_is_refused(counts: list[int], chances: list[tuple[float, float]]) -> None:
    """In a sentence that names the argument."""
    with pytest.raises(InputError, match=r"^(counts: each survey has eight|chances: question, never and always)"):
        joint_fit(counts, chances)
