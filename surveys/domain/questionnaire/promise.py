"""The sentences of a promise and its figures, in the reader's language, rounded so as never to promise too much.

A promise is about people: what a design says of nobody is left out, so each function takes `source`, too, the document
or the definition.
"""

import math
from fractions import Fraction

from django.utils.translation import gettext as _

from privacy.design import Design
from privacy.guarantee import Gamma, explain, posterior_bound, round_up, sentence_in_chances
from surveys.features import odds_of_secrets, secrets_of
from surveys.features.feature import Source

PRIOR = Fraction(1, 20)


def sentences(design: Design, source: Source) -> list[str]:
    """The sentences that respondents read first: what happens to one answer, and what all together can reveal."""
    return [one.as_text(_) for one in explain(secrets_of(design, source))]


def promise_in_chances(design: Design, source: Source) -> str:
    """The promise in chances, as respondents read it in a fold."""
    secrets = secrets_of(design, source)
    if secrets.odds == math.inf:
        return _("A disguised record can give the true answers away: there is no protection.")
    return _(sentence_in_chances(secrets)).format(prior=percent(PRIOR), posterior=sure_at_most(design, source))


def sure_at_most(design: Design, source: Source) -> str:
    """How sure somebody may become by the answers to this design, in percent, who was as sure as the prior before."""
    return percent(posterior_bound(PRIOR, odds_of_secrets(design, source)))


def promise_in_numbers(design: Design, source: Source) -> str:
    """The promise as a belief before and after, at most; empty where there is none."""
    if odds_of_secrets(design, source) == math.inf:
        return ""
    values = {"prior": percent(PRIOR), "posterior": sure_at_most(design, source)}
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
