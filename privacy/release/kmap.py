"""k-map: how many people fit each class at least (Sweeney 2001), from a table of everybody or by a test.

Where nobody has such a table, the number F of people who fit a class with f rows is tested: k is the largest one for
which fewer than k people would show f rows or more with a chance of 5 % or less (El Emam and Dankar 2008). Rows are
drawn from the class as a binomial of F with the chance p, and classes without rows are not seen.
"""

import numpy as np

from privacy.arrays import Floats, Ints
from privacy.errors import to_translate
from privacy.release.everybody import LEVEL, TABLE, SampleClasses, SampleFigure

TEST = to_translate("test")


def k_map(seen: SampleClasses) -> SampleFigure:
    """Find the fewest people who fit a class.

    >>> from privacy.release.everybody import Everybody
    >>> k_map(SampleClasses(Everybody(size=100), [np.repeat([0, 1], [4, 6])]))
    SampleFigure(value=14.0, by='test', low=None, high=None)
    """
    if seen.people is not None:
        return SampleFigure(float(seen.people.min()), TABLE)
    return SampleFigure(float(fewest_people(seen.sizes, seen.chances).min()), TEST)


def fewest_people(rows: Ints, drawn: Floats) -> Ints:
    """Compute how many people a class with so many rows has at least, but for a chance of 5 %."""
    from scipy.special import bdtrc  # slow to import

    low, high = rows.astype(np.int64), np.ceil(rows / drawn).astype(np.int64)  # so many surely show as many rows
    while (low < high).any():
        middle = (low + high) // 2
        chance = bdtrc(rows - 1, middle, drawn) / -np.expm1(middle * np.log1p(-np.minimum(drawn, 1 - 1e-12)))
        enough = chance > 1 - LEVEL
        high, low = np.where(enough, middle, high), np.where(enough, low, np.minimum(middle + 1, high))
    return low
