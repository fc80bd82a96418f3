"""What stored answers and outputs tell: known values, and sums over everything that a block can send."""

import math
from fractions import Fraction
from itertools import combinations, product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st
from scipy.special import rel_entr

from privacy.design import Block, Design
from privacy.guarantee.information import (
    answer_measures,
    entropy,
    inform,
    kullback_leibler,
    mutual_information,
    uldp_epsilon,
)
from tests.cases import every

ASK = list("abc")
BLOCKS: dict[str, dict[str, Any]] = {
    "one coin": {"keep": 0.3, "items": [{"id": "a", "theta": 0.6}, {"id": "b", "theta": 0.2}]},
    "options": {
        "keep": 0.4,
        "items": [{"id": "a", "options": ["x", "y", "z"], "noise": [0.2, 0.3, 0.5]}, {"id": "b", "theta": 0.5}],
    },
    "a coin each, sampled": {"keep": 0.4, "coin": "each", "ask": 2, "items": [{"id": n, "theta": 0.3} for n in ASK]},
    "flips, sampled": {"flips": [0.6, 0.3, 0.1], "ask": 2, "items": [{"id": n} for n in ASK]},
    "one-sided": {"one-sided": 0.25, "items": [{"id": "a", "harmless": "0"}, {"id": "b", "harmless": "1"}]},
    "grouped": {"model": "grouped", "p": 0.4, "theta": 0.6, "items": ["a", "b"]},
}


def chances(block: Block, place: int, here: tuple[int, ...]) -> list[list[Fraction]]:
    """P(stored | true) of one item where these are asked: all else that may be sent is summed."""
    at, sizes = here.index(place), [len(block.items[one].options) for one in here]
    rows = []
    for true in range(sizes[at]):
        truth = [0] * len(here)
        truth[at] = true
        row = [Fraction(0)] * sizes[at]
        for sent in product(*map(range, sizes)):
            row[sent[at]] += block.chance(here, tuple(truth), sent)
        rows.append(row)
    return rows


def bits(shares: list[float]) -> float:
    return -sum(share * math.log2(share) for share in shares if share > 0)


def by_definition(channel: list[list[Fraction]], option: int, prior: float) -> tuple[float, float, float, float]:
    """Unknown bits, bits told, how often it is true, and the greatest difference of any set of answers."""
    size = len(channel)
    before = [prior if one == option else (1 - prior) / (size - 1) for one in range(size)]
    stored = [sum(before[x] * float(channel[x][y]) for x in range(size)) for y in range(size)]
    noise = sum(before[x] * bits([float(chance) for chance in channel[x]]) for x in range(size))
    events = [event for count in range(size + 1) for event in combinations(range(size), count)]
    apart = max(float(sum(p[y] - q[y] for y in event)) for event in events for p in channel for q in channel)
    return bits(before), bits(stored) - noise, sum(before[x] * float(channel[x][x]) for x in range(size)), apart


@pytest.mark.parametrize(("prior", "kind"), every(3, product([0.05, 0.5], BLOCKS)))
def test_the_measures_of_an_answer_are_those_of_its_definition(kind: str, prior: float) -> None:
    """Whatever the kind: of yes or of all options and, in a public order, of all sets that may be asked, those of which
    most is given."""
    design = Design.parse({"direct": True, "blocks": [BLOCKS[kind]]})
    (block,) = design.blocks

    for place, measures in enumerate(answer_measures(design, prior)):
        sets = [here for here in combinations(range(len(block.items)), block.items_per_person) if place in here]
        every = [
            (option, by_definition(chances(block, place, here), option, prior))
            for here in sets
            for option in ([1] if block.items[place].boolean else range(len(block.items[place].options)))
        ]
        option = block.items[place].options.index(measures.answer)
        own = (measures.entropy, measures.information, measures.true, measures.variation)
        assert measures.id == block.items[place].id
        assert any(option == other and own == pytest.approx(figures, abs=1e-9) for other, figures in every)
        assert measures.information == pytest.approx(max(figures[1] for _, figures in every), abs=1e-9)


def test_numbers_and_places_are_left_out() -> None:
    """They have too many answers."""
    number = {"number": "square-wave", "epsilon": 2, "items": [{"id": "age", "min": 0, "max": 9, "step": 1}]}
    design = Design.parse({"blocks": [number, {"model": "warner", "theta": 0.7, "items": ["drugs"]}]})

    assert [measures.id for measures in answer_measures(design, 0.05)] == ["drugs"]


@pytest.mark.parametrize(("prior", "measures"), [(0, (0.0, 0.0, 0.75)), (1, (0.0, 0.0, 0.75))])
def test_of_what_is_known_nothing_more_is_told(prior: float, measures: tuple[float, ...]) -> None:
    """A prior of 0 or 1 leaves no bits unknown."""
    (answer,) = answer_measures(Design.parse({"model": "warner", "theta": 0.75, "items": ["drugs"]}), prior)

    assert (answer.entropy, answer.information, answer.true) == measures


@st.composite
def joints(draw: st.DrawFn) -> np.ndarray:
    shape = draw(st.integers(1, 4)), draw(st.integers(1, 4))
    weights = draw(st.lists(st.integers(0, 9), min_size=math.prod(shape), max_size=math.prod(shape)).filter(any))
    return np.array(weights, dtype=float).reshape(shape) / sum(weights)


@given(joints())
def test_information_is_the_divergence_from_independence(both: np.ndarray) -> None:
    """I(X; Y) = D(P(x, y) ‖ P(x)P(y)), symmetric, and at most either entropy."""
    apart = both.sum(axis=1, keepdims=True) * both.sum(axis=0, keepdims=True)

    information = mutual_information(both)

    assert information == pytest.approx(rel_entr(both, apart).sum() / math.log(2), abs=1e-9)
    assert information == pytest.approx(mutual_information(both.T), abs=1e-9)
    assert information <= entropy(both.sum(axis=1)) + 1e-9


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
