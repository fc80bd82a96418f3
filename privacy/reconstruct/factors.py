"""A pattern taken apart by what disguises it, and why a pattern may be out of reach.

A pattern falls into *factors*: what it asks of the items under one coin, or of one flip block. A factor is seen
through *atoms*, events that a record matches or not: all its literals together under a coin, every literal by itself
under flips.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import prod

import numpy as np

from privacy.design import Block, CoinBlock, Design, FlipBlock, GroupedBlock, asked
from privacy.design.krawtchouk import eigenvalues
from privacy.design.patterns import Literal, Pattern
from privacy.design.rationals import ONE
from privacy.reconstruct.weights import Channel, Part

__all__ = ["Factor", "channel_of", "factors", "obstacle", "shape", "unidentified"]

MOST_ATOMS = 16


@dataclass(frozen=True)
class Factor:
    """What a pattern asks of one coin (`noise` = q(E_b)) or of one flip block (`noise` is None).

    `strengths` are the λ of the weights: 1 and a under a coin, a_0 … a_L under flips.
    """

    block: Block
    atoms: tuple[tuple[Literal, ...], ...]
    strengths: tuple[float, ...]
    noise: float | None


def factors(design: Design, pattern: Pattern) -> tuple[Factor, ...]:
    """Split a pattern by the coins and flips that disguise it."""
    by_block: dict[int, list[Literal]] = {}
    for literal in pattern.literals:
        by_block.setdefault(design.place(literal[0])[0], []).append(literal)
    found = []
    for place, literals in sorted(by_block.items()):
        block, first = design.blocks[place], design.first_columns[place]
        separate = isinstance(block, CoinBlock) and block.each
        for group in [[literal] for literal in literals] if separate else [literals]:
            if isinstance(block, FlipBlock):
                strengths = _strengths(block.flips)[: len(group) + 1]
                found.append(Factor(block, tuple((literal,) for literal in group), strengths, None))
            else:
                noise = _noise(block, [(column - first, options) for column, options in group])
                found.append(Factor(block, (tuple(group),), (1.0, block.keep / ONE), noise))
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
        if length > asked(block):
            return (
                f"{name} holds {length} items of blocks[{place}], which asks each respondent only {asked(block)} of "
                f"its items, so nobody answered all of it."
            )
    if estimator == "pooled":
        return None
    for part in factors(design, pattern):
        if part.noise is not None and part.strengths[1] == 0:
            items = ", ".join(item.id for item in part.block.items)
            return f"{name}: keep = 0 leaves nothing of {items} in a disguised record; only 'pooled' can be used."
        lost = [m for m, strength in enumerate(part.strengths) if strength == 0]
        if lost:
            return (
                f"{name}: these flips leave nothing of {' and of '.join(str(m) for m in lost)} answers taken together "
                f"(a_m = 0), so the pattern is unidentified."
            )
    return None


def shape(parts: Sequence[Factor]) -> tuple[int, ...]:
    """What patterns must share to be computed together: the literals of each flip factor, 0 for each coin."""
    return tuple(0 if part.noise is not None else len(part.atoms) for part in parts)


def channel_of(batch: Sequence[Sequence[Factor]]) -> Channel:
    """What disguises the states of patterns of one shape, a row for each pattern."""
    parts = []
    for column in zip(*batch, strict=True):
        strengths = np.array([part.strengths for part in column])
        noise = None if column[0].noise is None else np.array([part.noise for part in column])
        parts.append(Part(strengths, noise))
    return Channel(tuple(parts))


def _noise(block: Block, literals: Sequence[tuple[int, frozenset[int]]]) -> float:
    """q(E_b): how likely noise alone matches the literals, given by place inside the block."""
    if isinstance(block, GroupedBlock):  # the grouped model's noise is all yes or all no: (3)–(6) of the paper
        yes, no = all(1 in options for _, options in literals), all(0 in options for _, options in literals)
        return (block.theta * yes + (ONE - block.theta) * no) / ONE
    return prod(sum((block.items[j].noise or ())[option] for option in options) / ONE for j, options in literals)


@lru_cache(maxsize=64)
def _strengths(flips: tuple[int, ...]) -> tuple[float, ...]:
    return tuple(float(value) for value in eigenvalues(flips))
