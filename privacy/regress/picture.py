"""The coefficients of a regression as a picture with their intervals."""

import math

from privacy.draw.forest import ForestRow, forest
from privacy.regress.regression import Regression

__all__ = ["picture_of"]

WIDTH = 560


def picture_of(regression: Regression, title: str) -> str:
    """A row for each coefficient but the intercept, of a logistic regression its factor of the odds; else nothing.

    Parameters
    ----------
    regression : Regression
        What was fitted.
    title : str
        For who does not see it.

    Returns
    -------
    str
        An ``<svg>``, or nothing.

    Examples
    --------
    >>> import numpy as np
    >>> from privacy.design import Design
    >>> from privacy.records import Records
    >>> from privacy.regress import Respondents, regress
    >>> design = Design.parse({"model": "warner", "theta": 0.75, "items": ["drugs"]})
    >>> codes = np.array([[1]] * 40 + [[0]] * 60 + [[1]] * 60 + [[0]] * 40, np.uint8)
    >>> records = Records(design, codes, np.zeros(200, bool), {"old": np.repeat([0.0, 1.0], 100)})
    >>> fitted = regress(Respondents.of_records(records), "drugs", ["old"])
    >>> "the same odds" in picture_of(fitted, "Drugs")
    True
    """
    coefficients = regression.coefficients[1:]
    logistic = regression.family == "logistic"
    shown = math.exp if logistic else float
    rows = [ForestRow(one.name, shown(one.estimate), shown(one.ci[0]), shown(one.ci[1])) for one in coefficients]
    none = (1.0, "the same odds") if logistic else (0.0, "no difference")
    return forest(title, rows, none, log=logistic, width=WIDTH) if rows else ""
