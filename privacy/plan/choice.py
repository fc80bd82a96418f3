"""A design that the advisor may recommend: a plan, rounded to what devices draw, with its exact errors."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from math import inf
from typing import Any, TypeVar

from privacy.design import Design
from privacy.design.blocks import ADVISORS
from privacy.design.brief import Brief
from privacy.design.gammas import Gamma
from privacy.design.plans import Biased, Plan
from privacy.guarantee import promise_as_json
from privacy.plan.plan import of_design, sketch_plan, to_design
from privacy.plan.search import Candidate
from privacy.plan.standard_errors import Errors, errors_of_design, errors_to_judge

Rival = TypeVar("Rival")
Guess = TypeVar("Guess")


@dataclass(frozen=True)
class DesignChoice:
    """A design that keeps the promise of a brief, with its exact errors; what nobody asks is not worked out."""

    family: str
    plan: Plan
    design: Design
    brief: Brief

    @property
    def gamma(self) -> Gamma:
        return self.design.gamma

    @cached_property
    def errors(self) -> Errors:
        return errors_of_design(self.design, in_order(self.brief, self.design))

    @cached_property
    def _errors_of_design(self) -> Errors:
        return errors_to_judge(of_design(self.design), in_order(self.brief, self.design))

    def error(self, length: int) -> float:
        """The error by which the brief judges, of patterns up to a length."""
        return self._errors_of_design.up_to(length, self.brief.has_expectations)

    @cached_property
    def biased(self) -> Biased | None:
        """What it errs by in each stated population if its figures are biased; None of others."""
        return bias_of(self.design, in_order(self.brief, self.design))

    @property
    def questions_per_person(self) -> int:
        """How many questions one person answers."""
        return sum(block.items_per_person for block in self.design.blocks)

    def to_json(self) -> dict[str, Any]:
        return {
            "family": self.family,
            "blocks": len(self.design.blocks),
            "asked": self.questions_per_person,
            **promise_as_json(self.gamma, self.design.odds),
            "expected": list(self.errors.expected),
            "worst": list(self.errors.worst),
            **({"biased": self.biased.to_json()} if self.biased else {}),
            "design": self.design.to_json(),
        }


@lru_cache(maxsize=512)
def choose(candidate: Candidate, brief: Brief) -> DesignChoice | None:
    """The choice that the plan of a candidate becomes in steps of 2^-32; None where these are too coarse."""
    sketch = sketch_plan(candidate.plan, brief.questions, float(brief.gamma))
    design = to_design(sketch, brief.questions, brief.gamma, direct=brief.direct_share > 0)
    if design is None:
        return None
    assert design.odds <= brief.gamma
    return DesignChoice(candidate.family, candidate.plan, design, brief)


def bias_of(design: Design, brief: Brief) -> Biased | None:
    """What a design errs by in each stated population if its figures are biased; None of others."""
    blocks = of_design(design)
    return blocks[0].bias_in_populations(brief) if len(blocks) == 1 else None


def in_order(brief: Brief, design: Design) -> Brief:
    """The brief with its questions in the order of the design's items."""
    places = {question.id: question for question in brief.questions}
    return replace(brief, questions=tuple(places[item.id] for item in design.items))


def choices_with_bias(brief: Brief, length: int, best: float, only_family: str | None = None) -> list[DesignChoice]:
    """Choices for patterns up to a length whose figures are biased, and that are worth it; others err by `best`."""
    choices = [
        choose(Candidate(family, plan, Errors((), ())), brief)
        for advisor in ADVISORS
        for family, plan in advisor.biased(brief, float(brief.gamma), length, best)
        if only_family in (None, family)
    ]
    return [choice for choice in choices if choice is not None]


def least_at_worst(
    rivals: Sequence[Rival], guesses: Sequence[Guess], figure: Callable[[Rival, Guess], float], most: float = inf
) -> list[Rival]:
    """The rivals whose largest figure under the guesses is the least; none is above `most`.

    Of one that is beaten under a guess no other is looked at.

    >>> least_at_worst([-2, 1, 2], [1, 3], lambda rival, guess: abs(rival) * guess)
    [1]
    """
    best, least = list[Rival](), inf
    for one in rivals:
        worst = -inf
        for guess in guesses:
            worst = max(worst, figure(one, guess))
            if worst > least or worst >= most:
                break
        if worst < least:
            best, least = [], worst
        if worst == least:
            best.append(one)
    return best
