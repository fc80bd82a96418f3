"""A pattern taken apart by what disguises it, and why a pattern may be out of reach.

A pattern falls into *factors*: what it asks of answers that are disguised together, as their block says. A factor is
seen through *atoms*, events that a record matches or not.
"""

from collections.abc import Sequence

from privacy.design import Design
from privacy.design.channels import Factor, Literal
from privacy.design.patterns import Pattern
from privacy.reconstruct.weights import Channel

__all__ = ["channel_of", "factors", "obstacle", "shape", "unidentified"]

MOST_ATOMS = 16


def factors(design: Design, pattern: Pattern) -> tuple[Factor, ...]:
    """Split a pattern by what disguises it."""
    by_block: dict[int, list[Literal]] = {}
    for literal in pattern.literals:
        by_block.setdefault(design.place(literal[0])[0], []).append(literal)
    found: list[Factor] = []
    for place, literals in sorted(by_block.items()):
        found += design.blocks[place].factors(design.first_columns[place], literals)
    return tuple(found)


def obstacle(design: Design, pattern: Pattern, estimator: str) -> str | None:
    """Why this estimator cannot reconstruct the pattern, or None if it can."""
    if sum(len(part.atoms) for part in factors(design, pattern)) > MOST_ATOMS:
        return (
            f"Pattern {pattern.text(design)!r} spreads over more than {MOST_ATOMS} separately disguised answers, "
            f"too many to count."
        )
    return unidentified(design, pattern, estimator)


def unidentified(design: Design, pattern: Pattern, estimator: str) -> str | None:
    """Why no number of records would tell the pattern's support, or None."""
    name = f"Pattern {pattern.text(design)!r}"
    for place, block in enumerate(design.blocks):
        first = design.first_columns[place]
        length = sum(first <= column < first + len(block.items) for column in pattern.columns)
        if length > block.asked:
            return (
                f"{name} holds {length} items of blocks[{place}], which asks each respondent only {block.asked} of "
                f"its items, so nobody answered all of it."
            )
    if estimator == "pooled":
        return None
    for part in factors(design, pattern):
        if (reason := part.lost()) is not None:
            return f"{name}: {reason}"
    return None


def shape(parts: Sequence[Factor]) -> tuple[int, ...]:
    """What patterns must share to be computed together."""
    return tuple(part.shape for part in parts)


def channel_of(batch: Sequence[Sequence[Factor]]) -> Channel:
    """What disguises the states of patterns of one shape, a row for each pattern."""
    return Channel(tuple(column[0].together(column) for column in zip(*batch, strict=True)))
