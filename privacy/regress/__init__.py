"""Regression on disguised answers: one explained by others, through the channel of each block."""

from privacy.regress.models import read_model
from privacy.regress.regression import Coefficient, Likelier, Regression, regress
from privacy.regress.respondents import Respondents

__all__ = ["Coefficient", "Likelier", "Regression", "Respondents", "read_model", "regress"]
