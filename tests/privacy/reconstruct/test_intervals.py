"""Intervals, by hand."""

import numpy as np
import pytest

from privacy.reconstruct.intervals import student


def test_an_interval_of_few_weights_is_the_one_of_textbooks() -> None:
    """Of −1, 0, 1, 2 and 3 the mean is 1, s² = 10/4, and at 95 % t of four degrees is 2.776445: 1 ± t·√(s²/5)."""
    weights = np.array([-1.0, 0.0, 1.0, 2.0, 3.0])

    low, high = student(weights.mean(), weights.var() / 5, np.array(5.0), 0.95)

    half = 2.7764451051977987 * np.sqrt(10 / 4 / 5)
    assert (float(low), float(high)) == pytest.approx((1 - half, 1 + half), rel=1e-12)
