"""Intervals, by hand."""

import numpy as np
import pytest
from scipy.stats import binom

from privacy.estimate.intervals import quotient, student, wilson, wilson_through_line


def test_an_interval_of_few_weights_is_the_one_of_textbooks() -> None:
    """Of −1, 0, 1, 2 and 3 the mean is 1, s² = 10/4, and at 95 % t of four degrees is 2.776445: 1 ± t·√(s²/5)."""
    weights = np.array([-1.0, 0.0, 1.0, 2.0, 3.0])

    low, high = student(weights.mean(), weights.var() / 5, np.array(5.0), 0.95)

    half = 2.7764451051977987 * np.sqrt(10 / 4 / 5)
    assert (float(low), float(high)) == pytest.approx((1 - half, 1 + half), rel=1e-12)


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
