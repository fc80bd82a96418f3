"""What a questionnaire as it was entered promises, whole and block by block, and how exactly it will count."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from privacy.design import Design
from privacy.design.brief import MOST_ITEMS, Brief
from privacy.design.brief import Question as Expected
from privacy.guarantee import Guarantee, guarantee
from privacy.plan.standard_errors import errors
from surveys.domain.write import Draft, compose_design, gamma_limit, items_of

PRIOR = Fraction(1, 20)
YES_EXPECTED = 0.3
LONGEST = 3


@dataclass(frozen=True)
class Part:
    """A block, or the whole record; `errors` are the expected standard errors of supports of length 1, 2, 3."""

    name: str
    guarantee: Guarantee
    items: int
    asked: int
    errors: tuple[float, ...]


@dataclass(frozen=True)
class Protection:
    whole: Part
    blocks: tuple[Part, ...]
    respondents: int
    limit: float

    @property
    def over_limit(self) -> bool:
        return self.whole.guarantee.gamma > self.limit


def protection(draft: Draft) -> Protection:
    """InputError where the draft has no design yet, or one that is refused."""
    design = compose_design(draft)
    blocks = []
    for block in draft.blocks:
        names = {item["id"] for entered in draft.inside(block) for item in items_of(entered, block)}
        own = tuple(part for part in design.blocks if part.items[0].id in names)
        if own:
            blocks.append(_part(str(block), Design(own, design.direct), draft.survey.expected))
    return Protection(_part("", design, draft.survey.expected), tuple(blocks), draft.survey.expected, gamma_limit())


def frozen(design: Design, respondents: int) -> Protection:
    """The same of a design that was published."""
    blocks = tuple(
        _part(", ".join(item.id for item in block.items), Design((block,), design.direct), respondents)
        for block in design.blocks
    )
    return Protection(_part("", design, respondents), blocks, respondents, gamma_limit())


def _part(name: str, design: Design, respondents: int) -> Part:
    most = sum(block.asked for block in design.blocks)
    return Part(name, guarantee(design, PRIOR), len(design.items), most, _errors(design, respondents))


def _errors(design: Design, respondents: int) -> tuple[float, ...]:
    """Nothing for more items than the advisor looks at."""
    expected = tuple(Expected(item.id, item.options, _shares(item.options)) for item in design.items)
    if len(expected) > MOST_ITEMS:
        return ()
    brief = Brief(expected, respondents, Fraction(2), length=min(LONGEST, len(expected)))
    return errors(design, brief).expected


def _shares(options: tuple[str, ...]) -> tuple[float, ...]:
    """Three in ten say yes; the options of a choice are equally common."""
    return (1 - YES_EXPECTED, YES_EXPECTED) if options == ("0", "1") else (1 / len(options),) * len(options)
