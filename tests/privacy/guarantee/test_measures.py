"""Measures of privacy and loss: known values, laws, and brute force."""

import math
from collections.abc import Callable
from fractions import Fraction
from itertools import chain, combinations

import numpy as np
import pytest
from hypothesis import given, strategies as st
from scipy.special import rel_entr

from privacy.errors import InputError
from privacy.guarantee import measures

WARNER = [[0.75, 0.25], [0.25, 0.75]]  # ε = ln 3


@st.composite
def joints(draw: st.DrawFn, axes: int = 2) -> np.ndarray:
    shape = tuple(draw(st.integers(1, 4)) for _ in range(axes))
    weights = draw(st.lists(st.integers(0, 9), min_size=math.prod(shape), max_size=math.prod(shape)).filter(any))
    return np.array(weights, dtype=float).reshape(shape) / sum(weights)


@st.composite
def channels(draw: st.DrawFn) -> list[list[float]]:
    size = draw(st.integers(1, 4))
    rows = draw(st.lists(st.lists(st.integers(0, 9), min_size=size, max_size=size).filter(any), min_size=2, max_size=4))
    return [[weight / sum(row) for weight in row] for row in rows]


def test_entropies_of_a_fair_coin_seen_through_warner() -> None:
    """A fair bit has one bit; answered truly three times in four it leaks 1 − h(¼) = .1887 of it."""
    both = measures.joint([0.5, 0.5], WARNER)

    h = -(0.25 * math.log2(0.25) + 0.75 * math.log2(0.75))
    assert measures.entropy([0.5, 0.5]) == 1.0
    assert measures.entropy(both) == pytest.approx(1 + h)
    assert measures.mutual_information(both) == pytest.approx(1 - h)


@given(joints())
def test_information_is_the_divergence_from_independence(both: np.ndarray) -> None:
    """I(X; Y) = D(P(x, y) ‖ P(x)P(y)), symmetric, and at most either entropy."""
    apart = both.sum(axis=1, keepdims=True) * both.sum(axis=0, keepdims=True)

    information = measures.mutual_information(both)

    assert information == pytest.approx(rel_entr(both, apart).sum() / math.log(2), abs=1e-9)
    assert information == pytest.approx(measures.mutual_information(both.T), abs=1e-9)
    assert information <= measures.entropy(both.sum(axis=1)) + 1e-9


def test_distortions_of_two_columns() -> None:
    """Truth against estimate: the error rate, mean square and mean absolute error, and a cost of one's own."""
    both = np.array([[1, 0, 0], [0, 0, 1], [0, 1, 1]]) / 4

    assert measures.distortion(both) == 0.5
    assert measures.distortion(both, "square", values=[10, 20, 40]) == pytest.approx(200)
    assert measures.distortion(both, "absolute") == 0.5
    assert measures.distortion(both, np.ones((3, 3))) == 1.0


@given(channels(), st.floats(0, 3))
def test_delta_is_the_worst_event(channel: list[list[float]], epsilon: float) -> None:
    """δ(ε) equals max over inputs and events S of P(S|x) − e^ε P(S|x'), all events tried."""
    outputs = range(len(channel[0]))
    events = chain.from_iterable(combinations(outputs, size) for size in range(len(channel[0]) + 1))
    worst = max(
        sum(p[y] for y in event) - math.exp(epsilon) * sum(q[y] for y in event)
        for event in events
        for p in channel
        for q in channel
    )

    assert measures.delta(channel, epsilon) == pytest.approx(worst, abs=1e-12)


@given(channels(), st.floats(0.001, 1))
def test_epsilon_is_where_delta_is_allowed(channel: list[list[float]], allowed: float) -> None:
    """ε(δ) is the least ε with δ(ε) ≤ δ, rounded up."""
    epsilon = measures.epsilon(channel, allowed)

    if epsilon == math.inf:
        assert measures.delta(channel, 700) > allowed
    else:
        assert measures.delta(channel, epsilon) <= allowed
        assert epsilon == 0 or measures.delta(channel, epsilon * (1 - 1e-9)) > allowed * (1 - 1e-6)


