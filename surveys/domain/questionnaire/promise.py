"""The sentences of a promise and its figures, in the reader's language, rounded so as never to promise too much.

A promise is about people: what a design says of nobody is left out, so each function takes `source`, too, the document
or the definition.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any

from django.utils.translation import gettext as _

from privacy.design import Design
from privacy.design.brief import MOST_ITEMS
from privacy.guarantee import (
    Gamma,
    Guarantee,
    epsilon,
    explain,
    guarantee,
    posterior_bound,
    round_up,
    sentence_in_chances,
)
from privacy.plan.standard_errors import errors_of_design
from surveys.domain.questionnaire.compose import compose_design, gamma_limit
from surveys.domain.questionnaire.document import Draft
from surveys.domain.questionnaire.expected import LONGEST, make_brief, share_of_draft
from surveys.domain.questionnaire.forecast import Forecast
from surveys.domain.questionnaire.guess import Guess, guess_of
from surveys.domain.questionnaire.minimum import Minimum
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


def gamma_in_words(gamma: Gamma) -> str:
    """γ with its ε, for experts."""
    return f"γ = {figure(gamma)}, ε = {figure(epsilon(gamma))}"


def percent(share: Fraction) -> str:
    """Whole percent, rounded up so that it never promises too much."""
    return str(math.ceil(share * 100))


@dataclass(frozen=True)
class Scope:
    """What one block promises, or the whole record."""

    name: str
    design: Design
    respondents: int
    guess: Guess

    @cached_property
    def guarantee(self) -> Guarantee:
        return guarantee(self.design, PRIOR)

    @property
    def items_per_person(self) -> int:
        return sum(block.items_per_person for block in self.design.blocks)

    @property
    def standard_errors(self) -> tuple[float, ...]:
        """Those expected of supports of length 1, 2 and 3; empty if no item has options, or too many."""
        blocks = tuple(block for block in self.design.blocks if block.distribution is None)
        if not 0 < sum(len(block.items) for block in blocks) <= MOST_ITEMS:
            return ()
        brief = make_brief(blocks, self.respondents, LONGEST, self.guess)
        return errors_of_design(Design(blocks, self.design.direct), brief).expected


@dataclass(frozen=True)
class Protection(Forecast):
    """What a questionnaire promises, and its forecast."""

    source: Mapping[str, Any] = field(default_factory=dict)  # the draft or the definition

    @cached_property
    def whole(self) -> Scope:
        return Scope("", secrets_of(self.design, self.source), self.respondents, self.guess)

    @property
    def blocks(self) -> list[Scope]:
        designs = [Design((block,), self.design.direct) for block in self.design.blocks]
        names = [", ".join(item.id for item in design.items) for design in designs]
        return [Scope(name, design, self.respondents, self.guess) for name, design in zip(names, designs, strict=True)]

    @property
    def over_limit(self) -> bool:
        return odds_of_secrets(self.design, self.source) > gamma_limit()


def protection(draft: Draft, shown: Minimum) -> Protection:
    """The protection of a draft; InputError if its design is refused, or if it has none yet."""
    design, expected = compose_design(draft), draft.document["expected"]
    return Protection(design, expected, shown, share_of_draft(draft), guess_of(draft), draft.document)
