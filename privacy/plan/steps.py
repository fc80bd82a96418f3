"""Small steps from one plan to others: a weight, a change that a block knows, or one item in another block."""

from collections.abc import Iterator
from dataclasses import replace

from privacy.design import blocks
from privacy.design.brief import Brief
from privacy.design.plans import Plan, PlannedBlock, count_asked


def neighbours(plan: Plan, brief: Brief) -> Iterator[Plan]:
    """Plans one small step away in which nobody is asked too much; of items that are alike only one is moved."""
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
