"""Which shares of people above a number a test does not reject."""

import numpy as np
import pytest

from privacy.design import Design
from privacy.reconstruct.smoothing import Spread, climb_smoothly, penalties
from privacy.reconstruct.two_sides import interval_above

EXACT = 0.02


def test_problems_that_are_solved_at_once_have_the_solutions_that_they_have_alone() -> None:
    """Shapes on two sides under one penalty, of five shares of people above, 0 and 1 included."""
    random = np.random.default_rng(1)
    channel, counts = random.dirichlet(np.ones(12), 10), random.integers(1, 90, 12).astype(float)
    above = np.array([0, 0.1, 0.4, 0.9, 1])
    five = np.array(penalties(5, 0)) / np.array([100.0**2, 1])[:, np.newaxis, np.newaxis]
    penalty = np.kron(np.eye(2), five.sum(axis=0))[np.newaxis].repeat(5, axis=0)
    sides, start = (slice(0, 5), slice(5, None)), np.zeros((5, 10))
    every = Spread(channel[np.newaxis].repeat(5, axis=0), np.full((5, 10), 0.2), sides, np.array([1 - above, above]).T)

    together = climb_smoothly(every, counts, penalty, start)
    alone = [climb_smoothly(every.only(np.array([place])), counts, penalty[:1], start[:1]) for place in range(5)]

    assert together[1] == pytest.approx(np.concatenate([heights for _, heights in alone]), abs=1e-6)
    assert together[0] == pytest.approx(np.concatenate([logs for logs, _ in alone]), abs=1e-4)


@pytest.mark.parametrize("cut", [1, 2, 4])
def test_where_nothing_is_disguised_an_interval_is_that_of_a_share(cut: int) -> None:
    """Also where some share above, such as 0, could not have given the records: that of the likelihood ratio."""
    counts = np.array([30.0, 20, 5, 3, 2])
    n, many = counts.sum(), counts[cut:].sum()
    shares = np.linspace(0.0005, 0.9995, 1_000)
    likely = many * np.log(shares) + (n - many) * np.log(1 - shares)
    inside = shares[likely >= likely.max() - 1.96**2 / 2]

    ends = interval_above(np.eye(5), counts, np.eye(5) / 5, [(0,)], cut, (many / n, 0.05), 0.95)

    assert ends == pytest.approx((inside[0], inside[-1]), abs=EXACT)


def test_where_round_numbers_are_named_people_heap_there_alone() -> None:
    """Else the tens, and then the fives, are tried as well."""
    item = {"id": "times", "min": 0, "max": 60, "step": 1}
    (block,) = Design.parse({"blocks": [{"number": "square-wave", "epsilon": 4, "items": [item]}]}).blocks
    assert block.distribution is not None

    named, unnamed = block.distribution(None, [7]), block.distribution(None, ())

    assert named.ways_to_heap == [(0, 7, 60)]  # type: ignore[attr-defined]
    assert unnamed.ways_to_heap == [  # type: ignore[attr-defined]
        (0, 60),
        tuple(range(0, 61, 10)),
        tuple(range(0, 61, 5)),
        (*range(0, 57, 7), 60),
    ]