def test_warners_epsilon_and_delta() -> None:
    """ε = ln 3 at δ = 0; at ε = 0 δ is the total variation ½."""
    assert measures.epsilon(WARNER) == pytest.approx(math.log(3))
    assert measures.delta(WARNER, 0) == pytest.approx(0.5)
    assert measures.delta(WARNER, math.log(3)) == pytest.approx(0, abs=1e-12)
    assert measures.epsilon([[1, 0], [0, 1]]) == math.inf


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: measures.entropy([0.5, 0.6]), "distribution: these numbers are not a distribution"),
        (lambda: measures.distortion([[1.0]], "cubic"), "cost: 'cubic' is not one of differs, square, absolute"),
        (lambda: measures.epsilon(WARNER, 2), "delta: 2 is outside 0 to 1"),
    ],
)
def test_what_cannot_be_measured_is_refused(call, said: str) -> None:
    """One sentence names the value and the rule."""
    with pytest.raises(InputError, match=said):
        call()


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: measures.delta([[0.5, 0.5], [0.9, 0.9]], 1), "channel: every row must be a distribution"),
        (lambda: measures.delta([[0.5, 0.5]], float("nan")), "epsilon: nan is not 0 or more"),
        (lambda: measures.epsilon([[-1, 2], [0.5, 0.5]]), "channel: every row must be a distribution"),
        (lambda: measures.joint([0.5, 0.5], [[1, 0]]), "channel: 1 rows do not fit a prior of 2 inputs"),
    ],
)
def test_a_channel_that_is_none_is_refused(call, said: str) -> None:
    """Rows that are no distributions would give figures without meaning, mostly too small ones."""
    with pytest.raises(InputError, match=said):
        call()


HALF, THIRD = Fraction(1, 2), Fraction(1, 3)


def test_evidence_tells_nothing_where_it_is_independent_given_what_is_known() -> None:
    """A secret that the outside knowledge decides: evidence depends on it, and still adds nothing; no tolerance."""
    known = np.zeros((2, 2, 2), dtype=object)
    known[0, 0], known[1, 1] = [HALF * THIRD, HALF * 2 * THIRD], [HALF, 0]
    nudged = np.array([[[Fraction(1, 4)] * 2], [[Fraction(1, 4)] * 2]], dtype=object)
    nudged[:, 0] += np.array([[1, -1], [-1, 1]], dtype=object) * Fraction(1, 10**30)

    assert measures.is_perfectly_private(known)
    assert measures.privacy_loss(known) == pytest.approx(0)
    assert measures.mutual_information(known.sum(axis=1).astype(float)) > 0.1
    assert not measures.is_perfectly_private(nudged)


def test_privacy_loss_is_what_evidence_adds_and_the_largest_of_several() -> None:
    """The mean over what is known of the leakage of the evidence; a secret that the evidence tells loses a bit."""
    table = np.arange(1, 13, dtype=float).reshape(2, 3, 2) / 78
    by_side = [table[:, s].sum() * measures.mutual_information(table[:, s] / table[:, s].sum()) for s in range(3)]
    told = np.zeros((2, 1, 2))
    told[0, 0, 0] = told[1, 0, 1] = 0.5

    assert measures.privacy_loss(table) == pytest.approx(sum(by_side), abs=1e-12)
    assert measures.privacy_loss(table, told) == 1.0


def test_divergence_is_infinite_where_a_chance_is_denied() -> None:
    """And 1 bit from a sure to a fair coin; leakage is the divergence from independence."""
    both = np.array([[0.4, 0.1], [0.2, 0.3]])
    apart = np.outer(both.sum(axis=1), both.sum(axis=0))

    assert measures.kullback_leibler([0.5, 0.5], [1.0, 0.0]) == math.inf
    assert measures.kullback_leibler([1.0, 0.0], [0.5, 0.5]) == 1.0
    assert measures.kullback_leibler(both, apart) == pytest.approx(measures.mutual_information(both))


def test_sensitive_inputs_alone_are_protected() -> None:
    """Inputs 0 and 1 are sensitive; of 2, which is plain, a fifth of the answers say that it is 2."""
    channel = [[0.6, 0.4, 0.0], [0.4, 0.6, 0.0], [0.4, 0.4, 0.2]]

    assert measures.uldp_epsilon(channel, sensitive=[0, 1]) == pytest.approx(math.log(1.5))
    assert measures.uldp_epsilon(channel, sensitive=[0, 1, 2]) == math.inf
    assert measures.uldp_epsilon([[1.0, 0.0], [0.0, 1.0]], sensitive=[]) == 0.0


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: measures.privacy_loss([[0.5, 0.5]]), "2 axes are not the three of secret"),
        (lambda: measures.is_perfectly_private([[[1, 1]]]), "joint: these numbers are not a distribution"),
        (lambda: measures.uldp_epsilon([[0.5, 0.5], [0.1, 0.9]], [7]), "sensitive: .7. are not all among the 2 inputs"),
        (lambda: measures.kullback_leibler([0.5, 0.5], [1.0]), "q: a distribution of shape .1,. does not fit p"),
    ],
)
def test_what_is_no_distribution_of_three_is_refused(call: Callable[[], object], sentence: str) -> None:
    """One sentence each."""
    with pytest.raises(InputError, match=sentence):
        call()
