"""Figures on the pages of mining are written as everywhere else."""

import math

import pytest

from mining.templatetags.figures import with_sign


@pytest.mark.parametrize(
    ("change", "written"),
    [(0.012, "+1.2"), (-0.012, "−1.2"), (1e-17, "0.0"), (-0.0004, "0.0"), (math.inf, "∞"), (math.nan, "–")],
)
def test_a_change_that_rounds_to_nothing_has_no_sign(change: float, written: str) -> None:
    """On which side of 0 it lies the sum of floats chose."""
    assert with_sign(change) == written
