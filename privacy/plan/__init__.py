"""The advisor: given items, respondents and γ, the design with the smallest standard error, before anyone answers.

    advice = advise(Brief(yes_no(10, prevalence=0.3), respondents=10_000, gamma=Fraction(19), length=2))
    advice.recommended.design, advice.error(advice.recommended)

Errors come exactly from the algebra; nothing is simulated.
"""

from privacy.design.brief import Brief, ExpectedItem, yes_no
from privacy.plan.advice import Advice, Choice, Reach, advise, reach
from privacy.plan.frontier import Point, frontier, frontier_chart
from privacy.plan.questions import marked
from privacy.plan.standard_errors import Errors, errors_of_design

__all__ = [
    "Advice",
    "Brief",
    "Choice",
    "Errors",
    "ExpectedItem",
    "Point",
    "Reach",
    "advise",
    "errors_of_design",
    "frontier",
    "frontier_chart",
    "marked",
    "reach",
    "yes_no",
]
