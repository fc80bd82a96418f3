"""Beliefs before and after a disguised answer, and the worst that a channel can do."""

import math
from fractions import Fraction
from itertools import chain, combinations

import numpy as np
import pytest
from hypothesis import given, strategies as st

from privacy.errors import InputError
from privacy.guarantee import gamma, posterior_bound
from privacy.guarantee.breach import Breach, belief, breach_limit, posterior, surest, worst_breach
from privacy.guarantee.information import inform, kullback_leibler, uldp_epsilon
from tests.refusals import refusal_of


def exact(*rows: tuple[int, ...]) -> np.ndarray:
    """Rows of whole-number weights as rows of probabilities, exactly."""
    return np.array([[Fraction(weight, sum(row)) for weight in row] for row in rows], dtype=object)


def properties(size: int) -> chain[tuple[int, ...]]:
    return chain.from_iterable(combinations(range(size), count) for count in range(1, size))


def every_breach(prior: np.ndarray, channel: np.ndarray) -> list[Breach]:
    """All properties and outputs, one by one."""
    return [
        Breach(inputs, output, belief(prior, inputs), belief(posterior(prior, channel, output), inputs))
        for output in range(channel.shape[1])
        if (prior * channel[:, output]).sum() > 0
        for inputs in properties(len(prior))
    ]


@st.composite
def channels(draw: st.DrawFn, most: int = 5) -> tuple[np.ndarray, np.ndarray]:
    """A prior and a channel in exact fractions; some outputs are impossible for some inputs."""
    inputs, outputs = draw(st.integers(2, most)), draw(st.integers(1, 4))
    weight = st.lists(st.integers(0, 9), min_size=outputs, max_size=outputs).filter(any)
    prior = draw(st.lists(st.integers(1, 9), min_size=inputs, max_size=inputs))
    rows = draw(st.lists(weight, min_size=inputs, max_size=inputs))
    return exact(tuple(prior))[0], exact(*map(tuple, rows))


def test_a_posterior_is_bayes() -> None:
    """One in a hundred uses drugs, and a yes is nine times as likely from them: the belief becomes 1 in 12."""
    prior, channel = exact((99, 1))[0], exact((9, 1), (1, 9))

    assert posterior(prior, channel, 1).tolist() == [Fraction(11, 12), Fraction(1, 12)]


def test_five_to_fifty_per_cent_is_gamma_nineteen() -> None:
    """The site's default: γ = 19 is where 5 % can just become 50 %, and below it never does."""
    five, half = Fraction(1, 20), Fraction(1, 2)

    assert breach_limit(five, half) == 19


@given(channels())
def test_the_worst_breach_is_the_worst_of_all_properties(case: tuple[np.ndarray, np.ndarray]) -> None:
    """Ordering inputs by likelihood finds what trying all 2^|V| properties finds, exactly."""
    prior, channel = case

    worst = worst_breach(prior, channel)

    assert worst.amplification == max(one.amplification for one in every_breach(prior, channel))
    if worst.inputs:
        assert worst.before == belief(prior, worst.inputs)
        assert worst.after == belief(posterior(prior, channel, worst.output), worst.inputs)


def test_twelve_inputs_agree_with_brute_force() -> None:
    """|V| = 12 in floats: 4 094 properties of 12 outputs, seed 12."""
    random = np.random.default_rng(12)
    prior, channel = random.dirichlet(np.ones(12)), random.dirichlet(np.ones(12), 12)
    members = np.array([[inputs >> i & 1 for i in range(12)] for inputs in range(1, 4095)], dtype=float)
    before = (members @ prior)[:, None]
    after = members @ (prior[:, None] * channel) / (prior @ channel)

    odds = after * (1 - before) / (before * (1 - after))

    assert worst_breach(prior, channel).amplification == pytest.approx(odds.max(), rel=1e-12)


@given(channels())
def test_no_belief_grows_beyond_the_bound(case: tuple[np.ndarray, np.ndarray]) -> None:
    """For every property, output and prior, the posterior stays within ργ/(1+ρ(γ−1))."""
    prior, channel = case
    limit = gamma(channel)

    assert all(one.after <= posterior_bound(one.before, limit) for one in every_breach(prior, channel))


def test_a_long_domain_needs_no_enumeration() -> None:
    """1 001 values plus uniform noise of ±100: the values within reach become certain."""
    steps = abs(np.arange(1001)[:, None] - np.arange(1001)[None])
    channel = np.where(np.minimum(steps, 1001 - steps) <= 100, 1 / 201, 0)
    prior = np.array([0.01] + [0.00099] * 1000)

    worst = worst_breach(prior, channel)

    assert (len(worst.inputs), worst.after, worst.amplification) == (201, 1, math.inf)


