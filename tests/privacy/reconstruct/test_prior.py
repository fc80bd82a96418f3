"""Posterior shares under a named prior, compared with integrals written out, and intervals of shares."""

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from itertools import combinations, product
from math import comb, factorial, prod
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import candor
from privacy.design import Design
from privacy.errors import InputError
from privacy.reconstruct import integral, quadrature
from privacy.reconstruct.posterior import Posterior
from privacy.reconstruct.report import Figures
from privacy.records import Records
from tests.cases import first, spread

WARNER = Design.parse({"model": "warner", "theta": 0.75, "items": ["drugs"]})
COIN: dict[str, Any] = {"keep": 0.5, "items": [{"id": "a", "theta": 0.25}, {"id": "b", "theta": 0.5}]}
FLIPS = {"flips": [0.5, 0.25, 0.25], "items": [{"id": "a"}, {"id": "b"}]}
YES_OR_NO = {"id": "drugs", "theta": 0.5}
AGE = {"keep": 0.5, "items": [{"id": "age", "options": ["young", "middle", "old"], "noise": [0.25, 0.25, 0.5]}]}


def of_block(block: Mapping[str, Any], direct: bool = False) -> Design:
    return Design.parse({"candor": 1, "direct": direct, "blocks": [block]})


def records_of(design: Design, rows: Mapping[tuple[int, ...], int], direct: int = 0) -> Records:
    """Records of codes, each so often; the first ones are direct."""
    codes = np.repeat(np.array(list(rows), np.uint8), list(rows.values()), axis=0)
    return Records(design, codes, np.arange(len(codes)) < direct)


def posterior_of(records: Records, pattern: str, prior: Any, **options: Any) -> Any:
    (row,) = candor.reconstruct(records, pattern, prior=prior, **options).patterns
    return row.posterior


# ---- exact: a polynomial of shares, integrated term by term ---------------------------------------------------------


def moments(
    alpha: list[Fraction], lines: list[tuple[list[Fraction], int]], wanted: list[int]
) -> tuple[Fraction, Fraction]:
    """Mean and variance of the sum of some shares of a Dirichlet, which counts as Π (line · shares)^count says."""
    terms: dict[tuple[int, ...], Fraction] = {(0,) * len(alpha): Fraction(1)}
    for line, count in lines:
        power: dict[tuple[int, ...], Fraction] = {}
        for split in splits(count, len(alpha)):
            ways = factorial(count) // prod(map(factorial, split))
            factor = ways * prod((own**times for own, times in zip(line, split, strict=True)), start=Fraction(1))
            if factor:
                power[split] = factor
        joined: dict[tuple[int, ...], Fraction] = {}
        for (old, one), (new, other) in product(terms.items(), power.items()):
            place = tuple(map(sum, zip(old, new, strict=True)))
            joined[place] = joined.get(place, Fraction(0)) + one * other
        terms = joined
    whole = first = second = Fraction(0)
    for place, factor in terms.items():
        after = [own + times for own, times in zip(alpha, place, strict=True)]
        mass = factor * prod((rising(own, times) for own, times in zip(alpha, place, strict=True)), start=Fraction(1))
        inside, total = sum(after[cell] for cell in wanted), sum(after)
        whole += mass
        first += mass * inside / total
        second += mass * inside * (inside + 1) / (total * (total + 1))
    return first / whole, second / whole - (first / whole) ** 2


def splits(count: int, parts: int) -> Iterator[tuple[int, ...]]:
    for bars in combinations(range(count + parts - 1), parts - 1):
        ends = (-1, *bars, count + parts - 1)
        yield tuple(ends[place + 1] - ends[place] - 1 for place in range(parts))


def rising(start: Fraction, times: int) -> Fraction:
    return prod((start + step for step in range(times)), start=Fraction(1))


def coin_lines(keep: Fraction, noise: list[list[Fraction]], rows: Mapping[tuple[int, ...], int]) -> list[Any]:
    """P(record | truth) of every truth in the order of a table, for each record and how often it came; 2: not asked."""
    truths = list(product(*(range(len(own)) for own in noise)))
    lines = []
    for row, count in rows.items():
        seen = [place for place, code in enumerate(row) if code < len(noise[place])]
        drawn = prod((noise[place][row[place]] for place in seen), start=Fraction(1))
        lines.append(
            ([keep * all(truth[place] == row[place] for place in seen) + (1 - keep) * drawn for truth in truths], count)
        )
    return lines


HALF, QUARTER = Fraction(1, 2), Fraction(1, 4)
YES = [[1 - QUARTER, QUARTER], [HALF, HALF]]


def check(found: Any, exact: tuple[Fraction, Fraction]) -> None:
    mean, sd = float(exact[0]), float(exact[1]) ** 0.5
    assert (found.mean, found.sd) == (pytest.approx(mean, abs=0.02 * sd), pytest.approx(sd, rel=0.03))


