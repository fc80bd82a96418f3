"""Surveys simulated by their counts: no respondent is drawn, only how many fall into each state of a pattern."""

import numpy as np
from numpy.typing import NDArray

from privacy.arrays import Floats
from privacy.design import Design
from privacy.design.patterns import Pattern
from privacy.plan.power import chance_asked_all
from privacy.reconstruct.weights import channel_of, factors

__all__ = ["surveys"]

Counts = NDArray[np.int64]


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
    disguised = np.maximum(channel_of([factors(design, pattern)]).disguise(states[np.newaxis])[0], 0.0)
    in_direct = random.binomial(n, direct, repetitions)
    sizes = np.stack([n - in_direct, in_direct], axis=-1)
    chance = chance_asked_all(design, pattern)
    counts = [
        random.multinomial(random.binomial(sizes[:, group], chance), shares / shares.sum())
        for group, shares in enumerate((disguised, states))
    ]
    return np.stack(counts, axis=1), sizes
