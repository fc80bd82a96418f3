"""The search: every family's plans, and two blocks where some items have few options and others many.

Flip tables by radius were never better than a coin, and 2 to 15 % worse than tuned ones. Equal blocks, noise near what
is expected, and small steps from the best were tried, too: in 238 briefs they were ahead once, by .04 %.
"""

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache, partial

import numpy as np

from privacy.design import blocks
from privacy.design.brief import Brief
from privacy.design.plans import Plan, PlannedBlock, count_asked
from privacy.plan.standard_errors import Errors, errors_of_many, errors_to_judge, least_errors, sketch_plan

MIXED = "items of few options and of many in blocks of their own"
KNOWN = "known before"
_NEARLY = 1.05  # times the error of what leads: such a plan may be better for patterns of another length
_KINDS = 6  # groups of prevalences while searching
_CUTS = 5  # ways tried to part items of few options from those of many
_ROUGHLY = (0.3, 0.6)  # parts of ln γ that a plan of two blocks is first tried with
_NEAR = 1.4  # plans of two blocks that err so many times as much then are left
_FINE = 0.01  # of ln γ, to which a split is worked out
_GOLDEN = (5**0.5 - 1) / 2
_HAIR = 1e-7  # of a share, left for rounding

Items = tuple[int, ...]
"""Items by their places in a brief."""


@dataclass(frozen=True)
class Candidate:
    """A plan, the family it comes from, and its errors under the γ it was tried with, as the brief judges them."""

    family: str
    plan: Plan
    errors: Errors

    @property
    def error(self) -> float:
        """The largest of these errors."""
        return max(self.errors.expected or self.errors.worst)

    @cached_property
    def questions_per_person(self) -> int:
        return count_asked(self.plan)