@pytest.mark.parametrize(("a", "b"), [(1, 1), (1, 9), (HALF, HALF), (20, 30)])
def test_one_answer_has_the_posterior_of_a_beta(a: Fraction, b: Fraction) -> None:
    """Warner: 9 of 40 records say yes, each with the chance ¼ + π/2."""
    records = records_of(WARNER, {(1,): 9, (0,): 31})
    lines = [([QUARTER, 3 * QUARTER], 9), ([3 * QUARTER, QUARTER], 31)]

    found = posterior_of(records, "drugs", (float(a), float(b)))

    check(found, moments([Fraction(b), Fraction(a)], lines, [1]))
    assert found.prior == f"Beta({float(a):g}, {float(b):g})"


@pytest.mark.parametrize("direct", [0, 12])
def test_a_prior_of_nearly_all_or_none(direct: int) -> None:
    """Beta(1/1000, 1/1000): nearly all weight is at shares of 0 and 1, and what is between them counts."""
    design = of_block({"keep": 0.5, "items": [YES_OR_NO]}, direct=True)
    lines = [([QUARTER, 3 * QUARTER], 3), ([3 * QUARTER, QUARTER], 17)]
    rows = {(1,): direct + 3, (0,): 17}

    found = posterior_of(records_of(design, rows, direct), "drugs", 0.001, estimator="combined")

    check(found, moments([Fraction(1, 1000), direct + Fraction(1, 1000)], lines, [1]))


def test_few_disguised_people_among_many_direct_ones_with_a_sparse_prior() -> None:
    """Their part of Beta(1/10, 1/10) is one of 1/500: all of 980 direct people say yes, and 15 of 20 disguised ones."""
    design = of_block({"keep": 0.8, "items": [YES_OR_NO]}, direct=True)
    k, tenth = Fraction(98, 100), Fraction(1, 10)
    lines = [([tenth, 9 * tenth], 15), ([9 * tenth, tenth], 5)]
    mean, square = moments([(1 - k) * tenth, (1 - k) * tenth], lines, [1])
    own = (980 + k * tenth) / (980 + 2 * k * tenth)
    spread = own * (1 - own) / (981 + 2 * k * tenth)
    of_k = k * (1 - k) / (1001 + 2 * tenth)
    squares = of_k * ((mean - own) ** 2 + square + spread) + (1 - k) ** 2 * square + k**2 * spread

    found = posterior_of(records_of(design, {(1,): 995, (0,): 5}, 980), "drugs", 0.1)

    check(found, ((1 - k) * mean + k * own, squares))


@pytest.mark.long
@pytest.mark.parametrize(
    ("kind", "pattern"), first(1, [("flips", "a,!b"), ("coin", "a,!b"), ("flips", "a,b"), ("coin", "a,b")])
)
def test_pairs_under_one_coin_and_under_flips(kind: str, pattern: str) -> None:
    """A Beta of two numbers leaves the rest evenly to the other three combinations."""
    rows = {(0, 0): 6, (0, 1): 2, (1, 0): 1, (1, 1): 3}
    turned = [{0: HALF, 1: QUARTER / 2, 2: QUARTER}[bin(truth).count("1")] for truth in range(4)]
    of_flips = [([turned[truth ^ (2 * a + b)] for truth in range(4)], count) for (a, b), count in rows.items()]
    match = 3 if pattern == "a,b" else 2
    alpha = [Fraction(2) if cell == match else Fraction(1) for cell in range(4)]

    block, lines = (COIN, coin_lines(HALF, YES, rows)) if kind == "coin" else (FLIPS, of_flips)

    found = posterior_of(records_of(of_block(block), rows), pattern, (2, 3))

    check(found, moments(alpha, lines, [match]))


@pytest.mark.parametrize(("match", "rest"), first(0, [(1, 1), (HALF, Fraction(9)), (3, 7)]))
def test_three_answers_of_few_respondents(match: Fraction, rest: Fraction) -> None:
    """Eight combinations, of which seven share what a Beta leaves; 4 records under one coin."""
    rows = {(0, 0, 0): 2, (1, 0, 1): 1, (1, 1, 1): 1}
    design = of_block({"keep": 0.5, "items": [*COIN["items"], {"id": "c", "theta": 0.5}]})

    found = posterior_of(records_of(design, rows), "a,b,c", (float(match), float(rest)))

    check(found, moments([Fraction(rest) / 7] * 7 + [Fraction(match)], coin_lines(HALF, [*YES, YES[1]], rows), [7]))


