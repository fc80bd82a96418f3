"""Intervals, by hand."""

import numpy as np
import pytest
from scipy.stats import binom

from privacy.design import Design
from privacy.design.patterns import parse_pattern
from privacy.estimate.estimators import estimate
from privacy.estimate.intervals import line_of_weights, quotient, wilson, wilson_through_line
from privacy.estimate.weights import channel_of, factors
from privacy.reconstruct.smoothing import Spread, climb_smoothly, penalties
from privacy.reconstruct.two_sides import interval_above

OPTIONS = {"options": ["x", "y", "z"], "noise": [1 / 3, 1 / 3, 1 / 3]}


@pytest.mark.parametrize("share", [0.0, 0.1, 0.4])
def test_the_line_of_one_event_is_found_from_how_its_weights_vary(share: float) -> None:
    """Weights −c/d and (1 − c)/d, shown by c + dπ: spread and slope give c and d again."""
    c, d = 0.1, 0.7
    seen = c + d * share

    line = line_of_weights(share, seen * (1 - seen) / d**2, (1 - 2 * c) / d)

    assert [float(one) for one in line] == pytest.approx([c, d], rel=1e-12)


def test_a_pair_of_two_blocks_ends_where_its_variance_at_that_share_rejects() -> None:
    """Worked out from the mean square of weights by the true states: at each end the share is 1.96 errors away."""
    design = Design.parse({"blocks": [{"keep": 0.7, "items": [OPTIONS | {"id": name}]} for name in "ab"]})
    channel = channel_of([factors(design, parse_pattern("a=x,b=x", design))])
    counts = np.array([21.0, 4.0, 3.0, 2.0])  # neither, b alone, a alone, both

    made = estimate([[counts, 0 * counts]], [30, 0], channel, "stratified")

    one = np.array([-0.1 / 0.7, 0.9 / 0.7])  # of a record that does not match, and of one that does
    weights, seen = np.outer(one, one).ravel(), np.array([[0.9, 0.1], [0.2, 0.8]])
    squares = np.kron(seen, seen) @ weights**2  # by the truth
    states = np.linalg.solve(np.kron(seen, seen).T, counts / 30)
    for end in (float(made.low[0]), float(made.high[0])):
        moved = states + (end - states[-1]) * np.array([1, -1, -1, 1])  # both parts keep their shares
        error = np.sqrt((squares @ moved - end**2) / 30)
        assert abs(end - states[-1]) / error == pytest.approx(1.959964, rel=1e-5)


PAIRS = {  # options of both items, the shares of a and b, and of the pair
    "of 9 %": (3, 0.09, 0.09, 0.008),
    "of 25 % and 3 %": (4, 0.25, 0.032, 0.008),
    "that go together": (3, 0.4, 0.3, 0.2),
}


@pytest.mark.parametrize("people", [20, 30, 60])
@pytest.mark.parametrize("name", PAIRS)
def test_pairs_of_two_blocks_are_covered_where_few_answered(name: str, people: int) -> None:
    """In 4 000 surveys .93 or more, and of rare pairs no interval lies below 0; Student's t held .53 to .93."""
    options, a, b, both = PAIRS[name]
    noise = [1 / options] * (options - 1) + [1 - (options - 1) * (1 / options)]
    item = {"options": [f"o{place}" for place in range(options)], "noise": noise}
    design = Design.parse({"blocks": [{"keep": 0.7, "items": [item | {"id": name}]} for name in "ab"]})
    channel = channel_of([factors(design, parse_pattern("a=o0,b=o0", design))])
    states = np.array([[1 - a - b + both, b - both, a - both, both]])
    counts = np.zeros((4_000, 2, 4))
    counts[:, 0] = np.random.default_rng(98).multinomial(people, channel.disguise(states)[0], 4_000)

    made = estimate(counts, [people, 0], channel, "stratified")

    known = ~np.isnan(made.low)
    assert np.mean(((made.low <= both) & (both <= made.high))[known]) >= 0.93
    assert not (made.high[known] < 0).any()


@pytest.mark.parametrize("share", [0.006, 0.02, 0.3])
def test_far_out_an_interval_of_a_rare_word_keeps_its_level(share: float) -> None:
    """By the chances of all 501 counts, at the level of each of 55 intervals that hold at once; Wilson's has less."""
    level, c, d = 1 - 0.05 / 55, np.array(0.005), np.array(0.2)
    counts = np.arange(501.0)
    chances = binom.pmf(counts, 500, share)

    low, high = wilson_through_line((counts / 500 - c) / d, np.array(500.0), c, d, level)
    held = chances @ ((low <= (share - c) / d) & ((share - c) / d <= high))
    least, most = wilson(counts / 500, np.array(500.0), level)

    assert level <= held < 1 - 0.05 / 55 / 4
    assert held > chances @ ((least <= share) & (share <= most)) or share == 0.3


def test_a_quotient_has_no_ends_where_its_divisor_may_be_0_by_students_t() -> None:
    """Of two degrees of freedom an error reaches 4.3 times as far: 4 errors from 0 a divisor may be 0, 4.4 not."""
    one = np.array([1e-4])
    ends = [
        quotient(np.array([0.02]), np.array([below]), one, one, lambda _places: (one, 2 * one), 0.95, 2.0)
        for below in (0.04, 0.044)
    ]

    assert [np.isfinite(own).all() for own in ends] == [False, True]


# Which shares of people above a number a test does not reject.


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
