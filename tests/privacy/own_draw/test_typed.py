"""Answers typed from paper with errors: every figure reckons with the channel of the draw and then that of entry."""

import math
from dataclasses import replace
from fractions import Fraction
from itertools import product
from statistics import NormalDist
from typing import Any

import numpy as np
import pytest

import candor
from privacy.design import Block, Design
from privacy.design.blocks import matrix
from privacy.errors import InputError
from privacy.estimate.sampling import Sampling
from privacy.own_draw.typed import EntryErrors
from privacy.reconstruct.shares_and_rules import figure
from tests.privacy.own_draw.people import BLOCKS, DIE, block

UNEVEN = "unrelated, two"  # noise that leans to one side in a group: neither a coin nor flips have its channel
ONE = block("crosswise", "die", [(DIE[5:], "fact"), (DIE[:5], "not")], "a", delta=0)
GROUP = block(
    "unrelated",
    "die",
    [(DIE[:3], "truth"), (DIE[3:], "other")],
    "bc",
    other=[{"source": "die", "of": DIE[:3], "delta": 0.01}],
    delta=0,
)
PEOPLE = np.array([[0, 0, 0]] * 13 + [[1, 1, 1]] * 2 + [[0, 1, 0]] * 3 + [[1, 0, 0], [0, 0, 1]], np.uint8)


def of(own: dict[str, Any], errors: EntryErrors) -> Block:
    return Design.parse({"blocks": [own]}).with_errors(errors).blocks[0]


@pytest.mark.parametrize("name", sorted(BLOCKS.keys() - {UNEVEN}))
def test_the_channel_of_entry_follows_that_of_the_draw(name: str) -> None:
    """Of each design, by enumeration of what is pressed and then typed; what is inverted is the same to 2^-30."""
    errors = EntryErrors(400, 20, Fraction(1, 2))
    drawn, typed = Design.parse({"blocks": [BLOCKS[name]]}).blocks[0], of(BLOCKS[name], errors)
    records = list(product((0, 1), repeat=drawn.items_per_person))
    entry = [
        [math.prod(errors.mean if a != b else 1 - errors.mean for a, b in zip(p, s, strict=True)) for s in records]
        for p in records
    ]
    expected = np.array(matrix(drawn), float) @ np.array(entry)

    assert np.array(matrix(typed), float) == pytest.approx(expected)
    assert np.array(matrix(typed.whole), float) == pytest.approx(expected, abs=2**-30)
    assert (typed.gamma, typed.draw) == (drawn.gamma, drawn.draw)


def test_noise_that_leans_in_a_group_is_exact_for_each_answer() -> None:
    """The chance of a record 1 of either answer, whatever the other is: what is inverted has that of the whole way."""
    typed = of(BLOCKS[UNEVEN], EntryErrors(400, 20))
    exact, inverted = (np.array(matrix(one), float).reshape(2, 2, 2, 2) for one in (typed, typed.whole))

    assert inverted.sum(axis=3) == pytest.approx(exact.sum(axis=3), abs=2**-30)
    assert inverted.sum(axis=2) == pytest.approx(exact.sum(axis=2), abs=2**-30)


def test_a_design_with_errors_is_read_as_it_was_written() -> None:
    """In both notations, so that who downloads records corrects them, too."""
    design = Design.parse({"blocks": [ONE, GROUP]}).with_errors(EntryErrors(400, 20, Fraction(1, 3)))

    assert Design.parse(design.to_json()) == design
    assert Design.parse(design.canonical()) == design


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ({"compared": 100, "differing": 50, "share": [1, 1]}, "half of the answers"),
        ({"compared": 2, "differing": 3, "share": [1, 1]}, "3 of 2 answers"),
        ({"compared": 100, "differing": 5, "share": [0, 1]}, "0 is no share"),
        ({"compared": 100, "differing": 5, "share": 0.5}, "no fraction of two whole numbers"),
    ],
)
def test_errors_that_cannot_be_are_refused(typed: dict[str, Any], sentence: str) -> None:
    """In a sentence that names them."""
    with pytest.raises(InputError, match=sentence):
        Design.parse({"blocks": [ONE | {"typed": typed}]})


def test_a_device_types_nothing() -> None:
    """The key is one of people's draws."""
    own = {"keep": 0.5, "items": [{"id": "a", "theta": 0.5}], "typed": {"compared": 9, "differing": 1, "share": [1, 1]}}
    with pytest.raises(InputError, match="only what people draw themselves is typed"):
        Design.parse({"blocks": [own]})


@pytest.mark.parametrize(
    ("own", "yes"), [(ONE, [True]), (ONE, [False]), (BLOCKS["triangular"], [True]), (GROUP, [True])]
)
def test_a_share_moves_with_the_error_of_entry_as_its_derivative_says(own: dict[str, Any], yes: list[bool]) -> None:
    """Against a small step: the same records, read with a larger error."""
    errors, step, share = EntryErrors(40_000, 800), 1e-6, 0.2
    first = of(own, errors)
    here, no = range(first.items_per_person), [0] * (first.items_per_person - 1)

    def line(error: float) -> tuple[float, float]:
        lines = []
        for truth in (0, 1):
            pressed = sum(
                first.inside.chance(here, [truth, *no], [1, *rest])  # type: ignore[attr-defined]
                for rest in product((0, 1), repeat=len(no))
            )
            ones = error + (1 - 2 * error) * float(pressed)
            lines.append(ones if yes[0] else 1 - ones)
        at_no, at_yes = lines if yes[0] else lines[::-1]
        return at_no, at_yes - at_no

    (c, d), (c1, d1) = line(errors.mean), line(errors.mean + step)
    moved = ((c + d * share - c1) / d1 - share) / step

    assert abs(first.doubt(yes, share, 1.0)) / errors.doubt == pytest.approx(abs(moved), rel=1e-3)


