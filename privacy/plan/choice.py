"""A design that the advisor may recommend: a plan, rounded to what devices draw, with its exact errors."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from math import inf, isfinite, prod, sqrt
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
NEARLY = 1.25  # times the least worst figure, within which the product of all figures decides


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


def choose_design(unbiased: DesignChoice, brief: Brief) -> DesignChoice:
    """The design that is advised: the best one without a bias, or a list of words made for the people of the brief.

    Lists are made for the guesses and for both ends of their range.
    """
    lists = [choice for one in (brief, *brief.ends) for choice in lists_for(one)]
    return replace(best_choice([unbiased, *lists], brief), brief=brief)


def best_choice(choices: Sequence[DesignChoice], brief: Brief) -> DesignChoice:
    """The best of these at worst within the range of the guesses; of equal ones the first."""
    return best_of(choices, lambda choice: figures_of(choice.design, (brief, *brief.ends)))


def by_effort(choices: Iterable[DesignChoice]) -> list[DesignChoice]:
    """The same choices, those first that ask fewer questions, then those of fewer blocks."""
    return sorted(choices, key=lambda choice: (choice.questions_per_person, len(choice.design.blocks)))


def lists_for(brief: Brief) -> list[DesignChoice]:
    """The best list of words of every kind for a brief."""
    return choices_with_bias(brief, brief.length, inf)


def choices_with_bias(brief: Brief, length: int, best: float, only_family: str | None = None) -> list[DesignChoice]:
    """Choices for patterns up to a length whose figures are biased, and that are worth it; others err by `best`."""
    choices = [
        choose(Candidate(family, plan, Errors((), ())), brief)
        for advisor in ADVISORS
        for family, plan in advisor.biased(brief, float(brief.gamma), length, best)
        if only_family in (None, family)
    ]
    return [choice for choice in choices if choice is not None]


def figures_of(design: Design, briefs: Sequence[Brief]) -> tuple[float, ...]:
    """What designs are compared by: a figure for patterns of each length, the worst under these briefs.

    It is the standard error. Of a biased design it is the geometric mean of the root mean square error and of the
    standard error that would make intervals as wide: either alone takes lists whose other figure is much worse.

    >>> from fractions import Fraction
    >>> from privacy.design.brief import yes_no
    >>> from privacy.design.models import warner
    >>> brief = Brief(yes_no(1, prevalence=0.05), 800, Fraction(19), 1)
    >>> [round(figure, 4) for figure in figures_of(warner(["item1"], theta=0.95), [brief])]
    [0.0115]
    """
    sketch = of_design(design)
    biased = any(block.distribution is None and block.patterns.word_list for block in design.blocks)
    of_briefs = []
    for brief in (in_order(one, design) for one in briefs):
        errors = errors_to_judge(sketch, brief)
        figures = errors.expected if brief.has_expectations else errors.worst
        if biased:
            halves = errors_to_judge(sketch, replace(brief, by_interval=True)).expected
            figures = tuple(sqrt(error * half) for error, half in zip(figures, halves, strict=True))
        of_briefs.append(figures)
    return tuple(map(max, zip(*of_briefs, strict=True)))


def best_of(rivals: Sequence[Rival], figures: Callable[[Rival], Sequence[float]]) -> Rival:
    """The one rule by which a design is chosen: command, library and studio ask this function.

    Of those whose worst figure is at most a quarter above the least, the one whose figures have the least product. So
    no rival is better in all figures, and of two that are alike the first is taken.

    >>> best_of([(0.010, 0.020), (0.014, 0.018), (0.004, 0.03)], lambda figures: figures)
    (0.01, 0.02)
    """
    of_rivals = [tuple(figures(rival)) for rival in rivals]
    limit = NEARLY * min(map(max, of_rivals))
    products = [float(f"{prod(own):.6g}") if isfinite(max(own)) and max(own) <= limit else inf for own in of_rivals]
    return rivals[products.index(min(products))]
