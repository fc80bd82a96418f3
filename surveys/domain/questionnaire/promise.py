"""The sentences of a promise and its figures, in the reader's language, rounded so as never to promise too much."""

import math
from fractions import Fraction

from django.utils.translation import gettext as _

from privacy.design import Design
from privacy.guarantee import Gamma, explain, posterior_bound, round_up, sentence_in_chances

PRIOR = Fraction(1, 20)


def sentences(design: Design) -> list[str]:
    """The sentences that respondents read first: what happens to one answer, and what all together can reveal."""
    return [one.as_text(_) for one in explain(design)]


def promise_in_chances(design: Design) -> str:
    """The promise in chances, as respondents read it in a fold."""
    if design.odds == math.inf:
        return _("A disguised record can give the true answers away: there is no protection.")
    return _(sentence_in_chances(design)).format(prior=percent(PRIOR), posterior=sure_at_most(design))


def sure_at_most(design: Design) -> str:
    """How sure somebody may become by the answers to this design, in percent, who was as sure as the prior before."""
    return percent(posterior_bound(PRIOR, design.odds))


def promise_in_numbers(design: Design) -> str:
    """The promise as a belief before and after, at most; empty where there is none."""
    if design.odds == math.inf:
        return ""
    values = {"prior": percent(PRIOR), "posterior": sure_at_most(design)}
    return _("from %(prior)s %% to at most %(posterior)s %% sure") % values


def promise_scope(design: Design, with_open: bool) -> list[str]:
    """Sentences that say for which answers the promise holds, where others are stored as given; none otherwise."""
    if design.odds == math.inf:
        return []
    return [
        *([_("This holds for people who let their device disguise their answers.")] if design.direct else []),
        *([_("This holds for disguised questions; undisguised ones are stored as given.")] if with_open else []),
    ]


def figure(value: Gamma) -> str:
    """γ or ε in three digits, rounded up."""
    if value == math.inf:
        return "∞"
    rounded = round_up(value, 3)
    if not rounded:
        return "0"
    decimals = 2 - rounded.adjusted()
    return f"{rounded:.{max(decimals, 0)}f}" if decimals > -7 else f"{rounded:.2e}"


def percent(share: Fraction) -> str:
    """Whole percent, rounded up so that it never promises too much."""
    return str(math.ceil(share * 100))
