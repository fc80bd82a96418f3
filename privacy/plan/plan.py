"""Plans under one γ: their sketches in floats, and the designs that keep the promise exactly."""

from collections.abc import Sequence
from fractions import Fraction

from privacy.design import Block, Design
from privacy.design.brief import ExpectedItem
from privacy.design.plans import Plan, Sketched

Sketch = tuple[Sketched, ...]


def sketch_plan(plan: Plan, questions: Sequence[ExpectedItem], gamma: float) -> Sketch:
    """The blocks of a plan, sharing γ by their weights."""
    total = sum(block.weight for block in plan)
    return tuple(block.sketch(questions, gamma ** (block.weight / total)) for block in plan)


def of_design(design: Design) -> Sketch:
    """The sketch of a design, for its errors."""
    placed = zip(design.blocks, design.first_columns, strict=True)
    return tuple(block.sketch(tuple(range(first, first + len(block.items)))) for block, first in placed)


def to_design(sketch: Sketch, questions: Sequence[ExpectedItem], limit: Fraction, direct: bool) -> Design | None:
    """The design over 2^32 whose exact γ is at most the limit; None where steps of 2^−32 are too coarse.

    All but the last block stay a hair under the γ they have in floats, and the last takes exactly what is left.
    """
    left = limit
    blocks: list[Block] = []
    for place, block in enumerate(sketch):
        own = left if place == len(sketch) - 1 else min(left, Fraction(block.odds) * (1 - Fraction(1, 10**12)))
        made = block.exact_block(questions, own) if own > 1 else None
        if made is None:
            return None
        blocks.append(made)
        left /= Fraction(made.odds)
    return Design(tuple(blocks), direct)
