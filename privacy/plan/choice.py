"""Which design is recommended: plans, rounded to what devices draw, with their exact errors, and the rule that chooses.

Beside it stands what serves some people more: the front of lists of words.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
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
from privacy.output import to_json_value
from privacy.plan.search import Candidate
from privacy.plan.standard_errors import Errors, errors_of_design, errors_to_judge, of_design, sketch_plan, to_design
from privacy.result import DataFrame, Result, TextColumns, data_frame

Rival = TypeVar("Rival")
Planned = TypeVar("Planned", "DesignChoice", Candidate)
NEARLY = 1.25  # times the least worst figure, within which the product of all figures decides
_STEP = 1.2  # from one list of the front to the next, one of their errors at least
_GAIN = 1.05  # for pairs, which is worth the loss for single answers


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
    if [question.id for question in brief.questions] == [item.id for item in design.items]:
        return brief
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


def by_effort(rivals: Iterable[Planned]) -> list[Planned]:
    """The same choices or candidates, those first that ask fewer questions, then those of fewer blocks."""
    return sorted(rivals, key=lambda rival: (rival.questions_per_person, len(rival.plan)))


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
    for brief in (in_order(brief, design) for brief in briefs):
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
    products = [
        float(f"{prod(rival):.6g}") if isfinite(max(rival)) and max(rival) <= limit else inf for rival in of_rivals
    ]
    return rivals[products.index(min(products))]


@dataclass(frozen=True, repr=False)
class FrontList:
    """One list of the front: its errors for single answers and for pairs; `usual` is the one that is advised."""

    brief: Brief
    plan: Plan
    singles: float
    pairs: float
    usual: bool

    @cached_property
    def design(self) -> Design | None:
        """The design with this list; None where steps of 2^-32 are too coarse."""
        made = choose(Candidate("", self.plan, Errors((), ())), self.brief)
        return None if made is None else made.design

    @property
    def settings(self) -> Mapping[str, Any]:
        """What makes the list, as a named model has it: `cap`, `weights` by length, and perhaps `groups`."""
        return self.plan[0].list_settings

    @property
    def heavier(self) -> float:
        """How many times as likely as that of one answer the word of a pair is sent."""
        single, pair = self.settings["weights"]
        return float(pair / single)


@dataclass(frozen=True, repr=False)
class ListFront(Result):
    """The lists of a front, from the sharpest single answers to the sharpest pairs; `Advice.front` makes it."""

    lists: tuple[FrontList, ...]

    def contents(self) -> Iterator[str | TextColumns]:
        if self.lists:
            yield "Lists of words that no other beats both for single answers and for pairs"
            rows = [
                [
                    *(f"{figure:.4g}" for figure in (one.settings["cap"], one.heavier)),
                    *(float(f"{error:.4g}") for error in (one.singles, one.pairs)),
                    "as above" if one.usual else "",
                ]
                for one in self.lists
            ]
            yield TextColumns(["cap", "a pair weighs", "se, single answers", "se, pairs", ""], rows)

    def to_frame(self) -> DataFrame:
        """Return a row for each list."""
        return data_frame(self.to_json())

    def to_json(self) -> list[dict[str, Any]]:
        return to_json_value(
            [{**one.settings, "errors": [one.singles, one.pairs], "usual": one.usual} for one in self.lists]
        )


def front_of_lists(brief: Brief, usual: Plan, errors: tuple[float, float]) -> ListFront:
    """The front beside the `usual` list, `()` if it has no plan, which errs so; empty where patterns are not pairs.

    It has lists of which no other errs less for single answers and for pairs, and few of them. A small cap tells single
    answers sharply, a large one pairs.
    """
    if brief.length != 2 or (usual and "least" in usual[0].list_settings):  # its words tell both
        return ListFront(())
    others = [(own, plan) for advisor in ADVISORS for plan, own in advisor.compared(brief, float(brief.gamma))]
    front = list(_not_beaten([*others, (errors, usual)], usual))
    few: list[tuple[tuple[float, ...], Plan]] = []
    for index, (own, plan) in enumerate(front):
        last = index == len(front) - 1
        while last and len(few) > 1 and few[-1][1] != usual and not _is_apart(own, few[-1][0]):
            few.pop()
        if last or plan == usual or not few or _is_apart(own, few[-1][0]):
            few.append((own, plan))
    return ListFront(tuple(FrontList(brief, plan, own[0], own[1], plan == usual) for own, plan in few))


def front_beside(design: Design, brief: Brief) -> ListFront:
    """The front beside the list of a design, which has no plan.

    >>> from fractions import Fraction
    >>> from privacy.design.brief import yes_no
    >>> from privacy.design.models import one_of
    >>> brief = Brief(yes_no(3, prevalence=0.1), 1_000, Fraction(19), 2, by_interval=True)
    >>> front = front_beside(one_of(["item1", "item2", "item3"], gamma=19, cap=2, longest=2), brief)
    >>> ["usual" if one.usual else one.settings["cap"] for one in front.lists]
    [3.0, 2.0, 2.0, 2.0, 'usual', 2.25]
    """
    errors = errors_to_judge(of_design(design), brief).expected
    return front_of_lists(brief, (), (errors[0], errors[1]))


def _not_beaten(
    lists: Iterable[tuple[tuple[float, ...], Plan]], usual: Plan
) -> Iterator[tuple[tuple[float, ...], Plan]]:
    """The usual one, and those that err clearly less for pairs than all that err no more for single answers."""
    least = inf
    for own, plan in sorted(lists, key=lambda one: one[0]):
        if own[1] * _GAIN < least or plan == usual:
            least = min(own[1], least)
            yield own, plan


def _is_apart(own: tuple[float, ...], before: tuple[float, ...]) -> bool:
    return own[0] >= _STEP * before[0] or _STEP * own[1] <= before[1]
