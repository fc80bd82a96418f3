"""Arithmetic that the plans of several kinds of block share."""

from collections.abc import Iterator, Sequence

from privacy.design.block import Plan, Planned

__all__ = ["asked", "asks_nearby", "dealt"]


def asked(plan: Plan) -> int:
    """How many questions one person answers."""
    return sum(block.ask for block in plan)


def asks_nearby(block: Planned) -> Iterator[Planned]:
    """The block with one question fewer, and with one more."""
    for ask in (block.ask - 1, block.ask + 1):
        if 1 <= ask <= len(block.items):
            yield block.asking(ask)


def dealt(items: Sequence[int], count: int) -> list[tuple[int, ...]]:
    """`count` groups as equal as can be, the larger first; like items are dealt to different groups."""
    return [tuple(items[start::count]) for start in range(count)]
