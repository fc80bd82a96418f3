"""The advisor: given items, respondents and γ, the design with the smallest standard error, before anyone answers.

    advice = best_designs(Brief(yes_no(10, prevalence=0.3), respondents=10_000, gamma=Fraction(19), length=2))
    advice.recommended.design, advice.error(advice.recommended)

Errors come exactly from the algebra; nothing is simulated. `candor.advise` is `privacy.plan.request.advise`.
"""

from privacy.design.brief import Brief, ExpectedItem, yes_no
from privacy.plan.advice import Advice, best_designs
from privacy.plan.standard_errors import errors_of_design
