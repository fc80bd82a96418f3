"""Surveys simulated by their counts: no respondent is drawn, only how many fall into each state of a pattern."""

from collections.abc import Mapping
from math import comb, prod

import numpy as np
from numpy.typing import NDArray

from privacy.design import Design, asked
from privacy.patterns import Pattern
from privacy.weights import factors, through_states

__all__ = ["independent", "surveys"]

Floats = NDArray[np.float64]
Counts = NDArray[np.int64]


def independent(design: Design, pattern: Pattern, shares: Mapping[str, tuple[float, ...]]) -> Floats:
    """The distribution of a pattern's states if the items are independent, each with these shares of its options."""
    states = np.ones(1)
    for part in factors(design, pattern):
        for atom in part.atoms:
            match = prod(sum(shares[design.items[column].id][option] for option in options) for column, options in atom)
            states = np.multiply.outer(states, [1 - match, match]).ravel()
    return states


def surveys(
    design: Design,
    pattern: Pattern,
    states: Floats,
    n: int,
    direct: float,
    repetitions: int,
    random: np.random.Generator,
) -> tuple[Counts, Counts]:
    """Counts of many surveys of n respondents, each direct with probability `direct`, and their group sizes."""
    parts = factors(design, pattern)
    disguised = np.maximum(through_states([parts], states[np.newaxis])[0], 0.0)
    in_direct = random.binomial(n, direct, repetitions)
    sizes = np.stack([n - in_direct, in_direct], axis=-1)
    chance = _all_asked(design, pattern)
    counts = [
        random.multinomial(random.binomial(sizes[:, group], chance), shares / shares.sum())
        for group, shares in enumerate((disguised, states))
    ]
    return np.stack(counts, axis=1), sizes


def _all_asked(design: Design, pattern: Pattern) -> float:
    """How likely a respondent is asked every item of the pattern."""
    chance = 1.0
    for block, first in zip(design.blocks, design.first_columns, strict=True):
        length = sum(first <= column < first + len(block.items) for column in pattern.columns)
        chance *= comb(len(block.items) - length, asked(block) - length) / comb(len(block.items), asked(block))
    return chance
