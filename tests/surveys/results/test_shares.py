"""Which counts may be reported, and the shares that are reconstructed: against the algebra of one coin."""

import numpy as np
import pytest
from hypothesis import given, strategies as st

from privacy.design import Design
from privacy.design.patterns import Pattern
from privacy.reconstruct import reconstruct
from privacy.records import Records
from surveys.domain.responses import gate
from surveys.percent import BiasedShare, Share
from surveys.shares import difference, estimate_shares, many_enough, merge_counts, share_of_count
from tests.mining.designs import KINDS, design_of, records_of

COUNTS = st.lists(st.integers(0, 400), min_size=1, max_size=8)
YES = Pattern(((0, frozenset([1])),))


@given(COUNTS, st.integers(1, 200))
def test_what_is_not_told_is_nothing_or_as_many_as_the_minimum(counts: list[int], least: int) -> None:
    """No subtraction from the total finds a number of people between 0 and the minimum."""
    shown = many_enough(counts, least)
    hidden = [count for count, tell in zip(counts, shown, strict=True) if not tell]
    assert all(count >= least for count, tell in zip(counts, shown, strict=True) if tell)
    assert shown.all() or not shown.any() or sum(hidden) >= least


def test_an_answer_of_few_looks_like_one_that_nobody_gave() -> None:
    """Which of the two it is changes nothing of what is told."""
    assert many_enough([500, 300, 7], 100).tolist() == many_enough([500, 300, 0], 100).tolist() == [True, False, False]


@given(COUNTS, st.integers(1, 200))
def test_ranges_hold_everybody_and_each_as_many_as_the_minimum(counts: list[int], least: int) -> None:
    """Neighbours are joined; where all together are too few there is no range."""
    ranges = merge_counts(counts, least)
    sums = [sum(counts[start:stop]) for start, stop in ranges]
    assert all(count >= least for count in sums)
    assert sum(sums) == (sum(counts) if sum(counts) >= least else 0)


def make_records(disguised: tuple[int, int], direct: tuple[int, int]) -> Records:
    """So many records that say no and yes, of the disguised and of the direct group."""
    design = Design.parse({"model": "warner", "theta": 0.75, "items": ["drugs"], "direct": True})
    codes = np.repeat([0, 1, 0, 1], [*disguised, *direct]).astype(np.uint8)[:, np.newaxis]
    return Records(design, codes, np.repeat([False, True], [sum(disguised), sum(direct)]))


def test_both_groups_stand_side_by_side_with_their_difference() -> None:
    """The disguised share is (x − ¼)·2, the direct one is counted, and the difference has the error of both."""
    (estimate,) = estimate_shares(make_records((600, 400), (300, 100)), [YES], 100)
    assert estimate.direct is not None
    assert estimate.disguised is not None
    assert estimate.difference is not None
    assert estimate.direct.value == 0.25
    assert estimate.disguised.value == pytest.approx(0.3)
    assert estimate.difference.value == pytest.approx(-0.05)
    variance = 0.25 * 0.75 / 400 + 0.4 * 0.6 / 1000 * 4
    assert estimate.difference.se == pytest.approx(variance**0.5)
    assert estimate.difference.low < -0.05 < estimate.difference.high


def test_a_rare_direct_answer_is_not_what_the_others_leave() -> None:
    """Of 150, 149 and one who said c openly, b goes with c: else a and b would show what is left, one person."""
    item = {"id": "age", "options": [*"abc"], "noise": [0.25, 0.25, 0.5]}
    design = Design.parse({"direct": True, "blocks": [{"keep": 0.5, "items": [item]}]})
    codes = np.repeat([0, 1, 2, 0, 1, 2], [400, 300, 300, 150, 149, 1]).astype(design.code_type)[:, np.newaxis]
    patterns = [Pattern(((0, frozenset({option})),)) for option in range(3)]
    shares = estimate_shares(Records(design, codes, np.arange(1300) >= 1000), patterns, 100)
    assert [one.direct is not None for one in shares] == [True, False, False]
    assert all(one.all is not None for one in shares)


def test_the_share_of_all_is_that_of_the_stratified_estimator() -> None:
    """It is what `candor reconstruct` says of the same records."""
    records = make_records((600, 400), (300, 100))
    (estimate,) = estimate_shares(records, [YES], 100)
    figures = reconstruct(records, ["drugs"]).patterns[0]
    assert estimate.all is not None
    assert (estimate.all.value, estimate.all.se, (estimate.all.low, estimate.all.high)) == (
        figures.support,
        figures.se,
        figures.ci,
    )


def test_a_small_direct_group_enters_no_figure() -> None:
    """All figures are those of the disguised alone."""
    (with_few,) = estimate_shares(make_records((600, 400), (0, 99)), [YES], 100)
    (without,) = estimate_shares(make_records((600, 400), (0, 0)), [YES], 100)
    assert with_few == without


@pytest.mark.parametrize("kind", KINDS)
def test_direct_answers_that_are_all_alike_enter_no_figure(kind: str) -> None:
    """Of a question to which all but two of them gave one answer figures are as if they had not come; of others not."""
    design = design_of(kind)
    codes, direct = records_of(design)
    codes[direct & (codes[:, 0] != design.not_asked), 0] = 0
    codes[np.flatnonzero(direct & (codes[:, 0] == 0))[:2], 0] = 1
    records = Records(design, codes, direct)
    first, second = (Pattern(((column, frozenset([1])),)) for column in (0, 1))

    told = estimate_shares(gate.alone(records, 100), [first, second], 100)

    disguised = Records(design, codes[~direct], direct[~direct])
    assert told == [*estimate_shares(disguised, [first], 100), *estimate_shares(records, [second], 100)]
    assert told[0] != estimate_shares(records, [first], 100)[0]


def test_a_rare_answer_of_the_direct_group_is_not_told_apart() -> None:
    """Direct answers are true: fewer than the minimum said yes, so the groups are not shown one by one."""
    (estimate,) = estimate_shares(make_records((600, 400), (300, 99)), [YES], 100)
    assert estimate.all is not None
    assert (estimate.direct, estimate.disguised, estimate.difference) == (None, None, None)


def test_nothing_is_told_of_fewer_people_than_the_minimum() -> None:
    """99 disguised answers are no figure."""
    (estimate,) = estimate_shares(make_records((60, 39), (0, 0)), [YES], 100)
    assert (estimate.n, estimate.all) == (0, None)


def test_what_a_cap_can_do_in_both_of_two_shares_adds_up() -> None:
    """It lies to one side, and is no chance: errors alone are put together as those of two groups of people."""
    first, second = BiasedShare(0.2, 0.01, 0.1804, 0.2596), BiasedShare(0.3, 0.02, 0.2608, 0.3992)

    apart = difference(second, first)

    chance = 1.96 * float(np.hypot(0.01, 0.02))
    assert (apart.low, apart.high) == pytest.approx((0.1 - chance - 0.04, 0.1 + chance + 0.06), abs=1e-4)


def test_a_difference_is_symmetric() -> None:
    """The other way round it has the other sign and the same error."""
    first, second = share_of_count(40, 200), share_of_count(90, 300)
    there, back = difference(first, second), difference(second, first)
    assert there == Share(-back.value, back.se, pytest.approx(-back.high), pytest.approx(-back.low))
