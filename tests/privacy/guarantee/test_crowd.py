"""What a crowd adds: the blankets of blocks, the bound that comes of them, and that it never promises too much."""

import math
from itertools import product

import numpy as np
import pytest
from hypothesis import given, strategies as st
from scipy.stats import binom, multinomial

from privacy.design import Block, Design
from privacy.guarantee import guarantee
from privacy.guarantee.crowd import _by_blanket, _by_clones, promise_of_crowd
from tests.cases import first
from tests.refusals import refusal_of


def warner(gamma: float) -> Design:
    """A yes/no answer that one in 1 + γ sends turned over."""
    return Design.parse({"model": "warner", "theta": gamma / (1 + gamma), "items": ["drugs"]})


def blocks(*entries: dict) -> Design:
    return Design.parse({"candor": 1, "direct": False, "blocks": list(entries)})


def even(count: int, theta: float = 0.5) -> list[dict]:
    return [{"id": f"item{place}", "theta": theta} for place in range(count)]


def bare(names: str) -> list[dict]:
    return [{"id": name} for name in names]


FLIPS = blocks({"flips": [0.4, 0.4, 0.2], "items": [{"id": "a"}, {"id": "b"}]})
BLOCKS = {
    "coin": blocks({"keep": 0.3, "items": even(2)}),
    "coin over four options": blocks(
        {"keep": 0.4, "items": [{"id": "a", "options": ["w", "x", "y", "z"], "noise": [0.25, 0.25, 0.25, 0.25]}]}
    ),
    "uneven coin": blocks({"keep": 0.3, "items": even(2, 0.6)}),
    "sampled coin": blocks({"keep": 0.5, "ask": 2, "items": even(3)}),
    "sampled, a coin each": blocks({"keep": 0.5, "ask": 2, "coin": "each", "items": even(3)}),
    "by γ": blocks({"by-gamma": 9, "ask": 1, "items": [*bare("ab"), {"id": "c", "options": ["w", "x", "y", "z"]}]}),
    "by γ, two of three": blocks(
        {"by-gamma": 9, "ask": 2, "items": [*bare("ab"), {"id": "c", "options": ["x", "y", "z"]}]}
    ),
    "flips": FLIPS,
    "sampled flips": blocks({"flips": [0.5, 0.3, 0.2], "ask": 2, "items": [{"id": x} for x in "abc"]}),
}


def channel(block: Block) -> np.ndarray:
    """R(y|x) of every truth (rows), where a record says also what was asked."""
    places = range(len(block.items))
    sets = [asked for asked in product((0, 1), repeat=len(places)) if sum(asked) == block.items_per_person]
    sizes = [len(item.options) for item in block.items]
    rows = []
    for truth in product(*map(range, sizes)):
        row = []
        for asked in sets:
            here = [place for place in places if asked[place]]
            for sent in product(*(range(sizes[place]) for place in here)):
                row.append(float(block.chance(here, [truth[place] for place in here], sent)) / len(sets))
        rows.append(row)
    return np.array(rows)


@pytest.mark.parametrize("design", BLOCKS.values(), ids=BLOCKS)
@pytest.mark.parametrize("epsilon", first(1, [0.4, 0.0, 1.1]))
def test_the_blanket_of_a_block_is_that_of_its_channel(design: Design, epsilon: float) -> None:
    """β, and the worst pair of truths, by going through all of them; with uneven noise the pair named may be worse."""
    (block,) = design.blocks
    table = channel(block)
    least = table.min(axis=0)
    assert block.blanket.share == pytest.approx(least.sum(), rel=1e-9)
    worst = max(np.maximum(one - math.exp(epsilon) * other, 0).sum() for one in table for other in table)
    named = max(
        np.maximum(np.array(pair.one) - math.exp(epsilon) * np.array(pair.other), 0) @ np.array(pair.chance)
        for pair in block.blanket.pairs
    )
    if design is BLOCKS["uneven coin"]:
        assert named >= worst
    else:
        assert named == pytest.approx(worst, rel=1e-9, abs=1e-12)


