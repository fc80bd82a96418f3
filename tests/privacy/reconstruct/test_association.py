"""Joint tables with the covariance of their cells, and the test: exact on a small case, its size by simulation."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

import candor
from privacy.design import Design
from privacy.disguise import disguise
from privacy.errors import InputError
from privacy.reconstruct.association import JointShares, OpenAnswer, joint_table
from privacy.records import Records
from tests.cases import first, spread

WARNER = {
    "blocks": [{"model": "warner", "theta": 0.75, "items": ["a"]}, {"model": "warner", "theta": 0.75, "items": ["b"]}]
}
CELLS = list(product((0, 1), repeat=2))


def warner(counts: dict[tuple[int, int], int], direct: dict[tuple[int, int], int] | None = None) -> Records:
    """Records with so many of each pair of answers, disguised and direct."""
    rows = [cell for table in (counts, direct or {}) for cell, count in table.items() for _ in range(count)]
    disguised = sum(counts.values())
    design = Design.parse({"candor": 1, "direct": True, **WARNER})
    return Records(design, np.array(rows, np.uint8), np.arange(len(rows)) >= disguised)


def test_shares_and_errors_are_those_of_the_table() -> None:
    """Of both groups together, with and without a sampled block."""
    chance = np.random.default_rng(3)
    sampled = Design.parse(
        {
            "candor": 1,
            "direct": True,
            "blocks": [{"keep": 0.4, "ask": 2, "items": [{"id": n, "theta": 0.5} for n in "abc"]}],
        }
    )
    codes = chance.integers(0, 2, (4000, 3)).astype(np.uint8)
    codes[np.arange(4000), chance.integers(0, 3, 4000)] = sampled.not_asked
    for records in (
        warner({cell: 100 + 50 * place for place, cell in enumerate(CELLS)}, dict.fromkeys(CELLS, 30)),
        Records(sampled, codes, chance.random(4000) < 0.3),
    ):
        mine = joint_table(records, ["a", "b"])
        theirs = candor.table(records, ["a", "b"], cases="complete")
        assert mine.n == theirs.n
        np.testing.assert_allclose(mine.support, theirs.support, atol=1e-12)
        np.testing.assert_allclose(mine.se, theirs.se, atol=1e-12)


def exact_score(counts: dict[tuple[int, int], int]) -> Fraction:
    """Rao's statistic of two answers under Warner's design with θ = ¾, in fractions: one departure, one gradient.

    Its variance is that of records of independent answers with the same single shares.
    """
    n = sum(counts.values())
    kept = {True: Fraction(3, 2), False: Fraction(-1, 2)}  # the inverse of [[¾, ¼], [¼, ¾]]
    weight = {(x, y): kept[x[0] == y[0]] * kept[x[1] == y[1]] for x in CELLS for y in CELLS}
    share = {x: sum(weight[x, y] * Fraction(counts[y], n) for y in CELLS) for x in CELLS}
    first, second = share[0, 0] + share[0, 1], share[0, 0] + share[1, 0]
    departure = share[0, 0] - first * second
    slope = {x: (x == (0, 0)) - second * (x[0] == 0) - first * (x[1] == 0) for x in CELLS}
    each = {y: sum(slope[x] * weight[x, y] for x in CELLS) for y in CELLS}
    truth = {x: (1 - first if x[0] else first) * (1 - second if x[1] else second) for x in CELLS}
    sent = {True: Fraction(3, 4), False: Fraction(1, 4)}
    record = {y: sum(truth[x] * sent[x[0] == y[0]] * sent[x[1] == y[1]] for x in CELLS) for y in CELLS}
    mean = sum(each[y] * record[y] for y in CELLS)
    variance = (sum(each[y] ** 2 * record[y] for y in CELLS) - mean**2) / n
    return departure**2 / variance


@pytest.mark.parametrize("counts", [(550, 150, 150, 150), (301, 204, 190, 305), (260, 240, 250, 250)])
def test_the_statistic_is_that_of_the_algebra(counts: tuple[int, ...]) -> None:
    """To eleven digits, where everything is a fraction."""
    table = dict(zip(CELLS, counts, strict=True))
    independence = joint_table(warner(table), ["a", "b"]).independence()
    assert independence.df == 1
    assert independence.statistic == pytest.approx(float(exact_score(table)), rel=1e-11, abs=1e-11)


def test_three_answers_have_a_departure_for_every_set_of_two_or_three() -> None:
    """2 × 3 × 2 answers have 12 − 1 − (1 + 2 + 1) = 7 degrees of freedom."""
    choice = {"id": "b", "options": ["x", "y", "z"], "noise": [0.25, 0.25, 0.5]}
    items = [{"id": "a", "theta": 0.5}, choice, {"id": "c", "theta": 0.5}]
    design = Design.parse({"candor": 1, "blocks": [{"keep": 0.6, "items": items}]})
    chance = np.random.default_rng(1)
    codes = np.column_stack([chance.integers(0, size, 3000) for size in (2, 3, 2)]).astype(np.uint8)
    independence = joint_table(Records(design, codes, np.zeros(3000, bool)), ["a", "b", "c"]).independence()
    assert independence.df == 7
    assert 0 < independence.p < 1


THREE = Design.parse(
    {
        "blocks": [
            {"keep": 0.6, "items": [{"id": name, "options": ["yes", "no", "skip"], "noise": [0.4, 0.3, 0.3]}]}
            for name in "ab"
        ]
    }
)
TWO = Design.parse({"blocks": [{"keep": 0.6, "items": [{"id": name, "theta": 0.4}]} for name in "ab"]})


def test_two_answers_alone_are_tested_as_if_all_others_were_one() -> None:
    """Of three options each, read as yes or anything else: the disguise of that is a coin, too."""
    codes = np.random.default_rng(4).integers(0, 3, (2000, 2)).astype(np.uint8)
    nobody = np.zeros(2000, bool)

    alone = joint_table(Records(THREE, codes, nobody), ["a", "b"]).independence(([0], [0]))
    others = joint_table(Records(THREE, codes, nobody), ["a", "b"]).independence(([1, 2], [1, 2]))

    read = joint_table(Records(TWO, (codes == 0).astype(np.uint8), nobody), ["a", "b"]).independence()
    assert (alone.df, others.df, read.df) == (1, 1, 1)
    assert [alone.statistic, others.statistic] == pytest.approx([read.statistic] * 2, rel=1e-9)


@pytest.mark.parametrize("surveys", first(1, [20, 600]))
def test_who_skips_both_questions_does_not_make_their_answers_go_together(surveys: int) -> None:
    """One in five skips both; yes to one is as common among who says yes to the other: in 5 of 100 surveys at most,
    4.5 standard errors aside.
    """
    chance, people = np.random.default_rng(6), 400
    nobody, count = np.zeros(people, bool), 0
    for _ in range(surveys):
        skips = chance.random(people) < 0.2
        first_yes = chance.random(people) < 0.375
        second_yes = chance.random(people) < np.where(first_yes, 0.3, 0.42)  # .3 of everybody, and .3 of these
        truth = np.column_stack([np.where(skips, 2, np.where(yes, 0, 1)) for yes in (first_yes, second_yes)])
        sent = disguise(THREE, truth.astype(np.uint8), nobody)
        count += joint_table(Records(THREE, sent.codes, nobody), ["a", "b"]).independence(([0], [0])).p <= 0.05
    assert count / surveys <= 0.05 + 4.5 * (0.05 * 0.95 / surveys) ** 0.5


def simulated(chance: np.random.Generator, people: int, goes_with: float) -> tuple[Records, OpenAnswer]:
    """Drawn by hand: 30 % and 40 % yes, a coin of .5 over both, noise of ½, and an undisguised answer of three
    options.
    """
    first = chance.random(people) < 0.3
    second = chance.random(people) < 0.4 + goes_with * first
    stays = chance.random(people) < 0.5
    seen = [np.where(stays, answer, chance.random(people) < 0.5) for answer in (first, second)]
    design = Design.parse(
        {"candor": 1, "blocks": [{"keep": 0.5, "items": [{"id": "a", "theta": 0.5}, {"id": "b", "theta": 0.5}]}]}
    )
    place = chance.choice(3, people, p=(0.5, 0.3, 0.2))
    place = np.where(chance.random(people) < goes_with * first, 2, place)
    return Records(design, np.column_stack(seen).astype(np.uint8), np.zeros(people, bool)), OpenAnswer(
        "place", 3, place
    )


def rejected(surveys: int, goes_with: float, beside: bool) -> float:
    """The share of simulated surveys in which the test says that the answers go together, at .05."""
    chance = np.random.default_rng(11)
    count = 0
    for _ in range(surveys):
        records, place = simulated(chance, 3000, goes_with)
        items, also = (["a"], [place]) if beside else (["a", "b"], [])
        count += joint_table(records, items, also).independence().p <= 0.05
    return count / surveys


@pytest.mark.parametrize(("beside", "surveys"), first(1, [(True, 40), (True, 600), (False, 600)]))
def test_independent_answers_are_seldom_said_to_go_together(beside: bool, surveys: int) -> None:
    """In 5 of 100 surveys, within 4.5 standard errors of those that are simulated."""
    assert abs(rejected(surveys, 0.0, beside) - 0.05) < 4.5 * (0.05 * 0.95 / surveys) ** 0.5


def rejected_of_few(people: int, shares: Sequence[tuple[float, ...]], keep: float, one: bool, surveys: int) -> float:
    """The share of surveys of independent answers in which the test says at .05 that they go together.

    One coin over all answers, or a coin for each; noise is even.
    """
    chance = np.random.default_rng(5)
    items = [
        {"id": str(place), "options": [*"abc"[: len(own)]], "noise": [1 / len(own)] * len(own)}
        for place, own in enumerate(shares)
    ]
    blocks = [{"keep": keep, "items": own} for own in ([items] if one else [[item] for item in items])]
    design = Design.parse({"candor": 1, "blocks": blocks})
    count = 0
    for _ in range(surveys):
        stays = chance.random((people, 1 if one else len(shares))) < keep
        truth, noise = (
            np.column_stack([chance.choice(len(own), people, p=p) for own, p in zip(shares, each, strict=True)])
            for each in (shares, [None] * len(shares))
        )
        records = Records(design, np.where(stays, truth, noise).astype(np.uint8), np.zeros(people, bool))
        count += joint_table(records, [item.id for item in design.items]).independence().p <= 0.05
    return count / surveys


RARE, COMMON = (0.8, 0.15, 0.05), (0.5, 0.3, 0.2)


@pytest.mark.long
def test_rare_answers_of_few_people_are_seldom_said_to_go_together() -> None:
    """Nine cells, some expected once in 400 people, of whom 100 answer: at most .05 by 4.5 standard errors."""
    surveys = 100
    assert rejected_of_few(100, [RARE, RARE], 0.9, True, surveys) < 0.05 + 4.5 * (0.05 * 0.95 / surveys) ** 0.5


@pytest.mark.long
@pytest.mark.parametrize(
    ("shares", "keep", "one", "people"),
    spread(
        5, product(([RARE, RARE], [COMMON, COMMON], [(0.95, 0.05)] * 3), (0.3, 0.9), (True, False), (60, 130, 2000))
    ),
)
def test_the_size_of_the_test_is_that_of_its_level(
    shares: Sequence[tuple[float, ...]], keep: float, one: bool, people: int
) -> None:
    """At most .06, by 3 standard errors of 1 000 surveys."""
    surveys = 1_000
    assert rejected_of_few(people, shares, keep, one, surveys) < 0.06 + 3 * (0.06 * 0.94 / surveys) ** 0.5


@pytest.mark.parametrize("beside", first(1, [False, True]))
def test_answers_that_go_together_are_found(beside: bool) -> None:
    """A difference of 30 points is found in nearly all surveys of 3 000."""
    assert rejected(20, 0.3, beside) > 0.9


def test_an_open_answer_is_an_axis_whose_shares_are_counted() -> None:
    """Summed over the disguised answer, its shares are those of the people who gave it."""
    records, place = simulated(np.random.default_rng(2), 2000, 0.2)
    table = joint_table(records, ["a"], [place])
    np.testing.assert_allclose(table.support.sum(axis=0), np.bincount(place.codes, minlength=3) / 2000, atol=1e-12)


def test_who_gave_no_open_answer_is_left_out() -> None:
    """n counts those who answered all of it."""
    records, place = simulated(np.random.default_rng(2), 2000, 0.0)
    codes = np.where(np.arange(2000) < 500, -1, place.codes)
    assert joint_table(records, ["a"], [OpenAnswer("place", 3, codes)]).n == 1500


def test_a_linear_figure_has_the_error_of_its_cells() -> None:
    """The share of yes to the first question, from the table and alone."""
    records = warner({cell: 100 + 50 * place for place, cell in enumerate(CELLS)})
    table: JointShares = joint_table(records, ["a", "b"])
    alone = candor.table(records, ["a"])
    assert table.support[1].sum() == pytest.approx(alone.support[1])
    assert table.covariance(np.array([[0.0], [0.0], [1.0], [1.0]]))[0, 0] ** 0.5 == pytest.approx(alone.se[1])


@pytest.mark.parametrize("items", [[], ["a", "a"]])
def test_items_are_named_once(items: list[str]) -> None:
    """Each is an axis of its own."""
    with pytest.raises(InputError, match="does not name each item"):
        joint_table(warner(dict.fromkeys(CELLS, 5)), items)


def test_a_table_of_too_many_cells_is_refused() -> None:
    """The sentence says how many there are, and how many there may be."""
    records = warner(dict.fromkeys(CELLS, 5))
    with pytest.raises(InputError, match="2000 cells, more than 512"):
        joint_table(records, ["a"], [OpenAnswer("place", 1000, np.zeros(20, np.int64))])


def test_a_group_that_was_asked_nothing_of_a_pair_is_no_share_of_nobody() -> None:
    """Each direct person was asked one of the two: the shares of a table without them would sum to less than 1."""
    design = Design.parse({"direct": True, "blocks": [{"model": "warner", "theta": 0.75, "items": ["a", "b"]}]})
    nothing = design.not_asked
    codes = np.array([[0, 1], [1, 1], [1, nothing], [nothing, 0]], design.code_type)
    records = Records(design, codes, np.array([False, False, True, True]))
    with pytest.raises(InputError, match=r"^One of the two groups was asked nothing of 'a', 'b' together\.$"):
        joint_table(records, ["a", "b"])
