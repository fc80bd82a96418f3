"""The front of lists of words: those of which no other errs less for single answers and for pairs, and few of them.

The advisor takes the list whose two errors have the least product. Who needs one of them more takes another: a small
cap tells single answers sharply, a large one pairs.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from privacy.design import Design
from privacy.design.blocks import ADVISORS
from privacy.design.brief import Brief
from privacy.design.plans import Plan
from privacy.output import to_json_value
from privacy.plan.choice import choose
from privacy.plan.plan import of_design
from privacy.plan.search import Candidate
from privacy.plan.standard_errors import Errors, errors_to_judge
from privacy.result import DataFrame, Result, TextColumns, data_frame

_STEP = 1.2  # from one list of the front to the next, one of their errors at least
_GAIN = 1.05  # for pairs, which is worth the loss for single answers


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
    """The front beside the `usual` list, `()` if it has no plan, which errs so; empty where patterns are not pairs."""
    if brief.length != 2 or (usual and "least" in usual[0].list_settings):  # its words tell both
        return ListFront(())
    others = [(own, plan) for advisor in ADVISORS for plan, own in advisor.compared(brief, float(brief.gamma))]
    front = list(_not_beaten([*others, (errors, usual)], usual))
    few: list[tuple[tuple[float, ...], Plan]] = []
    for place, (own, plan) in enumerate(front):
        last = place == len(front) - 1
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
    least = float("inf")
    for own, plan in sorted(lists, key=lambda one: one[0]):
        if own[1] * _GAIN < least or plan == usual:
            least = min(own[1], least)
            yield own, plan


def _is_apart(own: tuple[float, ...], before: tuple[float, ...]) -> bool:
    return own[0] >= _STEP * before[0] or _STEP * own[1] <= before[1]
