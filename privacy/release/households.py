"""The risk of households: who finds one member has found all, 1 − Π (1 − r) over the risks r of its members."""

import numpy as np

from privacy.arrays import Floats
from privacy.release.everybody import SampleClasses, SampleFigure
from privacy.release.individual import class_risks, source_of


def household(seen: SampleClasses) -> SampleFigure:
    """Find the largest risk of a household."""
    return SampleFigure(float(_risks(seen).max()), source_of(seen))


def households(seen: SampleClasses) -> SampleFigure:
    """Compute the share of rows that are expected to be found by themselves or by another of their household."""
    return SampleFigure(float(_risks(seen)[seen.everybody.households].mean()), source_of(seen))


def _risks(seen: SampleClasses) -> Floats:
    assert seen.everybody.households is not None  # the figures are not there without
    with np.errstate(divide="ignore"):  # who is surely found
        safe = np.log1p(-np.minimum(class_risks(seen), 1.0))[seen.member]
    return np.asarray(-np.expm1(np.bincount(seen.everybody.households, weights=safe)))
