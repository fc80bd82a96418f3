"""The coefficients of a regression as a picture with their intervals."""

import math

from privacy.draw.forest import ForestRow, forest
from privacy.regress.regression import Regression

__all__ = ["picture_of"]

WIDTH = 560


def picture_of(regression: Regression, title: str) -> str:
    """A row for each coefficient but the intercept, of a logistic regression its factor of the odds; else nothing."""
    coefficients = regression.coefficients[1:]
    logistic = regression.family == "logistic"
    shown = math.exp if logistic else float
    rows = [ForestRow(one.name, shown(one.estimate), shown(one.ci[0]), shown(one.ci[1])) for one in coefficients]
    none = (1.0, "the same odds") if logistic else (0.0, "no difference")
    return forest(title, rows, none, log=logistic, width=WIDTH) if rows else ""