@pytest.mark.parametrize(
    ("known", "least", "n"),
    first(0, spread(3, product((1 / 7, 9 / 7, 0.1, 10.0), (0.0, 0.1), (100, 1000, 10**4, 10**6, 10**7)))),
)
def test_three_answers_of_many_respondents(known: float, least: float, n: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Warner; shares far from 0, or 0 in six cells: both sets of points agree with four times as many."""
    one = np.array([[0.75, 0.25], [0.25, 0.75]])
    channel, prior = np.kron(np.kron(one, one), one), np.append(np.full(7, known), 1.0)
    truth = np.full(8, least)
    truth[[0, 7]] = 0.7 - 3 * least, 0.3 - 3 * least
    counts = np.random.default_rng(5).multinomial(n, truth @ channel).astype(float)

    runs = [integral.figures(integral.share_of_last(prior, channel, counts, run), 0.95) for run in range(2)]
    monkeypatch.setitem(integral._ROUNDS, 8, (2**13, 2**13, 2**13, 2**17))
    more = integral.figures(integral.share_of_last(prior, channel, counts, 7), 0.95)

    assert np.abs(runs[1] - runs[0]).max() <= 0.03 * more[1]
    assert np.abs(np.mean(runs, axis=0) - more).max() <= 0.03 * more[1]


@pytest.mark.long
def test_who_was_asked_a_part_counts_for_that_part() -> None:
    """Nobody was asked both answers, whose shares each tell of the pair; a third one was asked of all."""
    rows = {(0, 2): 5, (1, 2): 4, (2, 0): 1, (2, 1): 6}
    design = of_block({"keep": 0.5, "ask": 2, "items": [*COIN["items"], {"id": "c", "theta": 0.5}]})
    asked = {tuple(design.not_asked if code == 2 else code for code in (*row, 1)): own for row, own in rows.items()}

    found = posterior_of(records_of(design, asked), "a,b", 1)

    check(found, moments([Fraction(1)] * 4, coin_lines(HALF, YES, rows), [3]))
    assert found.prior == "Beta(1, 3)"


def test_options_that_no_literal_tells_apart_are_one() -> None:
    """A Dirichlet with one for each of three options: Beta(1, 2) of one of them."""
    records = records_of(of_block(AGE), {(0,): 7, (1,): 3, (2,): 4})
    drawn = HALF * QUARTER
    lines = [([HALF + drawn, drawn], 7), ([HALF - drawn, 1 - drawn], 7)]  # young and not young, by young and not young

    found = posterior_of(records, "age=young", 1.0)

    check(found, moments([Fraction(1), Fraction(2)], lines, [0]))
    assert found.prior == "Beta(1, 2)"


def test_direct_answers_count_as_they_are() -> None:
    """Both groups alike: one polynomial; stratified: the people of the prior are divided as the respondents are."""
    design = Design.parse({"direct": True, "blocks": [{"keep": 0.5, "items": [{"id": "drugs", "theta": 0.5}]}]})
    records = records_of(design, {(1,): 20, (0,): 30}, direct=12)  # twelve direct yeses
    direct = [([Fraction(0), Fraction(1)], 12)]
    disguised = [([QUARTER, 3 * QUARTER], 8), ([3 * QUARTER, QUARTER], 30)]

    together = posterior_of(records, "drugs", (2, 3), estimator="combined")
    apart = posterior_of(records, "drugs", (2, 3))

    check(together, moments([Fraction(3), Fraction(2)], direct + disguised, [1]))
    k = Fraction(12, 50)
    first, spread = moments([3 * (1 - k), 2 * (1 - k)], disguised, [1])
    second, other = moments([3 * k, 2 * k], direct, [1])
    of_k = k * (1 - k) / 56
    squares = of_k * ((first - second) ** 2 + spread + other) + (1 - k) ** 2 * spread + k**2 * other
    check(apart, ((1 - k) * first + k * second, squares))


@pytest.mark.long
@pytest.mark.parametrize("alike", [False, True])
def test_intervals_hold_the_share_of_all_as_often_as_the_prior_says(alike: bool) -> None:
    """Beta(2, 18) of the share of all: one share for both groups, or a Beta(1, 9) for each half. 120 surveys of 60
    people, half of them direct; .93 is a standard error below .95."""
    surveys, half, design = 120, 30, Design.parse({"direct": True, "blocks": [{"keep": 0.2, "items": [YES_OR_NO]}]})
    random = np.random.default_rng(7)
    shares = np.repeat(random.beta(2, 18, (surveys, 1)), 2, axis=1) if alike else random.beta(1, 9, (surveys, 2))
    direct, disguised = random.binomial(half, shares[:, 1]), random.binomial(half, 0.4 + 0.2 * shares[:, 0])
    ends: dict[tuple[int, int], tuple[float, float]] = {}
    for own, other in {*zip(direct.tolist(), disguised.tolist(), strict=True)}:
        codes = np.repeat(np.array([[1], [0], [1], [0]], np.uint8), [own, half - own, other, half - other], axis=0)
        ends[own, other] = posterior_of(Records(design, codes, np.arange(2 * half) < half), "drugs", (2, 18)).ci

    pairs = zip(direct.tolist(), disguised.tolist(), shares.mean(axis=1), strict=True)
    held = [ends[own, other][0] <= share <= ends[own, other][1] for own, other, share in pairs]

    assert np.mean(held) >= 0.93


@pytest.mark.parametrize(("a", "b"), [(1.0, 1.0), (2.0, 18.0)])
def test_ends_are_quantiles(a: float, b: float) -> None:
    """A fine grid over the share: half of what is left of the level lies beyond each end."""
    share = (np.arange(200_000) + 0.5) / 200_000
    seen = 0.25 + share / 2
    logs = (a - 1) * np.log(share) + (b - 1) * np.log1p(-share) + 40 * np.log(seen) + 60 * np.log(1 - seen)
    mass = np.cumsum(np.exp(logs - logs.max()))
    low, high = (share[np.searchsorted(mass / mass[-1], end)] for end in (0.05, 0.95))

    found = posterior_of(records_of(WARNER, {(1,): 40, (0,): 60}), "drugs", (a, b), level=0.9)

    assert found.ci == (pytest.approx(low, abs=0.003), pytest.approx(high, abs=0.003))


@pytest.mark.parametrize(("n", "a", "b"), first(1, [(10**6, 0.5, 0.5), (10**5, 200.0, 200.0)]))
def test_one_answer_of_many_respondents(n: int, a: float, b: float) -> None:
    """A grid of twelve standard deviations of the sample around its share, .3."""
    sd = (0.4 * 0.6 / n) ** 0.5 * 2
    share = 0.3 + np.linspace(-6, 6, 4001) * sd
    logs = (a - 1) * np.log(share) + (b - 1) * np.log1p(-share)
    logs += n * (0.4 * np.log(0.25 + share / 2) + 0.6 * np.log(0.75 - share / 2))
    mass = np.exp(logs - logs.max())
    mass /= mass.sum()

    found = posterior_of(records_of(WARNER, {(0,): n * 6 // 10, (1,): n * 4 // 10}), "drugs", (a, b))

    mean = mass @ share
    assert (found.mean, found.sd) == (
        pytest.approx(mean, abs=0.03 * sd),
        pytest.approx((mass @ (share - mean) ** 2) ** 0.5, rel=0.03),
    )


@pytest.mark.long
def test_two_answers_of_many_respondents() -> None:
    """With this many the prior hardly counts, and all shares are far from 0: the posterior is that of the estimate."""
    n, truth = 10**6, np.array([0.4, 0.2, 0.15, 0.25])
    channel = np.kron([[0.75, 0.25], [0.25, 0.75]], [[0.75, 0.25], [0.25, 0.75]])
    design = Design.parse({"model": "warner", "theta": 0.75, "items": ["a", "b"]})
    shares = truth @ channel
    back = np.linalg.inv(channel)[:, 3]
    sd = float(((back**2 @ shares - (back @ shares) ** 2) / n) ** 0.5)

    seen = zip(product((0, 1), repeat=2), (n * shares).round().astype(int).tolist(), strict=True)

    found = posterior_of(records_of(design, dict(seen)), "a,b", (1, 1))

    assert (found.mean, found.sd) == (pytest.approx(0.25, abs=0.03 * sd), pytest.approx(sd, rel=0.03))
    assert found.ci == (pytest.approx(0.25 - 1.96 * sd, abs=0.06 * sd), pytest.approx(0.25 + 1.96 * sd, abs=0.06 * sd))


@pytest.mark.long
@pytest.mark.parametrize("a", first(1, [1.0, 2.0]))
def test_what_nobody_was_asked_together_stays_open(a: float) -> None:
    """So many were asked one of two answers, and a third one, that both shares are known, .4 and .3: what remains of
    the prior is a density of their pair between 0 and .3, summed over the logarithm of its odds there."""
    n, first, second, b = 10**6, 0.4, 0.3, 6.0
    items = [{"id": name, "theta": 0.5} for name in ("a", "b", "c")]
    design = of_block({"keep": 0.5, "ask": 2, "items": items})
    part = 1 / (1 + np.exp(-np.linspace(-60, 60, 20_001)))
    both = second * part
    density = (first - both) * (second - both) * (1 - first - second + both)
    mass = both ** (a - 1) * density ** (b / 3 - 1) * part * (1 - part)
    mass /= mass.sum()
    mean = mass @ both

    rows = {}
    for yes in (0, 1):
        rows[yes, design.not_asked, 1] = round(n * abs(1 - yes - 0.25 - first / 2))
        rows[design.not_asked, yes, 1] = round(n * abs(1 - yes - 0.25 - second / 2))

    found = posterior_of(records_of(design, rows), "a,b", (a, b))

    sd = (mass @ (both - mean) ** 2) ** 0.5
    low, high = np.interp([0.025, 0.975], np.cumsum(mass), both)
    assert (found.mean, found.sd) == (pytest.approx(mean, abs=0.03 * sd), pytest.approx(sd, rel=0.03))
    assert found.ci == (pytest.approx(low, abs=0.05 * sd), pytest.approx(high, abs=0.05 * sd))


@pytest.mark.long
def test_two_answers_of_a_sparse_prior() -> None:
    """Warner, shares far from 0: exact heights of 200 000 draws about the estimate are weights, right to .01 sd."""
    n, truth, known = 10**5, np.array([0.8, 0.1, 0.07, 0.03]), np.array([1 / 3, 1 / 3, 1 / 3, 1.0])
    channel = np.kron([[0.75, 0.25], [0.25, 0.75]], [[0.75, 0.25], [0.25, 0.75]])
    random = np.random.default_rng(1)
    counts = random.multinomial(n, truth @ channel).astype(float)
    back, seen = np.linalg.inv(channel), counts / n
    triangle = np.linalg.cholesky((back.T @ (np.diag(seen) - np.outer(seen, seen)) @ back)[1:, 1:] / n)
    steps = 1.1 * random.standard_normal((200_000, 3))
    free = (seen @ back)[1:] + steps @ triangle.T
    shares = np.column_stack([1 - free.sum(axis=1), free])
    logs = np.log(shares @ channel) @ counts + np.log(shares) @ (known - 1) + (steps**2).sum(axis=1) / 2 / 1.21
    weights, order = np.exp(logs - logs.max()), np.argsort(shares[:, 3])
    values, weights = shares[order, 3], weights[order] / weights.sum()
    mean = weights @ values
    sd = (weights @ (values - mean) ** 2) ** 0.5

    runs = np.array([integral.figures(integral.share_of_last(known, channel, counts, run), 0.95) for run in range(2)])

    ends = np.interp([0.025, 0.975], np.cumsum(weights), values)
    assert np.abs(runs[1] - runs[0]).max() <= 0.02 * sd
    assert np.abs(runs.mean(axis=0) - [mean, sd, *ends]).max() <= 0.03 * sd


@pytest.mark.long
def test_three_answers_of_which_nobody_was_asked_more_than_two() -> None:
    """Pairs are known, and a sparse prior has a peak where either end of what they leave open is: a sum along this."""
    known, shares = 0.1, np.array([0.2, 0.1, 0.05, 0.13, 0.12, 0.04, 0.16, 0.2])
    one, truths = np.array([[0.9, 0.1], [0.1, 0.9]]), list(product((0, 1), repeat=3))
    channel = np.hstack([[np.kron(one[a[i]], one[a[j]]) for a in truths] for i, j in combinations(range(3), 2)])
    counts = (shares @ channel * 10**7 / 3).round()
    even = np.array([sum(truth) % 2 == 0 for truth in truths])
    least, most = shares[even].min(), shares[~even].min()
    odds = np.linspace(-700, 700, 200_001)
    below, above = 1 / (1 + np.exp(-odds)), 1 / (1 + np.exp(odds))
    rest = np.where(even, shares - least, shares - most)[:, None]
    along = rest.clip(0) + (least + most) * np.where(even[:, None], below, above)
    heights = (known - 1) * np.log(along).sum(axis=0) + np.log(below * above)
    weights = np.exp(heights - heights.max())
    weights /= weights.sum()
    order = np.argsort(along[7])
    mean = weights @ along[7]
    sd = (weights @ (along[7] - mean) ** 2) ** 0.5

    runs = [integral.figures(integral.share_of_last(np.full(8, known), channel, counts, run), 0.95) for run in range(2)]

    ends = np.interp([0.025, 0.975], np.cumsum(weights[order]), along[7][order])
    assert np.abs(np.mean(runs, axis=0) - [mean, sd, *ends]).max() <= 0.03 * sd


def test_priors_of_some_patterns_stand_beside_these(monkeypatch: pytest.MonkeyPatch) -> None:
    """In the table, the frame and JSON; the raw figures are as without a prior."""
    monkeypatch.setitem(integral._ROUNDS, 4, (2**10, 2**12))  # what the digits are does not matter here
    records = records_of(of_block(COIN), {(0, 0): 60, (0, 1): 20, (1, 0): 10, (1, 1): 30})
    plain = candor.reconstruct(records, ["a", "a,b"])
    with_prior = candor.reconstruct(records, ["a", "a,b"], prior={"b,a": (1, 9)})

    first, second = with_prior.to_json()["patterns"]
    assert "posterior" not in first
    assert second.pop("posterior")["prior"] == "Beta(1, 9)"
    assert [first, second] == plain.to_json()["patterns"]
    assert "a,b      Beta(1, 9)" in str(with_prior)
    frame = with_prior.to_frame()
    assert frame["prior"].tolist() == [None, "Beta(1, 9)"]
    assert frame["posterior_low"][1] < frame["posterior"][1] < frame["posterior_high"][1]
    assert "prior" not in plain.to_frame()


@pytest.mark.parametrize(
    ("prior", "said"),
    [
        (0, "prior: 0 is not a number above 0"),
        ((1, 2, 3), "is not a number above 0, or two of them"),
        ((1, float("inf")), "prior: inf is not a finite number."),
        ("some", "prior"),
        ({"b": (1, 1)}, "prior: 'b' is not among the patterns."),
        ("learnt", "prior: a learnt one needs one answer of each of several items; name them as patterns."),
    ],
)
def test_what_is_no_prior_is_refused(prior: Any, said: str) -> None:
    """With the value, or with the pattern that was not asked for."""
    records = records_of(of_block(COIN), {(0, 0): 6})
    with pytest.raises(InputError, match=said):
        candor.reconstruct(records, "a", prior=prior)


def test_where_there_is_no_likelihood_a_prior_is_refused() -> None:
    """Weights, a public order, and more answers than can be integrated over."""
    names = ["a", "b", "c", "d", "e"]
    coin = candor.models.gamma_diagonal(names, gamma=19)
    with pytest.raises(InputError, match="too many for a posterior"):
        candor.reconstruct(records_of(coin, {(0,) * 5: 5}), ",".join(names), prior=1)
    with pytest.raises(InputError, match="have no likelihood"):
        candor.reconstruct(records_of(coin, {(0,) * 5: 5}), "a", prior=1, sample=candor.Sample(weights="w"))


@pytest.mark.parametrize(("a", "b"), first(2, [(1e12, 1.0), (1e-300, 1.0), (1e-5, 1e-5)]))
def test_a_prior_that_cannot_be_followed_is_refused(a: float, b: float) -> None:
    """Ten thousand records say much of a share that it makes all but impossible."""
    with pytest.raises(InputError, match=r"the posterior of 'drugs' cannot be computed with it; take a less extreme"):
        posterior_of(records_of(WARNER, {(1,): 4000, (0,): 6000}), "drugs", (a, b))


# ---- one prior of all answers, which they show together -------------------------------------------------------------


def shares_by_sums(rows: list[list[tuple[float, float, int]]], each: int = 100) -> tuple[Any, Any, Any, Any]:
    """Beta distributions on a grid over their mean and how alike people are, their weights, and means and standard
    deviations of the shares; `rows`: for each share P(record | yes), P(record | not) and how often the record came."""
    grid = (np.arange(each) + 0.5) / each
    mean, alike = np.meshgrid(grid, 1 / 1001 + (1 / 3 - 1 / 1001) * grid)
    a, b = (mean * (1 / alike - 1)).ravel(), ((1 - mean) * (1 / alike - 1)).ravel()
    logs, firsts, seconds = np.zeros(len(a)), [], []
    for records in rows:
        n = sum(count for _, _, count in records)
        ways = np.ones(1)  # of so many people of n with a yes
        for yes, none, count in records:
            one = [comb(count, many) * yes**many * none ** (count - many) for many in range(count + 1)]
            ways = np.convolve(ways, one)
        rise = [np.cumprod(np.column_stack([one / one, one[:, None] + np.arange(n + 1)]), axis=1) for one in (a, b)]
        whole = np.cumprod(np.column_stack([a / a, (a + b)[:, None] + np.arange(n + 1)]), axis=1)[:, n]
        terms = rise[0][:, : n + 1] * rise[1][:, n::-1] / whole[:, None] * ways
        inside, total = a[:, None] + np.arange(n + 1), (a + b + n)[:, None]
        height = terms.sum(axis=1)
        logs += np.log(height)
        firsts.append((terms * inside / total).sum(axis=1) / height)
        seconds.append((terms * inside * (inside + 1) / total / (total + 1)).sum(axis=1) / height)
    weights = np.exp(logs - logs.max())
    weights /= weights.sum()
    means = np.array([weights @ one for one in firsts])
    return (a, b), weights, means, np.sqrt(np.array([weights @ one for one in seconds]) - means**2)


def seen_of(names: str, yes: list[int], n: int, direct: int = 0) -> Records:
    """Each answer under a coin of its own, .5 and even noise; the first people are direct, and say no."""
    items = [{"keep": 0.5, "items": [{"id": name, "theta": 0.5}]} for name in names]
    codes = np.array([[*[0] * (n - own), *[1] * own] for own in yes], np.uint8).T
    return Records(Design.parse({"candor": 1, "direct": bool(direct), "blocks": items}), codes, np.arange(n) < direct)


def test_a_learnt_prior_is_a_sum_over_all_beta_distributions() -> None:
    """Thirty people and three answers, one of them common; ends are where the density of the sum has its tails."""
    n, yes = 30, [8, 11, 21]
    (a, b), weights, means, sds = shares_by_sums([[(0.75, 0.25, own), (0.25, 0.75, n - own)] for own in yes])

    found = [
        row.posterior for row in candor.reconstruct(seen_of("abc", yes, n), prior="learnt").patterns if row.posterior
    ]

    assert [one.mean for one in found] == [
        pytest.approx(mean, abs=0.02 * sd) for mean, sd in zip(means, sds, strict=True)
    ]
    assert [one.sd for one in found] == [pytest.approx(sd, rel=0.03) for sd in sds]
    size = 1 / (weights @ (1 / (1 + a + b))) - 1
    mean = weights @ (a / (a + b))
    assert {one.prior for one in found} == {f"Beta({size * mean:.2g}, {size * (1 - mean):.2g}), learnt"}


@pytest.mark.long
def test_ends_under_a_learnt_prior_are_quantiles() -> None:
    """Of the common one of three answers: a fine grid over its share, for each Beta distribution of a coarse one."""
    n, yes = 30, [8, 11, 18]
    seen = [[(0.75, 0.25, own), (0.25, 0.75, n - own)] for own in yes]
    (a, b), weights, _, _ = shares_by_sums(seen, 40)
    odds = np.linspace(-30, 30, 3001)
    share, rest = 1 / (1 + np.exp(-odds)), 1 / (1 + np.exp(odds))
    likely = np.exp(18 * np.log(0.25 + share / 2) + 12 * np.log(0.75 - share / 2))
    gap = odds[1] - odds[0]
    density, whole = np.zeros(len(odds)), 0.0
    for one, other, weight in zip(a, b, weights, strict=True):
        own = np.exp(one * np.log(share) + other * np.log(rest)) * likely
        ends = own[0] / one, own[-1] / other
        total = own.sum() * gap + sum(ends)
        density += weight * own * gap / total
        whole += weight * ends[0] / total
    low, high = np.interp([0.025, 0.975], whole + np.cumsum(density), share)

    found = candor.reconstruct(seen_of("abc", yes, n), prior="learnt").patterns[2].posterior

    assert found is not None
    assert found.ci == (pytest.approx(low, abs=0.005), pytest.approx(high, abs=0.005))


@pytest.mark.long
def test_direct_answers_show_a_learnt_prior_as_they_are() -> None:
    """If both groups answer alike; forty people, ten of them direct, who say no."""
    yes = [9, 12, 15, 10]
    seen = [[(0.75, 0.25, own), (0.25, 0.75, 30 - own), (0.0, 1.0, 10)] for own in yes]
    _, _, means, sds = shares_by_sums(seen)

    report = candor.reconstruct(seen_of("abcd", yes, 40, 10), prior="learnt", estimator="combined")

    found = [row.posterior for row in report.patterns if row.posterior]
    assert [one.mean for one in found] == [
        pytest.approx(mean, abs=0.02 * sd) for mean, sd in zip(means, sds, strict=True)
    ]
    assert [one.sd for one in found] == [pytest.approx(sd, rel=0.03) for sd in sds]


@pytest.mark.parametrize(
    ("patterns", "said"),
    [
        (["a,b", "c"], "prior: a learnt one is of single answers, and 'a,b' has more than one."),
        (["a", "!a"], "prior: a learnt one needs one answer of each of several items; name them as patterns."),
        (["a", "b"], "prior: a learnt one takes direct and disguised people to answer alike; say combined."),
    ],
)
def test_answers_that_show_no_prior_together_are_refused(patterns: list[str], said: str) -> None:
    """One sentence that says what to do."""
    with pytest.raises(InputError) as refused:
        candor.reconstruct(seen_of("abc", [9, 12, 15], 40, 10), patterns, prior="learnt")

    assert str(refused.value) == said


# ---- the same digits on every machine -------------------------------------------------------------------------------


def disturb(function: Callable[..., Any], random: np.random.Generator) -> Callable[..., Any]:
    """The function, with a tenth of its results moved by one unit in the last place."""

    def disturbed(*given: Any, **options: Any) -> Any:
        found = np.asarray(function(*given, **options))
        moved = np.nextafter(found, np.where(random.random(found.shape) < 0.5, -np.inf, np.inf))
        found = np.where(random.random(found.shape) < 0.1, moved, found)
        if "out" in options:
            options["out"][...] = found
        return found

    return disturbed


def disturb_all(random: np.random.Generator, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every function of the integrals that machines round otherwise."""
    own = SimpleNamespace(**vars(np))
    for name in ("exp", "log", "log1p", "sqrt", "power", "hypot", "cumsum", "arcsinh", "cosh", "sinh", "logaddexp"):
        setattr(own, name, disturb(getattr(np, name), random))
    own.linalg = SimpleNamespace(inv=disturb(np.linalg.inv, random))
    for module in (integral, quadrature):
        monkeypatch.setattr(module, "np", own)


@pytest.mark.parametrize(
    ("literals", "known", "n"),
    first(
        1,
        [
            (1, 1.0, 10**7),
            (2, 1.0, 10**7),
            (2, 0.5, 300),
            (3, 0.3, 1000),
            (3, 100.0, 10**4),
            (1, 0.01, 300),
            (1, 1e9, 300),
        ],
    ),
)
def test_one_bit_moves_no_end(literals: int, known: float, n: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """A tenth of all results one bit off, and sums in another order: a millionth of the standard deviation."""
    random = np.random.default_rng(3)
    one, channel = np.array([[0.7, 0.3], [0.3, 0.7]]), np.eye(1)
    for _ in range(literals):
        channel = np.kron(channel, one)
    cells = len(channel)
    truth = np.append(np.full(cells - 1, 0.8 / (cells - 1)), 0.2)
    counts = random.multinomial(n, truth @ channel).astype(float)
    prior, order = np.full(cells, known), random.permutation(cells)

    plain = integral.figures(integral.share_of_last(prior, channel, counts, 0), 0.95)
    disturb_all(random, monkeypatch)
    moved = integral.figures(integral.share_of_last(prior, channel[:, order], counts[order], 0), 0.95)

    assert not np.array_equal(moved, plain)  # something was disturbed
    assert np.abs(moved - plain).max() <= 1e-6 * plain[1]


def test_equal_shares_of_many_people_have_a_learnt_prior() -> None:
    """Two sets of points were .3 standard deviations apart for ten items, and the prior was refused."""
    channel, yes = np.array([[0.75, 0.25], [0.25, 0.75]]), np.random.default_rng(1).binomial(3_000, 0.4, 10)
    views = [(channel, np.array([3_000.0 - one, one])) for one in yes]

    one, other = ([integral.figures(share, 0.95) for share in integral.shares_alike(views, run)[0]] for run in range(2))

    assert max(np.abs(a - b).max() / a[1] for a, b in zip(one, other, strict=True)) < 0.01


def test_one_bit_moves_no_share_under_a_learnt_prior(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same of three answers together."""
    channel = np.array([[0.7, 0.3], [0.3, 0.7]])
    views = [(channel, np.array([150.0 - yes, yes])) for yes in (40.0, 50.0, 70.0)]

    plain = [integral.figures(one, 0.95) for one in integral.shares_alike(views, 0)[0]]
    disturb_all(np.random.default_rng(3), monkeypatch)
    moved = [integral.figures(one, 0.95) for one in integral.shares_alike(views, 0)[0]]

    assert not np.array_equal(moved, plain)
    assert [np.abs(one - other).max() <= 1e-6 * other[1] for one, other in zip(moved, plain, strict=True)] == [True] * 3


def test_digits_are_printed_as_far_as_they_are_settled() -> None:
    """Two sets of points that disagree by .003 settle one decimal, by .002 two; never more than a tenth of the sd."""
    figures = ("Beta(1, 9)", 0.1234, 0.0234, (0.0834, 0.1634))

    assert Posterior(*figures, 0.003).stable_figures == ["Beta(1, 9)", 0.1, 0.0, 0.1, 0.2]
    assert Posterior(*figures, 0.002).stable_figures == ["Beta(1, 9)", 0.12, 0.02, 0.08, 0.16]
    assert Posterior(*figures, 0.0).stable_figures == ["Beta(1, 9)", 0.123, 0.023, 0.083, 0.163]


# ---- intervals of shares --------------------------------------------------------------------------------------------


def test_intervals_of_shares_hold_the_truth_as_often_as_raw_ones() -> None:
    """Warner, 40 respondents, every number of yeses and 41 shares: within [0, 1], around the share, not empty,
    and the chance to hold the share, an exact sum, is never less."""
    made: dict[int, Figures] = {}
    for yes in range(41):
        (made[yes],) = candor.reconstruct(records_of(WARNER, {(1,): yes, (0,): 40 - yes}), "drugs").patterns
    rows = [(one.ci, one.share_ci, one.share) for one in made.values() if one.ci]

    assert len(rows) == 41
    for _, (low, high), value in rows:  # type: ignore[misc]
        assert 0 <= low <= value <= high <= 1
        assert high - low > 0.01
    for step in range(41):
        share = step / 40
        chances = [comb(40, yes) * (0.25 + share / 2) ** yes * (0.75 - share / 2) ** (40 - yes) for yes in range(41)]
        raw, cut = (
            sum(chance for chance, row in zip(chances, rows, strict=True) if row[kind][0] <= share <= row[kind][1])
            for kind in (0, 1)
        )
        assert cut >= raw - 1e-12


def test_a_share_below_0_has_the_interval_of_the_nearest_share_printed() -> None:
    """A share below 0 is printed as 0, with the interval around it; one within [0, 1] as it is, and nothing is said."""
    few = candor.reconstruct(records_of(WARNER, {(1,): 5, (0,): 95}), "drugs")
    some = candor.reconstruct(records_of(WARNER, {(1,): 50, (0,): 50}), "drugs")

    raw, (low, high) = few.patterns[0].ci, few.patterns[0].share_ci or (1.0, 0.0)
    assert raw is not None
    assert raw[1] < 0 == low
    x, reach = few.patterns[0].support or 0.0, raw[1] - (few.patterns[0].support or 0.0)
    assert (x - high) ** 2 - x**2 == pytest.approx(reach**2)  # twice the difference of log-likelihoods, times variance
    *_, figure, se, below, above = str(few).splitlines()[2].split()
    assert [figure, se, below, above] == ["0", f"{few.patterns[0].se:.6g}", "0", f"{high:.6g}"]
    assert "Estimates outside 0 to 1 are printed as the nearest share" in str(few)
    assert some.patterns[0].share_ci == some.patterns[0].ci
    assert "nearest" not in str(some)
    assert few.to_json()["patterns"][0]["support"] == few.patterns[0].support < 0
