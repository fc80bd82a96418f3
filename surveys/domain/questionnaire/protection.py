"""What a questionnaire promises its respondents, as a whole and block by block, and how precise its results will be."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from privacy.design import Design
from privacy.design.brief import MOST_ITEMS
from privacy.guarantee import Guarantee, guarantee
from privacy.guarantee.forged import Forged, effects_of_forgery
from privacy.plan.standard_errors import errors_of_design
from surveys.domain.questionnaire.compose import compose_design, gamma_limit
from surveys.domain.questionnaire.directly import share_of_draft
from surveys.domain.questionnaire.document import Draft
from surveys.domain.questionnaire.expected import LONGEST, make_brief
from surveys.domain.questionnaire.forecast import Forecast
from surveys.domain.questionnaire.guess import Guess, guess_of
from surveys.domain.questionnaire.minimum import Minimum
from surveys.domain.questionnaire.promise import PRIOR
from surveys.features import odds_of_secrets, secrets_of


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
        return [Scope(name, one, self.respondents, self.guess) for name, one in zip(names, designs, strict=True)]

    @property
    def over_limit(self) -> bool:
        return odds_of_secrets(self.design, self.source) > gamma_limit()

    @property
    def forgery_effects(self) -> list[Forged]:
        """How far one forged response moves figures of one answer, two and three, where reports count all answers."""
        return effects_of_forgery(self.design, self.together)


def protection(draft: Draft, shown: Minimum) -> Protection:
    """The protection of a draft; InputError if its design is refused, or if it has none yet."""
    design, expected = compose_design(draft), draft.document["expected"]
    return Protection(design, expected, shown, share_of_draft(draft), guess_of(draft), draft.document)
