"""The search: every family's plans, mixtures of them where items differ in kind, and small steps from the best.

Flip tables that are tuned at both ends were 2 to 15 % better than tables by radius. Skewed noise never won a trial; it
is tried all the same, since other items may need it.
"""

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import product

import numpy as np

from privacy.design import blocks
from privacy.design.brief import Brief
from privacy.design.plans import Plan, PlannedBlock, count_asked
from privacy.plan.plan import sketch_plan
from privacy.plan.standard_errors import Errors, errors_of_many, errors_to_judge, least_errors

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
