"""The coefficients of a regression as a picture with their intervals."""

import math

from privacy.draw.chart import Axis, Mark, Points, chart
from privacy.draw.labels import shortened
from privacy.regress.regression import Regression

__all__ = ["picture_of"]


def picture_of(
    regression: Regression,
    title: str,
    *,
    names: tuple[str, ...] = (),
    odds: str = "factor of the odds",
    change: str = "change of the outcome",
    none: str = "no difference",
    width: int = 560,
) -> str:
    """A row for each coefficient but the intercept; nothing where there is none. The words may be those of a page."""
    told = regression.coefficients[1:]
    if not told:
        return ""
    names = names or tuple(one.name for one in told)
    logistic = regression.family == "logistic"
    shown = math.exp if logistic else float
    return chart(
        title,
        [
            Points(
                "",
                [shown(one.estimate) for one in told],
                range(len(told)),
                left=[shown(one.ci[0]) for one in told],
                right=[shown(one.ci[1]) for one in told],
                labels=names,
            )
        ],
        Axis(odds if logistic else change, log=logistic),
        Axis(names=tuple(shortened(name, 200) for name in names)),
        marks=[Mark(none, x=1.0 if logistic else 0.0)],
        width=width,
        height=130 + 26 * len(told),
    )
