"""Plans: how items are put into blocks, whatever γ is; a sketch is a plan under one γ."""

from collections.abc import Sequence
from dataclasses import dataclass

from privacy.plan.brief import Question
from privacy.plan.sketch import Coin, Flips, Sketch, coin, flips


@dataclass(frozen=True)
class Planned:
    """One block of a plan.

    `weight` is its part of ln γ, relative to the other blocks. With `levels` it is a flip block in which a set of d
    answers is γ^levels[d] times as likely as the rarest; without, a coin block, whose noise lies between even (skew 0)
    and what is expected of the answers (skew 1).
    """

    items: tuple[int, ...]
    ask: int
    weight: float = 1.0
    levels: tuple[float, ...] = ()
    each: bool = False
    skew: float = 0.0


Plan = tuple[Planned, ...]


def under(plan: Plan, questions: Sequence[Question], gamma: float) -> Sketch:
    """The blocks of a plan, sharing γ by their weights."""
    total = sum(block.weight for block in plan)
    blocks: list[Coin | Flips] = []
    for block in plan:
        own = gamma ** (block.weight / total)
        if block.levels:
            blocks.append(flips(block.items, [own**level for level in block.levels]))
        else:
            noise = tuple(_noise(questions[item], block.skew) for item in block.items)
            blocks.append(coin(block.items, block.ask, own, noise, block.each))
    return tuple(blocks)


def asked(plan: Plan) -> int:
    """How many questions one person answers."""
    return sum(block.ask for block in plan)


def _noise(question: Question, skew: float) -> tuple[float, ...]:
    even = 1 / len(question.options)
    if not skew or question.expected is None:
        return (even,) * len(question.options)
    return tuple((1 - skew) * even + skew * share for share in question.expected)
