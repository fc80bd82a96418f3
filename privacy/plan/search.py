"""The search: every family's plans, mixtures of them where items differ in kind, and small steps from the best.

Flip tables that are tuned at both ends were 2 to 15 % better than tables by radius. Skewed noise never won a trial; it
is tried all the same, since other items may need it.
"""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import product
from typing import Any

import numpy as np

from privacy.design import blocks
from privacy.design.blocks import SIMPLE
from privacy.design.brief import Brief
from privacy.design.plans import Plan, PlannedBlock, count_asked
from privacy.draw.chart import Axis, Line, Mark, chart
from privacy.guarantee import outward, round_up
from privacy.output import to_json_value
from privacy.plan.standard_errors import Errors, errors_of_many, errors_to_judge, least_errors, sketch_plan
from privacy.result import DataFrame, Result, TextColumns, data_frame

MIXED = "items of few options and of many in blocks of their own"
STEPPED = "blocks found by small steps"
KNOWN = "known before"
_NEARLY = 1.05  # times the error of what leads: such a plan may be better for patterns of another length
_KINDS = 6  # groups of prevalences while searching
_STARTS = 3  # plans that small steps start from
_TRIALS = 500  # plans tried by small steps from one start
_CUTS = 5  # ways tried to part items of few options from those of many
_SPLITS = (0.15, 0.3, 0.5, 0.7, 0.85)  # of ln γ between items of few and of many options


@dataclass(frozen=True)
class Candidate:
    """A plan, the family it comes from, and its errors under the γ it was tried with, as the brief judges them."""

    family: str
    plan: Plan
    errors: Errors

    @cached_property
    def questions_per_person(self) -> int:
        return count_asked(self.plan)


