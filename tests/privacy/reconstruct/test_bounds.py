"""The least and the greatest value that records leave possible: exact where a formula has it, and true of any shape."""

import numpy as np
import pytest
from scipy.optimize import brentq, minimize
from scipy.special import xlogy

from privacy.design import Design
from privacy.design.number_shares import NumberShares
from privacy.reconstruct.bounds import bounds

SEED = 20261121
DROP = 1.9207  # half of the 95 % point of χ² with one degree of freedom


def waves(epsilon: float, bins: int) -> NumberShares:
    block = {"number": "square-wave", "epsilon": epsilon, "items": [{"id": "age", "min": 0, "max": 99, "step": 1}]}
    shares: NumberShares = Design.parse({"blocks": [block]}).blocks[0].distribution((bins,))
    return shares


@pytest.mark.parametrize(("some", "others"), [(40, 60), (0, 30), (7, 0), (500, 1)])
def test_a_share_that_is_counted_has_the_interval_of_its_likelihood_ratio(some: int, others: int) -> None:
    """Of yes and no, undisguised: both ends solve ℓ(p̂) − ℓ(p) = 1.92, and are 0 or 1 where no such end is."""
    n = some + others

    def lost(share: float) -> float:
        best = xlogy(some, some / n) + xlogy(others, others / n)
        return float(best - xlogy(some, share) - xlogy(others, 1 - share)) - DROP

    low, high = bounds(np.eye(2), np.array([some, others], float), np.array([[1.0, 0.0]]), np.array([DROP]))

    least = brentq(lost, 1e-12, some / n) if some else 0
    most = brentq(lost, some / n, 1 - 1e-12) if others else 1
    assert (low[0], high[0]) == pytest.approx((least, most), abs=1e-4)


def test_ends_are_those_of_a_general_solver() -> None:
    """Of five bins behind a square wave: SLSQP over the same constraints ends at the same values."""
    own = waves(1.5, 5)
    counts = np.random.default_rng(SEED).multinomial(300, own.channel[1] / own.channel[1].sum()).astype(float)
    seen = counts > 0
    figures = np.array([[0, 1.0, 0, 0, 0], [1, 1, 0, 0, 0], [0, 1, 2, 3, 4]])

    def height(shares: np.ndarray) -> float:
        return float(counts[seen] @ np.log(np.maximum(shares @ own.channel[:, seen], 1e-300)))

    def optimum(aim: np.ndarray, floor: float | None) -> np.ndarray:
        limits = [{"type": "eq", "fun": lambda shares: shares.sum() - 1}]
        if floor is not None:
            limits.append({"type": "ineq", "fun": lambda shares: height(shares) - floor})
        value = (lambda shares: -height(shares)) if floor is None else (lambda shares: -aim @ shares)
        found = minimize(value, np.full(5, 0.2), bounds=[(0, 1)] * 5, constraints=limits, options={"ftol": 1e-12})
        return np.asarray(found.x)

    top = height(optimum(figures[0], None))
    low, high = bounds(own.channel, counts, figures, np.full(3, DROP))

    for row, figure in enumerate(figures):
        assert high[row] == pytest.approx(figure @ optimum(figure, top - DROP), abs=2e-3)
        assert low[row] == pytest.approx(figure @ optimum(-figure, top - DROP), abs=2e-3)


def test_intervals_hold_bins_and_shares_of_a_shape_that_is_anything_but_smooth() -> None:
    """Half of 500 people are 18 or 40: intervals of all bins, and of the shares below them, over 20 surveys.

    They hold .99 of them; of surveys whose intervals all hold or all fail, the mean would lie within .75 and 1.
    """
    truth = np.where((np.arange(100) >= 16) & (np.arange(100) < 80), 0.5 / 64, 0)
    truth[[18, 40]] += (0.2, 0.3)
    own, chance = waves(2, 10), np.random.default_rng(SEED)
    records = truth @ waves(2, 100).channel
    figures = np.repeat(np.concatenate([np.eye(10), np.tril(np.ones((10, 10)), -1)[1:]]), 4, axis=1)
    true = figures.reshape(19, 10, 4)[:, :, 0] @ truth.reshape(10, 10).sum(axis=1)

    held = []
    for _ in range(20):
        counts = chance.multinomial(500, records / records.sum()).astype(float)
        low, high = bounds(own.finer.channel, counts, figures, np.full(19, DROP))
        held.append((low <= true) & (true <= high))

    assert np.mean(held) > 0.85