def typed_survey(chance: np.random.Generator, n: int, error: float) -> candor.Records:
    """People who follow their draws; half of their sheets come on paper, of which a tenth is entered twice."""
    truth = PEOPLE[chance.integers(len(PEOPLE), size=n)]
    one = np.where(chance.random(n) < 5 / 6, truth[:, 0], 1 - truth[:, 0])
    true = chance.random(n) < 0.5
    group = np.where(true[:, None], truth[:, 1:], chance.integers(2, size=(n, 2)))
    pressed = np.column_stack([one, group]).astype(np.uint8)
    typed = np.arange(n) % 2 == 0
    entered = pressed ^ (typed[:, None] & (chance.random((n, 3)) < error))
    compared = 3 * max(n // 20, 20)
    differing = int(chance.binomial(compared, 2 * error * (1 - error)))
    errors = EntryErrors(compared, differing, Fraction(int(typed.sum()), n))
    design = Design.parse({"blocks": [ONE, GROUP]}).with_errors(errors)
    return candor.Records(design, entered.astype(np.uint8), np.zeros(n, bool))


@pytest.mark.parametrize(
    ("n", "error", "surveys"),
    [(300, 0.03, 6), *(pytest.param(n, e, 150, marks=pytest.mark.long) for n in (300, 1000) for e in (0.005, 0.03))],
)
def test_intervals_hold_what_is_true(n: int, error: float, surveys: int) -> None:
    """Seed 84; a share, a pair of one draw, a pair of two and a rule: .95 less 4.5 standard errors of simulation."""
    chance, held = np.random.default_rng(84), np.zeros(4)
    true = np.array([PEOPLE[:, 0].mean(), PEOPLE[:, 1:].all(axis=1).mean(), PEOPLE[:, :2].all(axis=1).mean()])
    confidence = PEOPLE[:, 1:].all(axis=1).sum() / PEOPLE[:, 1].sum()
    for _ in range(surveys):
        records = typed_survey(chance, n, error)
        found = candor.reconstruct(records, ["a", "b,c", "a,b"]).patterns
        held[:3] += [one.ci[0] <= own <= one.ci[1] for one, own in zip(found, true, strict=True) if one.ci]
        low, high = figure(records, "b => c", sampling := Sampling.simple(n)).estimate(sampling).ci
        held[3] += low <= confidence <= high

    assert (held / surveys >= 0.95 - 4.5 * math.sqrt(0.95 * 0.05 / surveys)).all(), held / surveys


def test_regressions_and_mining_read_the_same_channel() -> None:
    """Seed 85; the mean of a regression and a support are the reconstructed share; intervals reach farther."""
    records = typed_survey(np.random.default_rng(85), 300, 0.03)
    errors = records.design.blocks[0].errors  # type: ignore[attr-defined]
    exact = replace(errors, compared=10**9 * errors.compared, differing=10**9 * errors.differing)
    known = replace(records, design=Design.parse({"blocks": [ONE, GROUP]}).with_errors(exact))
    (share,) = candor.reconstruct(records, ["a"]).patterns
    mined = candor.mine(records, min_support=0.05).itemsets.set_index("itemset")
    fits = [
        candor.regress(replace(own, open_columns={"x": np.arange(300) % 3}), "a", "x", family="linear")
        for own in (records, known)
    ]
    spans = [[one.ci[1] - one.ci[0] for one in own.coefficients] for own in fits]

    assert mined.support["a"] == pytest.approx(share.support)
    assert fits[0].coefficients[0].estimate + fits[0].coefficients[1].estimate == pytest.approx(share.support)
    assert spans[0][0] > spans[1][0]


def test_the_error_of_entry_counts_by_the_level_of_the_interval() -> None:
    """Seed 86; what it adds grows as the normal's reach: squares of ends of shares, ends of coefficients; p stays."""
    records = typed_survey(np.random.default_rng(86), 300, 0.03)
    errors = records.design.blocks[0].errors  # type: ignore[attr-defined]
    exact = replace(errors, compared=10**9 * errors.compared, differing=10**9 * errors.differing)
    known = Design.parse({"blocks": [ONE, GROUP]}).with_errors(exact)
    both = [replace(own, open_columns={"x": np.arange(300) % 3}) for own in (records, replace(records, design=known))]

    def added(level: float) -> tuple[list[float], float]:
        shares = [candor.reconstruct(own, ["a"], level=level).patterns[0] for own in both]
        far, near = ((one.ci[1] - one.support) ** 2 for one in shares if one.ci)
        one, other = (candor.regress(own, "a", "x", family="linear", level=level).coefficients[0] for own in both)
        return [math.sqrt(far - near), other.ci[0] - one.ci[0]], one.p

    (usual, p), (wider, p_beside) = added(0.95), added(0.99)
    farther = NormalDist().inv_cdf(0.995) / NormalDist().inv_cdf(0.975)
    assert wider == pytest.approx([farther * one for one in usual], rel=0.05)
    assert p_beside == p
