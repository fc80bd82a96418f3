"""Regression on disguised answers: one explained by others, through the channel of each block."""

from privacy.regress.regress import regress
from privacy.regress.regression import ChanceRatio, Coefficient, Regression, regression_of
from privacy.regress.respondents import Respondents, read_model
