"""What a questionnaire promises its respondents, as a whole and block by block, and how precise its results will be."""

from dataclasses import dataclass
from functools import cached_property

from privacy.design import Design
from privacy.design.brief import MOST_ITEMS
from privacy.guarantee import Guarantee, guarantee
from privacy.guarantee.forged import Forged, effects_of_forgery
from privacy.plan.connections import Connection
from privacy.plan.standard_errors import errors_of_design
from surveys.domain.questionnaire.compose import compose_design, gamma_limit
from surveys.domain.questionnaire.directly import share_of_draft
from surveys.domain.questionnaire.draft import Draft
from surveys.domain.questionnaire.expected import LONGEST, expect_connections, make_brief
from surveys.domain.questionnaire.guess import Guess, guess_of
from surveys.domain.questionnaire.minimum import Minimum, minimum_of_draft
from surveys.domain.questionnaire.promise import PRIOR


@dataclass(frozen=True)
class Scope:
    """What one block promises, or the whole record.

    `standard_errors` are those expected of supports of length 1, 2 and 3.
    """

    name: str
    guarantee: Guarantee
    items: int
    asked: int
    standard_errors: tuple[float, ...]


@dataclass(frozen=True)
class Protection:
    design: Design
    whole: Scope
    blocks: tuple[Scope, ...]
    respondents: int
    limit: float
    guess: Guess
    shown: Minimum
    direct_share: float

    @property
    def over_limit(self) -> bool:
        return self.whole.guarantee.odds > self.limit

    @cached_property
    def connections(self) -> tuple[Connection, ...]:
        """The chance that rules of two and of three answers are found."""
        return expect_connections(self.design, self.respondents, self.shown, self.direct_share, self.guess)

    @cached_property
    def forgery_effects(self) -> tuple[Forged, ...]:
        """How far one forged response moves figures of one answer, two and three."""
        return tuple(effects_of_forgery(self.design, self.respondents))


def protection(draft: Draft) -> Protection:
    """The protection of a draft; InputError if its design is refused, or if it has none yet."""
    return protection_of(
        compose_design(draft),
        draft.document["expected"],
        guess_of(draft),
        minimum_of_draft(draft),
        share_of_draft(draft),
    )


def protection_of(design: Design, respondents: int, guess: Guess, shown: Minimum, direct_share: float) -> Protection:
    blocks = tuple(
        _scope(", ".join(item.id for item in block.items), Design((block,), design.direct), respondents, guess)
        for block in design.blocks
    )
    return Protection(
        design, _scope("", design, respondents, guess), blocks, respondents, gamma_limit(), guess, shown, direct_share
    )


def _scope(name: str, design: Design, respondents: int, guess: Guess) -> Scope:
    """What this block, or the whole record, promises, and how precise its results will be."""
    asked = sum(block.items_per_person for block in design.blocks)
    return Scope(name, guarantee(design, PRIOR), len(design.items), asked, _standard_errors(design, respondents, guess))


def _standard_errors(design: Design, respondents: int, guess: Guess) -> tuple[float, ...]:
    """The expected standard errors; empty if no item has options, or more items than the advisor takes."""
    blocks = tuple(block for block in design.blocks if block.distribution is None)
    if not 0 < sum(len(block.items) for block in blocks) <= MOST_ITEMS:
        return ()
    return errors_of_design(Design(blocks, design.direct), make_brief(blocks, respondents, LONGEST, guess)).expected