@pytest.mark.parametrize(
    ("prior", "channel", "said"),
    [
        ([0.5, 0.6], [[1.0], [1.0]], "prior: every row must be a distribution, not negative and with sum 1"),
        ([0.5, 0.5], [[0.9], [1.0]], "channel: every row must be a distribution, not negative and with sum 1"),
        ([1.0], [[1.0], [1.0]], "a prior of shape (1,) does not fit a channel of shape (2, 1)"),
    ],
)
def test_what_is_no_distribution_is_refused(prior: list[float], channel: list[list[float]], said: str) -> None:
    """A prior or a channel that cannot be one is named."""
    assert refusal_of(lambda: worst_breach(prior, channel)) == said


def test_levels_in_the_wrong_order_are_refused() -> None:
    """ρ₁ lies below ρ₂."""
    with pytest.raises(InputError, match=r"rho1 = 0\.5 and rho2 = 0\.05 must satisfy 0 < rho1 < rho2 < 1"):
        breach_limit(0.5, 0.05)


@given(channels(), st.integers(1, 99))
def test_the_surest_of_the_unlikely_is_that_of_all_properties(
    case: tuple[np.ndarray, np.ndarray], percent: int
) -> None:
    """The knapsack finds what trying all properties up to a prior finds, exactly."""
    prior, channel = case
    most = Fraction(percent, 100)

    found = surest(prior, channel, most)

    unlikely = [one for one in every_breach(prior, channel) if one.before <= most]
    assert (found and found.after) == max((one.after for one in unlikely), default=None)
    if found:
        assert found.before == belief(prior, found.inputs) <= most
        assert found.after == belief(posterior(prior, channel, found.output), found.inputs)


def test_the_surest_of_twelve_inputs_agrees_with_brute_force() -> None:
    """|V| = 12 and 6 outputs in whole weights, seed 5: a property up to .3 of 4 094."""
    random = np.random.default_rng(5)
    prior = exact(tuple(random.integers(1, 50, 12).tolist()))[0]
    channel = exact(*map(tuple, random.integers(1, 50, (12, 6)).tolist()))
    members = np.array([[inputs >> i & 1 for i in range(12)] for inputs in range(1, 4095)], dtype=object)
    allowed = members[(members @ prior) <= Fraction(3, 10)]

    found = surest(prior, channel, Fraction(3, 10))

    assert found is not None
    assert found.after == ((allowed @ (prior[:, None] * channel)) / (prior @ channel)).max()


# What outputs tell: known values, and sums over everything that a channel can send.


def bits(shares: list[float]) -> float:
    return -sum(share * math.log2(share) for share in shares if share > 0)


def test_a_fair_coin_seen_through_warner_tells_what_the_definition_says() -> None:
    """A fair bit has one bit; answered truly three times in four it leaks 1 − h(¼) = .1887 of it."""
    found = inform(np.array([1, 1]), np.array([[3, 1], [1, 3]]))

    h = bits([0.25, 0.75])
    assert (found.before, found.after, found.loss) == (1.0, pytest.approx(h), pytest.approx(1 - h))
    assert found.divergence == pytest.approx(1 - h)


def test_outputs_tell_nothing_where_they_are_independent_to_the_last_digit() -> None:
    """A nudge of 10⁻³⁰ tells something; no tolerance."""
    even, tiny = np.array([1, 1], object), 10**30

    assert inform(even, np.array([[tiny, tiny], [tiny, tiny]], object)).perfectly_private
    assert not inform(even, np.array([[tiny + 1, tiny - 1], [tiny, tiny]], object)).perfectly_private


def test_divergence_is_infinite_where_a_chance_is_denied() -> None:
    """And 1 bit from a sure to a fair coin."""
    assert kullback_leibler([0.5, 0.5], [1.0, 0.0]) == math.inf
    assert kullback_leibler([1.0, 0.0], [0.5, 0.5]) == 1.0


def test_sensitive_inputs_alone_are_protected() -> None:
    """Inputs 0 and 1 are sensitive; of 2, which is plain, a fifth of the answers say that it is 2."""
    channel = [[0.6, 0.4, 0.0], [0.4, 0.6, 0.0], [0.4, 0.4, 0.2]]

    assert uldp_epsilon(channel, sensitive=[0, 1]) == pytest.approx(math.log(1.5))
    assert uldp_epsilon(channel, sensitive=[0, 1, 2]) == math.inf
    assert uldp_epsilon([[1.0, 0.0], [0.0, 1.0]], sensitive=[]) == 0.0
