"""The kinds of l-diversity: which classes of a table have sensitive values that are different enough.

Machanavajjhala and others (2007).
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from privacy.arrays import Bools
from privacy.design.rationals import fraction
from privacy.errors import to_translate
from privacy.release.classes import NEAR, Classes


def _distinct(classes: Classes, least: float, c: float | None) -> Bools:
    """Whether each class has at least this many different values."""
    del c
    return np.asarray(classes.distinct >= least)


def _entropy(classes: Classes, least: float, c: float | None) -> Bools:
    """Whether the entropy of each class is at least the logarithm of the least number."""
    del c
    share = classes.count / classes.sizes[classes.owner]
    return np.asarray(classes.sums(-share * np.log(share)) >= np.log(least) - NEAR)


def _recursive(classes: Classes, least: float, c: float | None) -> Bools:
    """Whether r₁ < c·(r_l + … + r_m), l the least, with the counts of each class r₁ ≥ r₂ ≥ … ≥ r_m."""
    tail = classes.sizes - sum(classes.frequent(place) for place in range(int(least) - 1))
    assert c is not None
    written = fraction(c)  # the number that was written: 55 < 1.1 · 50 is false, and true of binary doubles
    return np.asarray(classes.frequent(0) * written.denominator < written.numerator * tail)


@dataclass(frozen=True)
class DiversityMeasure:
    """One kind of l-diversity: which classes fulfil it for an l and perhaps a c, and what it asks in one sentence."""

    holds: Callable[[Classes, float, float | None], Bools]
    label: str
    about: str


DIVERSITIES = {
    "distinct": DiversityMeasure(
        _distinct,
        to_translate("different answers (distinct)"),
        to_translate("At least l different answers in each group."),
    ),
    "entropy": DiversityMeasure(
        _entropy,
        to_translate("evenly spread answers (entropy)"),
        to_translate("At least l different answers, about as even as l equally common ones."),
    ),
    "recursive": DiversityMeasure(
        _recursive,
        to_translate("no answer too common (recursive)"),
        to_translate("The most common answer is rarer than c times the l-th most common and all rarer ones together."),
    ),
}
