"""Mean and median of undisguised numbers, from what is shown of them: how many gave each answer, or one of a range.

Nothing else enters them, so they tell of nobody what the bars do not. Where some answers are too rare to be named, or
numbers lie in ranges, mean and median lie between two ends: that everybody gave the least or the largest of theirs.

The first and the last range reach the ends of the question. So where these are far from what people say, the middle
between both ends of the mean is no estimate of it, and it is not given (docs/decisions/0074-when-a-mean-is-shown.md).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from privacy.estimate.intervals import standard_errors
from surveys.displays import Middle
from surveys.shares import LEVEL

_USUAL = 0.9  # of people: how far these lie apart says how exactly a mean has to be known
_NARROW = 0.25  # of that


@dataclass(frozen=True)
class AnswerRanges:
    """So many people, each with an answer from `low` to `high`; of one answer both are the same."""

    low: float
    high: float
    count: int


def middle(groups: Sequence[AnswerRanges], ends: tuple[float, float]) -> Middle:
    """The mean with its interval, and the median, of answers between these ends.

    The interval is Student's with one more answer at each end, as Agresti and Coull (1998) count for a share: a few who
    might answer far from the others are seldom in a sample, and without them the interval would be too narrow. Where
    the mean is not known exactly it has the largest variance that the groups allow.

    The mean is given where the groups leave less than a quarter open of what nine of ten people are apart at least.
    """
    lows, highs, counts = (np.array([getattr(one, name) for one in groups], float) for name in ("low", "high", "count"))
    n = float(counts.sum())
    medians = _quantile(lows, counts, 0.5), _quantile(highs, counts, 0.5)
    if not np.isfinite(ends).all():
        return Middle(None, -np.inf, np.inf, *medians, False, *ends)
    least, most = float(lows @ counts / n), float(highs @ counts / n)
    apart = _quantile(lows, counts, (1 + _USUAL) / 2) - _quantile(highs, counts, (1 - _USUAL) / 2)
    with_ends = n + 2
    below, above = ((one * n + sum(ends)) / with_ends for one in (least, most))
    about = (below + above) / 2
    spread = np.maximum((lows - about) ** 2, (highs - about) ** 2)  # about any point it is no less than the variance
    squares = float(spread @ counts) + sum((end - about) ** 2 for end in ends)
    reach = standard_errors(LEVEL, n + 1) * float(np.sqrt(squares / with_ends / (n + 1)))
    return Middle(
        (least + most) / 2 if most - least <= _NARROW * max(apart, 0.0) else None,
        max(min(below - reach, least), ends[0]),
        min(max(above + reach, most), ends[1]),
        *medians,
        least == most,
        *ends,
    )


def _quantile(values: np.ndarray, counts: np.ndarray, share: float) -> float:
    """The value below which this share of people lies, of values that occur `counts` times; between two, their mean."""
    order = np.argsort(values)
    ends, place = np.cumsum(counts[order]), share * counts.sum()
    places = np.searchsorted(ends, [np.ceil(place) - 1, min(np.floor(place), ends[-1] - 1)], side="right")
    return float(values[order][places].mean())