def search(
    brief: Brief, gamma: float, thorough: bool = True, known: Iterable[Plan] = (), family: str | None = None
) -> list[Candidate]:
    """Candidates of every family, or of one, and `known` plans; without `thorough` only those likely to be best.

    Their errors are rough where items have many prevalences.
    """
    brief = _rough(brief)
    items = sorted(range(len(brief.questions)), key=lambda item: len(brief.questions[item].options))
    plans = [(KNOWN, plan) for plan in known]
    plans += (one for one in plans_of(items, brief, gamma, thorough, family) if family in (None, one[0]))
    sizes = [len(brief.questions[item].options) for item in items]
    cuts = [cut for cut in range(1, len(items)) if sizes[cut - 1] < sizes[cut]]
    for cut in cuts[:: -(-len(cuts) // _CUTS) or 1] if thorough else cuts[: family in (None, MIXED)]:
        plans += ((MIXED, plan) for plan in _mix_plans(items[:cut], items[cut:], brief, gamma))
    tried = _try(plans, brief, gamma)
    alike = len({(question.options, question.expected, question.marks) for question in brief.questions}) == 1
    for length in {1, brief.length} if thorough or alike else ():
        leading: dict[str, Candidate] = {}
        for one in sorted(tried, key=_error_key(brief, length)):
            leading.setdefault(one.family, one)
        starts = list(leading.values())[: 1 if alike else _STARTS]
        tried += [_take_steps(start, brief, gamma, length) for start in starts]
    return tried


def _try(plans: Sequence[tuple[str, Plan]], brief: Brief, gamma: float) -> list[Candidate]:
    """The plans with their errors, but those that lead neither their family nor the plans that ask as few or fewer,
    nor nearly so.

    The ones that promise most are tried first.
    """
    kinds = [(question.options, question.expected, question.marks) for question in brief.questions]
    number_of = {kind: number for number, kind in enumerate(dict.fromkeys(kinds))}
    bounds = [least_errors_of(plan, brief, gamma, [number_of[kind] for kind in kinds]) for _, plan in plans]
    lengths = range(1, brief.length + 1)
    tried: dict[int, Candidate] = {}
    leading: dict[tuple[str | int, int], float] = {}

    def leads(group: Iterable[str | int], bound: tuple[float, float]) -> bool:
        return any(all(bound[at > 1] <= _NEARLY * leading.get((one, at), math.inf) for one in group) for at in lengths)

    for number in sorted(range(len(plans)), key=lambda number: bounds[number][::-1]):
        family, plan = plans[number]
        asked = count_asked(plan)
        if leads((family,), bounds[number]) or leads(range(1, asked + 1), bounds[number]):
            one = Candidate(family, plan, errors_to_judge(sketch_plan(plan, brief.questions, gamma), brief))
            tried[number] = one
            for length in lengths:
                error = _error_key(brief, length)(one)
                for group in (family, asked):
                    leading[group, length] = min(error, leading.get((group, length), math.inf))
    return [tried[number] for number in sorted(tried)]


def least_errors_of(plan: Plan, brief: Brief, gamma: float, kinds: Sequence[int]) -> tuple[float, float]:
    """What single answers and longer patterns err by at least; 0 where that is not known. Like blocks count once."""
    if brief.direct_share:
        return 0.0, 0.0
    total = sum(block.weight for block in plan)
    unlike = {}
    for block in plan:
        of_items, *others = vars(block).values()
        unlike[type(block), *others, *map(kinds.__getitem__, of_items)] = block
    sketch = tuple(block.sketch(brief.questions, gamma ** (block.weight / total)) for block in unlike.values())
    if any(block.errors(brief) for block in sketch):
        return 0.0, 0.0
    return least_errors(sketch, brief, kinds, several=len(plan) > 1)


def best(candidates: Iterable[Candidate], brief: Brief, length: int) -> Candidate:
    """The candidate with the smallest error for patterns up to a length; among equal ones, the one that asks least."""
    return min(
        candidates, key=lambda one: (round(_error_key(brief, length)(one), 12), one.questions_per_person, len(one.plan))
    )


def plans_of(
    items: Sequence[int], brief: Brief, gamma: float, thorough: bool, family: str | None = None
) -> Iterator[tuple[str, Plan]]:
    """Plans of every kind, or of the kind of a family, with the family each comes from."""
    for advisor in blocks.ADVISORS:
        if advisor.promise in ("", brief.promise) and (family is None or family in advisor.families):
            yield from advisor.plans(items, brief, gamma, thorough, partial(errors_of_many, brief))


def _rough(brief: Brief) -> Brief:
    """Allow only a few prevalences of yes/no items: round each to the one nearest 1/2 among its neighbours."""
    shares = sorted({question.expected[1] for question in brief.questions if question.boolean and question.expected})
    if len(shares) <= _KINDS:
        return brief
    stands: dict[float, float] = {}
    for near in np.array_split(np.array(shares), _KINDS):
        worst = float(near[np.argmin(abs(near - 0.5))])
        stands |= dict.fromkeys(map(float, near), worst)
    questions = tuple(
        replace(question, expected=(1 - stands[question.expected[1]], stands[question.expected[1]]))
        if question.boolean and question.expected
        else question
        for question in brief.questions
    )
    return replace(brief, questions=questions)


def _error_key(brief: Brief, length: int) -> Callable[[Candidate], float]:
    """A function that gives the error of a candidate for patterns up to `length`, to sort and compare by."""
    return lambda one: one.errors.up_to(length, brief.has_expectations)


def _mix_plans(few: list[int], many: list[int], brief: Brief, gamma: float) -> Iterator[Plan]:
    """Plans that give a share of ln γ to the items with few options, and the rest to those with many."""
    for split in _SPLITS:
        first, second = _leading(few, brief, gamma**split), _leading(many, brief, gamma ** (1 - split))
        for a, b in product(first, second):
            plan = _scale_weights(a, split) + _scale_weights(b, 1 - split)
            if count_asked(plan) <= brief.most_questions:
                yield plan


def _leading(items: list[int], brief: Brief, gamma: float) -> list[Plan]:
    """The best plans for some of the items, for each length of pattern they can take part in."""
    questions = tuple(brief.questions[item] for item in items)
    part = replace(brief, questions=questions, length=min(brief.length, len(items)), most_asked=None)
    local = range(len(items))
    plans = [plan for _, plan in plans_of(local, part, gamma, thorough=False)]
    tried = [(errors_to_judge(sketch_plan(plan, part.questions, gamma), part), plan) for plan in plans]
    leading: dict[Plan, None] = {}
    for length in range(1, part.length + 1):
        for _, plan in sorted(tried, key=lambda one: one[0].up_to(length, part.has_expectations))[:3]:
            leading[plan] = None
    return [tuple(replace(block, items=tuple(items[i] for i in block.items)) for block in plan) for plan in leading]


def _scale_weights(plan: Plan, weight: float) -> Plan:
    total = sum(block.weight for block in plan)
    return tuple(replace(block, weight=block.weight / total * weight) for block in plan)


def _take_steps(start: Candidate, brief: Brief, gamma: float, length: int) -> Candidate:
    """Take small steps, each as soon as it lessens the error, until none does or enough were tried."""
    reached, trials, improved = start, 0, True
    while improved:
        improved = False
        for plan in _neighbours(reached.plan, brief):
            if trials == _TRIALS:
                return reached
            trials += 1
            family = (plan[0].stepped if len(plan) == 1 else None) or STEPPED
            tried = Candidate(family, plan, errors_to_judge(sketch_plan(plan, brief.questions, gamma), brief))
            if _error_key(brief, length)(tried) < _error_key(brief, length)(reached) * (1 - 1e-4):
                reached, improved = tried, True
                break
    return reached


def _neighbours(plan: Plan, brief: Brief) -> Iterator[Plan]:
    """Plans one small step away in which nobody is asked too much; of items that are alike only one is moved.

    A step is another weight, a change that a block knows, or one item in another block.
    """
    for step in _all_steps(plan, brief):
        if count_asked(step) <= brief.most_questions:
            yield step


def _all_steps(plan: Plan, brief: Brief) -> Iterator[Plan]:
    for place, block in enumerate(plan):
        rest = (*plan[:place], *plan[place + 1 :])
        for changed in block.changes(brief):
            yield (*rest, changed)
        if rest:
            for factor in (1.5, 1 / 1.5, 1.1, 1 / 1.1, 1.02, 1 / 1.02):
                yield (*rest, replace(block, weight=block.weight * factor))
        if len(block.items) > 1:
            for item in _one_of_each_kind(block, brief):
                less = _remove_item(block, item)
                for part in (1 / len(block.items), 0.5):
                    alone = blocks.alone(item, block.weight * part)
                    yield (*rest, replace(less, weight=block.weight * (1 - part)), alone)
                for other, target in enumerate(rest):
                    if target.takes(brief.questions[item]):
                        yield (*rest[:other], *rest[other + 1 :], less, _add_item(target, item))
        for other, target in enumerate(rest[:place]):
            left = (*rest[:other], *rest[other + 1 :])
            for both in target.merges_with(block):
                yield (*left, both)


def _one_of_each_kind(block: PlannedBlock, brief: Brief) -> list[int]:
    kinds = {}
    for item in block.items:
        question = brief.questions[item]
        kinds[question.options, question.expected, question.marks] = item
    return list(kinds.values())


def _remove_item(block: PlannedBlock, item: int) -> PlannedBlock:
    items = tuple(other for other in block.items if other != item)
    weight = block.weight * len(items) / len(block.items)
    return replace(block, items=items, weight=weight).asking(min(block.ask, len(items)))


def _add_item(block: PlannedBlock, item: int) -> PlannedBlock:
    """The block with one item more; a block that asked all its items still asks all."""
    more = block.ask + 1 if block.ask == len(block.items) else block.ask
    return replace(block, items=(*block.items, item)).asking(more)


GAMMAS = (1.5, 2.0, 3.0, 5.0, 9.0, 19.0, 40.0, 100.0, 300.0, 1000.0)


@dataclass(frozen=True)
class FrontierPoint:
    """Under one γ: the least error up to each length, what wins for the longest, and what simple designs cost."""

    gamma: float
    errors: tuple[float, ...]
    family: str
    asked: int
    simple: Mapping[str, float]

    def to_json(self) -> dict[str, Any]:
        own = {"gamma": self.gamma, "errors": list(self.errors), "family": self.family, "asked": self.asked}
        return {**own, **self.simple}


@dataclass(frozen=True, repr=False)
class Frontier(Result):
    """γ against the smallest standard error it allows; `Advice.frontier` makes it."""

    brief: Brief
    points: tuple[FrontierPoint, ...]

    @property
    def _lengths(self) -> range:
        return range(1, self.brief.length + 1)

    def contents(self) -> Iterator[str | TextColumns]:
        rows = [
            [float(round_up(point.gamma, 6)), *point.errors, point.family, point.asked, *point.simple.values()]
            for point in self.points
        ]
        yield "Gamma against standard error"
        columns = ["gamma", *(f"se, up to {length}" for length in self._lengths), "design", "asked"]
        yield TextColumns([*columns, *(key.replace("_", " ") for key in SIMPLE)], rows)

    def picture(self) -> str:
        """γ against standard error, both on logarithmic axes."""
        brief, points = self.brief, self.points
        gammas = [point.gamma for point in points]
        lines = [
            Line(_name_of_length(length), gammas, [point.errors[length - 1] for point in points], markers=True)
            for length in self._lengths
        ]
        longest = f" ({_name_of_length(brief.length)})" if brief.length > 1 else ""
        lines += [
            Line(f"{family}{longest}", gammas, [point.simple[key] for point in points])
            for key, family in SIMPLE.items()
        ]
        judged = "as expected" if brief.has_expectations else "whatever the truth"
        said = "; ".join(
            f"γ {float(round_up(point.gamma, 3)):g}: {point.errors[-1]:.3g} with {point.family}" for point in points
        )
        return chart(
            f"Privacy against accuracy: {len(brief.questions)} items, {brief.respondents} respondents",
            lines,
            Axis("γ of the whole record", log=True),
            Axis(f"standard error of a support, {judged}", log=True),
            description=f"The smallest standard error under each γ. {said}.",
            marks=[Mark("asked", x=outward(brief.gamma))],
            height=420,
        )

    def to_frame(self) -> DataFrame:
        """Return a row for each γ."""
        rows = [point.to_json() for point in self.points]
        errors = {f"se_{length}": [row["errors"][length - 1] for row in rows] for length in self._lengths}
        return data_frame(rows).drop(columns="errors").assign(**errors)

    def to_json(self) -> list[dict[str, Any]]:
        return to_json_value([point.to_json() for point in self.points])


def frontier(brief: Brief, known: Mapping[Plan, str], gammas: Sequence[float] = GAMMAS) -> Frontier:
    """The smallest errors under each of these γ and under that of the brief, in rising order.

    `known`: plans that are tried under every γ, with the family of each.
    """
    every = sorted({*gammas, outward(brief.gamma)})
    return Frontier(brief, tuple(_point(brief, known, gamma) for gamma in every))


def _point(brief: Brief, known: Mapping[Plan, str], gamma: float) -> FrontierPoint:
    """Search for the best plans under one γ, and for the errors of simple designs under it."""
    candidates = search(brief, gamma, thorough=False, known=known)
    errors = tuple(
        best(candidates, brief, length).errors.up_to(length, brief.has_expectations)
        for length in range(1, brief.length + 1)
    )
    winner = best(candidates, brief, brief.length)
    named = dict(known) | {one.plan: one.family for one in candidates if one.family != KNOWN}

    def best_error(family: str) -> float:
        return min(
            (one.errors.up_to(brief.length, brief.has_expectations) for one in candidates if one.family == family),
            default=float("inf"),
        )

    simple = {key: best_error(family) for key, family in SIMPLE.items()}
    return FrontierPoint(gamma, errors, named[winner.plan], winner.questions_per_person, simple)


def _name_of_length(length: int) -> str:
    return {1: "one item", 2: "pairs", 3: "triples"}.get(length, f"patterns of {length}")