def with_one_person(p: tuple[float, float], noes: int, yeses: int) -> tuple[np.ndarray, np.ndarray]:
    """How many records say yes: those of so many others, and of one person who truly says no, or yes. `p` is the chance
    that a record says yes where the truth is no, and where it is yes."""
    rest = np.convolve(binom.pmf(np.arange(noes + 1), noes, p[0]), binom.pmf(np.arange(yeses + 1), yeses, p[1]))
    no, yes = (np.convolve(rest, [1 - own, own]) for own in p)
    return no, yes


@pytest.mark.parametrize(
    ("gamma", "n", "known"), first(1, [(9, 1000, 0.377), (9, 5000, 0.147), (19, 1000, 0.666), (19, 5000, 0.243)])
)
def test_a_yes_no_answer_has_the_figures_of_another_accountant(gamma: float, n: int, known: float) -> None:
    """dp-accounting (Google) makes the same of these pairs for δ = 10⁻⁶; the worst others answer nearly all alike."""
    from dp_accounting.pld import privacy_loss_distribution

    worst = 0.0
    for yeses in (0, 1, 2, n // 3, n // 2, n - 1):
        with np.errstate(divide="ignore"):
            pair = [
                dict(enumerate(np.log(one)))
                for one in with_one_person((1 / (1 + gamma), gamma / (1 + gamma)), n - 1 - yeses, yeses)
            ]
        for lower, upper in (pair, pair[::-1]):
            loss = privacy_loss_distribution.from_two_probability_mass_functions(
                lower, upper, pessimistic_estimate=False, log_mass_truncation_bound=-math.inf
            )
            worst = max(worst, loss.get_epsilon_for_delta(1e-6))
    assert worst == pytest.approx(known, abs=6e-4)
    assert worst <= promise_of_crowd(warner(gamma), n).epsilon <= 1.002 * worst


@pytest.mark.parametrize(("keep", "theta"), [(0.8, 0.5), (0.3, 0.6), (0.3, 0.97), (0.6, 0.02)])
@pytest.mark.parametrize(("n", "delta"), first(1, [(17, 1e-3), (3, 1e-2), (60, 1e-6)]))
def test_whoever_else_answers_the_figure_of_a_yes_no_answer_holds(
    keep: float, theta: float, n: int, delta: float
) -> None:
    """By brute force: however many of the others would truly say yes, and no ε below it by two thousandths does."""
    design = blocks({"keep": keep, "items": even(1, theta)})
    p = (1 - keep) * theta, keep + (1 - keep) * theta
    pairs = [with_one_person(p, n - 1 - yeses, yeses) for yeses in range(n)]

    def told(epsilon: float) -> float:
        return max(
            np.maximum(one - math.exp(epsilon) * other, 0).sum() for pair in pairs for one, other in (pair, pair[::-1])
        )

    epsilon = promise_of_crowd(design, n, delta).epsilon
    assert told(epsilon) <= delta
    assert told(0.998 * epsilon) > delta


def test_without_a_blanket_the_closed_form_is_taken() -> None:
    """Feldman, McMillan and Talwar (2021): .73 for γ = 9 and 1.01 for γ = 19 with 5 000 people, nothing with 1 000."""
    figures = [_by_clones(math.log(gamma), n, 1e-6) for gamma in (9, 19) for n in (5000, 1000)]
    assert figures == pytest.approx([0.7276, math.inf, 1.0145, math.inf], abs=1e-4)


@pytest.mark.parametrize(("gamma", "n"), first(2, [(3, 40), (9, 200), (19, 1000)]))
def test_the_bound_is_the_sum_of_its_binomials(gamma: float, n: int) -> None:
    """E[(L_1 + … + L_M)₊]/(βn) of a yes/no answer, summed over M and over who says yes: what is given is not less than
    true, and by less than a tenth of a percent in ε."""
    delta = 1e-6

    def exact(epsilon: float) -> float:
        beta = 2 / (1 + gamma)
        hit, miss = gamma / (1 + gamma) * 2, 2 / (1 + gamma)
        one, other = hit - math.exp(epsilon) * miss, miss - math.exp(epsilon) * hit
        total = 0.0
        for many, chance in enumerate(binom.pmf(np.arange(n + 1), n, beta)):
            yes = np.arange(many + 1)
            total += chance * (binom.pmf(yes, many, 0.5) @ np.maximum(yes * one + (many - yes) * other, 0))
        return float(total / (beta * n))

    bound = _by_blanket(warner(gamma), n, delta, math.log(gamma))
    assert exact(bound) <= delta <= exact(bound * 0.999)


def test_the_bound_of_a_rare_answer_is_the_sum_of_its_multinomials() -> None:
    """Noise that says yes to 2 of 100 makes few, large values: summed over how many of 40 people say which, the bound
    is not less than true, and by less than a tenth of a percent in ε."""
    keep, rarest, n, delta = 0.3, 0.02, 40, 1e-6
    design = blocks({"keep": keep, "items": even(1, rarest)})
    counts = np.array([(a, b, c) for a in range(n + 1) for b in range(n + 1 - a) for c in range(n + 1 - a - b)])
    beta = 1 - keep
    chances = [beta * rarest, beta * rarest, beta * (1 - 2 * rarest), keep]
    likely = multinomial.pmf(np.column_stack([counts, n - counts.sum(axis=1)]), n, chances)

    def exact(epsilon: float) -> float:
        hit, miss, e = 1 - keep + keep / rarest, 1 - keep, math.exp(epsilon)
        values = np.array([hit - e * miss, miss - e * hit, miss - e * miss])
        return float(likely @ np.maximum(counts @ values, 0) / (beta * n))

    bound = _by_blanket(design, n, delta, math.log(design.gamma))
    assert exact(bound) <= delta <= exact(bound * 0.999)


@given(gamma=st.floats(1.5, 30), n=st.integers(2, 60), delta=st.sampled_from([1e-2, 1e-4, 1e-6]))
def test_a_crowd_is_never_said_to_hide_more_than_it_does(gamma: float, n: int, delta: float) -> None:
    """The number of yes among n records, when one person's truth changes: its own δ at the ε is not above the one
    promised, whatever the others say (here: all no, all yes)."""
    epsilon = promise_of_crowd(warner(gamma), n, delta).epsilon
    flip = 1 / (1 + float(warner(gamma).gamma))
    for others in (flip, 1 - flip):
        rest = binom.pmf(np.arange(n), n - 1, others)
        yes, no = np.zeros(n + 1), np.zeros(n + 1)
        for distribution, own in ((yes, 1 - flip), (no, flip)):
            distribution[:-1] += (1 - own) * rest
            distribution[1:] += own * rest
        for one, other in ((yes, no), (no, yes)):
            assert np.maximum(one - math.exp(epsilon) * other, 0).sum() <= delta * (1 + 1e-9)


def test_more_people_hide_better() -> None:
    """And a design whose blocks are many has a figure, too, by all pairs of truths that may be the worst."""
    two = blocks({"keep": 0.5, "items": even(1)}, {"flips": [0.5, 0.3, 0.2], "items": [{"id": "b"}, {"id": "c"}]})
    figures = [promise_of_crowd(two, n).epsilon for n in (10, 300, 10_000)]
    assert figures == sorted(figures, reverse=True)
    assert figures[-1] < 0.2 < figures[0] == pytest.approx(math.log(two.gamma))


def test_what_is_not_hidden_hides_in_no_crowd() -> None:
    """γ is infinite, and so is ε; where nothing is told, ε is 0."""
    one_sided = blocks({"one-sided": 0.3, "items": [{"id": "a", "harmless": "0"}]})
    nothing = Design.parse({"candor": 1, "direct": True, "blocks": [{"keep": 0, "items": even(2)}]})
    assert [promise_of_crowd(design, 10_000).epsilon for design in (one_sided, nothing)] == [math.inf, 0.0]


def test_a_record_of_a_thousand_answers_hides_in_no_crowd() -> None:
    """Its γ is beyond every float; its ε is not."""
    long = blocks({"keep": 0.5, "items": even(1100)})
    epsilon = promise_of_crowd(long, 10_000).epsilon
    assert 700 < epsilon == pytest.approx(guarantee(long, 0.05).epsilon)


@pytest.mark.parametrize(
    ("n", "delta", "sentence"),
    [
        (0, 1e-6, "respondents: 0 is not at least 1."),
        (10, 1e-12, "delta: 1e-12 is outside 1e-09 to 1."),
        (10, 1.0, "delta: 1.0 is outside 1e-09 to 1."),
    ],
)
def test_crowds_that_cannot_be_are_refused(n: int, delta: float, sentence: str) -> None:
    assert refusal_of(lambda: promise_of_crowd(FLIPS, n, delta)) == sentence