@dataclass(frozen=True)
class Wished:
    """The wish: how many items everybody is asked, or the least share of people who are asked each item."""

    asked: int | None = None
    share: float = 0.0

    def ask_range(self, items: int) -> range:
        """How many items a block over `items` of them may ask."""
        if self.asked is not None:
            return range(self.asked, self.asked + 1)
        return range(max(1, math.ceil(self.share * items - _HAIR)), items + 1)

    def scale_down(self, items: int, left: int) -> "Wished":
        """Return the same wish for `left` items that represent all `items`."""
        asked = None if self.asked is None else max(1, min(self.asked * left // items, left))
        return Wished(asked, min(self.share * items / left, 1.0))


def search(brief: Brief, gamma: float, known: Iterable[Plan] = ()) -> list[Candidate]:
    """Candidates of every family, and `known` plans. Their errors are rough where items have many prevalences."""
    brief = _rough(brief)
    items = sorted(range(len(brief.questions)), key=lambda item: len(brief.questions[item].options))
    single = plans_of(items, brief, gamma, range(1, brief.most_questions + 1))
    plans = [(KNOWN, plan) for plan in known]
    plans += ((family, _with_items_alone(plan)) for family, plan in single)
    tried = _try(plans, brief, gamma)
    cuts = _cuts(items, brief)
    cuts = cuts[:: -(-len(cuts) // _CUTS) or 1]
    for length in range(1, brief.length + 1) if cuts else ():
        found = [*_try_two_blocks(tried, replace(brief, length=length), gamma, cuts, Wished())]
        two = (_with_items_alone(candidate.plan) for candidate in found)
        tried += [Candidate(MIXED, plan, judge_plan(plan, brief, gamma)) for plan in two]
    return tried


def search_whole(brief: Brief, gamma: float, wished: Wished) -> list[Candidate]:
    """Candidates for whole questions, for who waits: one block over all items, of every kind or apart, or two blocks.

    Items are in ascending order of their options; those of as many options stay together.
    """
    items = tuple(range(len(brief.questions)))
    tried = _try([*plans_of(items, brief, gamma, wished.ask_range(len(items)))], brief, gamma)
    return [*tried, *_try_two_blocks(tried, brief, gamma, _cuts(items, brief), wished)]


def _try(plans: Sequence[tuple[str, Plan]], brief: Brief, gamma: float) -> list[Candidate]:
    """The plans with their errors, but those that lead neither their family nor the plans that ask as few or fewer,
    nor nearly so.

    The ones that promise most are tried first.
    """
    kinds = [(question.options, question.expected) for question in brief.questions]
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
        candidates,
        key=lambda candidate: (
            round(_error_key(brief, length)(candidate), 12),
            candidate.questions_per_person,
            len(candidate.plan),
        ),
    )


def plans_of(items: Sequence[int], brief: Brief, gamma: float, asked: range) -> Iterator[tuple[str, Plan]]:
    """Single blocks of every kind, with the family each comes from."""
    for advisor in blocks.ADVISORS:
        yield from advisor.plans(items, brief, gamma, asked, partial(errors_of_many, brief))


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


def _cuts(items: Sequence[int], brief: Brief) -> list[tuple[Items, Items]]:
    """The ways to part items of few options from those of many; `items` are in ascending order of these."""
    sizes = [len(brief.questions[item].options) for item in items]
    cuts = (index for index in range(1, len(sizes)) if sizes[index - 1] < sizes[index])
    return [(tuple(items[:cut]), tuple(items[cut:])) for cut in cuts]


def _try_two_blocks(
    tried: Iterable[Candidate],
    brief: Brief,
    gamma: float,
    cuts: Sequence[tuple[Items, Items]],
    wished: Wished,
) -> Iterator[Candidate]:
    """Candidates of two blocks, of the items of few options and of those of many, each with the best split of ln γ.

    Tried are those that are nearly as good as the best that was `tried`, for the patterns of a brief.
    """
    least = min((one.errors.up_to(brief.length, brief.has_expectations) for one in tried), default=math.inf)
    limit = _NEAR * least
    for few, many in cuts:
        for plan in _plans_of_two_blocks(few, many, brief, gamma, wished, limit):
            if count_asked(plan) > brief.most_questions:
                continue
            if min(worst_error(_weighing(plan, part), brief, gamma) for part in _ROUGHLY) < _NEAR * least:
                split = _split(plan, brief, gamma)
                least = min(least, worst_error(split, brief, gamma))
                yield Candidate(MIXED, split, judge_plan(split, brief, gamma))


def _with_items_alone(plan: Plan) -> Plan:
    """The plan as a design has it: items that are disguised apart are in blocks of their own."""
    apart = [replace(block, weight=1.0) == blocks.apart(block.items) for block in plan]
    return tuple(
        own
        for block, is_apart in zip(plan, apart, strict=True)
        for own in (
            (blocks.alone(item, block.weight / len(block.items)) for item in block.items) if is_apart else (block,)
        )
    )


def _plans_of_two_blocks(
    few: Items, many: Items, brief: Brief, gamma: float, wished: Wished, limit: float
) -> Iterator[Plan]:
    """The items of few options in one block, and those of many in another or apart; not split yet.

    Of those of many only plans that alone, with the most of ln γ that a plan is first tried with, stay under the limit:
    no other block takes from the error of theirs, and the best block for few takes long to find.
    """
    half = gamma**0.5
    above: list[Plan] = [(blocks.apart(many),)]
    below = wished
    if wished.asked is None:
        above += _leading(many, brief, half, wished.ask_range(len(many)))
    else:  # those of many are all asked
        below = Wished(wished.asked - len(many))
    if below.asked is None or 0 < below.asked <= len(few):
        for upper in above:
            if _error_alone(upper, brief, gamma ** (1 - min(_ROUGHLY))) < limit:
                yield from ((*lower, *upper) for lower in _leading(few, brief, half, below.ask_range(len(few))))


def _error_alone(plan: Plan, brief: Brief, gamma: float) -> float:
    """Return the error of patterns within this one block."""
    (block,) = plan
    own = _brief_of_items(block.items, brief, brief.length)
    return worst_error((replace(block, items=tuple(range(len(block.items)))),), own, gamma)


@lru_cache(maxsize=1024)
def _brief_of_items(items: Items, brief: Brief, length: int) -> Brief:
    questions = tuple(brief.questions[item] for item in items)
    return replace(brief, questions=questions, length=min(length, len(items)), most_asked=None)


@lru_cache(maxsize=1024)
def _leading(items: Items, brief: Brief, gamma: float, asked: range) -> list[Plan]:
    """The best plans of each kind for some of the items, for each length of pattern: what is best in two differs."""
    plans: list[Plan] = []
    for length in range(1, min(brief.length, len(items)) + 1):
        own = _brief_of_items(items, brief, length)
        best: dict[type[PlannedBlock], tuple[float, PlannedBlock]] = {}
        for _family, plan in plans_of(range(len(items)), own, gamma, asked):
            error, (block,) = worst_error(plan, own, gamma), plan
            if type(block) not in best or error < best[type(block)][0]:
                best[type(block)] = error, replace(block, items=items)
        plans += ((block,) for _error, block in best.values())
    return list(dict.fromkeys(plans))


def worst_error(plan: Plan, brief: Brief, gamma: float) -> float:
    """The largest error of a plan, of patterns of all lengths of the brief."""
    return judge_plan(plan, brief, gamma).up_to(brief.length, brief.has_expectations)


@lru_cache(maxsize=1 << 14)
def judge_plan(plan: Plan, brief: Brief, gamma: float) -> Errors:
    """The errors of a plan by which the brief judges."""
    return errors_to_judge(sketch_plan(plan, brief.questions, gamma), brief)


def _weighing(plan: Plan, part: float) -> Plan:
    """The plan of two blocks whose first takes this part of ln γ."""
    first, second = plan
    return replace(first, weight=part), replace(second, weight=1 - part)


def _split(plan: Plan, brief: Brief, gamma: float) -> Plan:
    """The plan of two blocks with the best split of ln γ, by golden section."""

    def split_at(part: float) -> tuple[tuple[float, int], Plan]:
        made = _weighing(plan, part)
        return by_error(worst_error(made, brief, gamma), made), made

    low, high = 0.02, 0.98
    left, right = (split_at(high - _GOLDEN * (high - low)), split_at(low + _GOLDEN * (high - low)))
    while high - low > _FINE:
        if left[0][0] <= right[0][0]:
            high, right = low + _GOLDEN * (high - low), left
            left = split_at(high - _GOLDEN * (high - low))
        else:
            low, left = high - _GOLDEN * (high - low), right
            right = split_at(low + _GOLDEN * (high - low))
    return min(left, right, key=lambda one: one[0])[1]


def by_error(error: float, plan: Plan) -> tuple[float, int]:
    """The sort key of a plan: the error, then the number of questions asked."""
    return float(f"{error:.9g}"), count_asked(plan)
