"""The sentence of a promise and its figures, in the reader's language, rounded up so as never to promise too much."""

from __future__ import annotations

import math
from fractions import Fraction

from django.utils.translation import gettext as _

from privacy.guarantee import Gamma, Guarantee, rounded_up


def promised(guarantee: Guarantee) -> str:
    """The sentence that respondents read, with its numbers."""
    if guarantee.odds == math.inf:
        return _("A disguised record can give the true answers away: there is no protection.")
    figures = {"prior": percent(guarantee.prior), "posterior": percent(guarantee.posterior_odds)}
    if guarantee.one_sided:
        sentence = _(
            "Harmless answers are not hidden: a stored one is true. Someone who gives it %(prior)s %% that a "
            "respondent answers at least one such question otherwise cannot become more than %(posterior)s %% sure "
            "of that, whatever was sent."
        )
    else:
        sentence = _(
            "Someone who gives it %(prior)s %% that a respondent did something cannot become more than "
            "%(posterior)s %% sure, whatever was sent."
        )
    return sentence % figures


def figure(value: Gamma) -> str:
    """γ or ε in three digits, rounded up."""
    if value == math.inf:
        return "∞"
    rounded = rounded_up(value, 3)
    if not rounded:
        return "0"
    decimals = 2 - rounded.adjusted()
    return f"{rounded:.{max(decimals, 0)}f}" if decimals > -7 else f"{rounded:.2e}"


def percent(share: Fraction) -> str:
    """Whole percent, rounded up so that it never promises too much."""
    return str(math.ceil(share * 100))
