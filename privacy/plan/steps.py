"""Small steps from one plan to others: a weight, a number of questions, a table, or one item in another block."""

from collections.abc import Iterator
from dataclasses import replace

from privacy.plan.brief import Brief
from privacy.plan.plan import Plan, Planned, asked


def neighbours(plan: Plan, brief: Brief) -> Iterator[Plan]:
    """Plans one step away that ask nobody too much; of items alike only one is moved."""
    for found in _steps(plan, brief):
        if asked(found) <= brief.asked:
            yield found


def _steps(plan: Plan, brief: Brief) -> Iterator[Plan]:
    for place, block in enumerate(plan):
        rest = (*plan[:place], *plan[place + 1 :])
        for changed in _changes(block, brief):
            yield (*rest, changed)
        if rest:
            for factor in (1.5, 1 / 1.5, 1.1, 1 / 1.1, 1.02, 1 / 1.02):
                yield (*rest, replace(block, weight=block.weight * factor))
        if len(block.items) > 1:
            for item in _one_of_each_kind(block, brief):
                less = _without(block, item)
                for part in (1 / len(block.items), 0.5):
                    alone = Planned((item,), 1, block.weight * part)
                    yield (*rest, replace(less, weight=block.weight * (1 - part)), alone)
                for other, target in enumerate(rest):
                    if not target.levels or brief.questions[item].boolean:
                        yield (*rest[:other], *rest[other + 1 :], less, _with(target, item))
        for other, target in enumerate(rest[:place]):
            if not block.levels and not target.levels:
                both = (*target.items, *block.items)
                weight = target.weight + block.weight
                left = (*rest[:other], *rest[other + 1 :])
                for ask in {target.ask + block.ask, max(target.ask, block.ask)}:
                    yield (*left, replace(target, items=both, ask=ask, weight=weight, each=False))


def _changes(block: Planned, brief: Brief) -> Iterator[Planned]:
    """The same items under a block a little different."""
    for ask in (block.ask - 1, block.ask + 1):
        if 1 <= ask <= len(block.items):
            yield _asking(block, ask)
    for d, level in enumerate(block.levels):
        for changed in (0.0, 0.5, 0.8, 1.0):
            if changed != level:
                yield replace(block, levels=(*block.levels[:d], changed, *block.levels[d + 1 :]))
    if block.levels:
        return
    if 1 < block.ask < len(block.items):
        yield replace(block, each=not block.each)
    if brief.guessed and all(brief.questions[item].boolean for item in block.items):
        for skew in (block.skew - 0.1, block.skew + 0.1):
            if 0 <= skew <= 1:
                yield replace(block, skew=skew)


def _one_of_each_kind(block: Planned, brief: Brief) -> list[int]:
    kinds = {}
    for item in block.items:
        question = brief.questions[item]
        kinds[question.options, question.expected] = item
    return list(kinds.values())


def _without(block: Planned, item: int) -> Planned:
    items = tuple(other for other in block.items if other != item)
    weight = block.weight * len(items) / len(block.items)
    return _asking(replace(block, items=items, weight=weight), min(block.ask, len(items)))


def _with(block: Planned, item: int) -> Planned:
    """A block that asked all its items goes on asking all."""
    more = block.ask + 1 if block.ask == len(block.items) else block.ask
    return _asking(replace(block, items=(*block.items, item)), more)


def _asking(block: Planned, ask: int) -> Planned:
    """The block with another number asked; a table is stretched to its new length."""
    levels = tuple(block.levels[round(d * block.ask / ask)] for d in range(ask + 1)) if block.levels else ()
    return replace(block, ask=ask, levels=levels, each=block.each and ask < len(block.items))
