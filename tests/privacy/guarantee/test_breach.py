"""Beliefs before and after a disguised answer, and the worst that a channel can do."""

import math
from fractions import Fraction
from itertools import chain, combinations, product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st
from scipy.special import rel_entr

from privacy.design import Block, Design
from privacy.disguise import disguise
from privacy.disguise.table import words_from_seed
from privacy.errors import InputError
from privacy.guarantee import gamma, posterior_bound
from privacy.guarantee.breach import Breach, belief, breach_limit, posterior, surest, worst_breach
from privacy.guarantee.information import (
    answer_measures,
    entropy,
    inform,
    kullback_leibler,
    mutual_information,
    uldp_epsilon,
)
from privacy.guarantee.risk import risk
from privacy.records import Records
from tests.cases import every, first
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


# How surely a disguised record is the truth, against enumeration and against records whose truth is known.


MIXED = [
    {
        "keep": 0.4,
        "items": [{"id": "a", "theta": 0.3}, {"id": "b", "options": ["x", "y", "z"], "noise": [0.2, 0.3, 0.5]}],
    },
    {"model": "flip", "gamma": 9, "radius": 0, "items": ["c", "d"]},
]


def design(*blocks: dict[str, Any]) -> Design:
    return Design.parse({"blocks": list(blocks)})


def independent(*yes: float) -> np.ndarray:
    table = np.ones(())
    for share in yes:
        table = np.multiply.outer(table, np.array([1 - share, share]))
    return table


def disguised(of: Design, shares: np.ndarray, rows: int) -> tuple[np.ndarray, Records]:
    """Truths drawn from a distribution, seed 8, and their records."""
    drawn = np.random.default_rng(8).choice(shares.size, size=rows, p=shares.ravel())
    truth = np.array(np.unravel_index(drawn, shares.shape), dtype=np.uint8).T
    return truth, disguise(of, truth, take=words_from_seed(8))


@pytest.mark.parametrize("count", first(1, [50_000, 400_000]))
def test_the_chance_that_a_record_is_true_is_how_often_it_is(count: int) -> None:
    """Of the records of every pattern, the share that is true agrees within 5 standard errors."""
    of, shares = design(*MIXED), np.random.default_rng(3).dirichlet(np.ones(24)).reshape(2, 3, 2, 2)
    truth, records = disguised(of, shares, count)

    risks = risk(of, shares)

    same = truth == records.codes
    for cell in product(*map(range, shares.shape)):
        rows = (records.codes == cell).all(axis=1)
        n = rows.sum()
        checked = [(risks.record[cell], same[rows].all(axis=1))]
        checked += [(item[cell], same[rows, place]) for place, item in enumerate(risks.items)]
        for promised, true in checked:
            assert abs(true.mean() - promised) < 5 * np.sqrt(promised * (1 - promised) / n), cell
        assert abs(n / count - risks.seen[cell]) < 5 * np.sqrt(risks.seen[cell] / count)


def test_the_average_is_over_records() -> None:
    """One yes/no item kept with probability a: true records are a + (1−a)·(chance that noise agrees)."""
    of = design({"keep": 0.5, "items": [{"id": "a", "theta": 0.25}]})

    risks = risk(of, [0.9, 0.1])

    means = [float((risks.seen * true).sum()) for true in (risks.record, *risks.items)]
    assert means == [pytest.approx(0.5 + 0.5 * (0.9 * 0.75 + 0.1 * 0.25))] * 2


def test_long_improved_grouped_records_leak() -> None:
    """Ten questions of prevalence .05, p = .3, θ = .6: who answers no ten times, a sixth of all, is sure to mean it."""
    of = Design.parse({"model": "improved-grouped", "p": 0.3, "theta": 0.6, "items": list("abcdefghij")})

    risks = risk(of, independent(*[0.05] * 10))

    ((pattern, sure, often),) = risks.surest(1)
    assert pattern == (0,) * 10
    assert sure > 0.999
    assert often == pytest.approx(0.3 * 0.95**10, rel=0.001)


def test_the_predecessors_mixed_records_are_surely_true() -> None:
    """In the grouped model a record with yes and no is the truth, and no other is."""
    of = Design.parse({"model": "grouped", "p": 0.3, "theta": 0.6, "items": list("abc")})

    sure = risk(of, independent(0.3, 0.4, 0.5)).record > 1 - 1e-12

    assert {tuple(map(int, cell)) for cell in np.argwhere(~sure)} == {(0, 0, 0), (1, 1, 1)}


def test_a_sampled_block_is_looked_at_on_what_it_asks() -> None:
    """Two of four items asked: their records have a risk, all four together have none."""
    of = Design.parse({"model": "flip", "gamma": 9, "radius": 0, "ask": 2, "items": list("abcd")})
    whole = Design.parse({"model": "flip", "gamma": 9, "radius": 0, "items": list("bd")})
    shares = independent(0.2, 0.3)

    assert risk(of, shares, columns=[1, 3]).record == pytest.approx(risk(whole, shares).record, abs=1e-8)
    with pytest.raises(InputError, match="nobody is asked 4 items of a block that asks 2"):
        risk(of, independent(0.2, 0.2, 0.3, 0.4))


@pytest.mark.parametrize(
    ("shares", "said"),
    [
        ([0.5, 0.3, 0.2], r"a table of shape \(3,\) does not fit items of \(2,\) options"),
        ([1.2, -0.2], "a distribution is not negative and sums to 1; a raw estimate may not be one"),
    ],
)
def test_of_what_is_no_distribution_there_is_no_risk(shares: list[float], said: str) -> None:
    """A raw estimate may be negative; risk needs a distribution."""
    with pytest.raises(InputError, match=said):
        risk(design({"keep": 0.5, "items": [{"id": "a", "theta": 0.25}]}), shares)


# What stored answers and outputs tell: known values, and sums over everything that a block can send.


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
